use table_model::{StorageFault, Timestamp};
use uuid::Uuid;

use super::{Space, place::Expiry};
use crate::{checksum, engine::Read, write_batch};

/// Text of a message and its immutable properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body {
    pub(super) inserted: Timestamp,
    pub(crate) expiry: Expiry,
    pub(super) text: String,
}

impl Body {
    pub(super) fn content(&self) -> Vec<u8> {
        let (inserted, expiry) = (self.inserted.ticks().to_le_bytes(), self.expiry.0.to_le_bytes());
        [&inserted[..], &expiry, self.text.as_bytes()].concat()
    }

    pub(crate) fn decode(content: &[u8]) -> Option<Self> {
        let (inserted, rest) = content.split_first_chunk()?;
        let (expiry, text) = rest.split_first_chunk()?;
        Some(Self {
            inserted: Timestamp::from_ticks(i64::from_le_bytes(*inserted))?,
            expiry: Expiry(i64::from_le_bytes(*expiry)),
            text: std::str::from_utf8(text).ok()?.to_owned(),
        })
    }

    pub(super) fn find(read: &dyn Read, space: Space, id: Uuid) -> Result<Option<Self>, StorageFault> {
        write_batch::find(read, &space.body_key(id), Self::decode)
    }

    /// Reads the body of a message whose place exists.
    pub(super) fn read(read: &dyn Read, space: Space, id: Uuid) -> Result<Self, StorageFault> {
        Self::find(read, space, id)?.ok_or_else(|| checksum::damaged(&space.body_key(id), "it is missing"))
    }
}
