//! Processing of wake-up messages by workers.

use std::{collections::BTreeMap, time::Duration};

use futures_util::{StreamExt, stream};
use table_model::{
    ErrorCode,
    queue::{GetMessages, Message, QueueName, UpdateMessage, limits},
};

use super::{Hint, Looked, QUEUE, about};
use crate::{
    CatchUpReport, Error, Pending, Tables,
    apply::{
        partition::{self, Worked},
        poison,
    },
    handle::queue::{self, gone},
};

/// Time for which a received message is hidden from other workers.
const HIDDEN: Duration = Duration::from_secs(60);
/// Number of partitions processed concurrently.
const AT_ONCE: usize = 8;
/// Number of receives after which an expired message is dead-lettered, because processing it keeps failing.
const GETS: u32 = 50;
/// Initial waits in seconds, for a message of one commit and for a shared message. Each wait is twice the previous
/// wait.
const FIRST_WAIT: u64 = 1;
const FIRST_WAIT_OF_SHARED: u64 = 20;
/// Maximum wait in seconds.
const LONGEST: u64 = 300;

/// A received message and its content.
struct Got {
    message: Message,
    hint: Hint,
    /// Remaining validity when the message was received, by the clock of the queue service, before any record was read.
    /// It must not be computed later: a request may take effect, and the validity may end, between a read and a later
    /// check of the clock.
    rest: Duration,
}

impl Got {
    fn new(message: Message, hint: Hint) -> Self {
        // Time of the response: the service hides a message starting at that time.
        let age = message.next_visible.duration_since(message.inserted).saturating_sub(HIDDEN);
        let rest = hint.rest(message.inserted, message.inserted.saturating_add(age));
        Self { message, hint, rest }
    }

    const fn is_over(&self) -> bool {
        self.rest.is_zero()
    }
}

/// Processes the wake-up messages that are visible at the time of the call. Terminates even if other processes keep
/// adding messages. Returns the first failure, after all other messages were processed.
pub(crate) async fn drain(tables: &Tables, pass: &mut CatchUpReport) -> Result<(), Error> {
    let queue = queue::queue(QUEUE)?;
    let mut left = waiting(tables, &queue).await?;
    let mut failure = None;
    while left > 0 {
        let got = batch(tables, &queue, pass, &mut failure).await?;
        if got == 0 {
            break;
        }
        left = left.saturating_sub(got);
    }
    failure.map_or(Ok(()), Err)
}

/// Returns the approximate number of wake-up messages, including invisible messages.
pub(crate) async fn waiting(tables: &Tables, queue: &QueueName) -> Result<u64, Error> {
    match tables.queues()?.queue_properties(queue).await {
        Err(error) if error.code() == ErrorCode::QueueNotFound => Ok(0),
        other => Ok(other?.approximate_messages),
    }
}

/// Processes the messages of one request. Returns their number.
async fn batch(
    tables: &Tables,
    queue: &QueueName,
    pass: &mut CatchUpReport,
    failure: &mut Option<Error>,
) -> Result<u64, Error> {
    let get = GetMessages::new().count(limits::MESSAGES).visibility(HIDDEN);
    let messages = match tables.queues()?.get_messages(queue, get).await {
        Err(error) if error.code() == ErrorCode::QueueNotFound => return Ok(0),
        other => other?,
    };
    let got = messages.len() as u64;
    let mut partitions: BTreeMap<(String, String), Vec<Got>> = BTreeMap::new();
    for message in messages {
        match Hint::read(&message.text) {
            Ok(hint) => {
                let key = (hint.table.folded().to_owned(), hint.partition_key.clone());
                partitions.entry(key).or_default().push(Got::new(message, hint));
            }
            Err(reason) => {
                if let Err(error) = give_up(tables, queue, &message, &reason).await {
                    failure.get_or_insert(error);
                }
            }
        }
    }
    let mut work: Vec<Pending<'_, _>> = Vec::with_capacity(partitions.len());
    for hints in partitions.into_values() {
        work.push(Box::pin(in_partition(tables, queue, hints)));
    }
    let mut ends = stream::iter(work).buffer_unordered(AT_ONCE);
    while let Some(end) = ends.next().await {
        match end {
            Ok((more, None)) => pass.add(more),
            Ok((more, Some(error))) => {
                pass.add(more);
                failure.get_or_insert(error);
            }
            Err(error) => drop(failure.get_or_insert(error)),
        }
    }
    Ok(got)
}

/// Processes all records of a partition, then the other work of its messages. Afterwards the messages are deleted or
/// hidden.
async fn in_partition(
    tables: &Tables,
    queue: &QueueName,
    hints: Vec<Got>,
) -> Result<(CatchUpReport, Option<Error>), Error> {
    let Some(Got { hint: first, .. }) = hints.first() else { return Ok((CatchUpReport::default(), None)) };
    let (table, partition_key) = (first.table.clone(), first.partition_key.clone());
    let mut worked = partition::work_off(tables, &table, &partition_key).await?;
    let mut pass = worked.pass.clone();
    if worked.found > 0 && worked.pass.left == 0 && hints.iter().any(Got::is_over) {
        // A separate pass, started after the deadline: if it finds no record, none can be added later.
        let first = worked;
        worked = partition::work_off(tables, &table, &partition_key).await?;
        pass.add(worked.pass.clone());
        worked.done.extend(first.done);
    }
    let mut failure = worked.failure.take();
    for got in &hints {
        if let Err(error) = end(tables, queue, got, &worked).await {
            failure.get_or_insert(error);
        }
    }
    Ok((pass, failure))
}

/// Deletes a message, hides it, or dead-letters it.
async fn end(tables: &Tables, queue: &QueueName, got: &Got, worked: &Worked) -> Result<(), Error> {
    let (Got { message, hint, rest }, is_over) = (got, got.is_over());
    let (mut is_done, mut failure) = (worked.pass.left == 0, Ok(()));
    for about in &hint.about {
        match about::look(tables, hint, about, is_over).await {
            Ok(Looked::Done) => {}
            Ok(Looked::Left) => is_done = false,
            Err(error) => {
                is_done = false;
                failure = failure.and(Err(error));
            }
        }
    }
    let is_own = hint.token.as_ref().is_some_and(|token| worked.done.contains(token));
    let goes_with_record = is_own && hint.about.is_empty();
    let goes = goes_with_record || is_over && is_done && worked.found == 0;
    let end = if goes {
        let deleted = tables.queues()?.delete_message(queue, message.id, &message.pop_receipt).await;
        gone(deleted)
    } else if is_over && message.dequeue_count > GETS {
        let reason = format!(
            "the commit records of the message were not applied in {} attempts",
            message.dequeue_count
        );
        give_up(tables, queue, message, &reason).await
    } else {
        let wait = wait(hint, message.dequeue_count, *rest, is_done);
        let hidden = tables
            .queues()?
            .update_message(queue, message.id, &message.pop_receipt, UpdateMessage::new(wait))
            .await;
        gone(hidden.map(drop))
    };
    failure.and(end)
}

/// Returns the time for which a message is hidden. It increases with each receive. If only the deadline is awaited, it
/// ends at the deadline.
fn wait(hint: &Hint, gets: u32, rest: Duration, is_done: bool) -> Duration {
    let first = if hint.token.is_some() { FIRST_WAIT } else { FIRST_WAIT_OF_SHARED };
    let doubled = 1_u64.checked_shl(gets.saturating_sub(1)).unwrap_or(LONGEST);
    let wait = first.saturating_mul(doubled).min(LONGEST);
    let rest = (rest.as_secs() + u64::from(rest.subsec_nanos() > 0)).max(1);
    Duration::from_secs(if is_done { wait.min(rest) } else { wait })
}

/// Moves a message to the poison queue. It is inserted there before it is deleted here, so it is always in at least one
/// of the queues.
async fn give_up(tables: &Tables, queue: &QueueName, message: &Message, reason: &str) -> Result<(), Error> {
    poison::put_aside(tables, queue, &message.text, message.dequeue_count, reason).await?;
    gone(tables.queues()?.delete_message(queue, message.id, &message.pop_receipt).await)
}
