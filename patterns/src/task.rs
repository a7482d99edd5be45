//! Work that a message promises: steps in several partitions, tables or outside of them, none of which may be forgotten
//! (P3). Each may be done twice, and readers may look in between.

mod message;
mod poison;
mod send;

pub(crate) use message::Message;
pub use poison::Poisoned;
pub(crate) use poison::put_aside;
pub use send::Sent;
pub(crate) use send::{lasting, put};

use std::{future::Future, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use table_store::queue::QueueName;

use crate::{Error, Tables};

/// A task: what has to be done, as the message says it. Implemented by `#[derive(Task)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a task",
    label = "not a task",
    note = "add #[derive(Task, Serialize, Deserialize)] and #[task(queue = \"..\")]"
)]
pub trait Task: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// What messages call it. It outlives the program: messages of an older one are read by the same name.
    const NAME: &'static str;

    /// The queue of its messages. That of those that were given up is called the same, with `-poison` behind it: so it has
    /// at most 56 characters.
    const QUEUE: &'static str;

    /// How often it may fail, or be begun and never end, before it is given up.
    const POISON_AFTER: u32 = 5;
}

/// How a task is done.
///
/// It can be run twice, by two workers at the same time, and again after it was done. So each step must be harmless when
/// it is repeated, late or early; [`Transaction::once`](crate::Transaction::once) makes one that is not.
pub trait Run: Task {
    /// Does it, all of it or what is left of it. An error counts as a failure, unless it may pass by itself: then the task
    /// is run again later.
    ///
    /// The handle knows of which task it is: see [`Tables::task_id`].
    fn run(&self, tables: &Tables) -> impl Future<Output = Result<Outcome, Error>> + Send;
}

/// How a run of a task ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// There is nothing left to do.
    Done,
    /// It is to be run again after this time, at most 7 days, in whole seconds rounded up. That is no failure, and may be
    /// as often as it likes.
    Retry(Duration),
    /// It cannot be done, for this reason: a person has to look.
    Poison(String),
}

/// The queue of a task.
pub(crate) fn queue(name: &str) -> Result<QueueName, Error> {
    Ok(QueueName::new(name)?)
}

/// The queue of what was given up.
pub(crate) fn poison_queue(name: &str) -> Result<QueueName, Error> {
    queue(&format!("{name}-poison"))
}
