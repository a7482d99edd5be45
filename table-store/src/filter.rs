//! The filter language: parsed, printed, evaluated.

use crate::{Name, TableError, Value};

/// What an entity must satisfy.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Filter {
    /// A property compared with a literal.
    Compare {
        /// The property, or `PartitionKey`, `RowKey`, `Timestamp`.
        property: Name,
        /// How.
        operator: Comparison,
        /// The literal.
        value: Value,
    },
    /// A Boolean property that is true.
    Flag(Name),
    /// `true` or `false`.
    Constant(bool),
    /// All of them.
    And(Vec<Filter>),
    /// Any of them.
    Or(Vec<Filter>),
    /// Not this one.
    Not(Box<Filter>),
}

/// The six comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Comparison {
    Eq,
    Ne,
    Gt,
    Ge,
    Lt,
    Le,
}

impl Filter {
    /// Reads a filter.
    pub fn parse(_text: &str) -> Result<Self, TableError> {
        Err(crate::ErrorCode::NotImplemented.into())
    }
}
