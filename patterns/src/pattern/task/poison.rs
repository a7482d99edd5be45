use std::time::Duration;

use serde::{Deserialize, Serialize};
use table_model::{
    ErrorCode, Timestamp,
    queue::{GetMessages, QueueName, check_text},
};

use super::{
    Message, Task, poison_queue, queue,
    send::{lasting, put},
};
use crate::{Error, Pending, Tables, follow::worker::gone};

/// Maximum number of characters of a reason.
const REASON: usize = 1_000;
/// Maximum number of messages per request.
const MANY: u32 = 32;

/// A dead-lettered message, as stored in its poison queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Poisoned {
    /// Reason: the error of the last run, the reason returned by the task, or a description of the invalid message.
    pub why: String,
    /// Name of the original queue.
    pub queue: String,
    /// Number of times that the message was received from it.
    pub dequeued: u32,
    /// Time at which the message was dead-lettered.
    pub at: String,
    /// Text of the original message.
    pub message: String,
}

impl Poisoned {
    pub(crate) fn read(text: String) -> Self {
        serde_json::from_str(&text).unwrap_or_else(|_| Self {
            // The original message was stored alone, because it did not fit into one message with the reason.
            why: String::new(),
            queue: String::new(),
            dequeued: 0,
            at: String::new(),
            message: text,
        })
    }
}

/// Moves a message to the poison queue.
pub(crate) async fn put_aside(
    tables: &Tables,
    from: &QueueName,
    text: &str,
    dequeued: u32,
    why: &str,
) -> Result<(), Error> {
    let poisoned = Poisoned {
        why: why.chars().take(REASON).collect(),
        queue: from.as_str().to_owned(),
        dequeued,
        at: Timestamp::now().to_string(),
        message: text.to_owned(),
    };
    let whole = serde_json::to_string(&poisoned).ok().filter(|whole| check_text(whole).is_ok());
    put(tables, &poison_queue(from.as_str())?, &lasting(whole.as_deref().unwrap_or(text))).await.map(drop)
}

impl Tables {
    /// Returns the oldest dead-lettered tasks with their reasons, at most 32. Sends one request.
    ///
    /// # Errors
    /// Returns [`TaskError::NoQueues`](crate::TaskError::NoQueues) if no queue service is configured, and
    /// [`Error::Service`] if the request fails.
    pub fn poisoned<T: Task>(&self) -> Pending<'_, Vec<Poisoned>> {
        Box::pin(async move {
            let poison = poison_queue(T::QUEUE)?;
            match self.queues()?.peek_messages(&poison, MANY).await {
                Err(error) if error.code() == ErrorCode::QueueNotFound => Ok(Vec::new()),
                other => Ok(other?.into_iter().map(|message| Poisoned::read(message.text)).collect()),
            }
        })
    }

    /// Sends the tasks of a queue again that were dead-lettered before the call. Returns their number.
    ///
    /// If the call is interrupted, some tasks may be sent twice. No task is lost.
    ///
    /// # Errors
    /// Returns [`TaskError::NoQueues`](crate::TaskError::NoQueues) if no queue service is configured, and
    /// [`Error::Service`] if a request fails.
    pub fn retry_poisoned<T: Task>(&self) -> Pending<'_, u64> {
        Box::pin(async move {
            let (queue, poison) = (queue(T::QUEUE)?, poison_queue(T::QUEUE)?);
            let queues = self.queues()?;
            let there = match queues.queue_properties(&poison).await {
                Err(error) if error.code() == ErrorCode::QueueNotFound => return Ok(0),
                other => other?.approximate_messages,
            };
            let mut sent = 0;
            let get = GetMessages::new().visibility(Duration::from_secs(60));
            while sent < there {
                let Some(message) = queues.get_messages(&poison, get).await?.pop() else { break };
                put(self, &queue, &lasting(afresh(Poisoned::read(message.text).message))).await?;
                gone(queues.delete_message(&poison, message.id, &message.pop_receipt).await)?;
                sent += 1;
            }
            Ok(sent)
        })
    }
}

/// Resets the number of postponements of a message.
fn afresh(text: String) -> String {
    let message = Message::read(&text).ok().filter(|message| message.put_off > 0);
    let afresh = message.and_then(|message| message.put_off(0).to_text().ok());
    afresh.unwrap_or(text)
}
