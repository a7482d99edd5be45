//! Tasks: work that is started by a message (P3). A task consists of steps in several partitions, tables or external
//! systems, all of which must eventually be executed. A step can be executed twice, and readers can see intermediate
//! states.

mod message;
mod poison;
mod send;

pub(crate) use message::Message;
pub use send::Sent;

use std::{future::Future, time::Duration};

use serde::{Serialize, de::DeserializeOwned};

use crate::{Error, Tables};

/// A task: the work that a message describes. Implemented by `#[derive(Task)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a task",
    label = "not a task",
    note = "add #[derive(Task, Serialize, Deserialize)] and #[task(queue = \"..\")]"
)]
pub trait Task: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Name of the task in messages. It must remain stable: newer programs find the messages of older ones by it.
    const NAME: &'static str;

    /// Name of the queue, with at most 56 characters. Messages that cannot be processed move to the queue with the
    /// suffix `-poison`.
    const QUEUE: &'static str;

    /// Number of failed or unfinished runs after which the message is moved to the poison queue.
    const POISON_AFTER: u32 = 5;
}

/// Execution of a task.
///
/// A task can be executed twice, by two workers concurrently, and again after it was completed. Each step must
/// therefore be idempotent, also if it is delayed. [`Transaction::once`](crate::Transaction::once) makes a step
/// idempotent.
pub trait Run: Task {
    /// Runs the task, or the remaining part of it.
    ///
    /// The handle belongs to the task: see [`Tables::task_id`].
    ///
    /// # Errors
    /// An error counts as a failed run. A transient error does not count; the task is run again later.
    fn run(&self, tables: &Tables) -> impl Future<Output = Result<Outcome, Error>> + Send;
}

/// Execution of a task with a state of the program, such as a mail client, which [`Worker::with`](crate::Worker::with)
/// provides. The rules of [`Run`] apply: a task can be executed twice.
#[diagnostic::on_unimplemented(
    message = "the task `{Self}` cannot run with the state `{S}` of this worker",
    label = "the worker has no state for this task",
    note = "call `worker().with(state)` with the state of the task before `on_with`, and implement `RunWith` for its type; \
            for a task without state, implement `Run` and use `on`"
)]
pub trait RunWith<S>: Task {
    /// Runs the task, or the remaining part of it, with the state of its worker.
    ///
    /// # Errors
    /// An error counts as a failed run. A transient error does not count; the task is run again later.
    fn run_with(&self, tables: &Tables, state: &S) -> impl Future<Output = Result<Outcome, Error>> + Send;
}

/// Result of a task run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The task is complete.
    Done,
    /// Run the task again after this delay of at most 7 days, rounded up to whole seconds. This does not count as a
    /// failure, and can be repeated without limit.
    Retry(Duration),
    /// The task cannot be completed, for this reason. Manual intervention is required.
    Poison(String),
}
