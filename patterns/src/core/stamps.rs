//! Stamps: 8 bytes that identify a write of several parts.

use table_model::{Properties, PropertiesRef, Value, ValueRef};

/// A stamp.
pub(crate) type Stamp = [u8; 8];

/// Stamp of a missing part.
pub(crate) const ABSENT: Stamp = [0; 8];

/// Placeholder for the stamp of the write, which is generated when the write is sent. It is never generated as a stamp.
pub(crate) const NEW: Stamp = [0xff; 8];

/// Property of the head with the stamps of all other parts, in order.
pub(crate) const ALL: &str = "_gv";

/// Property of a part with its stamp.
pub(crate) const OWN: &str = "_g";

/// Encodes the stamp list as a property value.
pub(crate) fn list(stamps: &[Stamp]) -> Value {
    Value::Binary(stamps.concat())
}

/// Reads the stamp list of a head. Returns `None` if it is missing or invalid.
pub(crate) fn listed(head: PropertiesRef<'_>) -> Option<Vec<Stamp>> {
    let Some(ValueRef::Binary(bytes)) = head.get(ALL) else { return None };
    read(bytes)
}

/// Reads the stamp list of a head that will be written.
pub(crate) fn listed_in(head: &Properties) -> Option<Vec<Stamp>> {
    let Some(Value::Binary(bytes)) = head.get(ALL) else { return None };
    read(bytes)
}

fn read(bytes: &[u8]) -> Option<Vec<Stamp>> {
    let (stamps, rest) = bytes.as_chunks::<8>();
    rest.is_empty().then(|| stamps.to_vec())
}

/// Reads the stamp of a part.
pub(crate) fn of_part(part: PropertiesRef<'_>) -> Option<Stamp> {
    let Some(ValueRef::Binary(bytes)) = part.get(OWN) else { return None };
    bytes.try_into().ok()
}

/// Replaces the placeholders with the stamp of this write.
pub(crate) fn fill(properties: &mut Properties, stamp: Stamp) {
    for name in [ALL, OWN] {
        let Some(Value::Binary(bytes)) = properties.get(name) else { continue };
        let filled = bytes.chunks(8).flat_map(|old| if old == NEW { &stamp[..] } else { old }).copied();
        let filled: Vec<u8> = filled.collect();
        properties.set(name, filled);
    }
}
