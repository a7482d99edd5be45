//! Rows of the registry that are lost, or that exist and cannot be read.

use pollster::block_on;
use table_patterns::{LEASE, RegistryError, prelude::*};
use table_store::{Store, Value};
use table_tests::counting::Counting;

use super::{Staff, counted, refusal, retired, staff};

const REGISTRY: &str = "tablepatterns";

/// Changes a property of a registry row, or deletes it.
fn damage(service: &Counting<Store>, key: [&str; 2], property: &str, value: Option<Value>) {
    let b = Tables::new(service.clone());
    let b = b.blocking();
    let mut row = b.get(&DynamicEntity::point(REGISTRY, key[0], key[1])).unwrap().unwrap();
    match value {
        Some(value) => row.set(property.to_owned(), value),
        None => drop(row.remove(property)),
    }
    b.replace(&row).unwrap();
}

fn unreadable(error: &RegistryError, key: &str, name: &str) {
    let RegistryError::Unreadable { row, property, .. } = error else { panic!("{error}") };
    assert_eq!((row.row_key(), *property), (key, name));
    assert!(error.to_string().contains(key) && error.to_string().contains("backup"), "{error}");
}

#[test]
fn unreadable_index_row_rejects_writes_and_reads_by_the_index() {
    let key = ["staff", "index_Staff.by_mail"];
    for (property, value) in [
        ("state", Some(Value::from("archived"))),
        ("state", Some(Value::from("Readable"))),
        ("state", Some(Value::Int32(3))),
        ("state", None),
        ("definition", None),
        ("definition", Some(Value::Int32(1))),
        ("cursor", Some(Value::Int32(1))),
        ("changed", Some(Value::Int64(-1))),
    ] {
        let (tables, service, time) = counted();
        let b = tables.blocking();
        b.insert(&staff(1, "a")).unwrap();
        damage(&service, key, property, value);
        time.pass(LEASE);
        for error in [
            refusal(b.insert(&staff(2, "a"))),
            refusal(b.delete_at(Staff::point("Blue", 1))),
            refusal(b.get(&Staff::by_mail("Blue", "a"))),
            refusal(block_on(tables.indexes::<Staff>())),
            refusal(block_on(tables.add_index::<Staff>("by_mail").step())),
            refusal(block_on(tables.drop_index::<Staff>("by_mail").step())),
            refusal(b.sweep(tables.verify::<Staff>())),
        ] {
            unreadable(&error, key[1], property);
        }
        // These do not depend on the index.
        assert!(b.get(&Staff::point("Blue", 1)).unwrap().is_some());
    }
}

#[test]
fn unreadable_versions_reject_writes() {
    let key = ["notes", "schema_Note"];
    let set = |value: i64| Some(Value::Int64(value));
    for (property, value) in [
        ("min_write", Some(Value::from("2"))),
        ("min_write", Some(Value::Int32(2))),
        ("min_write", set(-1)),
        ("min_write", set(0)),
        ("min_write", set(i64::MAX)),
        ("min_write", None),
        ("retirement", Some(Value::from("archived"))),
        ("floor", set(1)),
    ] {
        let (service, time) = retired::rejecting();
        damage(&service, key, property, value);
        for error in retired::refusals(&service, &time) {
            let RegistryError::Unreadable { row, .. } = &error else { panic!("{property}: {error}") };
            assert_eq!(row.row_key(), key[1]);
        }
    }
}

#[test]
fn lost_row_of_an_entity_is_registered_again() {
    let (tables, service, time) = counted();
    let b = tables.blocking();
    b.insert(&staff(1, "a")).unwrap();
    let raw = Tables::new(service.clone());
    raw.blocking().delete_at(DynamicEntity::point(REGISTRY, "staff", "schema_Staff")).unwrap();
    time.pass(LEASE);
    assert!(matches!(refusal(b.insert(&staff(2, "b"))), RegistryError::NotRegistered { .. }));
    block_on(tables.register::<Staff>()).unwrap();
    block_on(tables.register::<Staff>()).unwrap();
    b.insert(&staff(2, "b")).unwrap();
    assert_eq!(b.get(&Staff::by_mail("Blue", "b")).unwrap().unwrap().id, 2);
}
