use std::time::Duration;

use serde::{Deserialize, Serialize};
use table_store::{
    ErrorCode, Timestamp,
    queue::{GetMessages, QueueName, check_text},
};

use super::{
    Message, Task, poison_queue, queue,
    send::{lasting, put},
};
use crate::{Error, Pending, Tables, worker::gone};

/// Most characters of a reason.
const REASON: usize = 1_000;
/// Most messages of a request.
const MANY: u32 = 32;

/// A message that was given up, as its poison queue holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Poisoned {
    /// Why: the error of the last run, the reason that the task gave, or what is wrong with the message.
    pub why: String,
    /// The queue that it was in.
    pub queue: String,
    /// How often it was got there.
    pub dequeued: u32,
    /// When it was given up.
    pub at: String,
    /// What it said, word for word.
    pub message: String,
}

impl Poisoned {
    pub(crate) fn read(text: String) -> Self {
        serde_json::from_str(&text).unwrap_or_else(|_| Self {
            // Where message and reason did not fit into one message, it is the message.
            why: String::new(),
            queue: String::new(),
            dequeued: 0,
            at: String::new(),
            message: text,
        })
    }
}

/// Puts a message that is given up into the poison queue.
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
    /// The oldest tasks that were given up, at most 32, and why. One request.
    pub fn poisoned<T: Task>(&self) -> Pending<'_, Vec<Poisoned>> {
        Box::pin(async move {
            let poison = poison_queue(T::QUEUE)?;
            match self.queues()?.peek_messages(&poison, MANY).await {
                Err(error) if error.code() == ErrorCode::QueueNotFound => Ok(Vec::new()),
                other => Ok(other?.into_iter().map(|message| Poisoned::read(message.text)).collect()),
            }
        })
    }

    /// Sends again the tasks of a queue that were given up before the call. How many there were.
    ///
    /// If it is cut short, some may be sent twice; none is lost.
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

/// The message of the same task, which was not put off yet.
fn afresh(text: String) -> String {
    let message = Message::read(&text).ok().filter(|message| message.put_off > 0);
    let afresh = message.and_then(|message| message.put_off(0).to_text().ok());
    afresh.unwrap_or(text)
}
