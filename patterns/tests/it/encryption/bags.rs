use table_patterns::{Timestamp, Uuid, Value, prelude::*};

use crate::encryption::staff::{handles, stored};

const KEYS: (&str, &str) = ("p", "r");

fn resolving(tables: &Tables) -> Tables {
    tables.encrypting(|partition, row, property| (partition, row) == KEYS && property.starts_with("Secret"))
}

fn read(tables: &Tables) -> Stored<DynamicEntity> {
    tables.blocking().get(&DynamicEntity::point("Bags", KEYS.0, KEYS.1)).unwrap().unwrap()
}

#[test]
fn every_type_is_read_as_it_was_written() {
    let (clear, sealing) = handles();
    let tables = resolving(&sealing);
    let values = [
        Value::from("Jo"),
        Value::from(""),
        Value::Binary(vec![0, 1, 255]),
        Value::Boolean(true),
        Value::Boolean(false),
        Value::Int32(i32::MIN),
        Value::Int64(i64::MAX),
        Value::Double(f64::NAN),
        Value::Double(-0.0),
        Value::DateTime(Timestamp::from_date(2014, 7, 31).unwrap()),
        Value::Guid(Uuid::from_u128(7)),
    ];
    let mut bag = DynamicEntity::new("Bags", KEYS.0, KEYS.1).unwrap();
    for (number, value) in values.iter().enumerate() {
        bag.set(format!("Secret{number}"), value.clone());
    }
    bag.set("Open", "in clear");
    tables.blocking().insert(&bag).unwrap();

    let (found, raw) = (read(&tables), read(&clear));
    for (number, value) in values.iter().enumerate() {
        let name = format!("Secret{number}");
        assert_eq!(found.value(&name), Some(value));
        assert!(matches!(raw.value(&name), Some(Value::Binary(sealed)) if sealed.len() > 33));
    }
    assert_eq!(stored(&clear, "Bags", KEYS, "Open"), Some(Value::from("in clear")));
}

#[test]
fn a_merge_of_changes_seals_what_was_set() {
    let (_, sealing) = handles();
    let tables = resolving(&sealing);
    let mut bag = DynamicEntity::new("Bags", KEYS.0, KEYS.1).unwrap();
    bag.set("Secret", 1);
    bag.set("SecretToo", 2);
    tables.blocking().insert(&bag).unwrap();
    let mut found = read(&tables);
    found.set("Secret", 3);
    tables.blocking().merge(found.changes()).unwrap();
    let found = read(&tables);
    assert_eq!(
        (found.value("Secret"), found.value("SecretToo")),
        (Some(&Value::Int32(3)), Some(&Value::Int32(2)))
    );
}

#[test]
fn what_a_bag_without_resolver_copies_within_its_row_still_opens() {
    let (clear, sealing) = handles();
    let tables = resolving(&sealing);
    let mut bag = DynamicEntity::new("Bags", KEYS.0, KEYS.1).unwrap();
    bag.set("Secret", 1);
    tables.blocking().insert(&bag).unwrap();
    let mut raw = read(&clear);
    raw.set("Open", 2);
    clear.blocking().replace(&raw).unwrap();
    assert_eq!(read(&tables).value("Secret"), Some(&Value::Int32(1)));
}

#[test]
fn the_library_s_own_properties_are_never_sealed() {
    let (clear, sealing) = handles();
    let tables = sealing.encrypting(|_, _, _| true);
    let mut bag = DynamicEntity::new("Bags", KEYS.0, KEYS.1).unwrap();
    bag.set("EntityType", "Bag");
    bag.set("Other", 1);
    tables.blocking().insert(&bag).unwrap();
    assert_eq!(stored(&clear, "Bags", KEYS, "EntityType"), Some(Value::from("Bag")));
    assert!(matches!(stored(&clear, "Bags", KEYS, "Other"), Some(Value::Binary(_))));
}
