use std::{mem, ops::Not};

use super::{Comparison, Filter};
use crate::{Name, Value};

impl Filter {
    /// A property compared with a literal.
    ///
    /// ```
    /// use table_store::{Filter, filter::Comparison};
    ///
    /// assert_eq!(Filter::compare("Age", Comparison::Ge, 30).to_string(), "Age ge 30");
    /// ```
    pub fn compare(property: impl Into<Name>, operator: Comparison, value: impl Into<Value>) -> Self {
        Self::Compare { property: property.into(), operator, value: value.into() }
    }

    /// `property eq value`
    pub fn eq(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Eq, value)
    }

    /// `property ne value`
    pub fn ne(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Ne, value)
    }

    /// `property gt value`
    pub fn gt(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Gt, value)
    }

    /// `property ge value`
    pub fn ge(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Ge, value)
    }

    /// `property lt value`
    pub fn lt(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Lt, value)
    }

    /// `property le value`
    pub fn le(property: impl Into<Name>, value: impl Into<Value>) -> Self {
        Self::compare(property, Comparison::Le, value)
    }

    /// A Boolean property that is true.
    pub fn flag(property: impl Into<Name>) -> Self {
        Self::Flag(property.into())
    }

    /// Both. Chains stay flat: `a.and(b).and(c)` is one conjunction of three.
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

    /// One or the other, or both. Chains stay flat.
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

    /// The opposite: true also for an entity that lacks the property. Also written `!filter`.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "it is implemented; chains need no import so")]
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
