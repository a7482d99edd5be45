//! Filling of rows by a backend, from properties that it stores in their encoding.

use super::{RowHead, Rows, TooLarge};
use crate::packed::Packer;

impl Rows {
    /// Creates an empty list with initial capacity for a few dozen rows.
    #[must_use]
    pub fn with_room() -> Self {
        const ROWS: usize = 64;
        const KEY_BYTES: usize = 32;
        const ROW_BYTES: usize = 256;
        Self {
            heads: Vec::with_capacity(ROWS),
            keys: String::with_capacity(ROWS * KEY_BYTES),
            properties: Vec::with_capacity(ROWS * ROW_BYTES),
        }
    }

    /// Appends a row whose `count` properties are already encoded. [`PropertiesRef::new`](crate::PropertiesRef::new)
    /// must accept the encoding; otherwise an iteration ends at the row.
    ///
    /// # Errors
    /// [`TooLarge`] if a capacity limit is exceeded; the rows are then unchanged.
    pub fn push_packed(&mut self, head: RowHead<'_>, count: u16, packed: &[u8]) -> Result<(), TooLarge> {
        let start = self.properties.len();
        self.properties.extend_from_slice(packed);
        self.push_head(head, count, start)
    }

    /// Appends a row with the properties of `packer`.
    ///
    /// # Errors
    /// [`TooLarge`] if a capacity limit is exceeded; the rows are then unchanged.
    pub fn push_packer(&mut self, head: RowHead<'_>, packer: &Packer) -> Result<(), TooLarge> {
        let start = self.properties.len();
        packer.append_to(&mut self.properties);
        self.push_head(head, packer.count(), start)
    }
}
