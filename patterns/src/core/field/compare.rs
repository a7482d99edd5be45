use std::ops::{Bound, RangeBounds};

use table_model::{Value, filter::Comparison};

use super::Field;
use crate::{Filterable, Predicate, TableValue, ValueError};

/// Comparisons of a property in a filter.
///
/// A row without the property matches no comparison, not even `ne`. The service compares in this way.
impl<T: Filterable> Field<T> {
    /// Returns the predicate `eq`: equal to `value`.
    pub fn eq(&self, value: T::Literal<'_>) -> Predicate {
        self.compare(Comparison::Eq, T::literal(value))
    }

    /// Returns the predicate `ne`: not equal to `value`.
    pub fn ne(&self, value: T::Literal<'_>) -> Predicate {
        self.compare(Comparison::Ne, T::literal(value))
    }

    /// Returns the predicate `gt`: greater than `value`.
    pub fn gt(&self, value: T::Literal<'_>) -> Predicate {
        self.compare(Comparison::Gt, T::literal(value))
    }

    /// Returns the predicate `ge`: greater than or equal to `value`.
    pub fn ge(&self, value: T::Literal<'_>) -> Predicate {
        self.compare(Comparison::Ge, T::literal(value))
    }

    /// Returns the predicate `lt`: less than `value`.
    pub fn lt(&self, value: T::Literal<'_>) -> Predicate {
        self.compare(Comparison::Lt, T::literal(value))
    }

    /// Returns the predicate `le`: less than or equal to `value`.
    pub fn le(&self, value: T::Literal<'_>) -> Predicate {
        self.compare(Comparison::Le, T::literal(value))
    }

    /// Matches values within a range: `e.age.in_range(30..40)`.
    pub fn in_range<'a>(&self, range: impl RangeBounds<T::Literal<'a>>) -> Predicate
    where
        T::Literal<'a>: Clone,
    {
        let lower = match range.start_bound().cloned() {
            Bound::Included(value) => Some(self.ge(value)),
            Bound::Excluded(value) => Some(self.gt(value)),
            Bound::Unbounded => None,
        };
        let upper = match range.end_bound().cloned() {
            Bound::Included(value) => Some(self.le(value)),
            Bound::Excluded(value) => Some(self.lt(value)),
            Bound::Unbounded => None,
        };
        match (lower, upper) {
            (Some(lower), Some(upper)) => lower & upper,
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => self.is_present(),
        }
    }
}

impl<T: TableValue> Field<T> {
    /// Matches rows that have the property.
    ///
    /// For every value, exactly the rows with the property match either `eq` or `ne`. The predicate is therefore `P eq
    /// 0 or P ne 0`, with a literal of the property's type.
    pub fn is_present(&self) -> Predicate {
        let any = least(T::TYPE);
        self.compare(Comparison::Eq, Ok(any.clone())) | self.compare(Comparison::Ne, Ok(any))
    }

    /// Matches rows without the property.
    pub fn is_absent(&self) -> Predicate {
        !self.is_present()
    }
}

impl<T> Field<T> {
    fn compare(&self, operator: Comparison, value: Result<Value, ValueError>) -> Predicate {
        let value = match self.no_slot {
            None => value,
            Some((slot, slots)) => Err(ValueError::NoSlot { slot, slots }),
        };
        Predicate::compare(self.name, operator, value)
    }
}

fn least(edm: table_model::EdmType) -> Value {
    use table_model::{EdmType, Timestamp, Uuid};
    match edm {
        EdmType::Binary => Value::Binary(Vec::new()),
        EdmType::Boolean => Value::Boolean(false),
        EdmType::DateTime => Value::DateTime(Timestamp::MIN_STORED),
        EdmType::Double => Value::Double(0.0),
        EdmType::Guid => Value::Guid(Uuid::nil()),
        EdmType::Int32 => Value::Int32(0),
        EdmType::Int64 => Value::Int64(0),
        _ => Value::String(String::new()),
    }
}
