use table_model::{StorageFault, Timestamp};

use super::{Placed, Position};
use crate::{checksum, engine::Read, keys::TableId, leftovers::Leftover, write_batch};

/// Key space of the messages of a queue. Clearing a queue assigns a new space, so the remaining records of the old
/// space are unreferenced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Space(pub(super) u64);

/// Parts of a space, by the byte after its number.
const TALLY: u8 = 0;
const PLACES: u8 = 1;
const BODIES: u8 = 2;

/// Record kind of a key in a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Tally,
    Place(Position),
    Body(uuid::Uuid),
}

impl Space {
    /// Creates a space that was never used before, because times are unique.
    pub(super) fn new(stamp: Timestamp) -> Self {
        Self(stamp.ticks().unsigned_abs())
    }

    /// Returns the number of the space, which is unique among all queues.
    pub(crate) const fn number(self) -> u64 {
        self.0
    }

    fn key(self, part: u8, rest: &[u8]) -> Vec<u8> {
        [&TableId::MESSAGES.prefix(), &self.0.to_be_bytes()[..], &[part], rest].concat()
    }

    pub(crate) fn tally_key(self) -> Vec<u8> {
        self.key(TALLY, &[])
    }

    pub(crate) fn place_key(self, position: Position) -> Vec<u8> {
        self.key(PLACES, &position.to_bytes())
    }

    pub(crate) fn body_key(self, id: uuid::Uuid) -> Vec<u8> {
        self.key(BODIES, id.as_bytes())
    }

    /// Returns the key after the places of all messages.
    pub(super) fn places_end(self) -> Vec<u8> {
        self.key(BODIES, &[])
    }

    /// Splits a key into space and part. Returns `None` for other keys.
    pub(crate) fn split(key: &[u8]) -> Option<(Self, Part)> {
        let (number, rest) = key.get(4..)?.split_first_chunk()?;
        let (part, rest) = rest.split_first()?;
        let part = match *part {
            TALLY if rest.is_empty() => Part::Tally,
            PLACES => Part::Place(Position::from_bytes(rest)?),
            BODIES => Part::Body(uuid::Uuid::from_slice(rest).ok()?),
            _ => return None,
        };
        Some((Self(u64::from_be_bytes(*number)), part))
    }

    /// Describes all records of the space for reclamation. The record under `then` is removed with the last of them.
    pub(crate) fn leftover(self, then: Option<Vec<u8>>) -> Leftover {
        let end = |space: u64| [&TableId::MESSAGES.prefix(), &space.to_be_bytes()[..]].concat();
        let to = self.0.checked_add(1).map_or_else(|| TableId::MESSAGES.end(), end);
        Leftover { from: end(self.0), to, then }
    }
}

/// Summary of the messages of a queue, updated whenever a message is added or removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    /// Number of messages, including expired messages that are not removed yet.
    pub(super) messages: u64,
    /// Position up to which the current round has checked places for expired messages.
    pub(super) cleaned: Position,
}

impl Tally {
    pub(super) fn read(read: &dyn Read, space: Space) -> Result<Self, StorageFault> {
        let key = space.tally_key();
        write_batch::find(read, &key, Self::decode)?.ok_or_else(|| checksum::damaged(&key, "it is missing"))
    }

    pub(super) fn content(self) -> Vec<u8> {
        [&self.messages.to_le_bytes()[..], &self.cleaned.to_bytes()].concat()
    }

    pub(crate) fn decode(content: &[u8]) -> Option<Self> {
        let (messages, cleaned) = content.split_first_chunk()?;
        Some(Self { messages: u64::from_le_bytes(*messages), cleaned: Position::from_bytes(cleaned)? })
    }

    /// Subtracts removed messages.
    pub(super) fn without(self, gone: &[Placed]) -> Self {
        Self { messages: self.messages.saturating_sub(gone.len() as u64), ..self }
    }
}
