//! An index: a copy of each entity under another key.

use super::TemplateText;
use crate::language::When;

/// An index, as a front end said it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexDesign {
    /// Its name; empty where it was left out.
    pub name: String,
    /// The copies' table; absent: the entity's.
    pub table: Option<TemplateText>,
    /// The copies' PartitionKey; absent: the entity's.
    pub partition: Option<TemplateText>,
    /// The copies' RowKey.
    pub row: Option<TemplateText>,
    /// No two entities have the same key here.
    pub unique: bool,
    /// Entities without one of the key's fields have no copy.
    pub sparse: bool,
    /// What the copies hold beside their key and the entity's.
    pub copy: CopiedFields,
    /// Which entities have a copy; absent: all. A derive says it by a function.
    pub when: Option<When>,
    /// A sentence about it.
    pub about: Option<String>,
}

impl IndexDesign {
    /// An index in the entity's partition.
    pub fn new(name: impl Into<String>, row: impl Into<TemplateText>) -> Self {
        Self { name: name.into(), row: Some(row.into()), ..Self::default() }
    }
}

/// What a copy holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CopiedFields {
    /// All fields.
    #[default]
    All,
    /// These, by name; none: keys only.
    Only(Vec<String>),
}
