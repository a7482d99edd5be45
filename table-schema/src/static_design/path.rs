//! A path to an entity: a kind of rows.

use std::fmt;

use super::Template;

/// A kind of rows by which an entity is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// `row` for the entity's own, else the name of the index or lookup.
    pub name: &'static str,
    /// What the rows are.
    pub kind: PathKind,
    /// The table's name.
    pub table: Template,
    /// The PartitionKey.
    pub partition: Template,
    /// The RowKey.
    pub row: Template,
    /// Whether no two entities have one key here.
    pub unique: bool,
    /// Whether the rows are in the entity's partition, and so in its transaction.
    pub same_partition: bool,
    /// The properties that a row holds beside the keys; for the entity itself and full copies not listed.
    pub copied: &'static [&'static str],
}

/// What the rows of a path are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathKind {
    /// The entity itself.
    Primary,
    /// A copy of all its fields.
    FullCopy,
    /// A copy of some of its fields.
    Copy,
    /// A list of the entities with one value.
    Lookup,
}

impl Path {
    /// What the rows hold, in a few words.
    pub(super) fn holds(&self) -> String {
        let what = match self.kind {
            PathKind::Primary => "the entity".to_owned(),
            PathKind::FullCopy => "a copy".to_owned(),
            PathKind::Copy if self.copied.is_empty() => "the key".to_owned(),
            PathKind::Copy => format!("the key, {}", self.copied.join(", ")),
            PathKind::Lookup => "a list of keys".to_owned(),
        };
        let unique = if self.unique && self.kind != PathKind::Primary { ", unique" } else { "" };
        let late = if self.same_partition { "" } else { ", follows by the queue" };
        format!("{what}{unique}{late}")
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} / {} / {}", self.name, self.table, self.partition, self.row)
    }
}
