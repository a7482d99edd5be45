//! Locations in a design, which a front end maps to spans.

use std::{cmp::Ordering, ops::Range};

/// A template of a design. The numbers are indexes into [`EntityDesign::indexes`](super::EntityDesign::indexes) and
/// [`EntityDesign::lookups`](super::EntityDesign::lookups).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Which {
    /// The table name of the entity.
    Table,
    /// The `PartitionKey` of the entity.
    Partition,
    /// The `RowKey` of the entity.
    Row,
    /// The table name of an index.
    IndexTable(usize),
    /// The `PartitionKey` of an index.
    IndexPartition(usize),
    /// The `RowKey` of an index.
    IndexRow(usize),
    /// The table name of a lookup.
    LookupTable(usize),
    /// The `PartitionKey` of a lookup.
    LookupPartition(usize),
    /// The `RowKey` of a lookup.
    LookupRow(usize),
}

/// A location in a design. Locations sort in source order: the entity, its attributes, its templates, its indexes and
/// lookups, its contributions, aggregates and copied fields, its fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The entity.
    Entity,
    /// An attribute of the entity: `version`, `wide`.
    Word(&'static str),
    /// A byte range of a template.
    Template {
        /// The template.
        which: Which,
        /// The byte range.
        range: Range<usize>,
    },
    /// The name of an index.
    Index(usize),
    /// An attribute of an index: `when`.
    IndexWord(usize, &'static str),
    /// A field in the `copy` list of an index: index, item.
    IndexCopy(usize, usize),
    /// The name of a lookup.
    Lookup(usize),
    /// An attribute of a lookup: `table`, `ids`.
    LookupWord(usize, &'static str),
    /// A field in the `on` list of a lookup: lookup, item.
    LookupOn(usize, usize),
    /// A contribution to another entity.
    Contribution(usize),
    /// A part of a contribution: `target`, `field`, `of`, `when`.
    ContributionWord(usize, &'static str),
    /// An aggregate, declared on the target in a design file.
    Total(usize),
    /// Copied fields, declared on the target in a design file.
    Embed(usize),
    /// A field.
    Field(usize),
    /// The type of a field.
    FieldType(usize),
    /// An attribute of a field: `rename`, `series`.
    FieldWord(usize, &'static str),
}

impl Place {
    /// Returns the sort key: the group, the number, the template or list within it, the offset there, the attribute.
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
            Self::IndexWord(index, word) => (3, *index, 0, 1, word),
            Self::IndexCopy(index, item) => (3, *index, 4, *item, ""),
            Self::Lookup(lookup) => (4, *lookup, 0, 0, ""),
            Self::LookupWord(lookup, word) => (4, *lookup, 0, 1, word),
            Self::LookupOn(lookup, item) => (4, *lookup, 4, *item, ""),
            Self::Contribution(number) => (5, *number, 0, 0, ""),
            Self::ContributionWord(number, word) => (5, *number, 1, 0, word),
            Self::Total(number) => (6, *number, 0, 0, ""),
            Self::Embed(number) => (7, *number, 0, 0, ""),
            Self::Field(field) => (8, *field, 0, 0, ""),
            Self::FieldType(field) => (8, *field, 1, 0, ""),
            Self::FieldWord(field, word) => (8, *field, 2, 0, word),
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
