use std::{collections::BTreeMap, time::Duration};

use table_store::{
    BlockingStore, Metadata, Result, Uuid,
    queue::{GetMessages, PutMessage, QueueName, TimeToLive, UpdateMessage},
};

use super::state::{Message, QUEUES, State};
use crate::reliability::Seed;

/// More messages than a queue ever contains here.
const MANY: usize = 30;
/// Number of ticks after which every message is visible.
pub(super) const ALL_VISIBLE: i64 = 8 * 24 * 60 * 60 * 10_000_000;

/// One change of the queues.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Create,
    Delete,
    Put(String),
    Get(u32),
    Update(Uuid, Option<String>),
    Remove(Uuid),
    Clear,
}

impl Act {
    /// Returns the next act and its queue, which accepts it in this state.
    pub(super) fn next(seed: &mut Seed, state: &State) -> (&'static str, Self) {
        let name = seed.pick(&QUEUES).copied().unwrap_or_default();
        let Some(messages) = state.0.get(name) else { return (name, Self::Create) };
        let ids: Vec<Uuid> = messages.keys().copied().collect();
        let act = match (seed.below(20), seed.pick(&ids)) {
            (0, _) => Self::Delete,
            (1, _) => Self::Clear,
            (2..=6, Some(_)) => Self::Get(1 + u32::try_from(seed.below(5)).unwrap_or(0)),
            (7..=8, Some(id)) => Self::Update(*id, seed.chance(1, 2).then(|| text(seed))),
            (9..=11, Some(id)) => Self::Remove(*id),
            (_, Some(id)) if ids.len() >= MANY => Self::Remove(*id),
            _ => Self::Put(text(seed)),
        };
        (name, act)
    }

    /// Executes the act on a store, and returns the resulting contents of the queue; `None` if it does not exist.
    pub(super) fn perform(
        &self,
        store: &BlockingStore,
        queue: &QueueName,
        mut messages: BTreeMap<Uuid, Message>,
    ) -> Result<Option<BTreeMap<Uuid, Message>>> {
        match self {
            Self::Create => drop(store.create_queue(queue, Metadata::new())?),
            Self::Delete => {
                store.delete_queue(queue)?;
                return Ok(None);
            }
            Self::Put(text) => {
                let put = PutMessage::new(text.as_str()).time_to_live(TimeToLive::Forever);
                let put = store.put_message(queue, put)?;
                let message = Message { text: text.clone(), dequeued: 0, receipt: put.pop_receipt };
                messages.insert(put.id, message);
            }
            Self::Get(count) => {
                let get = GetMessages::new().count(*count).visibility(Duration::from_secs(1));
                for got in store.get_messages(queue, get)? {
                    let (text, dequeued) = (got.text, got.dequeue_count);
                    messages.insert(got.id, Message { text, dequeued, receipt: got.pop_receipt });
                }
            }
            Self::Update(id, text) => {
                let Some(message) = messages.get_mut(id) else { return Ok(Some(messages)) };
                let mut update = UpdateMessage::new(Duration::from_secs(2));
                update.text.clone_from(text);
                let updated = store.update_message(queue, *id, &message.receipt, update)?;
                message.receipt = updated.pop_receipt;
                message.text = text.clone().unwrap_or_else(|| message.text.clone());
            }
            Self::Remove(id) => {
                if let Some(message) = messages.remove(id) {
                    store.delete_message(queue, *id, &message.receipt)?;
                }
            }
            Self::Clear => {
                store.clear_messages(queue)?;
                messages.clear();
            }
        }
        Ok(Some(messages))
    }
}

/// Returns mostly a short string, sometimes of the maximum length.
fn text(seed: &mut Seed) -> String {
    let length = if seed.chance(1, 8) { 64 << 10 } else { seed.below(300) };
    let number = seed.draw().to_string();
    number.chars().cycle().take(length).collect()
}
