//! Fields with names that generated code could use itself.

use storage::prelude::*;

/// Every name that a decoder could bind.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Names", partition = "{path}", row = "{row}_{key:06}_{self_}")]
pub struct Names {
    /// In the PartitionKey.
    pub path: String,
    /// In the RowKey.
    pub row: String,
    /// In the RowKey.
    pub key: u32,
    /// In the RowKey.
    pub self_: String,
    /// A property.
    pub c: i32,
    /// A property.
    pub into: i32,
    /// A property.
    pub from: i32,
    /// A property.
    pub keys: String,
    /// A property.
    pub value: Option<i64>,
    /// A property.
    pub fields: bool,
    /// A property.
    pub entity: f64,
    /// A property.
    pub properties: Vec<u8>,
    /// A property.
    pub table: i32,
}

/// Series among names that a decoder could bind.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Slots", partition = "{slots}", row = "{slot:02}")]
pub struct Slots {
    /// In the PartitionKey.
    pub slots: String,
    /// In the RowKey.
    pub slot: u8,
    /// A property for each slot.
    #[table(series)]
    pub value: [Option<i64>; 2],
    /// A property for each slot.
    #[table(series, default)]
    pub series: [bool; COUNT],
}

const COUNT: usize = 3;

/// Variants with names that generated code could use itself.
#[derive(TableValue, KeyPart, Clone, Copy, Debug, PartialEq, Eq)]
#[table(crate = storage)]
pub enum Prelude {
    /// Not `Option::Some`.
    Some,
    /// Not `Option::None`.
    None,
    /// Not `Result::Ok`.
    Ok,
    /// Not `Result::Err`.
    Err,
}

/// As many key parts as there are short names: lints that count arguments do not apply to them.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Parts", partition = "{a}_{b:02}_{c:02}", row = "{d:02}_{e:02}_{f:02}_{g:02}_{h:02}")]
pub struct Parts {
    /// In the PartitionKey.
    pub a: String,
    /// In the PartitionKey.
    pub b: u8,
    /// In the PartitionKey.
    pub c: u8,
    /// In the RowKey.
    pub d: u8,
    /// In the RowKey.
    pub e: u8,
    /// In the RowKey.
    pub f: u8,
    /// In the RowKey.
    pub g: u8,
    /// In the RowKey.
    pub h: u8,
}

/// A value with the name of a type parameter.
#[derive(TableValue, Clone, Copy, Debug, PartialEq)]
#[table(crate = storage)]
pub enum S {
    /// A state.
    Open,
    /// A state.
    Closed,
}

/// A field whose type has the name of a type parameter, and an entity with such a name.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Letters", partition = "{key}", row = "e")]
pub struct E {
    /// In the PartitionKey.
    pub key: String,
    /// A property.
    pub s: S,
}
