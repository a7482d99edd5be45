use super::kind;
use crate::value::ValueRef;

/// Returns the encoded length of properties in bytes.
#[must_use]
pub fn packed_bytes<'p>(properties: impl Iterator<Item = (&'p str, ValueRef<'p>)>) -> usize {
    properties.map(|(name, value)| super::ENTRY_BYTES + name.len() + kind::length(&value)).sum()
}

/// Appends encoded properties. Returns their number, or `None` if a property exceeds the limits of the encoding, which
/// [`Entity::check`](crate::Entity::check) prevents.
///
/// The properties are iterated three times: for entries, names and values.
pub fn pack<'p>(
    properties: impl Iterator<Item = (&'p str, ValueRef<'p>)> + Clone,
    into: &mut Vec<u8>,
) -> Option<u16> {
    let (mut count, mut name_end, mut value_end) = (0_u16, 0, 0);
    for (name, value) in properties.clone() {
        count = count.checked_add(1)?;
        name_end += name.len();
        value_end += kind::length(&value);
        let ([n0, n1, n2], [v0, v1, v2]) = (three_bytes(name_end)?, three_bytes(value_end)?);
        into.extend_from_slice(&[n0, n1, n2, kind::of(&value), v0, v1, v2]);
    }
    into.reserve(name_end + value_end);
    for (name, _) in properties.clone() {
        into.extend_from_slice(name.as_bytes());
    }
    for (_, value) in properties {
        kind::push(into, &value);
    }
    Some(count)
}

pub(super) fn three_bytes(number: usize) -> Option<[u8; 3]> {
    match u32::try_from(number).ok()?.to_le_bytes() {
        [a, b, c, 0] => Some([a, b, c]),
        _ => None,
    }
}
