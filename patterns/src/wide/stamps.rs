//! Stamps: 8 bytes for each write of several parts.

use table_store::{Properties, PropertiesRef, Value, ValueRef};

/// A stamp.
pub(super) type Stamp = [u8; 8];

/// There is no such row.
pub(super) const ABSENT: Stamp = [0; 8];

/// A place for the stamp of the write, which is known when it is sent. No stamp is this.
pub(super) const NEW: Stamp = [0xff; 8];

/// The head's list of stamps, part by part from the first after it.
pub(super) const ALL: &str = "_gv";

/// A part's own stamp.
pub(super) const OWN: &str = "_g";

/// The list as a property.
pub(super) fn list(stamps: &[Stamp]) -> Value {
    Value::Binary(stamps.concat())
}

/// The list in a head; none where it is no list.
pub(super) fn listed(head: PropertiesRef<'_>) -> Option<Vec<Stamp>> {
    let Some(ValueRef::Binary(bytes)) = head.get(ALL) else { return None };
    read(bytes)
}

/// The same in a property that is to be written.
pub(super) fn listed_in(head: &Properties) -> Option<Vec<Stamp>> {
    let Some(Value::Binary(bytes)) = head.get(ALL) else { return None };
    read(bytes)
}

fn read(bytes: &[u8]) -> Option<Vec<Stamp>> {
    let (stamps, rest) = bytes.as_chunks::<8>();
    rest.is_empty().then(|| stamps.to_vec())
}

/// A part's stamp.
pub(super) fn of_part(part: PropertiesRef<'_>) -> Option<Stamp> {
    let Some(ValueRef::Binary(bytes)) = part.get(OWN) else { return None };
    bytes.try_into().ok()
}

/// Writes the stamp of this write into the places for it.
pub(crate) fn fill(properties: &mut Properties, stamp: Stamp) {
    for name in [ALL, OWN] {
        let Some(Value::Binary(bytes)) = properties.get(name) else { continue };
        let filled = bytes.chunks(8).flat_map(|old| if old == NEW { &stamp[..] } else { old }).copied();
        let filled: Vec<u8> = filled.collect();
        properties.set(name, filled);
    }
}
