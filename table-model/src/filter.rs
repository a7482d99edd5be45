//! Filter language: parsing, printing and evaluation (`G-QRY-2`).
//!
//! A filter is a condition on one entity: comparisons of a property with a literal, joined by `and`, `or` and `not`.
//!
//! ```
//! use table_model::{Entity, Filter};
//!
//! let filter = Filter::parse("PartitionKey eq 'Sales' and (Age ge 30 or not Remote)")?;
//! let built = Filter::eq("PartitionKey", "Sales").and(Filter::ge("Age", 30).or(!Filter::flag("Remote")));
//! assert_eq!(filter, built);
//! assert_eq!(built.to_string(), "PartitionKey eq 'Sales' and (Age ge 30 or not Remote)");
//! assert!(filter.matches(&Entity::new("Sales", "empid_000223").with("Age", 34)));
//! # Ok::<(), table_model::TableError>(())
//! ```
//!
//! Evaluation rules:
//!
//! * A comparison with a missing property is false, including `ne`. `not` inverts this: the result is true.
//! * A literal whose type differs from the stored value is not an error: the stored value counts as less than the
//!   literal. [`ValueRef::compare_to`](crate::value::ValueRef::compare_to) documents the rules.
//! * A bare property is true if its value is the Boolean `true`.

mod build;
mod check;
mod comparison;
mod completion;
mod dismantle;
mod error;
mod hint;
mod lexer;
mod literal;
mod normal;
mod parser;
mod print;
mod row_filter;
mod source;
mod word;

pub use comparison::Comparison;
pub use completion::{Completion, Expected};
pub use error::FilterError;
pub use row_filter::RowFilter;
pub use source::PropertySource;

use crate::{Name, Value};

/// Condition that an entity must satisfy.
///
/// `==` compares the structure: `a and b` is not equal to `b and a`.
///
/// A parsed filter is at most 64 levels deep. A filter that is built in code can be deeper; [`Filter::check`] rejects
/// it. Dropping a filter uses constant stack space at any depth. All other operations are recursive: check filters
/// first if they are built from lists of unknown length.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Filter {
    /// Comparison of a property with a literal.
    Compare {
        /// Name of the property, including `PartitionKey`, `RowKey` and `Timestamp`.
        property: Name,
        /// Comparison operator.
        operator: Comparison,
        /// Literal value.
        value: Value,
    },
    /// Boolean property that must be true.
    Flag(Name),
    /// `true` or `false`.
    Constant(bool),
    /// Conjunction. An empty list is true.
    And(Vec<Filter>),
    /// Disjunction. An empty list is false.
    Or(Vec<Filter>),
    /// Negation.
    Not(Box<Filter>),
}

impl Filter {
    /// Parses a filter. The empty string is the filter `true`.
    ///
    /// The parser accepts the language of the REST reference and the forms that clients send: a literal on the left,
    /// operands in parentheses, extra spaces, `not A eq 1` for `not (A eq 1)`, an integer beyond Int32 without its `L`.
    ///
    /// # Errors
    /// `NotImplemented` for functions and arithmetic. `InvalidInput` for every other error: a syntax error, `null`, a
    /// comparison of two properties or two literals, more than 15 comparisons
    /// ([`FILTER_COMPARISONS`](crate::limits::FILTER_COMPARISONS)), or a filter that is too long or too deep. The error
    /// contains the span and suggests a correction.
    ///
    /// ```
    /// use table_model::Filter;
    ///
    /// let error = Filter::parse("Age == 30").unwrap_err();
    /// assert_eq!(error.message(), "Syntax error at position 6 in 'Age == 30'.");
    /// assert_eq!(error.span(), 4..6);
    /// assert_eq!(error.hint(), Some("write `eq` instead of `==`"));
    /// ```
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        parser::parse(text)
    }

    /// Returns the properties that the filter reads, unordered. A property appears once per occurrence in the filter.
    /// Uses constant stack space at any depth.
    ///
    /// ```
    /// use table_model::Filter;
    ///
    /// let filter = Filter::parse("PartitionKey eq 'Sales' and not Remote")?;
    /// let mut properties: Vec<_> = filter.properties().into_iter().collect();
    /// properties.sort();
    /// assert_eq!(properties, ["PartitionKey", "Remote"]);
    /// # Ok::<(), table_model::TableError>(())
    /// ```
    pub fn properties(&self) -> Vec<&str> {
        let (mut found, mut rest) = (Vec::new(), vec![self]);
        while let Some(filter) = rest.pop() {
            match filter {
                Self::Compare { property, .. } | Self::Flag(property) => found.push(property.as_ref()),
                Self::Constant(_) => {}
                Self::And(parts) | Self::Or(parts) => rest.extend(parts),
                Self::Not(inner) => rest.push(inner),
            }
        }
        found
    }
}
