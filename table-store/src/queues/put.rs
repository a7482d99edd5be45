use std::ops::ControlFlow;

use table_model::{
    Result, StorageFault, Timestamp,
    queue::{MessagePut, PutMessage, QueueName},
};
use uuid::Uuid;

use super::{
    Body, Placed, Position, Space, Tally,
    place::{self, Expiry},
    row::live,
};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Number of places that each put checks for expired messages. Two per new message ensure that expired messages are
/// found before they outnumber the others, even in a queue that no client reads.
const LOOKED_AT: usize = 2;

/// Request to put a message with an id that was already generated.
#[derive(Debug)]
pub(crate) struct Put {
    pub(crate) queue: QueueName,
    pub(crate) id: Uuid,
    pub(crate) message: PutMessage,
}

impl Work for Put {
    type Answer = MessagePut;

    fn weight(&self) -> (usize, usize) {
        (1, self.message.text.len())
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, MessagePut)> {
        let space = live(read, &self.queue)?.space;
        let tally = Tally::read(read, space)?;
        if read.get(&space.body_key(self.id), &mut |_| ())? {
            return Err(StorageFault::Bug {
                what: "the random number generator returned a duplicate id".to_owned(),
            }
            .into());
        }
        let now = turn.now();
        // A time to live that ends after the maximum timestamp means that the message never expires.
        let expires = self.message.life().map(|life| now.saturating_add(life));
        let expires = expires.filter(|expires| *expires < Timestamp::MAX);
        let next_visible = now.saturating_add(self.message.visibility);
        let position = Position::new(next_visible, turn.stamp()?, 0);
        let mut edits = Edits::new();
        let tally = clean_some(read, space, tally, now, &mut edits)?;
        edits.put(space.tally_key(), Tally { messages: tally.messages.saturating_add(1), ..tally }.content());
        let placed = Placed { position, id: self.id, dequeued: 0, expiry: Expiry::at(expires) };
        placed.put(space, &mut edits);
        let text = std::mem::take(&mut self.message.text);
        let body = Body { inserted: now, expiry: placed.expiry, text };
        edits.put(space.body_key(self.id), body.content());
        let pop_receipt = position.receipt();
        Ok((edits, MessagePut { id: self.id, inserted: now, expires, pop_receipt, next_visible }))
    }
}

/// Checks the next places for expired messages and removes those. Continues at the end of the previous check and wraps
/// around.
fn clean_some(
    read: &dyn Read,
    space: Space,
    tally: Tally,
    now: Timestamp,
    edits: &mut Edits,
) -> Result<Tally, StorageFault> {
    let (mut seen, mut expired) = (0, Vec::new());
    let mut cleaned = Position::default();
    place::scan(read, space, tally.cleaned, &space.places_end(), &mut |placed| {
        cleaned = placed.position;
        if seen == LOOKED_AT {
            return ControlFlow::Break(());
        }
        // Wraps around at the end of the places.
        cleaned = Position::default();
        seen += 1;
        if placed.expiry.is_over(now) {
            placed.remove(space, edits);
            expired.push(placed);
        }
        ControlFlow::Continue(())
    })?;
    Ok(Tally { cleaned, ..tally }.without(&expired))
}
