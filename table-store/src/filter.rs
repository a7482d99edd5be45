//! The filter language: parsed, printed, evaluated (`G-QRY-2`).
//!
//! A filter is a condition on one entity: comparisons of a property with a literal, joined by `and`, `or` and `not`.
//!
//! ```
//! use table_store::{Entity, Filter};
//!
//! let filter = Filter::parse("PartitionKey eq 'Sales' and (Age ge 30 or not Remote)")?;
//! let built = Filter::eq("PartitionKey", "Sales").and(Filter::ge("Age", 30).or(!Filter::flag("Remote")));
//! assert_eq!(filter, built);
//! assert_eq!(built.to_string(), "PartitionKey eq 'Sales' and (Age ge 30 or not Remote)");
//! assert!(filter.matches(&Entity::new("Sales", "empid_000223").with("Age", 34)));
//! # Ok::<(), table_store::TableError>(())
//! ```
//!
//! What decides whether an entity matches:
//!
//! * A comparison with a property that the entity lacks is false, `ne` included. `not` turns that round: it is true.
//! * A literal of another type than the stored value is no error: the stored value counts as less than the literal.
//!   [`ValueRef::compare_to`](crate::value::ValueRef::compare_to) has the rules.
//! * A bare property is true if it holds the Boolean `true`.

mod build;
mod check;
mod comparison;
mod dismantle;
mod error;
mod hint;
mod lexer;
mod literal;
mod normal;
mod parser;
mod print;
mod source;
mod word;

pub use comparison::Comparison;
pub use error::FilterError;
pub use source::PropertySource;

use crate::{Name, Value};

/// What an entity must satisfy.
///
/// `==` compares the form: `a and b` is not equal to `b and a`.
///
/// What is parsed is at most 64 deep. A filter that is put together can be deeper; [`Filter::check`] refuses it, and
/// dropping it takes no stack, whatever its depth. All else walks it by recursion: check first what is put together
/// from lists of unknown length.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// All of them; of none: true.
    And(Vec<Filter>),
    /// Any of them; of none: false.
    Or(Vec<Filter>),
    /// Not this one.
    Not(Box<Filter>),
}

impl Filter {
    /// Reads a filter. The empty text is no filter: `true`.
    ///
    /// Accepted is what the REST reference describes, and the forms that clients send: a literal on the left, operands
    /// in parentheses, spaces in excess, `not A eq 1` for `not (A eq 1)`, an integer beyond Int32 without its `L`.
    ///
    /// # Errors
    /// `NotImplemented` for functions and arithmetic, `InvalidInput` for all else: a syntax error, `null`, a comparison
    /// of two properties or two literals, more than 15 comparisons
    /// ([`FILTER_COMPARISONS`](crate::limits::FILTER_COMPARISONS)), too long or too deep a text. The error knows the
    /// place and says what to write.
    ///
    /// ```
    /// use table_store::Filter;
    ///
    /// let error = Filter::parse("Age == 30").unwrap_err();
    /// assert_eq!(error.message(), "Syntax error at position 6 in 'Age == 30'.");
    /// assert_eq!(error.span(), 4..6);
    /// assert_eq!(error.hint(), Some("write `eq` for `==`"));
    /// ```
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        parser::parse(text)
    }

    /// The properties that it looks at, in no order; one stands as often as it is looked at. It takes no stack, whatever
    /// the depth.
    ///
    /// ```
    /// use table_store::Filter;
    ///
    /// let filter = Filter::parse("PartitionKey eq 'Sales' and not Remote")?;
    /// let mut properties: Vec<_> = filter.properties().into_iter().collect();
    /// properties.sort();
    /// assert_eq!(properties, ["PartitionKey", "Remote"]);
    /// # Ok::<(), table_store::TableError>(())
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
