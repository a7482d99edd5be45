use table_model::{
    Result,
    queue::{GetMessages, Message, QueueName},
};

use super::{Body, Placed, Position, Tally, place::Head, row::live};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Request to get messages. With a count of 0 it only removes expired messages at the head of the queue.
#[derive(Debug)]
pub(crate) struct Take {
    pub(crate) queue: QueueName,
    pub(crate) get: GetMessages,
}

/// Result of a get.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) messages: Vec<Message>,
    /// The step ended among expired messages: more messages may follow.
    pub(crate) more: bool,
}

impl Work for Take {
    type Answer = Taken;

    fn weight(&self) -> (usize, usize) {
        (usize::try_from(self.get.count).unwrap_or(usize::MAX), 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, Taken)> {
        let space = live(read, &self.queue)?.space;
        let now = turn.now();
        let count = usize::try_from(self.get.count).unwrap_or(usize::MAX);
        let head = Head::read(read, space, now, count)?;
        let mut edits = Edits::new();
        let next_visible = now.saturating_add(self.get.visibility);
        let mut messages = Vec::with_capacity(head.live.len());
        for (index, placed) in (0..).zip(&head.live) {
            let Body { inserted, expiry, text } = Body::read(read, space, placed.id)?;
            edits.remove(space.place_key(placed.position));
            let position = Position::new(next_visible, turn.stamp()?, index);
            let moved = Placed { position, dequeued: placed.dequeued.saturating_add(1), ..*placed };
            moved.put(space, &mut edits);
            messages.push(Message {
                id: placed.id,
                inserted,
                expires: expiry.time(),
                pop_receipt: position.receipt(),
                next_visible,
                dequeue_count: moved.dequeued,
                text,
            });
        }
        if !head.expired.is_empty() {
            let tally = Tally::read(read, space)?.without(&head.expired);
            edits.put(space.tally_key(), tally.content());
            head.expired.iter().for_each(|placed| placed.remove(space, &mut edits));
        }
        Ok((edits, Taken { messages, more: head.more }))
    }
}
