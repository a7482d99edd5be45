use super::{Employee, Review, company, employee, review, run};
use table_patterns::{ErrorCode, prelude::*};

fn code<T: std::fmt::Debug>(result: Result<T>) -> Option<ErrorCode> {
    result.unwrap_err().code()
}

#[test]
fn what_was_written_is_read() {
    let tables = Tables::in_memory().unwrap();
    let written = run(tables.insert(&employee(223))).unwrap();
    let read = run(Employee::point("Sales", 223).get(&tables)).unwrap().unwrap();
    assert_eq!(*read, employee(223));
    assert_eq!((read.etag(), read.timestamp()), (&written.etag, written.timestamp));
    assert_eq!(read.key(), employee(223).key());
    assert_eq!(run(Employee::point("Sales", 224).get(&tables)).unwrap().map(Stored::into_inner), None);
}

#[test]
fn a_row_has_the_stored_properties_and_its_type() {
    let tables = company([223]);
    let bag = run(Employee::point("Sales", 223).bag().get(&tables)).unwrap().unwrap();
    let names: Vec<&str> = bag.iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["EmployeeId", "last_name", "age", "tags", "EntityType"]);
    assert_eq!(bag.entity_type(), Some("Employee"));
    assert_eq!(bag.get::<Vec<u8>>("nothing").unwrap(), None);
    assert_eq!(bag.get::<String>("tags").unwrap().unwrap(), r#"["new"]"#);
}

#[test]
fn insert_wants_a_free_key() {
    let tables = company([1]);
    let error = run(tables.insert(&employee(1))).unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::EntityAlreadyExists));
    assert!(error.to_string().ends_with(") already exists; use `upsert` to replace it"), "{error}");
}

#[test]
fn replace_wants_the_version_that_was_read() {
    let tables = company([1]);
    let point = Employee::point("Sales", 1);
    let mut mine = run(point.get(&tables)).unwrap().unwrap();
    let mut theirs = run(point.get(&tables)).unwrap().unwrap();
    theirs.age = 50;
    let written = run(tables.replace(&theirs)).unwrap();
    mine.age = 60;
    let error = run(tables.replace(&mine)).unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::UpdateConditionNotSatisfied));
    assert!(error.is_conflict());
    assert_eq!(run(point.get(&tables)).unwrap().unwrap().age, 50);

    // With the version that it wrote, the writer can continue without a read.
    let mut theirs = theirs.written(&written);
    theirs.age = 51;
    run(tables.replace(&theirs)).unwrap();
    assert_eq!(run(point.get(&tables)).unwrap().unwrap().age, 51);
}

#[test]
fn replace_drops_what_is_none_and_merge_keeps_it() {
    let tables = Tables::in_memory().unwrap();
    run(tables.insert(&Review { comment: Some("good".into()), ..review(1, 2012) })).unwrap();
    run(tables.merge(Review::patch("Sales", 1, 2012).manager_rating(5))).unwrap();
    let mut stored = run(Review::point("Sales", 1, 2012).get(&tables)).unwrap().unwrap();
    assert_eq!((stored.manager_rating, stored.comment.as_deref()), (5, Some("good")));
    stored.comment = None;
    run(tables.replace(&stored)).unwrap();
    let bag = run(Review::point("Sales", 1, 2012).bag().get(&tables)).unwrap().unwrap();
    assert!(bag.value("comment").is_none());
}

#[test]
fn replace_any_and_merge_want_an_entity_and_upsert_does_not() {
    let tables = company([1]);
    assert_eq!(code(run(tables.replace_any(&employee(2)))), Some(ErrorCode::ResourceNotFound));
    assert_eq!(
        code(run(tables.merge(Employee::patch("Sales", 2).age(3)))),
        Some(ErrorCode::ResourceNotFound)
    );
    run(tables.upsert(&employee(2))).unwrap();
    run(tables.upsert(&Employee { age: 3, ..employee(2) })).unwrap();
    run(tables.replace_any(&Employee { age: 4, ..employee(1) })).unwrap();
    let all = run(Employee::rows("Sales").all(&tables)).unwrap();
    assert_eq!(all.iter().map(|employee| employee.age).collect::<Vec<_>>(), [4, 3]);
}

#[test]
fn upsert_merge_makes_a_row_of_the_right_type_and_then_merges() {
    let tables = Tables::in_memory().unwrap();
    run(tables.upsert_merge(Review::patch("Sales", 1, 2012).manager_rating(1))).unwrap();
    run(tables.upsert_merge(Review::patch("Sales", 1, 2012).comment("fine".into()))).unwrap();
    let scanned = run(Review::scan_partition("Sales").all(&tables)).unwrap();
    assert_eq!(scanned.len(), 1, "a scan finds it by its EntityType");
    assert_eq!((scanned[0].manager_rating, scanned[0].comment.as_deref()), (1, Some("fine")));
}

#[test]
fn a_patch_of_what_was_read_wants_that_version() {
    let tables = company([1]);
    let stored = run(Employee::point("Sales", 1).get(&tables)).unwrap().unwrap();
    run(tables.merge(stored.patch().age(70))).unwrap();
    let error = run(tables.merge(stored.patch().age(71))).unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::UpdateConditionNotSatisfied));
}

#[test]
fn delete_wants_the_version_that_was_read_and_delete_at_any() {
    let tables = company([1, 2, 3]);
    let point = |id| Employee::point("Sales", id);
    let stale = run(point(1).get(&tables)).unwrap().unwrap();
    run(tables.merge(Employee::patch("Sales", 1).age(70))).unwrap();
    assert_eq!(code(run(tables.delete(&stale))), Some(ErrorCode::UpdateConditionNotSatisfied));
    assert_eq!(
        code(run(tables.delete_if_exists(&stale))),
        Some(ErrorCode::UpdateConditionNotSatisfied),
        "it exists, in another version"
    );
    let fresh = run(point(1).get(&tables)).unwrap().unwrap();
    run(tables.delete(&fresh)).unwrap();
    run(tables.delete_at(point(2))).unwrap();
    assert_eq!(code(run(tables.delete_at(point(2)))), Some(ErrorCode::ResourceNotFound));
    assert_eq!(run(tables.delete_if_exists(point(2))).ok(), Some(false));
    assert_eq!(run(tables.delete_if_exists(point(3))).ok(), Some(true));
    assert_eq!(run(Employee::rows("Sales").all(&tables)).unwrap().len(), 0);
}

#[test]
fn a_changed_key_is_refused_by_replace_and_moved_by_rekey() {
    let tables = company([1, 2]);
    let mut stored = run(Employee::point("Sales", 1).get(&tables)).unwrap().unwrap();
    stored.id = 9;
    let error = run(tables.replace(&stored)).unwrap_err();
    assert!(matches!(&error, Error::KeyChanged { .. }));
    assert_eq!(
        error.to_string(),
        "the key was changed from Employees(PartitionKey='Sales',RowKey='empid_000001') to \
         Employees(PartitionKey='Sales',RowKey='empid_000009'), and `replace` would write another entity; \
         use `rekey`"
    );
    let mut moved = stored.clone();
    moved.department = "Marketing".into();
    let error = run(tables.replace(&moved)).unwrap_err();
    assert!(error.to_string().ends_with("insert the new entity, then delete the old one"), "{error}");
    let written = run(tables.rekey(&stored)).unwrap();
    assert_eq!(written.address.row_key(), "empid_000009");
    assert_eq!(super::ids(&run(Employee::rows("Sales").all(&tables)).unwrap()), [2, 9]);

    // The new key exists: nothing is moved.
    let mut stored = run(Employee::point("Sales", 9).get(&tables)).unwrap().unwrap();
    stored.id = 2;
    let error = run(tables.rekey(&stored)).unwrap_err();
    assert_eq!((error.code(), error.index()), (Some(ErrorCode::EntityAlreadyExists), Some(1)));
    assert_eq!(super::ids(&run(Employee::rows("Sales").all(&tables)).unwrap()), [2, 9]);

    // One transaction cannot span several partitions.
    stored.department = "Marketing".into();
    assert!(matches!(run(tables.rekey(&stored)), Err(Error::MovesPartition { .. })));

    // Deletes and patches use the key that was read.
    run(tables.delete(&stored)).unwrap();
    assert_eq!(super::ids(&run(Employee::rows("Sales").all(&tables)).unwrap()), [2]);
}

#[test]
fn rekey_of_an_unchanged_key_is_a_replace() {
    let tables = company([1]);
    let mut stored = run(Employee::point("Sales", 1).get(&tables)).unwrap().unwrap();
    stored.age = 77;
    run(tables.rekey(&stored)).unwrap();
    assert_eq!(run(Employee::point("Sales", 1).get(&tables)).unwrap().unwrap().age, 77);
}

#[test]
fn a_table_that_is_not_there_reads_as_empty_and_is_made_by_the_first_write() {
    let tables = Tables::in_memory().unwrap();
    assert!(run(Employee::point("Sales", 1).get(&tables)).unwrap().is_none());
    assert!(run(Employee::rows("Sales").all(&tables)).unwrap().is_empty());
    assert!(run(Review::scan_table().page(&tables)).unwrap().cursor.is_none());
    assert_eq!(run(tables.delete_if_exists(Employee::point("Sales", 1))).ok(), Some(false));
    assert_eq!(code(run(tables.merge(Employee::patch("Sales", 1).age(3)))), Some(ErrorCode::TableNotFound));
    assert_eq!(run(tables.delete_table::<Employee>()).ok(), Some(false));

    run(tables.insert(&employee(1))).unwrap();
    run(tables.create::<Employee>()).unwrap();
    assert_eq!(run(tables.delete_table::<Employee>()).ok(), Some(true));
    assert!(run(Employee::point("Sales", 1).get(&tables)).unwrap().is_none());
}

#[test]
fn a_value_that_no_property_can_hold_is_refused_before_sending() {
    let tables = Tables::in_memory().unwrap();
    let long = "x".repeat(32_769);
    let error = run(tables.insert(&Employee { last_name: long.clone(), ..employee(1) })).unwrap_err();
    assert!(error.to_string().starts_with("`Employee.last_name`: a string of 32769 UTF-16 units"), "{error}");
    let error = run(tables.merge(Employee::patch("Sales", 1).last_name(long).age(3))).unwrap_err();
    assert!(matches!(error, Error::Property(_)), "{error}");
}

#[test]
fn a_row_that_contradicts_its_key_is_not_read() {
    let tables = company([1]);
    let mut bag = run(Employee::point("Sales", 1).bag().get(&tables)).unwrap().unwrap();
    bag.set("EmployeeId", 2_i64);
    run(tables.replace(&bag)).unwrap();
    let error = run(Employee::point("Sales", 1).get(&tables)).unwrap_err();
    assert!(error.to_string().contains("property `EmployeeId`: the property is"), "{error}");
}

#[test]
fn a_missing_or_mistyped_property_is_named() {
    let tables = company([1]);
    let mut bag = run(Employee::point("Sales", 1).bag().get(&tables)).unwrap().unwrap();
    bag.remove("age");
    bag.remove("tags");
    let written = run(tables.replace(&bag)).unwrap();
    let error = run(Employee::point("Sales", 1).get(&tables)).unwrap_err();
    assert!(error.to_string().contains("`Employee`: property `age`: the property is missing"), "{error}");

    let mut bag = bag.written(&written);
    bag.set("age", "old");
    run(tables.replace(&bag)).unwrap();
    let error = run(Employee::point("Sales", 1).get(&tables)).unwrap_err();
    assert!(error.to_string().contains("it is stored as Edm.String, expected Edm.Int32"), "{error}");
}

#[test]
fn the_blocking_form_has_the_same_verbs() {
    let tables = Tables::in_memory().unwrap();
    let blocking = tables.blocking();
    assert_eq!(blocking.report(&Employee::rows("Nowhere")).unwrap().stats.returned, 0);
    blocking.insert(&employee(1)).unwrap();
    let mut stored = blocking.get(&Employee::point("Sales", 1)).unwrap().unwrap();
    stored.age = 30;
    blocking.replace(&stored).unwrap();
    blocking.update(Employee::point("Sales", 1), |employee| employee.age += 1).unwrap();
    blocking.commit(tables.transact().upsert(&employee(2))).unwrap();
    let ages: Result<Vec<i32>> =
        blocking.iter(&Employee::rows("Sales")).map(|row| row.map(|employee| employee.age)).collect();
    assert_eq!(ages.unwrap(), [31, 22]);
}
