use super::{Employee, Review, company, employee, ids, review, run};
use table_patterns::{ErrorCode, TransactionError, WriteResult, prelude::*};

/// Returns the error of a rejected transaction, and the index of the operation that caused it.
fn refusal(result: Result<Vec<Option<WriteResult>>>) -> (TransactionError, Option<usize>) {
    let error = result.unwrap_err();
    let index = error.index();
    match error {
        Error::Transaction(refusal) => (*refusal, index),
        other => panic!("not refused before sending: {other}"),
    }
}

#[test]
fn mixed_types_and_verbs_of_one_partition_happen_together() {
    let tables = company([1, 2, 3]);
    let stored = |id| run(Employee::point("Sales", id).get(&tables)).unwrap().unwrap();
    let mut two = stored(2);
    two.age = 44;
    let mut note = DynamicEntity::new("Employees", "Sales", "note").unwrap();
    note.set("Text", "hired");
    let results = run(tables
        .transact()
        .insert(&employee(4))
        .replace(&two)
        .merge(Employee::patch("Sales", 3).age(33))
        .delete(&stored(1))
        .upsert(&note)
        .commit())
    .unwrap();
    assert_eq!(results.len(), 5);
    assert!(results[3].is_none(), "a delete has no version");
    assert_eq!(results[0].as_ref().unwrap().address.row_key(), "empid_000004");
    let etags: Vec<_> = results.iter().flatten().map(|written| &written.etag).collect();
    assert!(etags.windows(2).all(|pair| pair[0] == pair[1]), "one transaction, one version");
    let left = run(Employee::rows("Sales").all(&tables)).unwrap();
    assert_eq!(left.iter().map(|e| (e.id, e.age)).collect::<Vec<_>>(), [(2, 44), (3, 33), (4, 24)]);
}

#[test]
fn one_refused_operation_undoes_all_and_is_named() {
    let tables = company([3]);
    let error =
        run(tables.transact().insert(&employee(1)).insert(&employee(2)).insert(&employee(3)).commit());
    let error = error.unwrap_err();
    assert_eq!((error.code(), error.index()), (Some(ErrorCode::EntityAlreadyExists), Some(2)));
    assert!(error.is_conflict() && error.http_status() == 409);
    let entity = "Employees(PartitionKey='Sales',RowKey='empid_000003')";
    assert_eq!(
        error.to_string(),
        format!("operation 2: {entity} already exists; use `upsert` to replace it")
    );
    let missing =
        run(tables.transact().insert(&employee(1)).merge(Employee::patch("Sales", 9).age(3)).commit());
    let missing = missing.unwrap_err();
    assert_eq!((missing.code(), missing.index()), (Some(ErrorCode::ResourceNotFound), Some(1)));
    assert!(missing.is_not_found() && missing.http_status() == 404);
    assert!(
        matches!(missing.root(), Error::NotFound(address) if address.row_key() == "empid_000009"),
        "{missing}"
    );
    assert_eq!(ids(&run(Employee::rows("Sales").all(&tables)).unwrap()), [3]);
}

#[test]
fn another_partition_is_refused_with_its_index() {
    let tables = company([]);
    let stranger = Employee { department: "Marketing".into(), ..employee(3) };
    let (refusal, index) =
        refusal(run(tables.transact().insert(&employee(1)).insert(&employee(2)).insert(&stranger).commit()));
    assert!(matches!(refusal, TransactionError::OtherPartition { index: 2, .. }));
    assert_eq!(refusal.code(), Some(ErrorCode::CommandsInBatchActOnDifferentPartitions));
    assert_eq!(index, Some(2));
    assert_eq!(
        refusal.to_string(),
        "operation 2 is on Employees(PartitionKey='Marketing',RowKey='empid_000003'), operation 0 on \
         Employees(PartitionKey='Sales',RowKey='empid_000001'): a transaction is limited to one partition; \
         use `bulk` for writes that need not be atomic"
    );
    assert!(run(Employee::rows("Sales").all(&tables)).unwrap().is_empty());
}

#[test]
fn another_table_is_refused_with_its_index() {
    let tables = company([]);
    let (refusal, index) =
        refusal(run(tables.transact().insert(&employee(1)).insert(&review(1, 2012)).commit()));
    assert!(matches!(refusal, TransactionError::OtherTable { .. }));
    assert_eq!(index, Some(1));
}

#[test]
fn an_entity_twice_is_refused_with_both_indexes() {
    let tables = company([]);
    let twice = tables
        .transact()
        .insert(&employee(1))
        .insert(&employee(2))
        .merge(Employee::patch("Sales", 1).age(3))
        .commit();
    let (refusal, index) = refusal(run(twice));
    assert!(matches!(refusal, TransactionError::SameEntity { index: 2, earlier: 0, .. }));
    assert_eq!(refusal.code(), Some(ErrorCode::InvalidDuplicateRow));
    assert_eq!(index, Some(2));
}

#[test]
fn the_hundred_and_first_operation_is_refused() {
    let tables = company([]);
    let with = |count: u32| (0..count).fold(tables.transact(), |all, id| all.insert(&employee(id)));
    let (refusal, index) = refusal(run(with(101).commit()));
    assert!(matches!(refusal, TransactionError::TooMany { entities: 101, copies: 0, records: 0 }));
    assert_eq!(refusal.code(), Some(ErrorCode::InvalidInput));
    assert_eq!(index, Some(100));
    assert_eq!(run(with(100).commit()).unwrap().len(), 100);
}

#[test]
fn four_mebibytes_are_refused_where_they_are_reached() {
    let tables = company([]);
    // 64 KiB of text each: one below the limit, then one more. The second character has two bytes in UTF-8.
    for (first, letter) in [(0, "x"), (100, "\u{e9}")] {
        let heavy = |id| Employee { last_name: letter.repeat(32_000), ..employee(id) };
        let with =
            |count: u32| (first..first + count).fold(tables.transact(), |all, id| all.insert(&heavy(id)));
        let (refusal, index) = refusal(run(with(66).commit()));
        assert!(matches!(refusal, TransactionError::TooLarge { index: 65, .. }), "{refusal}");
        assert_eq!(index, Some(65));
        assert_eq!(run(with(65).commit()).unwrap().len(), 65);
    }
}

#[test]
fn an_operation_that_cannot_be_encoded_is_named() {
    let tables = company([]);
    let broken = Employee { department: "a/b".into(), ..employee(2) };
    let (refusal, index) = refusal(run(tables.transact().insert(&employee(1)).insert(&broken).commit()));
    assert!(matches!(&refusal, TransactionError::Operation { index: 1, .. }));
    assert!(refusal.to_string().starts_with("operation 1: key of `Employee`"), "{refusal}");
    assert_eq!(index, Some(1));
}

#[test]
fn an_empty_transaction_sends_nothing() {
    let tables = company([]);
    assert!(tables.transact().is_empty());
    assert!(run(tables.transact().commit()).unwrap().is_empty());
    let _ = Review::scan_table();
}
