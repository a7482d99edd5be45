//! Where in a design something is: what a front end can point at.

use std::{cmp::Ordering, ops::Range};

/// A template of a design. Numbers are indexes into [`EntityDesign::indexes`](super::EntityDesign::indexes) and
/// [`EntityDesign::lookups`](super::EntityDesign::lookups).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Which {
    /// The entity's table name.
    Table,
    /// The entity's PartitionKey.
    Partition,
    /// The entity's RowKey.
    Row,
    /// An index's table name.
    IndexTable(usize),
    /// An index's PartitionKey.
    IndexPartition(usize),
    /// An index's RowKey.
    IndexRow(usize),
    /// A lookup's table name.
    LookupTable(usize),
    /// A lookup's PartitionKey.
    LookupPartition(usize),
    /// A lookup's RowKey.
    LookupRow(usize),
}

/// A place in a design. Sorted as a reader meets them: the entity, its words, its templates, its indexes and lookups,
/// its fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The entity as a whole.
    Entity,
    /// A word about the entity: `version`, `wide`.
    Word(&'static str),
    /// A part of a template's text, in bytes.
    Template {
        /// The template.
        which: Which,
        /// The part.
        range: Range<usize>,
    },
    /// An index: its name.
    Index(usize),
    /// A field in an index's `copy`: index, item.
    IndexCopy(usize, usize),
    /// A lookup: its name.
    Lookup(usize),
    /// A field in a lookup's `on`: lookup, item.
    LookupOn(usize, usize),
    /// A field.
    Field(usize),
    /// A field's type.
    FieldType(usize),
    /// A word about a field: `rename`, `series`.
    FieldWord(usize, &'static str),
}

impl Place {
    /// What sorts places: the group, its number, the template or list within it, the offset there, the word.
    fn order(&self) -> (u8, usize, u8, usize, &'static str) {
        match self {
            Self::Entity => (0, 0, 0, 0, ""),
            Self::Word(word) => (1, 0, 0, 0, word),
            Self::Template { which, range } => match *which {
                Which::Table => (2, 0, 0, range.start, ""),
                Which::Partition => (2, 0, 1, range.start, ""),
                Which::Row => (2, 0, 2, range.start, ""),
                Which::IndexTable(index) => (3, index, 1, range.start, ""),
                Which::IndexPartition(index) => (3, index, 2, range.start, ""),
                Which::IndexRow(index) => (3, index, 3, range.start, ""),
                Which::LookupTable(lookup) => (4, lookup, 1, range.start, ""),
                Which::LookupPartition(lookup) => (4, lookup, 2, range.start, ""),
                Which::LookupRow(lookup) => (4, lookup, 3, range.start, ""),
            },
            Self::Index(index) => (3, *index, 0, 0, ""),
            Self::IndexCopy(index, item) => (3, *index, 4, *item, ""),
            Self::Lookup(lookup) => (4, *lookup, 0, 0, ""),
            Self::LookupOn(lookup, item) => (4, *lookup, 4, *item, ""),
            Self::Field(field) => (5, *field, 0, 0, ""),
            Self::FieldType(field) => (5, *field, 1, 0, ""),
            Self::FieldWord(field, word) => (5, *field, 2, 0, word),
        }
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        let end = |place: &Self| match place {
            Self::Template { range, .. } => range.end,
            _ => 0,
        };
        self.order().cmp(&other.order()).then_with(|| end(self).cmp(&end(other)))
    }
}
