//! What a design file says that an entity keeps of others, and where its own values go.

use super::FieldKind;
use crate::{
    language::{Size, When},
    static_design::Aggregate,
};

/// A number that is kept of other entities, said at its reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalDesign {
    /// The name of its property.
    pub name: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// How it is made.
    pub by: Aggregate,
    /// The entity that it is made of.
    pub entity: String,
    /// The field of that entity; none for a count.
    pub field: Option<String>,
    /// Which entities: a field of theirs, and the field of mine that has the same value.
    pub matches: Vec<(String, String)>,
}

/// Fields of another entity that are kept in this one, said at their reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmbedDesign {
    /// Its name: each property is called by it, `_`, and the field.
    pub name: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// The other entity.
    pub from: String,
    /// Which one: a field of its key, and the field of mine that has the same value.
    pub matches: Vec<(String, String)>,
    /// Its fields that are kept.
    pub fields: Vec<String>,
}

/// Where entities go that are done with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveDesign {
    /// The other table.
    pub to: String,
    /// A sentence about it.
    pub about: Option<String>,
    /// Which of them; absent: those that are asked for.
    pub when: Option<When>,
}

/// A field whose value is kept in a blob beside the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobDesign {
    /// What it holds: binary, text or JSON.
    pub holds: FieldKind,
    /// Values up to this size stay in the row; absent: the library's own bound.
    pub over: Option<Size>,
}
