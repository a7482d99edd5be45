use std::{mem, ops::Not};

use super::{Comparison, Filter};
use crate::{Name, Value};

impl Filter {
    /// Creates a comparison of a property with a literal.
    ///
    /// ```
    /// use table_model::{Filter, filter::Comparison};
    ///
    /// assert_eq!(Filter::compare("Age", Comparison::Ge, 30).to_string(), "Age ge 30");
    /// ```
    pub fn compare(property: impl Into<Name>, operator: Comparison, value: impl Into<Value>) -> Self {
        Self::Compare { property: property.into(), operator, value: value.into() }
    }

    /// Creates `property eq value`.
    pub fn eq(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Eq, value)
    }

    /// Creates `property ne value`.
    pub fn ne(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Ne, value)
    }

    /// Creates `property gt value`.
    pub fn gt(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Gt, value)
    }

    /// Creates `property ge value`.
    pub fn ge(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Ge, value)
    }

    /// Creates `property lt value`.
    pub fn lt(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Lt, value)
    }

    /// Creates `property le value`.
    pub fn le(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Le, value)
    }

    /// Creates a condition on a Boolean property that must be true.
    pub fn flag(property: impl Into<Name>) -> Self {
        Self::Flag(property.into())
    }

    /// Requires both conditions. Chains stay flat: `a.and(b).and(c)` is one conjunction of three conditions.
    #[must_use]
    pub fn and(mut self, mut other: Self) -> Self {
        let mut parts = match &mut self {
            Self::And(parts) => mem::take(parts),
            _ => vec![self],
        };
        match &mut other {
            Self::And(others) => parts.append(others),
            _ => parts.push(other),
        }
        Self::And(parts)
    }

    /// Requires at least one of the conditions. Chains stay flat.
    #[must_use]
    pub fn or(mut self, mut other: Self) -> Self {
        let mut parts = match &mut self {
            Self::Or(parts) => mem::take(parts),
            _ => vec![self],
        };
        match &mut other {
            Self::Or(others) => parts.append(others),
            _ => parts.push(other),
        }
        Self::Or(parts)
    }

    /// Negates the condition. An entity that lacks the property of a comparison satisfies the negation. `!filter` is
    /// equivalent.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "implemented as an operator; chains need no import")]
    pub fn not(mut self) -> Self {
        match &mut self {
            Self::Not(inner) => mem::replace(&mut **inner, Self::Constant(true)),
            _ => Self::Not(Box::new(self)),
        }
    }
}

impl Not for Filter {
    type Output = Self;

    fn not(self) -> Self {
        Self::not(self)
    }
}
