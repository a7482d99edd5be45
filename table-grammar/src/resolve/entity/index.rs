//! Resolved indexes and lookups.

use syn::{Ident, Path};

use crate::resolve::entity::Key;

/// A resolved index.
#[derive(Debug)]
pub struct Index {
    /// The function that queries a single row.
    pub name: Ident,
    /// The function that queries the rows of a partition.
    pub rows: Ident,
    /// `true` if a key identifies one entity.
    pub is_point: bool,
    /// The table of its rows.
    pub table: String,
    /// The PartitionKey of its rows.
    pub partition: Key,
    /// The RowKey of its rows.
    pub row: Key,
    /// `true` if its rows are in the partition of the entity.
    pub near: bool,
    /// `true` if each key occurs at most once.
    pub unique: bool,
    /// The type of its rows if they contain only some fields.
    pub copy: Option<Ident>,
    /// The fields in its rows.
    pub copied: Vec<usize>,
    /// The copied fields that the entity row does not store as properties: parts of its key.
    pub own: Vec<usize>,
    /// The condition of its rows.
    pub when: Option<When>,
    /// The lookup of the index, if any: then its rows are the members of lists.
    pub lookup: Option<Lookup>,
}

/// The lists of a lookup.
#[derive(Debug)]
pub struct Lookup {
    /// The RowKey prefix of one list.
    pub list: Key,
    /// The property of the list row that contains the members.
    pub ids: Option<String>,
    /// `true` if the lists are stored in blobs.
    pub in_blobs: bool,
}

/// The condition for entities of an index or an aggregate.
#[derive(Debug, PartialEq, Eq)]
pub enum When {
    /// This field is true.
    Field(usize),
    /// This method of the entity returns `true`.
    Method(Ident),
    /// This function returns `true`.
    Function(Path),
}
