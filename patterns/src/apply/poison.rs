//! Messages that could not be processed.

use serde::{Deserialize, Serialize};
use table_model::{
    Timestamp,
    queue::{QueueName, check_text},
};

use crate::{
    Error, Tables,
    handle::queue::{lasting, poison_queue, put},
};

/// Maximum number of characters of a reason.
const REASON: usize = 1_000;

/// A dead-lettered message, as stored in its poison queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Poisoned {
    /// Reason: the error of the last run, the reason returned by the task, or a description of the invalid message.
    #[serde(alias = "why")]
    pub reason: String,
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
            reason: String::new(),
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
    reason: &str,
) -> Result<(), Error> {
    let poisoned = Poisoned {
        reason: reason.chars().take(REASON).collect(),
        queue: from.as_str().to_owned(),
        dequeued,
        at: Timestamp::now().to_string(),
        message: text.to_owned(),
    };
    let whole = serde_json::to_string(&poisoned).ok().filter(|whole| check_text(whole).is_ok());
    put(tables, &poison_queue(from.as_str())?, &lasting(whole.as_deref().unwrap_or(text))).await.map(drop)
}
