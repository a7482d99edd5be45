use http::{StatusCode, header};
use table_model::queue::{QueueCreated, QueueName};

use super::with_headers;
use crate::{
    server::{Call, Refusal, Reply, ServedAccount},
    wire::queues::write_properties,
};

/// Creates a queue. Succeeds if an identical queue exists.
pub(super) async fn create(
    account: &ServedAccount,
    call: &Call,
    queue: &QueueName,
) -> Result<Reply, Refusal> {
    let metadata = call.metadata()?;
    Ok(Reply::new(match account.queues.create_queue(queue, metadata).await? {
        QueueCreated::New => StatusCode::CREATED,
        QueueCreated::Existing => StatusCode::NO_CONTENT,
    }))
}

/// Deletes a queue.
pub(super) async fn delete(account: &ServedAccount, queue: &QueueName) -> Result<Reply, Refusal> {
    account.queues.delete_queue(queue).await?;
    Ok(Reply::new(StatusCode::NO_CONTENT))
}

/// Returns the number of messages and the metadata of a queue.
pub(super) async fn properties(account: &ServedAccount, queue: &QueueName) -> Result<Reply, Refusal> {
    let properties = account.queues.queue_properties(queue).await?;
    let reply = with_headers(StatusCode::OK, |headers| write_properties(&properties, headers));
    Ok(reply.spelled_as(&properties.metadata).header(header::CACHE_CONTROL, "no-cache"))
}

/// Sets the metadata of a queue.
pub(super) async fn set_metadata(
    account: &ServedAccount,
    call: &Call,
    queue: &QueueName,
) -> Result<Reply, Refusal> {
    account.queues.set_queue_metadata(queue, call.metadata()?).await?;
    Ok(Reply::new(StatusCode::NO_CONTENT))
}
