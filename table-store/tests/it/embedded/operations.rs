//! The six writes to an entity in the expected version, in another version, and to a missing entity; and to a missing
//! table.

use table_store::{
    BlockingStore, Condition, ETag, Entity, ErrorCode, Operation, Properties, Query, TableName, Timestamp,
    Value, Written,
};

use crate::embedded::support::{code, entity, put, store, table};

/// Expected result of a write.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Then {
    /// Only the written properties.
    Sent,
    /// The stored properties, merged with the written ones.
    Merged,
    Gone,
    Refused(ErrorCode),
}
use Then::{Gone, Merged, Refused, Sent};

fn sent() -> Entity {
    Entity::new("Sales", "1").with("Level", 7)
}

fn delete(condition: Condition) -> Operation {
    Operation::Delete { partition_key: "Sales".to_owned(), row_key: "1".to_owned(), condition }
}

/// Returns each write with its result if the entity exists and satisfies the condition, if it exists in another
/// version, and if it does not exist.
fn matrix(current: &ETag, other: &ETag) -> Vec<(Operation, Then, Then)> {
    use Condition::{Exists, Matches};
    let missing = Refused(ErrorCode::ResourceNotFound);
    let stale = Refused(ErrorCode::UpdateConditionNotSatisfied);
    let (current, other) = (|| Matches(current.clone()), || Matches(other.clone()));
    vec![
        (Operation::Insert(sent()), Refused(ErrorCode::EntityAlreadyExists), Sent),
        (Operation::InsertOrReplace(sent()), Sent, Sent),
        (Operation::InsertOrMerge(sent()), Merged, Sent),
        (Operation::Replace(sent(), Exists), Sent, missing),
        (Operation::Replace(sent(), current()), Sent, missing),
        (Operation::Replace(sent(), other()), stale, missing),
        (Operation::Merge(sent(), Exists), Merged, missing),
        (Operation::Merge(sent(), current()), Merged, missing),
        (Operation::Merge(sent(), other()), stale, missing),
        (delete(Exists), Gone, missing),
        (delete(current()), Gone, missing),
        (delete(other()), stale, missing),
    ]
}

fn stored(store: &BlockingStore) -> Option<Properties> {
    store.get(&table(), "Sales", "1", None).unwrap().map(|row| row.properties)
}

fn check(store: &BlockingStore, operation: &Operation, then: Then, in_transaction: bool) {
    let before = store.get(&table(), "Sales", "1", None).unwrap();
    let result = if in_transaction {
        store.transact(&table(), vec![operation.clone()]).map(|mut written| written.remove(0))
    } else {
        store.execute(&table(), operation.clone())
    };
    let after = store.get(&table(), "Sales", "1", None).unwrap();
    let expected = match then {
        Sent => Some(Properties::from_iter([("Level", 7)])),
        Merged => Some(Properties::from_iter([("Age", 1), ("Level", 7)])),
        Gone => None,
        Refused(expected) => {
            let error = result.unwrap_err();
            assert_eq!(error.code(), expected, "{operation:?}");
            assert_eq!(error.index(), in_transaction.then_some(0), "{operation:?}");
            assert_eq!(after, before, "{operation:?} was refused and changed something");
            return;
        }
    };
    assert_eq!(after.as_ref().map(|row| &row.properties), expected.as_ref(), "{operation:?}");
    let written = result.unwrap();
    assert_eq!(written.etag(), after.as_ref().map(|row| &row.etag), "{operation:?}");
    assert_eq!(written.timestamp(), after.and_then(|row| row.timestamp), "{operation:?}");
    if let (Some(new), Some(before)) = (written.etag(), before) {
        assert_ne!(*new, before.etag, "{operation:?} kept the version");
    }
}

#[test]
fn every_write_does_what_the_service_says_alone_and_in_a_transaction() {
    let other: ETag = ETag::from("2001-01-01T00:00:00Z".parse::<Timestamp>().unwrap());
    for in_transaction in [false, true] {
        let cases = matrix(&other, &other).len();
        for case in 0..cases {
            let store = store();
            put(&store, "1", 1);
            let current = store.get(&table(), "Sales", "1", None).unwrap().unwrap().etag;
            let (operation, if_there, if_missing) = matrix(&current, &other).swap_remove(case);
            check(&store, &operation, if_there, in_transaction);

            store.execute(&table(), Operation::InsertOrReplace(entity("1", 1))).unwrap();
            store.execute(&table(), delete(Condition::Exists)).unwrap();
            check(&store, &operation, if_missing, in_transaction);
        }
    }
}

#[test]
fn nothing_can_be_done_in_a_table_that_is_not_there() {
    let store = store();
    let nowhere: TableName = "Nowhere".parse().unwrap();
    let etag = ETag::from(Timestamp::now());
    for (operation, ..) in matrix(&etag, &etag) {
        assert_eq!(code(store.execute(&nowhere, operation.clone())), ErrorCode::TableNotFound);
        let error = store.transact(&nowhere, vec![operation]).unwrap_err();
        assert_eq!((error.code(), error.index()), (ErrorCode::TableNotFound, Some(0)));
    }
    assert_eq!(code(store.get(&nowhere, "p", "r", None)), ErrorCode::TableNotFound);
    assert_eq!(code(store.query(&nowhere, Query::new())), ErrorCode::TableNotFound);
}

#[test]
fn an_etag_of_another_form_is_another_version() {
    let store = store();
    put(&store, "1", 1);
    let foreign: ETag = "W/\"0x5B168C7B6E589D2\"".parse().unwrap();
    assert_eq!(code(store.execute(&table(), delete(foreign.into()))), ErrorCode::UpdateConditionNotSatisfied);
}

#[test]
fn what_is_sent_is_checked_before_the_table_is_looked_up() {
    let store = store();
    let nowhere: TableName = "Nowhere".parse().unwrap();
    let bad_key = Operation::Insert(Entity::new("a/b", "1"));
    assert_eq!(code(store.execute(&nowhere, bad_key)), ErrorCode::OutOfRangeInput);
    let bad_name = Operation::Insert(Entity::new("p", "1").with("a-b", 1));
    assert_eq!(code(store.execute(&nowhere, bad_name)), ErrorCode::PropertyNameInvalid);
    assert_eq!(code(store.get(&nowhere, "p", "a#", None)), ErrorCode::OutOfRangeInput);
    let (partition_key, row_key) = ("p".repeat(513), String::new());
    let long = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
    assert_eq!(code(store.execute(&nowhere, long)), ErrorCode::KeyValueTooLarge);
}

#[test]
fn a_merge_keeps_places_changes_types_and_appends() {
    let store = store();
    let first = Entity::new("Sales", "1").with("A", 1).with("B", "b").with("C", true);
    store.execute(&table(), Operation::Insert(first)).unwrap();
    let second = Entity::new("Sales", "1").with("D", 4_i64).with("B", 2.5).with("A", 3);
    store.execute(&table(), Operation::Merge(second, Condition::Exists)).unwrap();
    let expected: Vec<(&str, Value)> =
        vec![("A", 3.into()), ("B", 2.5.into()), ("C", true.into()), ("D", 4_i64.into())];
    let found = stored(&store).unwrap();
    assert_eq!(found, expected.into_iter().collect());
    let names: Vec<_> = found.iter().map(|(name, _)| name.as_ref()).collect();
    assert_eq!(names, ["A", "B", "C", "D"]);
}

#[test]
fn limits_hold_for_the_result_of_a_merge() {
    let store = store();
    let many = |range: std::ops::Range<u32>| {
        let mut entity = Entity::new("Sales", "1");
        entity.properties = range.map(|n| (format!("P{n}"), 1)).collect();
        entity
    };
    store.execute(&table(), Operation::Insert(many(0..200))).unwrap();
    for operation in
        [Operation::Merge(many(200..253), Condition::Exists), Operation::InsertOrMerge(many(200..253))]
    {
        assert_eq!(code(store.execute(&table(), operation)), ErrorCode::TooManyProperties);
    }
    assert_eq!(stored(&store).unwrap().len(), 200);
    store.execute(&table(), Operation::InsertOrMerge(many(150..252))).unwrap();
    assert_eq!(stored(&store).unwrap().len(), 252);

    // 15 values of 64 KiB are stored; one more exceeds 1 MiB.
    let large = |range: std::ops::Range<u32>| {
        let mut entity = Entity::new("Sales", "2");
        entity.properties = range.map(|n| (format!("P{n}"), vec![0_u8; 65_536])).collect();
        entity
    };
    store.execute(&table(), Operation::Insert(large(0..15))).unwrap();
    let merge = Operation::Merge(large(15..16), Condition::Exists);
    assert_eq!(code(store.execute(&table(), merge)), ErrorCode::EntityTooLarge);
}

#[test]
fn an_entity_at_every_limit_reads_back() {
    let store = store();
    // Keys of 512 units with two units per character, and a value with three bytes per unit.
    let (partition_key, row_key) = ("\u{10000}".repeat(256), "\u{ffff}".repeat(512));
    let mut entity = Entity::new(&partition_key, &row_key);
    for n in 0..15 {
        entity = entity.with(format!("Text{n:02}"), "\u{ffff}".repeat(32_768));
    }
    entity =
        entity.with("Empty", "").with("NaN", f64::NAN).with("Bytes", Vec::new()).with("Last", Timestamp::MAX);
    let written = store.execute(&table(), Operation::Insert(entity.clone())).unwrap();
    let row = store.get(&table(), &partition_key, &row_key, None).unwrap().unwrap();
    assert!(matches!(&written, Written::Version { etag, .. } if *etag == row.etag));
    assert_eq!(row.into_entity().unwrap(), entity);
}

#[test]
fn empty_keys_are_keys() {
    let store = store();
    for (partition_key, row_key) in [("", ""), ("", "r"), ("p", "")] {
        let entity = Entity::new(partition_key, row_key).with("At", format!("{partition_key}/{row_key}"));
        store.execute(&table(), Operation::Insert(entity.clone())).unwrap();
        let row = store.get(&table(), partition_key, row_key, None).unwrap().unwrap();
        assert_eq!(row.into_entity().unwrap(), entity);
    }
}
