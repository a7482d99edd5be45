use std::time::Duration;

use table_store::{
    Uuid,
    queue::{PopReceipt, PutMessage, TimeToLive},
};

use super::{Clock, Cover, Hint, QUEUE};
use crate::{Error, Tables, TaskError, task, worker::gone};

/// A hint that was put, how long it holds, and how to take it back.
#[derive(Clone, Debug)]
pub(crate) struct HintReceipt {
    id: Uuid,
    pop_receipt: PopReceipt,
    pub(super) cover: Cover,
}

impl HintReceipt {
    /// See [`Cover::covers`].
    pub(crate) fn covers(&self, clock: &Clock) -> bool {
        self.cover.covers(clock)
    }
}

impl Tables {
    /// Puts a hint that no worker sees for some time, in whole seconds: it is about what is to be done after this. If the
    /// response is lost it is put again.
    ///
    /// # Errors
    /// [`Error::NoHints`] on a handle without queues.
    pub(crate) async fn put_hint(&self, hint: &Hint, hidden: Duration) -> Result<HintReceipt, Error> {
        self.check_hints(&hint.entity)?;
        let text = hint.to_text().map_err(|why| TaskError::args("Hint", &why))?;
        let message = PutMessage::new(text).visibility(hidden).time_to_live(TimeToLive::Forever);
        let cover = Cover { put: self.clock().moment(), holds: hint.holds() };
        let put = task::put(self, &task::queue(QUEUE)?, &message).await?;
        Ok(HintReceipt { id: put.id, pop_receipt: put.pop_receipt, cover })
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
