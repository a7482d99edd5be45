use table_model::{
    ErrorCode, Metadata, TableError,
    queue::{MessagePut, PutMessage, QueueName, TimeToLive},
};

use super::{Message, Task, queue};
use crate::{Error, Pending, Tables, follow::may_pass};

/// Maximum number of attempts to put a message if the outcome is unknown.
const PUTS: u32 = 3;

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

/// Creates a message that does not expire.
pub(crate) fn lasting(text: impl Into<String>) -> PutMessage {
    PutMessage::new(text).time_to_live(TimeToLive::Forever)
}

/// Puts a message, and creates its queue if it is missing. If the response is lost, the message is put again: a
/// duplicate is harmless, a lost message is not.
pub(crate) async fn put(
    tables: &Tables,
    queue: &QueueName,
    message: &PutMessage,
) -> Result<MessagePut, Error> {
    let queues = tables.queues()?;
    let (mut unanswered, mut is_there) = (0, false);
    loop {
        let sent = match queues.put_message(queue, message.clone()).await {
            Err(error) if error.code() == ErrorCode::QueueNotFound && !is_there => {
                match made(queues.create_queue(queue, Metadata::new()).await.map(drop)) {
                    Ok(()) => {
                        is_there = true;
                        continue;
                    }
                    Err(error) => Err(error),
                }
            }
            sent => sent,
        };
        match sent.map_err(Error::from) {
            Ok(put) => return Ok(put),
            Err(error) if may_pass(&error) && unanswered + 1 < PUTS => unanswered += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Treats an existing queue with other metadata as success.
fn made(answer: Result<(), TableError>) -> Result<(), TableError> {
    match answer {
        Err(error) if error.code() != ErrorCode::QueueAlreadyExists => Err(error),
        _ => Ok(()),
    }
}
