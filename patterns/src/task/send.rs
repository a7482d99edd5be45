use table_store::{
    ErrorCode, Metadata, TableError,
    queue::{MessagePut, PutMessage, QueueName, TimeToLive},
};

use super::{Message, Task, queue};
use crate::{Error, Pending, Tables, follow::may_pass};

/// How often a message is put whose put had no answer.
const PUTS: u32 = 3;

/// What sending a task answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// Which task it is, in all its messages and runs.
    pub id: String,
}

impl Tables {
    /// Promises a task: once the answer is there it will be done, by whatever [`Worker`](crate::Worker) knows it, also if
    /// this program ends now. The message never expires.
    ///
    /// If it is an error of the service's own (5xx) or of its disk, it is not known whether the task will be done: the put
    /// was tried three times. Send it again; tasks stand being done twice.
    ///
    /// `RequestBodyTooLarge` above 64 KiB. One request; the first of a queue three.
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

/// A message that stays until it is deleted.
pub(crate) fn lasting(text: impl Into<String>) -> PutMessage {
    PutMessage::new(text).time_to_live(TimeToLive::Forever)
}

/// Puts a message, and makes its queue. Where the answer is lost it is put again: two of one are harmless, none is not.
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

/// A queue that is there with metadata of its own will do.
fn made(answer: Result<(), TableError>) -> Result<(), TableError> {
    match answer {
        Err(error) if error.code() != ErrorCode::QueueAlreadyExists => Err(error),
        _ => Ok(()),
    }
}
