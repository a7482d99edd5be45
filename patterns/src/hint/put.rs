use std::time::Duration;

use table_store::{
    Timestamp, Uuid,
    queue::{PopReceipt, PutMessage, TimeToLive},
};

use super::{Hint, LANDS, QUEUE};
use crate::{Error, Tables, TaskError, task, worker::gone};

/// A hint that was put, until when it holds, and how to take it back.
#[derive(Clone, Debug)]
pub(crate) struct HintReceipt {
    id: Uuid,
    pop_receipt: PopReceipt,
    until: Timestamp,
}

impl HintReceipt {
    /// Whether an attempt that begins now is over before the deadline. Ask when the put was answered: that may have taken
    /// long. Where the answer is no, another hint must be put.
    pub(crate) fn covers(&self, now: Timestamp) -> bool {
        covers(self.until, now)
    }
}

/// Whether an attempt that begins now lands before a deadline, or never.
pub(super) fn covers(until: Timestamp, now: Timestamp) -> bool {
    now.saturating_add(LANDS) <= until
}

impl Tables {
    /// Puts a hint that no worker sees for some time, in whole seconds: it is about what is to be done after this. Where
    /// the answer is lost it is put again.
    ///
    /// [`Error::NoHints`] on a handle without queues.
    pub(crate) async fn put_hint(&self, hint: &Hint, hidden: Duration) -> Result<HintReceipt, Error> {
        self.check_hints(&hint.entity)?;
        let text = hint.to_text().map_err(|why| TaskError::args("Hint", &why))?;
        let message = PutMessage::new(text).visibility(hidden).time_to_live(TimeToLive::Forever);
        let put = task::put(self, &task::queue(QUEUE)?, &message).await?;
        Ok(HintReceipt { id: put.id, pop_receipt: put.pop_receipt, until: hint.until })
    }

    /// Whether hints can be put for an entity, by its design's name.
    pub(crate) fn check_hints(&self, entity: &str) -> Result<(), Error> {
        self.queues().map(drop).map_err(|_| Error::NoHints { entity: entity.to_owned() })
    }

    /// Takes back a hint whose work is done. Only by who put it, for no attempt but its own, and got a reply to each
    /// request of it. If a worker has got it meanwhile, it is the worker's.
    pub(crate) async fn drop_hint(&self, hint: &HintReceipt) -> Result<(), Error> {
        let queue = task::queue(QUEUE)?;
        gone(self.queues()?.delete_message(&queue, hint.id, &hint.pop_receipt).await)
    }
}
