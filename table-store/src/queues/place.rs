use std::ops::ControlFlow;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use table_model::{StorageFault, Timestamp, queue::PopReceipt};
use uuid::Uuid;

use super::Space;
use crate::{checksum, engine::Read, write_batch::Edits};

/// Position of a message in its queue, which is also its pop receipt. Getting and updating a message moves it, and
/// positions are never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// Time at which the message becomes visible, in ticks.
    pub(super) visible: u64,
    /// Time of the request that wrote this position. Unique.
    pub(super) stamp: u64,
    /// Index of the message within that request.
    pub(super) index: u8,
}

impl Position {
    pub(super) fn new(visible: Timestamp, stamp: Timestamp, index: u8) -> Self {
        Self { visible: visible.ticks().unsigned_abs(), stamp: stamp.ticks().unsigned_abs(), index }
    }

    /// Returns the position after all messages that are visible at a time.
    pub(super) fn after(now: Timestamp) -> Self {
        Self { visible: now.ticks().unsigned_abs().saturating_add(1), stamp: 0, index: 0 }
    }

    pub(crate) fn to_bytes(self) -> [u8; 17] {
        let mut bytes = [0; 17];
        let (visible, rest) = bytes.split_at_mut(8);
        let (stamp, index) = rest.split_at_mut(8);
        visible.copy_from_slice(&self.visible.to_be_bytes());
        stamp.copy_from_slice(&self.stamp.to_be_bytes());
        index.fill(self.index);
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (visible, rest) = bytes.split_first_chunk()?;
        let (stamp, index) = rest.split_first_chunk()?;
        let [index] = *index else { return None };
        Some(Self { visible: u64::from_be_bytes(*visible), stamp: u64::from_be_bytes(*stamp), index })
    }

    pub(super) fn receipt(self) -> PopReceipt {
        PopReceipt::new(BASE64_STANDARD.encode(self.to_bytes()))
    }

    /// Decodes a receipt. Returns `None` if the store did not issue it.
    pub(super) fn of_receipt(receipt: &PopReceipt) -> Option<Self> {
        Self::from_bytes(&BASE64_STANDARD.decode(receipt.as_str()).ok()?)
    }
}

/// Expiry time of a message in ticks; the maximum value if it never expires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Expiry(pub(super) i64);

impl Expiry {
    const NEVER: Self = Self(i64::MAX);

    pub(super) fn at(time: Option<Timestamp>) -> Self {
        time.map_or(Self::NEVER, |time| Self(time.ticks()))
    }

    /// Returns the expiry time; `None` if the message never expires.
    pub(super) fn time(self) -> Option<Timestamp> {
        Timestamp::from_ticks(self.0)
    }

    pub(super) fn is_over(self, now: Timestamp) -> bool {
        self.0 <= now.ticks()
    }
}

/// Place record of a message: the data required to get it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(super) position: Position,
    pub(crate) id: Uuid,
    /// Number of times the message was received.
    pub(super) dequeued: u32,
    pub(crate) expiry: Expiry,
}

impl Placed {
    pub(super) fn content(&self) -> Vec<u8> {
        [self.id.as_bytes(), &self.dequeued.to_le_bytes()[..], &self.expiry.0.to_le_bytes()].concat()
    }

    pub(crate) fn decode(position: Position, content: &[u8]) -> Option<Self> {
        let (id, rest) = content.split_first_chunk()?;
        let (dequeued, expiry) = rest.split_first_chunk()?;
        Some(Self {
            position,
            id: Uuid::from_bytes(*id),
            dequeued: u32::from_le_bytes(*dequeued),
            expiry: Expiry(i64::from_le_bytes(expiry.try_into().ok()?)),
        })
    }

    pub(super) fn put(&self, space: Space, edits: &mut Edits) {
        edits.put(space.place_key(self.position), self.content());
    }

    /// Removes the records of the message. The caller updates the tally.
    pub(super) fn remove(&self, space: Space, edits: &mut Edits) {
        edits.remove(space.place_key(self.position));
        edits.remove(space.body_key(self.id));
    }
}

/// Visits the messages from a position up to, but excluding, a key, in order, until `visit` breaks.
pub(super) fn scan(
    read: &dyn Read,
    space: Space,
    from: Position,
    to: &[u8],
    visit: &mut dyn FnMut(Placed) -> ControlFlow<()>,
) -> Result<(), StorageFault> {
    let mut fault = None;
    read.scan_whole(&space.place_key(from), to, &mut |key, record| {
        let placed = checksum::unseal(key, record).and_then(|content| {
            let position = Position::from_bytes(key.get(13..).unwrap_or_default());
            let placed = position.and_then(|position| Placed::decode(position, content));
            placed.ok_or_else(|| checksum::damaged(key, "its layout is invalid"))
        });
        match placed {
            Ok(placed) => visit(placed),
            Err(damage) => {
                fault = Some(damage);
                ControlFlow::Break(())
            }
        }
    })?;
    fault.map_or(Ok(()), Err)
}

/// Visible messages at the head of a queue.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// Unexpired messages, at most the requested number.
    pub(super) live: Vec<Placed>,
    /// Expired messages encountered by the scan.
    pub(super) expired: Vec<Placed>,
    /// The scan ended early because it reached the limit of expired messages.
    pub(super) more: bool,
}

impl Head {
    /// Maximum number of expired messages that one step reads and removes.
    const EXPIRED: usize = 1_000;

    pub(super) fn read(
        read: &dyn Read,
        space: Space,
        now: Timestamp,
        count: usize,
    ) -> Result<Self, StorageFault> {
        let mut head = Self::default();
        let end = space.place_key(Position::after(now));
        scan(read, space, Position::default(), &end, &mut |placed| {
            if placed.expiry.is_over(now) {
                head.expired.push(placed);
            } else if head.live.len() < count {
                head.live.push(placed);
            }
            head.more = head.expired.len() >= Self::EXPIRED;
            if head.more || (count > 0 && head.live.len() >= count) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        Ok(head)
    }
}
