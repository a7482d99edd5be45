//! Processing of one message, until it is deleted or becomes visible again.

use std::time::Duration;

use futures_timer::Delay;
use futures_util::future::{Either, select};
use table_model::{
    ErrorCode, TableError,
    queue::{Message as Got, MessageUpdated, QueueName, UpdateMessage, limits},
};

use super::{Worker, handler::Lane, report::End};
use crate::{
    Error, Outcome, Pending, apply::poison, core::error::may_pass, handle::queue::gone,
    pattern::task::Message,
};

/// Number of receives after which a message of an unregistered type is dead-lettered.
const UNKNOWN: u32 = 5;
/// Maximum wait after a failure, in seconds, without the random part.
const LONGEST: u64 = 300;
/// Number of immediate reruns of a task that lost a race with a concurrent writer. More than the number of messages
/// that a worker processes concurrently, of which at least one wins each round.
const RACES: u64 = 16;

impl<S: Send + Sync + 'static> Worker<S> {
    pub(super) fn turn<'w>(&'w self, lane: &'w Lane, queue: &'w QueueName, got: Got) -> Pending<'w, End> {
        Box::pin(Turn { worker: self, queue, got }.take(lane))
    }
}

struct Turn<'w, S> {
    worker: &'w Worker<S>,
    queue: &'w QueueName,
    got: Got,
}

impl<S: Send + Sync + 'static> Turn<'_, S> {
    async fn take(mut self, lane: &Lane) -> Result<End, Error> {
        let message = match Message::read(&self.got.text) {
            Ok(message) => message,
            Err(reason) => return self.give_up(&reason).await,
        };
        // A postponement does not count as a failure.
        let tries = self.got.dequeue_count.saturating_sub(message.put_off);
        let Some(handler) = lane.handler(&message.name) else {
            let reason = format!("no worker that received it has a handler for the task `{}`", message.name);
            return self.failed(tries, UNKNOWN, &reason).await;
        };
        let task = match handler.read(message.args.clone()) {
            Ok(task) => task,
            Err(reason) => {
                return self
                    .give_up(&format!(
                        "it is not a valid `{}` in this program version: {reason}",
                        message.name
                    ))
                    .await;
            }
        };
        if tries > handler.poison_after {
            let reason = format!("it was started {} times and never completed", handler.poison_after);
            return self.give_up(&reason).await;
        }
        let tables = self.worker.tables.of_task(&message.id);
        let mut ended = self.keep(task.go(&tables)).await;
        for race in 1..=RACES {
            if !ended.as_ref().is_err_and(is_lost_race) {
                break;
            }
            // A random wait, so that tasks that change the same entity do not collide again.
            Delay::new(Duration::from_millis(self.random(20 * race)?)).await;
            ended = self.keep(task.go(&tables)).await;
        }
        match ended {
            Ok(Outcome::Done) => {
                self.delete().await?;
                Ok(End::Done)
            }
            Ok(Outcome::Retry(after)) => self.put_off(message, after).await,
            Ok(Outcome::Poison(reason)) => self.give_up(&reason).await,
            Err(error) if may_pass(&error) => {
                let after = self.wait()?;
                self.put_off(message, after).await
            }
            Err(error) => self.failed(tries, handler.poison_after, &error.to_string()).await,
        }
    }

    /// Runs a task, and renews the visibility timeout of the message each time half of it has passed.
    async fn keep(&mut self, mut run: Pending<'_, Outcome>) -> Result<Outcome, Error> {
        let Worker { tables, visibility, .. } = self.worker;
        let (queues, queue, id) = (tables.queues()?, self.queue, self.got.id);
        loop {
            match select(run, Delay::new(*visibility / 2)).await {
                Either::Left((ended, _)) => return ended,
                Either::Right(((), rest)) => run = rest,
            }
            let receipt = self.got.pop_receipt.clone();
            let renewal = queues.update_message(queue, id, &receipt, UpdateMessage::new(*visibility));
            match select(run, renewal).await {
                // The response to the renewal contains the receipt that is required to delete the message.
                Either::Left((ended, renewal)) => {
                    self.renewed(renewal.await);
                    return ended;
                }
                Either::Right((renewed, rest)) => {
                    run = rest;
                    self.renewed(renewed);
                }
            }
        }
    }

    /// Stores the new receipt. A failed renewal is repeated after the next half of the timeout. If the message is
    /// received by another worker before that, both run the task.
    fn renewed(&mut self, renewed: Result<MessageUpdated, TableError>) {
        if let Ok(MessageUpdated { pop_receipt, .. }) = renewed {
            self.got.pop_receipt = pop_receipt;
        }
    }

    async fn delete(&self) -> Result<(), Error> {
        let queues = self.worker.tables.queues()?;
        gone(queues.delete_message(self.queue, self.got.id, &self.got.pop_receipt).await)
    }

    /// Makes the message visible again after some time.
    async fn hide(&self, after: Duration, text: Option<String>) -> Result<(), Error> {
        let mut update = UpdateMessage::new(whole_seconds(after).min(limits::VISIBILITY));
        update.text = text;
        let queues = self.worker.tables.queues()?;
        let updated = queues.update_message(self.queue, self.got.id, &self.got.pop_receipt, update);
        gone(updated.await.map(drop))
    }

    async fn put_off(&self, message: Message, after: Duration) -> Result<End, Error> {
        let times = message.put_off.saturating_add(1);
        self.hide(after, Some(message.put_off(times).to_text()?)).await?;
        Ok(End::PutOff)
    }

    async fn failed(&self, tries: u32, most: u32, reason: &str) -> Result<End, Error> {
        if tries >= most {
            return self.give_up(reason).await;
        }
        self.hide(self.wait()?, None).await?;
        Ok(End::Failed)
    }

    /// Moves the message to the poison queue. It is inserted there before it is deleted here, so it is always in at
    /// least one of the queues.
    async fn give_up(&self, reason: &str) -> Result<End, Error> {
        let Got { text, dequeue_count, .. } = &self.got;
        poison::put_aside(&self.worker.tables, self.queue, text, *dequeue_count, reason).await?;
        self.delete().await?;
        Ok(End::Poisoned)
    }

    /// Returns the wait after a failure, which doubles each time, plus a random part of at most half of it.
    fn wait(&self) -> Result<Duration, Error> {
        let doubled =
            1_u64.checked_shl(self.got.dequeue_count.saturating_sub(1)).unwrap_or(LONGEST).min(LONGEST);
        Ok(Duration::from_secs(doubled + self.random(doubled / 2 + 1)?))
    }

    /// Returns a random number below `end`.
    fn random(&self, end: u64) -> Result<u64, Error> {
        Ok(u64::from_be_bytes(self.worker.tables.tokens().stamp()?) % end.max(1))
    }
}

/// Returns `true` if a concurrent writer changed an entity between the read and the write of a task.
fn is_lost_race(error: &Error) -> bool {
    match error {
        Error::Service(error) => error.code() == ErrorCode::UpdateConditionNotSatisfied,
        Error::Contended { .. } => true,
        _ => false,
    }
}

/// Rounds up to whole seconds, as the service requires.
pub(super) fn whole_seconds(time: Duration) -> Duration {
    let part = u64::from(time.subsec_nanos() > 0);
    Duration::from_secs(time.as_secs().saturating_add(part))
}
