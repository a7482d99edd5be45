use super::{PropertiesRef, kind, pack::three_bytes};
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
        kind::push(&mut self.values, value);
        self.push_entry(name.as_bytes(), kind::of(value))
    }

    /// Appends the properties whose name, as bytes, satisfies `is_selected`, without decoding their values. Returns `None`
    /// if they exceed the limits of the encoding.
    pub fn push_selected(
        &mut self,
        properties: PropertiesRef<'_>,
        mut is_selected: impl FnMut(&[u8]) -> bool,
    ) -> Option<()> {
        for (name, kind, value) in properties.encoded().filter(|(name, ..)| is_selected(name)) {
            self.values.extend_from_slice(value);
            self.push_entry(name, kind)?;
        }
        Some(())
    }

    /// Appends the name and the entry of a property whose value was appended.
    fn push_entry(&mut self, name: &[u8], kind: u8) -> Option<()> {
        self.count = self.count.checked_add(1)?;
        self.names.extend_from_slice(name);
        let [n0, n1, n2] = three_bytes(self.names.len())?;
        let [v0, v1, v2] = three_bytes(self.values.len())?;
        self.entries.extend_from_slice(&[n0, n1, n2, kind, v0, v1, v2]);
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
