//! Indexes in the partition of the entity (P1): full and partial copies, unique and sparse indexes, under every
//! operation.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::duplicated_attributes, reason = "it takes the `unique` of two indexes for one said twice")]

use table_patterns::{Error, prelude::*};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_name, row = "name_{last_name}_{id:06}", copy(age)))]
#[table(index(by_badge, row = "badge_{badge:08}", unique, sparse, copy()))]
#[table(index(leavers, row = "left_{id:06}", when = gone))]
struct Employee {
    department: String,
    id: u32,
    last_name: String,
    email: String,
    age: i32,
    badge: Option<u32>,
    gone: bool,
}

fn employee(id: u32) -> Employee {
    Employee {
        department: "Sales".into(),
        id,
        last_name: format!("Name{id}"),
        email: format!("e{id}@contoso.com"),
        age: 30,
        badge: id.is_multiple_of(2).then_some(1000 + id),
        gone: false,
    }
}

/// Returns all rows of the partition: RowKeys and property names.
fn layout(tables: &Tables) -> Vec<(String, Vec<String>)> {
    let all = tables.blocking().all(&Employee::scan_table().bag()).unwrap();
    all.iter()
        .map(|bag| (bag.row_key().to_owned(), bag.iter().map(|(name, _)| name.to_owned()).collect()))
        .collect()
}

fn keys(tables: &Tables) -> Vec<String> {
    layout(tables).into_iter().map(|(key, _)| key).collect()
}

#[test]
fn an_insert_writes_the_entity_and_its_index_rows() {
    let tables = Tables::in_memory().unwrap();
    let written = tables.blocking().insert(&employee(2)).unwrap();
    assert_eq!(written.address.row_key(), "empid_000002");
    let rows = layout(&tables);
    assert_eq!(
        rows.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(),
        ["badge_00001002", "email_e2@contoso.com", "empid_000002", "name_Name2_000002"]
    );
    // Values contained in the key of a row are not stored again.
    assert_eq!(rows[0].1, ["id", "_tx", "EntityType"]);
    assert_eq!(rows[1].1, ["id", "last_name", "age", "badge", "gone", "_tx", "EntityType"]);
    assert_eq!(rows[2].1, ["last_name", "email", "age", "badge", "gone", "_tx", "EntityType"]);
    assert_eq!(rows[3].1, ["age", "_tx", "EntityType"]);
}

#[test]
fn each_key_finds_the_entity() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for id in 1..=20 {
        b.insert(&employee(id)).unwrap();
    }
    let found = b.get(&Employee::by_email("Sales", "e7@contoso.com")).unwrap().unwrap();
    assert_eq!(*found, employee(7));
    let range = b.all(&Employee::by_email_rows("Sales").between("e1".."e2")).unwrap();
    assert_eq!(range.iter().map(|e| e.id).collect::<Vec<_>>(), [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 1]);
    let copied = b.get(&Employee::by_badge("Sales", 1004)).unwrap().unwrap();
    assert_eq!((copied.id, copied.badge), (4, Some(1004)));
    let loaded = pollster::block_on(copied.load(&tables)).unwrap().unwrap();
    assert_eq!(*loaded, employee(4));
    let named = b.all(&Employee::by_name_rows("Sales").at("Name3")).unwrap();
    assert_eq!(
        named.iter().map(|e| (e.id, e.age, e.last_name.clone())).collect::<Vec<_>>(),
        [(3, 30, "Name3".into())]
    );
    assert_eq!(b.all(&Employee::by_badge_rows("Sales")).unwrap().len(), 10);
    // Queries on the entity rows return each entity once.
    assert_eq!(b.all(&Employee::rows("Sales")).unwrap().len(), 20);
    assert_eq!(b.all(&Employee::scan_partition("Sales")).unwrap().len(), 20);
    assert_eq!(b.all(&Employee::scan_table()).unwrap().len(), 20);
}

#[test]
fn a_replace_moves_the_rows_whose_keys_changed() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2)).unwrap();
    let mut jo = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    jo.email = "new@contoso.com".into();
    jo.badge = None;
    jo.gone = true;
    let written = b.replace(&jo).unwrap();
    assert!(written.repaired_indexes.is_empty());
    assert_eq!(keys(&tables), ["email_new@contoso.com", "empid_000002", "left_000002", "name_Name2_000002"]);
    assert!(b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().is_none());
    assert_eq!(*b.get(&Employee::by_email("Sales", "new@contoso.com")).unwrap().unwrap(), *jo);
    // Continues with the written state, without a read.
    let mut jo = jo.written(&written);
    jo.gone = false;
    b.replace(&jo).unwrap();
    assert_eq!(keys(&tables), ["email_new@contoso.com", "empid_000002", "name_Name2_000002"]);
}

#[test]
fn what_was_read_through_a_whole_index_can_be_written() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2)).unwrap();
    let mut by_email = b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().unwrap();
    let mut by_id = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    by_id.age = 31;
    b.replace(&by_id).unwrap();
    by_email.age = 32;
    assert!(b.replace(&by_email).unwrap_err().is_conflict(), "the other write touched this row, too");
    let mut by_email = b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().unwrap();
    assert_eq!(by_email.age, 31);
    by_email.email = "x@contoso.com".into();
    b.replace(&by_email).unwrap();
    assert!(b.replace(&by_id).unwrap_err().is_conflict());
    let stored = b.get(&Employee::by_email("Sales", "x@contoso.com")).unwrap().unwrap();
    b.delete(&stored).unwrap();
    assert!(keys(&tables).is_empty());
}

#[test]
fn a_patch_of_what_was_read_changes_the_copies() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2)).unwrap();
    let stored = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    b.merge(stored.patch().age(44)).unwrap();
    assert_eq!(b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().unwrap().age, 44);
    assert_eq!(b.all(&Employee::by_name_rows("Sales")).unwrap()[0].age, 44);
    assert!(b.merge(stored.patch().age(45)).unwrap_err().is_conflict());
    let through = b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().unwrap();
    b.merge(through.patch().age(46)).unwrap();
    assert_eq!(b.get(&Employee::point("Sales", 2)).unwrap().unwrap().age, 46);
    assert!(b.merge(through.patch().age(47)).unwrap_err().is_conflict());
    let refused = b.upsert_merge(stored.patch().age(48)).unwrap_err();
    assert!(matches!(refused, Error::PartialUpsertUnsupported { .. }), "{refused}");
}

#[test]
fn a_patch_leaves_rows_without_its_properties_unchanged() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2)).unwrap();
    let etag = |row_key| {
        b.get(&DynamicEntity::point("Employees", "Sales", row_key)).unwrap().unwrap().etag().clone()
    };
    let before = ["badge_00001002", "name_Name2_000002"].map(etag);
    let stored = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    b.merge(stored.patch().age(44)).unwrap();
    let after = ["badge_00001002", "name_Name2_000002"].map(etag);
    assert_eq!(before[0], after[0], "it contains no age");
    assert_ne!(before[1], after[1]);
}

/// An empty patch checks the version that was read, also if this was the version of an index row.
#[test]
fn an_empty_patch_of_a_changed_entity_is_a_conflict() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2)).unwrap();
    let through = b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().unwrap();
    b.merge(through.patch().age(44)).unwrap();
    assert!(b.merge(through.patch()).unwrap_err().is_conflict());
}

#[test]
fn a_taken_unique_key_refuses_the_write_whole() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2)).unwrap();
    let before = layout(&tables);
    let twin = Employee { email: employee(2).email, ..employee(3) };
    let error = b.insert(&twin).unwrap_err();
    let Error::Unique(violation) = &error else { panic!("{error}") };
    assert_eq!(violation.index, "by_email");
    assert_eq!(error.code(), Some(ErrorCode::EntityAlreadyExists));
    assert!(error.to_string().contains("by_email"), "{error}");
    assert!(matches!(b.upsert(&twin).unwrap_err(), Error::Unique(_)));
    assert_eq!(layout(&tables), before);
    // A conflict on the entity key is distinguished from that error.
    assert!(b.insert(&employee(2)).unwrap_err().is_conflict());
}

#[test]
fn blind_verbs_find_the_old_rows() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.upsert(&employee(2)).unwrap();
    b.upsert(&Employee { email: "b@contoso.com".into(), ..employee(2) }).unwrap();
    assert_eq!(keys(&tables), ["badge_00001002", "email_b@contoso.com", "empid_000002", "name_Name2_000002"]);
    b.replace_any(&Employee { badge: None, ..employee(2) }).unwrap();
    assert_eq!(keys(&tables), ["email_e2@contoso.com", "empid_000002", "name_Name2_000002"]);
    assert!(b.replace_any(&employee(3)).unwrap_err().is_not_found());
    b.delete_at(Employee::by_email("Sales", "e2@contoso.com")).unwrap();
    assert!(keys(&tables).is_empty());
    assert!(b.delete_at(Employee::point("Sales", 2)).unwrap_err().is_not_found());
    assert!(!b.delete_if_exists(Employee::point("Sales", 2)).unwrap());
    b.insert(&employee(4)).unwrap();
    assert!(b.delete_if_exists(Employee::point("Sales", 4)).unwrap());
    assert!(keys(&tables).is_empty());
}

#[test]
fn a_rekey_takes_all_rows_along() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2)).unwrap();
    let mut jo = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    jo.id = 9;
    b.rekey(&jo).unwrap();
    assert_eq!(
        keys(&tables),
        ["badge_00001002", "email_e2@contoso.com", "empid_000009", "name_Name2_000009"]
    );
    assert_eq!(b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().unwrap().id, 9);
}

#[test]
fn a_transaction_counts_index_rows() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let mut transaction = tables.transact();
    for id in 0..29 {
        transaction = transaction.insert(&employee(id));
    }
    let error = b.commit(transaction).unwrap_err();
    assert!(error.to_string().contains("102 operations (29 on entities, 73 on their other rows)"), "{error}");
    let report = b.run(tables.bulk().insert_all(&(0..200).map(employee).collect::<Vec<_>>())).unwrap();
    assert_eq!(report.written(), 200);
    assert_eq!(b.all(&Employee::by_email_rows("Sales")).unwrap().len(), 200);
    // Upserts read first.
    let changed: Vec<_> =
        (0..50).map(|id| Employee { email: format!("n{id}@contoso.com"), ..employee(id) }).collect();
    b.run(tables.bulk().upsert_all(&changed)).unwrap().into_result().unwrap();
    assert_eq!(b.all(&Employee::by_email_rows("Sales").starts_with("n")).unwrap().len(), 50);
    assert_eq!(b.all(&Employee::by_email_rows("Sales")).unwrap().len(), 200);
    let mixed =
        tables.transact().upsert(&employee(1)).insert(&employee(500)).delete_at(Employee::point("Sales", 3));
    b.commit(mixed).unwrap();
    assert!(b.get(&Employee::by_email("Sales", "n3@contoso.com")).unwrap().is_none());
    assert_eq!(b.get(&Employee::by_email("Sales", "e1@contoso.com")).unwrap().unwrap().id, 1);
    let at_fault = tables
        .transact()
        .insert(&employee(600))
        .insert(&Employee { email: employee(600).email, ..employee(601) });
    assert!(b.commit(at_fault).is_err());
}

#[test]
fn a_filter_on_what_the_index_row_does_not_hold_is_refused() {
    let error = Employee::by_email_rows("Sales").scan(|e| e.email.eq("x")).explain().unwrap_err();
    assert!(matches!(error, Error::NotInIndex { index: "by_email", .. }), "{error}");
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&employee(2)).unwrap();
    let scan = Employee::by_email_rows("Sales").scan(|e| e.age.ge(30));
    assert_eq!(tables.blocking().all(&scan).unwrap().len(), 1);
}

#[test]
fn a_row_that_somebody_took_away_comes_back() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2)).unwrap();
    b.delete_at(DynamicEntity::point("Employees", "Sales", "email_e2@contoso.com")).unwrap();
    let mut jo = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    jo.age = 50;
    assert_eq!(b.replace(&jo).unwrap().repaired_indexes, ["by_email"]);
    assert_eq!(b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().unwrap().age, 50);
    b.delete_at(DynamicEntity::point("Employees", "Sales", "email_e2@contoso.com")).unwrap();
    let jo = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    b.delete(&jo).unwrap();
    assert!(keys(&tables).is_empty());
}

#[derive(TableUnion)]
#[table(partition = "{department}")]
enum Member {
    Employee(Stored<Employee>),
}

#[test]
fn a_union_passes_over_index_rows() {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&employee(2)).unwrap();
    let members = tables.blocking().all(&Member::rows("Sales")).unwrap();
    assert!(matches!(members.as_slice(), [Member::Employee(jo)] if jo.id == 2));
}

#[test]
fn a_bag_leaves_an_entity_with_indexes_alone() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2)).unwrap();
    let before = layout(&tables);
    let mut bag = b.get(&DynamicEntity::point("Employees", "Sales", "empid_000002")).unwrap().unwrap();
    bag.set("age", 99);
    let read = [b.merge(bag.changes()).map(drop), b.replace(&bag).map(drop), b.delete(&bag)];
    let blind = [b.upsert(&*bag).map(drop), b.replace_any(&*bag).map(drop), b.insert(&*bag).map(drop)];
    for refused in read.into_iter().chain(blind) {
        let error = refused.unwrap_err();
        assert!(matches!(error, Error::IndexedEntity { .. }), "{error}");
    }
    assert_eq!(layout(&tables), before);
}

#[test]
fn what_was_read_through_a_row_that_moved_since_is_a_conflict() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&employee(2)).unwrap();
    let through = b.get(&Employee::by_email("Sales", "e2@contoso.com")).unwrap().unwrap();
    let mut jo = b.get(&Employee::point("Sales", 2)).unwrap().unwrap();
    jo.email = "new@contoso.com".into();
    b.replace(&jo).unwrap();
    for refused in
        [b.replace(&through).map(drop), b.merge(through.patch().age(1)).map(drop), b.delete(&through)]
    {
        assert_eq!(refused.unwrap_err().code(), Some(ErrorCode::UpdateConditionNotSatisfied));
    }
    assert_eq!(
        keys(&tables),
        ["badge_00001002", "email_new@contoso.com", "empid_000002", "name_Name2_000002"]
    );
}
