//! Entity group transactions: atomicity, and the index of the failed operation.

use table_store::{Condition, ETag, Entity, ErrorCode, Operation, Timestamp, limits};

use crate::embedded::support::{age, at, entity, put, store, table};

fn upserts(rows: std::ops::Range<usize>) -> Vec<Operation> {
    rows.map(|n| Operation::InsertOrReplace(entity(&format!("{n:03}"), i32::try_from(n).unwrap()))).collect()
}

#[test]
fn a_hundred_operations_are_one_step_and_share_a_timestamp() {
    let store = store();
    let written = store.transact(&table(), upserts(0..100)).unwrap();
    assert_eq!(written.len(), 100);
    assert!(written.iter().all(|one| one.etag().is_some() && one.timestamp() == written[0].timestamp()));
    assert_eq!(age(&store, "099"), Some(99));
}

#[test]
fn the_number_of_operations_is_1_to_100() {
    let store = store();
    assert_eq!(at(store.transact(&table(), Vec::new())), (ErrorCode::InvalidInput, None));
    let error = store.transact(&table(), upserts(0..101)).unwrap_err();
    assert_eq!((error.code(), error.index()), (ErrorCode::InvalidInput, Some(99)));
    assert_eq!(
        error.message(),
        "The batch request operation exceeds the maximum 100 changes per change set."
    );
    assert_eq!(age(&store, "000"), None);
}

#[test]
fn a_transaction_holds_less_than_4_mib() {
    let store = store();
    // 8 for the keys, then properties of 8 + 2 * 3 + bytes + 4.
    let sized = |row: &str, bytes: usize| {
        let mut entity = Entity::new("p", row);
        for n in 0..14 {
            entity = entity.with(format!("P{n:02}"), vec![0_u8; 65_536]);
        }
        Operation::Insert(entity.with("P14", vec![0_u8; bytes]))
    };
    let four: Vec<_> = ["1", "2", "3", "4"].map(|row| sized(row, 65_536)).to_vec();
    let base: usize = four.iter().map(Operation::size).sum();
    let fill = |bytes: usize| {
        let mut operations = four.clone();
        let mut rest = bytes;
        let mut n = 0;
        while rest > 0 {
            let take = rest.min(60_000);
            // An entity with one property: 4 + 4 keys (two units), 8 + 2 for its name, 4 for its length.
            let entity = Entity::new("p", ((b'a' + n) as char).to_string()).with("P", vec![0_u8; take - 22]);
            operations.push(Operation::Insert(entity));
            rest -= take;
            n += 1;
        }
        operations
    };
    let room = limits::TRANSACTION_BYTES - base;
    assert_eq!(fill(room).iter().map(Operation::size).sum::<usize>(), limits::TRANSACTION_BYTES);
    assert_eq!(at(store.transact(&table(), fill(room))), (ErrorCode::RequestBodyTooLarge, None));
    store.transact(&table(), fill(room - 1)).unwrap();
}

#[test]
fn the_first_operation_at_fault_is_named_and_nothing_is_done() {
    let store = store();
    put(&store, "there", 1);
    let good = || Operation::InsertOrReplace(entity("new", 2));
    let stale = ETag::from("2001-01-01T00:00:00Z".parse::<Timestamp>().unwrap());
    let cases = [
        (Operation::Insert(entity("there", 3)), ErrorCode::EntityAlreadyExists),
        (Operation::Replace(entity("missing", 3), Condition::Exists), ErrorCode::ResourceNotFound),
        (Operation::Merge(entity("missing", 3), Condition::Exists), ErrorCode::ResourceNotFound),
        (Operation::Replace(entity("there", 3), stale.into()), ErrorCode::UpdateConditionNotSatisfied),
        (Operation::Insert(Entity::new("Other", "1")), ErrorCode::CommandsInBatchActOnDifferentPartitions),
        (Operation::InsertOrMerge(entity("new", 4)), ErrorCode::InvalidDuplicateRow),
        (Operation::Insert(entity("big", 1).with("B", vec![0_u8; 65_537])), ErrorCode::PropertyValueTooLarge),
        (Operation::Insert(entity("a/b", 1)), ErrorCode::OutOfRangeInput),
    ];
    for (bad, code) in cases {
        let mut operations = vec![good(), Operation::InsertOrReplace(entity("other", 5)), bad];
        assert_eq!(at(store.transact(&table(), operations.clone())), (code, Some(2)), "{operations:?}");
        operations.swap(1, 2);
        assert_eq!(at(store.transact(&table(), operations)), (code, Some(1)));
        assert_eq!((age(&store, "new"), age(&store, "other"), age(&store, "there")), (None, None, Some(1)));
    }
}

#[test]
fn all_six_kinds_go_together() {
    let store = store();
    for row in ["replaced", "merged", "upserted", "deleted"] {
        store.execute(&table(), Operation::Insert(entity(row, 1).with("Kept", true))).unwrap();
    }
    let delete = Operation::Delete {
        partition_key: "Sales".to_owned(),
        row_key: "deleted".to_owned(),
        condition: Condition::Exists,
    };
    let operations = vec![
        Operation::Insert(entity("inserted", 2)),
        Operation::Replace(entity("replaced", 3), Condition::Exists),
        Operation::Merge(entity("merged", 4), Condition::Exists),
        Operation::InsertOrReplace(entity("new", 5)),
        Operation::InsertOrMerge(entity("upserted", 6)),
        delete,
    ];
    let written = store.transact(&table(), operations).unwrap();
    assert_eq!(written.iter().filter(|one| one.etag().is_some()).count(), 5);
    let ages = ["inserted", "replaced", "merged", "new", "upserted", "deleted"].map(|row| age(&store, row));
    assert_eq!(ages, [Some(2), Some(3), Some(4), Some(5), Some(6), None]);
    let kept = |row: &str| {
        store.get(&table(), "Sales", row, None).unwrap().unwrap().properties.get("Kept").is_some()
    };
    assert!(!kept("replaced") && kept("merged") && kept("upserted"));
}

#[test]
fn inserts_of_a_whole_range_find_the_one_row_that_is_there() {
    let inserts = |rows: &[usize]| -> Vec<_> {
        rows.iter().map(|n| Operation::Insert(entity(&format!("{n:03}"), 1))).collect()
    };
    let rising: Vec<usize> = (100..120).collect();
    let falling: Vec<usize> = rising.iter().rev().copied().collect();
    for (rows, there) in [&rising, &falling].into_iter().flat_map(|rows| [100, 107, 119].map(|n| (rows, n))) {
        let store = store();
        for beside in ["099", "120", &format!("{there:03}")] {
            put(&store, beside, 5);
        }
        let index = rows.iter().position(|n| *n == there);
        let refused = at(store.transact(&table(), inserts(rows)));
        assert_eq!(refused, (ErrorCode::EntityAlreadyExists, index), "{there}");
        assert_eq!(age(&store, "101"), None);
        let others: Vec<usize> = rows.iter().copied().filter(|n| *n != there).collect();
        assert_eq!(store.transact(&table(), inserts(&others)).unwrap().len(), 19);
    }
}
