use std::cmp::Ordering;

use super::{Value, ValueRef};
use crate::key;

impl ValueRef<'_> {
    /// Compares this stored value with a literal of a filter. Returns `None` if either side is NaN.
    ///
    /// * A narrower literal is widened to the stored type: Int32 to Int64, both to Double. The stored value is never
    ///   widened.
    /// * Values of any other two types are not comparable: the stored value counts as **less** than the literal.
    /// * String: by UTF-16 unit. Binary: by unsigned byte, a prefix first. Boolean: false before true. DateTime: by
    ///   instant. Guid: by its sixteen bytes in printed order. Double: numerically, so -0.0 equals 0.0.
    ///
    /// The service does not document the order of Guid, Binary and NaN. For these three the implementation uses the
    /// most cautious interpretation.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use table_model::{Value, value::ValueRef};
    ///
    /// assert_eq!(ValueRef::Int64(5).compare_to(&Value::Int32(5)), Some(Ordering::Equal));
    /// assert_eq!(ValueRef::Int32(5).compare_to(&Value::Int64(1)), Some(Ordering::Less));
    /// ```
    #[must_use]
    pub fn compare_to(&self, literal: &Value) -> Option<Ordering> {
        let ordering = match (*self, literal) {
            (Self::Binary(stored), Value::Binary(literal)) => stored.cmp(literal.as_slice()),
            (Self::Boolean(stored), Value::Boolean(literal)) => stored.cmp(literal),
            (Self::DateTime(stored), Value::DateTime(literal)) => stored.cmp(literal),
            (Self::Guid(stored), Value::Guid(literal)) => stored.as_bytes().cmp(literal.as_bytes()),
            (Self::Int32(stored), Value::Int32(literal)) => stored.cmp(literal),
            (Self::Int64(stored), Value::Int32(literal)) => stored.cmp(&i64::from(*literal)),
            (Self::Int64(stored), Value::Int64(literal)) => stored.cmp(literal),
            (Self::Double(stored), Value::Int32(literal)) => return stored.partial_cmp(&f64::from(*literal)),
            (Self::Double(stored), Value::Int64(literal)) => return stored.partial_cmp(&widen(*literal)),
            (Self::Double(stored), Value::Double(literal)) => return stored.partial_cmp(literal),
            (Self::String(stored), Value::String(literal)) => key::compare(stored, literal),
            _ => Ordering::Less,
        };
        Some(ordering)
    }
}

#[expect(clippy::cast_precision_loss, reason = "widening rounds to the nearest double, like the service")]
const fn widen(literal: i64) -> f64 {
    literal as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Uuid;

    fn stands(stored: impl Into<Value>, literal: impl Into<Value>) -> Option<Ordering> {
        stored.into().as_ref().compare_to(&literal.into())
    }

    #[test]
    fn only_a_narrower_literal_is_widened() {
        assert_eq!(stands(7_i64, 7), Some(Ordering::Equal));
        assert_eq!(stands(7.0, 7), Some(Ordering::Equal));
        assert_eq!(stands(7.0, 7_i64), Some(Ordering::Equal));
        assert_eq!(stands(7, 7_i64), Some(Ordering::Less));
        assert_eq!(stands(9, 7_i64), Some(Ordering::Less));
        assert_eq!(stands(9, 7.0), Some(Ordering::Less));
        assert_eq!(stands(9_i64, 7.0), Some(Ordering::Less));
        assert_eq!(stands(9.0e18, i64::MAX), Some(Ordering::Less));
        assert_eq!(stands(9_223_372_036_854_775_808.0, i64::MAX), Some(Ordering::Equal));
    }

    #[test]
    fn orders_inside_each_type() {
        assert_eq!(stands("\u{10000}", "\u{ffff}"), Some(Ordering::Less));
        assert_eq!(stands("a", "B"), Some(Ordering::Greater));
        assert_eq!(stands([0xff_u8].as_slice(), [0x01_u8, 0x02].as_slice()), Some(Ordering::Greater));
        assert_eq!(stands([0x01_u8].as_slice(), [0x01_u8, 0x00].as_slice()), Some(Ordering::Less));
        assert_eq!(stands(false, true), Some(Ordering::Less));
        assert_eq!(stands(-0.0, 0.0), Some(Ordering::Equal));
        let (low, high) = (Uuid::from_u128(0x7f << 120), Uuid::from_u128(0x80 << 120));
        assert_eq!(stands(low, high), Some(Ordering::Less));
    }

    #[test]
    fn nan_stands_to_nothing() {
        assert_eq!(stands(f64::NAN, 1), None);
        assert_eq!(stands(1.0, f64::NAN), None);
        assert_eq!(stands(f64::NAN, f64::NAN), None);
        // The type check precedes the NaN check.
        assert_eq!(stands(1, f64::NAN), Some(Ordering::Less));
    }
}
