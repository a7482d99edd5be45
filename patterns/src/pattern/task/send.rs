use super::{Message, Task};
use crate::{
    Error, Pending, Tables,
    handle::queue::{lasting, put, queue},
};

/// Result of sending a task.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// Id of the task, used in all its messages and runs.
    pub id: String,
}

impl Tables {
    /// Sends a task. After it returns successfully, the task will be run by any [`Worker`](crate::Worker) that has
    /// registered it, even if this program ends. The message never expires. Sends one request, or three for the first
    /// message of a queue.
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
    /// tables.send(&Letter { to: "jo@contoso.com".into() }).await?;
    /// let report = tables.worker().on::<Letter>().pass().await?;
    /// assert_eq!(report.done, 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns `RequestBodyTooLarge` if the message is larger than 64 KiB, and
    /// [`TaskError::NoQueues`](crate::TaskError::NoQueues) if no queue service is configured. After a server error
    /// (5xx) or a disk error of the service, the outcome is unknown, although the request was sent three times. Send
    /// the task again: tasks must tolerate being run twice.
    pub fn send<T: Task>(&self, task: &T) -> Pending<'_, Sent> {
        let message = self.message(task);
        Box::pin(async move {
            let (id, text) = message?;
            put(self, &queue(T::QUEUE)?, &lasting(text)).await?;
            Ok(Sent { id })
        })
    }

    fn message<T: Task>(&self, task: &T) -> Result<(String, String), Error> {
        let message = Message::of(task, self.token()?)?;
        Ok((message.id.clone(), message.to_text()?))
    }
}
