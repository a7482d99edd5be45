//! Equality of the content of two entities.

use table_model::{PropertiesRef, ValueRef};

/// Returns whether two entities have the same properties, in any order. Distinctions that the protocol does not make are
/// ignored: zero has no sign, and all NaN values are equal.
pub(super) fn same(left: PropertiesRef<'_>, right: PropertiesRef<'_>) -> bool {
    let in_order =
        |((name, value), (other, with)): ((&str, _), (&str, _))| name == other && same_value(value, with);
    left.len() == right.len()
        && (left.iter().zip(right).all(in_order)
            || left.iter().all(|(name, value)| right.get(name).is_some_and(|with| same_value(value, with))))
}

fn same_value(left: ValueRef<'_>, right: ValueRef<'_>) -> bool {
    match (left, right) {
        // Adding a positive zero removes the sign of zero.
        (ValueRef::Double(left), ValueRef::Double(right)) => {
            (left + 0.0).to_bits() == (right + 0.0).to_bits() || left.is_nan() && right.is_nan()
        }
        (left, right) => left == right,
    }
}
