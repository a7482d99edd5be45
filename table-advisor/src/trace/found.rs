use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use table_schema::{
    design::{EntityDesign, RowKind},
    language::Comparison,
};

/// The rows that a request accesses.
#[derive(Clone, Debug)]
pub(super) struct Found<'s> {
    /// The index of the entity in the design.
    pub(super) entity: usize,
    pub(super) design: &'s EntityDesign,
    /// The index of the row kind within the entity.
    pub(super) kind: usize,
    /// The row kind.
    pub(super) rows: Rc<RowKind>,
    /// The fields that keys and conditions test.
    pub(super) tests: BTreeSet<(String, Sign)>,
    /// The recorded values of the fields.
    pub(super) values: Vec<(String, String)>,
    /// What is known about the values of fields that conditions of the design compare with literals.
    pub(super) given: BTreeMap<String, Given>,
    /// The number of words that keys and templates have in common.
    pub(super) words: usize,
    /// `true` if the keys also match another row kind.
    pub(super) is_ambiguous: bool,
}

/// A value of an equality.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Given {
    /// A literal of the design, without quotes.
    Literal(String),
    /// A value that can be the hash of a literal.
    Hidden,
}

/// A comparison of a shape. All ranges are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sign {
    Equal,
    In,
    Range,
    NotEqual,
}

impl Sign {
    pub(super) const fn of(comparison: Comparison) -> Self {
        match comparison {
            Comparison::Equal => Self::Equal,
            Comparison::In => Self::In,
            Comparison::NotEqual => Self::NotEqual,
            _ => Self::Range,
        }
    }

    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Equal => "= ?",
            Self::In => "in ?",
            Self::Range => "between ?",
            Self::NotEqual => "!= ?",
        }
    }
}
