use std::collections::BTreeMap;

use table_store::{
    BlockingStore, TableError, Uuid,
    queue::{PopReceipt, QueueName},
};

use crate::reliability::Violation;

pub(super) const QUEUES: [&str; 2] = ["outbox", "photos"];

/// An expected message.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) text: String,
    pub(super) dequeued: u32,
    pub(super) receipt: PopReceipt,
}

/// The expected queues, with their messages.
#[derive(Clone, Debug, Default)]
pub(super) struct State(pub(super) BTreeMap<&'static str, BTreeMap<Uuid, Message>>);

/// The visible state of each queue: its approximate number of messages, and for each message the length of the text, a
/// hash of it, and its dequeue count.
pub(super) type Shown = BTreeMap<&'static str, (u64, BTreeMap<Uuid, (usize, u32, u32)>)>;

fn mark(text: &str, dequeued: u32) -> (usize, u32, u32) {
    (text.len(), crc32c::crc32c(text.as_bytes()), dequeued)
}

impl State {
    pub(super) fn shows(&self) -> Shown {
        let shown = self.0.iter().map(|(name, messages)| {
            let marks = messages.iter().map(|(id, message)| (*id, mark(&message.text, message.dequeued)));
            (*name, (messages.len() as u64, marks.collect()))
        });
        shown.collect()
    }

    pub(super) fn messages(&self) -> u64 {
        self.0.values().map(|messages| messages.len() as u64).sum()
    }

    /// Returns the visible state of a store. All messages must be visible.
    pub(super) fn shown_by(store: &BlockingStore) -> Result<Shown, Violation> {
        let mut shown = BTreeMap::new();
        for name in QUEUES {
            let queue = queue(name)?;
            let count = match store.queue_properties(&queue) {
                Ok(properties) => properties.approximate_messages,
                Err(error) if error.is_not_found() => continue,
                Err(error) => return Err(failed(error)),
            };
            let peeked = store.peek_messages(&queue, 32).map_err(failed)?;
            let marks = peeked.iter().map(|message| (message.id, mark(&message.text, message.dequeue_count)));
            shown.insert(name, (count, marks.collect()));
        }
        Ok(shown)
    }

    /// Deletes each message by its latest receipt; if the request in flight would have returned another receipt, by
    /// this or by the previous one.
    pub(super) fn delete_all(same: &[&Self], store: &BlockingStore) -> Result<(), Violation> {
        let Some((first, others)) = same.split_first() else { return Ok(()) };
        for (name, messages) in &first.0 {
            let queue = queue(name)?;
            for (id, message) in messages {
                let told = others.iter().filter_map(|state| state.0.get(name)?.get(id));
                let delete = |message: &Message| store.delete_message(&queue, *id, &message.receipt);
                let deleted =
                    told.fold(delete(message), |deleted, message| deleted.or_else(|_| delete(message)));
                deleted.map_err(failed)?;
            }
        }
        Ok(())
    }
}

pub(super) fn queue(name: &str) -> Result<QueueName, Violation> {
    QueueName::new(name).map_err(failed)
}

fn failed(error: TableError) -> Violation {
    Violation::failed("using queues after a crash")(error)
}
