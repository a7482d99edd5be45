use super::{kind, pack::three_bytes};
use crate::value::ValueRef;

/// Encodes properties one by one, for rows with a selection.
#[derive(Debug, Default)]
pub struct Packer {
    count: u16,
    entries: Vec<u8>,
    names: Vec<u8>,
    values: Vec<u8>,
}

impl Packer {
    /// Removes the content and keeps the allocated memory.
    pub fn clear(&mut self) {
        self.count = 0;
        self.entries.clear();
        self.names.clear();
        self.values.clear();
    }

    /// Appends a property. Returns `None` if it exceeds the limits of the encoding, like [`pack`](super::pack).
    pub fn push(&mut self, name: &str, value: &ValueRef<'_>) -> Option<()> {
        self.count = self.count.checked_add(1)?;
        self.names.extend_from_slice(name.as_bytes());
        kind::push(&mut self.values, value);
        let [n0, n1, n2] = three_bytes(self.names.len())?;
        let [v0, v1, v2] = three_bytes(self.values.len())?;
        self.entries.extend_from_slice(&[n0, n1, n2, kind::of(value), v0, v1, v2]);
        Some(())
    }

    /// Returns the number of properties.
    #[must_use]
    pub const fn count(&self) -> u16 {
        self.count
    }

    /// Appends the encoded properties.
    pub fn append_to(&self, into: &mut Vec<u8>) {
        for part in [&self.entries, &self.names, &self.values] {
            into.extend_from_slice(part);
        }
    }
}
