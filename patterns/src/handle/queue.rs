//! Queues of a handle, and their messages.

use table_model::{
    ErrorCode, Metadata, TableError,
    queue::{MessagePut, PutMessage, QueueName, TimeToLive},
};

use crate::{Error, Tables, core::error::may_pass};

/// Maximum number of attempts to put a message if the outcome is unknown.
const PUTS: u32 = 3;

/// Returns the queue of a task.
pub(crate) fn queue(name: &str) -> Result<QueueName, Error> {
    Ok(QueueName::new(name)?)
}

/// Returns the poison queue of a task.
pub(crate) fn poison_queue(name: &str) -> Result<QueueName, Error> {
    queue(&format!("{name}-poison"))
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

/// Treats the message as finished if it no longer belongs to this worker: it was deleted, or another worker has
/// received it.
pub(crate) fn gone(answer: Result<(), TableError>) -> Result<(), Error> {
    match answer {
        Err(error) if matches!(error.code(), ErrorCode::MessageNotFound | ErrorCode::PopReceiptMismatch) => {
            Ok(())
        }
        other => Ok(other?),
    }
}
