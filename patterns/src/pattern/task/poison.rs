use std::time::Duration;

use table_model::{ErrorCode, queue::GetMessages};

use super::{Message, Task};
use crate::{
    Pending, Poisoned, Tables,
    handle::queue::{gone, lasting, poison_queue, put, queue},
};

/// Maximum number of messages per request.
const MANY: u32 = 32;

impl Tables {
    /// Returns the oldest dead-lettered tasks with their reasons, at most 32. Sends one request.
    ///
    /// ```
    /// # use serde::{Deserialize, Serialize};
    /// # use table_patterns::prelude::*;
    /// #[derive(Task, Serialize, Deserialize)]
    /// #[task(queue = "letters", poison_after = 5)]
    /// struct Letter { to: String }
    ///
    /// impl Run for Letter {
    ///     async fn run(&self, _tables: &Tables) -> Result<Outcome> {
    ///         Ok(if self.to.is_empty() { Outcome::Poison("no address".into()) } else { Outcome::Done })
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?;
    /// tables.send(&Letter { to: String::new() }).await?;
    /// tables.worker().on::<Letter>().pass().await?;
    /// let poisoned = tables.poisoned::<Letter>().await?;
    /// assert_eq!(poisoned[0].reason, "no address");
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`TaskError::NoQueues`](crate::TaskError::NoQueues) if no queue service is configured, and
    /// [`Error::Service`](crate::Error::Service) if the request fails.
    pub fn poisoned<T: Task>(&self) -> Pending<'_, Vec<Poisoned>> {
        Box::pin(async move {
            let poison = poison_queue(T::QUEUE)?;
            match self.queues()?.peek_messages(&poison, MANY).await {
                Err(error) if error.code() == ErrorCode::QueueNotFound => Ok(Vec::new()),
                other => Ok(other?.into_iter().map(|message| Poisoned::parse(message.text)).collect()),
            }
        })
    }

    /// Sends the tasks of a queue again that were dead-lettered before the call. Returns their number.
    ///
    /// If the call is interrupted, some tasks may be sent twice. No task is lost.
    ///
    /// ```
    /// # use serde::{Deserialize, Serialize};
    /// # use table_patterns::prelude::*;
    /// #[derive(Task, Serialize, Deserialize)]
    /// #[task(queue = "letters", poison_after = 5)]
    /// struct Letter { to: String }
    ///
    /// impl Run for Letter {
    ///     async fn run(&self, _tables: &Tables) -> Result<Outcome> {
    ///         Ok(if self.to.is_empty() { Outcome::Poison("no address".into()) } else { Outcome::Done })
    ///     }
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?;
    /// tables.send(&Letter { to: String::new() }).await?;
    /// tables.worker().on::<Letter>().pass().await?;
    /// assert_eq!(tables.retry_poisoned::<Letter>().await?, 1);
    /// assert!(tables.poisoned::<Letter>().await?.is_empty());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`TaskError::NoQueues`](crate::TaskError::NoQueues) if no queue service is configured, and
    /// [`Error::Service`](crate::Error::Service) if a request fails.
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
                put(self, &queue, &lasting(afresh(Poisoned::parse(message.text).message))).await?;
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
