//! Indexes and lookups whose fields have names that generated code could use itself.

use storage::prelude::*;

/// Every name that the functions of indexes could bind.
// Clippy treats the `unique` of two indexes as a duplicate.
#[allow(clippy::duplicated_attributes)]
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Indexed", partition = "{path}", row = "row_{number:06}")]
#[table(index(by_rows, row = "rows_{rows}_{own}", unique))]
#[table(index(by_value0, row = "value_{value0:04}_{value1}", sparse, unique, copy(from, key)))]
#[table(index(when_index, row = "read_{number:06}", when = read))]
#[table(index(by_name, row = "index_{index}", unique, copy()))]
#[table(lookup(by_list, on = (list, member)))]
#[table(lookup(by_from, on = from, ids = "Ids"))]
pub struct Indexed {
    /// In the PartitionKey.
    pub path: String,
    /// In the RowKey.
    pub number: u32,
    /// In the key of an index.
    pub rows: String,
    /// In the key of an index.
    pub own: String,
    /// In the key of a lookup.
    pub from: i64,
    /// A property of index rows.
    pub key: bool,
    /// `true` if an index contains it.
    pub read: bool,
    /// In the key of an index, if it is there.
    pub value0: Option<u16>,
    /// In the key of an index, if it is there.
    pub value1: Option<String>,
    /// In the key of an index.
    pub index: String,
    /// In the key of a lookup.
    pub list: String,
    /// In the key of a lookup, if it is there.
    pub member: Option<i32>,
    /// A property.
    pub property: i32,
    /// A property.
    pub row: i32,
    /// A property.
    pub partition: i32,
}

/// Keywords as fields of indexes, and as their names.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(crate = storage, name = "Indexed", partition = "{type}", row = "{fn:04}")]
#[table(index(r#match, row = "match_{match}", unique))]
#[table(lookup(r#move, on = r#async))]
pub struct Keywords {
    /// In the PartitionKey.
    pub r#type: String,
    /// In the RowKey.
    pub r#fn: u16,
    /// In the key of an index.
    pub r#match: String,
    /// In the key of a lookup.
    pub r#async: Option<bool>,
}
