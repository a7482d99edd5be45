//! Row predicates, composed from fields.

use std::ops::{BitAnd, BitOr, Not};

use table_model::{Filter, Value, filter::Comparison};

use crate::{ValueError, core::error::property::PropertyError};

/// A condition on properties. Supports `&`, `|` and `!`.
///
/// `!` negates the complete condition: a row without the property matches `!(e.age.gt(30))`.
#[derive(Clone, Debug, PartialEq)]
#[must_use = "a condition does nothing until it is used in a filter"]
pub struct Predicate(Result<Filter, PropertyError>);

impl Predicate {
    pub(crate) fn compare(
        property: &'static str,
        operator: Comparison,
        value: Result<Value, ValueError>,
    ) -> Self {
        Self(match value {
            Ok(value) => Ok(Filter::Compare { property: property.into(), operator, value }),
            Err(reason) => Err(PropertyError { property: property.into(), reason }),
        })
    }

    /// Creates a predicate that no row matches.
    pub(crate) fn nothing() -> Self {
        Self(Ok(Filter::Constant(false)))
    }

    pub(crate) fn into_filter(self) -> Result<Filter, PropertyError> {
        self.0
    }

    fn both(self, other: Self, join: fn(Filter, Filter) -> Filter) -> Self {
        Self(self.0.and_then(|left| other.0.map(|right| join(left, right))))
    }
}

impl BitAnd for Predicate {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        self.both(other, Filter::and)
    }
}

impl BitOr for Predicate {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.both(other, Filter::or)
    }
}

impl Not for Predicate {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0.map(Not::not))
    }
}
