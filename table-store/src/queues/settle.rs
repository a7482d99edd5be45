//! Updating and deleting received messages.

use std::slice;

use table_model::{
    ErrorCode, Result, Timestamp,
    queue::{MessageUpdated, PopReceipt, QueueName, UpdateMessage, out_of_range},
};
use uuid::Uuid;

use super::{Body, Placed, Position, Space, Tally, row::live};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::{self, Edits},
};

#[derive(Debug)]
pub(crate) struct Update {
    pub(crate) queue: QueueName,
    pub(crate) id: Uuid,
    pub(crate) receipt: PopReceipt,
    pub(crate) change: UpdateMessage,
}

impl Work for Update {
    type Answer = MessageUpdated;

    fn weight(&self) -> (usize, usize) {
        (1, self.change.text.as_ref().map_or(0, String::len))
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, MessageUpdated)> {
        let space = live(read, &self.queue)?.space;
        let now = turn.now();
        let placed = find(read, space, self.id, &self.receipt, now)?;
        let next_visible = now.saturating_add(self.change.visibility);
        if placed.expiry.time().is_some_and(|expires| next_visible > expires) {
            return Err(out_of_range("visibilitytimeout", "at most the remaining time to live"));
        }
        let position = Position::new(next_visible, turn.stamp()?, 0);
        let mut edits = Edits::new();
        edits.remove(space.place_key(placed.position));
        Placed { position, ..placed }.put(space, &mut edits);
        if let Some(text) = self.change.text.take() {
            let body = Body { text, ..Body::read(read, space, self.id)? };
            edits.put(space.body_key(self.id), body.content());
        }
        Ok((edits, MessageUpdated { pop_receipt: position.receipt(), next_visible }))
    }
}

#[derive(Debug)]
pub(crate) struct Remove {
    pub(crate) queue: QueueName,
    pub(crate) id: Uuid,
    pub(crate) receipt: PopReceipt,
}

impl Work for Remove {
    type Answer = ();

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, ())> {
        let space = live(read, &self.queue)?.space;
        let placed = find(read, space, self.id, &self.receipt, turn.now())?;
        let mut edits = Edits::new();
        placed.remove(space, &mut edits);
        let tally = Tally::read(read, space)?.without(slice::from_ref(&placed));
        edits.put(space.tally_key(), tally.content());
        Ok((edits, ()))
    }
}

/// Finds the message of a receipt. Returns `MessageNotFound` if the message does not exist or has expired,
/// `PopReceiptMismatch` if it exists with a newer receipt.
fn find(read: &dyn Read, space: Space, id: Uuid, receipt: &PopReceipt, now: Timestamp) -> Result<Placed> {
    let position = Position::of_receipt(receipt);
    let placed = match position {
        Some(position) => {
            let key = space.place_key(position);
            write_batch::find(read, &key, |content| Placed::decode(position, content))?
        }
        None => None,
    };
    let expiry = match placed {
        Some(placed) if placed.id == id => {
            if !placed.expiry.is_over(now) {
                return Ok(placed);
            }
            Some(placed.expiry)
        }
        _ => Body::find(read, space, id)?.map(|body| body.expiry),
    };
    match expiry {
        Some(expiry) if !expiry.is_over(now) => Err(ErrorCode::PopReceiptMismatch.into()),
        _ => Err(ErrorCode::MessageNotFound.into()),
    }
}
