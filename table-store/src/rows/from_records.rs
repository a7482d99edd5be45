//! How the embedded store fills rows: with properties that are packed as they are stored.

use super::{RowHead, Rows, TooLarge};
use crate::packed::Packer;

impl Rows {
    /// None, with room for some before it has to grow.
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

    /// Appends a row whose properties are packed already.
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

    /// Appends a row whose properties `packer` holds.
    pub(crate) fn push_packer(&mut self, head: RowHead<'_>, packer: &Packer) -> Result<(), TooLarge> {
        let start = self.properties.len();
        packer.append_to(&mut self.properties);
        self.push_head(head, packer.count(), start)
    }
}
