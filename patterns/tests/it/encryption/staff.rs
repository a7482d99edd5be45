//! Entities of these tests and helpers for their stored form.

use table_patterns::{DecodeError, DecryptError, Error, KeyRing, RowError, Value, ValueError, prelude::*};

/// Encrypted properties of every type, with index rows in the same partition and in another partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_email, row = "email_{email}", unique))]
#[table(index(by_badge, row = "badge_{id:06}", copy(national_id)))]
#[table(index(by_desk, table = "Desks", partition = "{desk}", row = "{id:06}_{department}"))]
pub(crate) struct Employee {
    pub(crate) department: String,
    pub(crate) id: u32,
    pub(crate) email: String,
    pub(crate) desk: String,
    pub(crate) age: i32,
    #[table(encrypt)]
    pub(crate) national_id: String,
    #[table(encrypt, rename = "Salary")]
    pub(crate) salary: i64,
}

pub(crate) const SECRET: &str = "AB 12 34 56 C, known to nobody";

pub(crate) fn employee(id: u32) -> Employee {
    Employee {
        department: "Sales".into(),
        id,
        email: format!("e{id}@contoso.com"),
        desk: "4b".into(),
        age: 34,
        national_id: SECRET.into(),
        salary: 51_000,
    }
}

/// An entity without indexes.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Notes", partition = "{user}", row = "{id:03}", archive = "OldNotes")]
pub(crate) struct Note {
    pub(crate) user: String,
    pub(crate) id: u8,
    #[table(encrypt)]
    pub(crate) text: Option<String>,
    #[table(encrypt, default)]
    pub(crate) mood: i32,
    #[table(encrypt, json)]
    pub(crate) tags: Vec<String>,
    pub(crate) pinned: bool,
}

pub(crate) fn note(id: u8) -> Note {
    let tags = vec!["private".to_owned()];
    Note { user: "jo".into(), id, text: Some(SECRET.into()), mood: 3, tags, pinned: false }
}

pub(crate) fn ring(byte: u8) -> KeyRing {
    KeyRing::from_keys(1, [(1, [byte; 32])]).unwrap()
}

/// Returns a handle without keys and a handle with keys on the same tables.
pub(crate) fn handles() -> (Tables, Tables) {
    let clear = Tables::in_memory().unwrap();
    let sealing = clear.clone().with_keys(ring(1));
    (clear, sealing)
}

/// Returns the stored value of a property.
pub(crate) fn stored(tables: &Tables, table: &str, keys: (&str, &str), property: &str) -> Option<Value> {
    let bag = tables.blocking().get(&DynamicEntity::point(table, keys.0, keys.1)).unwrap()?;
    bag.value(property).cloned()
}

/// Replaces a stored value, bypassing the library.
pub(crate) fn put(tables: &Tables, table: &str, keys: (&str, &str), property: &str, value: Value) {
    let mut row = table_model::Entity::new(keys.0, keys.1);
    row.properties.set(property.to_owned(), value);
    let merge = table_model::Operation::Merge(row, table_model::Condition::Exists);
    pollster::block_on(tables.service().execute(&table.parse().unwrap(), &merge)).unwrap();
}

/// Returns the row, the property and the cause of an error.
pub(crate) fn refusal(error: Error) -> (String, String, DecryptError) {
    let Error::Decode(error) = error else { panic!("{error:?}") };
    let DecodeError { row_key, problem, .. } = *error;
    let RowError::Property(error) = *problem else { panic!("{problem:?}") };
    let ValueError::Encrypted(reason) = error.reason else { panic!("{:?}", error.reason) };
    (row_key, error.property.into_owned(), reason)
}
