use std::time::Duration;

use table_model::{
    Uuid,
    queue::{PopReceipt, PutMessage, TimeToLive},
};

use super::{Hint, QUEUE};
use crate::{
    Error, Tables, TaskError,
    handle::{
        clock::{Clock, Cover},
        queue::{self, gone},
    },
};

/// A wake-up message that was put, with its validity and the receipt for deleting it.
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
    /// Puts a wake-up message that is hidden from workers for some time, in whole seconds. It must be put before the
    /// work it refers to. If the response is lost, the message is put again.
    ///
    /// # Errors
    /// Returns [`Error::QueuesNotConfigured`] if no queues are configured.
    pub(crate) async fn put_hint(&self, hint: &Hint, hidden: Duration) -> Result<HintReceipt, Error> {
        self.check_hints(&hint.entity)?;
        let text = hint.to_text().map_err(|reason| TaskError::args("Hint", &reason))?;
        let message = PutMessage::new(text).visibility(hidden).time_to_live(TimeToLive::Forever);
        let cover = Cover { put: self.clock().moment(), holds: hint.holds() };
        let put = queue::put(self, &queue::queue(QUEUE)?, &message).await?;
        Ok(HintReceipt { id: put.id, pop_receipt: put.pop_receipt, cover })
    }

    /// Checks that wake-up messages can be put for the entity with this name.
    pub(crate) fn check_hints(&self, entity: &str) -> Result<(), Error> {
        self.queues().map(drop).map_err(|_| Error::QueuesNotConfigured { entity: entity.to_owned() })
    }

    /// Deletes a wake-up message whose work is done. May only be called by the process that put it, if the message is
    /// not shared and every request of its attempt received a response. A message that a worker has received remains
    /// with the worker.
    pub(crate) async fn drop_hint(&self, hint: &HintReceipt) -> Result<(), Error> {
        let queue = queue::queue(QUEUE)?;
        gone(self.queues()?.delete_message(&queue, hint.id, &hint.pop_receipt).await)
    }
}
