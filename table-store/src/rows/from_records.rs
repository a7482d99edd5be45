//! Filling of rows by the embedded store, from properties in their stored encoding.

use super::{RowHead, Rows, TooLarge};
use crate::packed::Packer;

impl Rows {
    /// Creates an empty list with initial capacity.
    pub(crate) fn with_room() -> Self {
        const ROWS: usize = 64;
        const KEY_BYTES: usize = 32;
        const ROW_BYTES: usize = 256;
        Self {
            heads: Vec::with_capacity(ROWS),
            keys: String::with_capacity(ROWS * KEY_BYTES),
            properties: Vec::with_capacity(ROWS * ROW_BYTES),
        }
    }

    /// Appends a row whose properties are already packed.
    pub(crate) fn push_packed(
        &mut self,
        head: RowHead<'_>,
        count: u16,
        packed: &[u8],
    ) -> Result<(), TooLarge> {
        let start = self.properties.len();
        self.properties.extend_from_slice(packed);
        self.push_head(head, count, start)
    }

    /// Appends a row with the properties of `packer`.
    pub(crate) fn push_packer(&mut self, head: RowHead<'_>, packer: &Packer) -> Result<(), TooLarge> {
        let start = self.properties.len();
        packer.append_to(&mut self.properties);
        self.push_head(head, packer.count(), start)
    }
}
