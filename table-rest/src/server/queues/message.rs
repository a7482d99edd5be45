use http::StatusCode;
use table_model::{
    ErrorCode, TableError, Uuid,
    queue::{QueueName, limits::VISIBILITY},
};

use super::with_headers;
use crate::{
    server::{
        Call, Refusal, Reply, RequestBody, ServedAccount,
        resource::{explain, missing_parameter},
    },
    wire::queues::{
        MESSAGE_BODY_BYTES, read_message, read_receipt_parameters, read_update_parameters, write_updated,
    },
};

/// Returns the ID of a message. An invalid ID is that of no message, so the error is `QueueNotFound` if the queue does not
/// exist, otherwise `MessageNotFound`.
pub(super) async fn id(
    account: &ServedAccount,
    queue: &QueueName,
    id: Option<Uuid>,
) -> Result<Uuid, Refusal> {
    if let Some(id) = id {
        return Ok(id);
    }
    account.queues.queue_properties(queue).await?;
    Err(ErrorCode::MessageNotFound.into())
}

/// Sets the visibility timeout of a message, and its content if the request has a body.
pub(super) async fn update(
    account: &ServedAccount,
    call: &Call,
    queue: &QueueName,
    id: Uuid,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let receipt = read_receipt_parameters(&call.query).map_err(|_| missing_parameter("popreceipt"))?;
    let body = body.whole(MESSAGE_BODY_BYTES).await?;
    let text = if body.is_empty() { None } else { Some(read_message(&body)?) };
    let update = read_update_parameters(&call.query, text).map_err(|error| wrong(call, error))?;
    let updated = account.queues.update_message(queue, id, &receipt, update).await?;
    Ok(with_headers(StatusCode::NO_CONTENT, |headers| write_updated(&updated, headers)))
}

/// Deletes a message.
pub(super) async fn delete(
    account: &ServedAccount,
    call: &Call,
    queue: &QueueName,
    id: Uuid,
) -> Result<Reply, Refusal> {
    let receipt = read_receipt_parameters(&call.query).map_err(|_| missing_parameter("popreceipt"))?;
    account.queues.delete_message(queue, id, &receipt).await?;
    Ok(Reply::new(StatusCode::NO_CONTENT))
}

fn wrong(call: &Call, error: TableError) -> Refusal {
    match error.code() {
        ErrorCode::MissingRequiredQueryParameter => missing_parameter("visibilitytimeout"),
        _ => explain(call, error, &[("visibilitytimeout", 0, VISIBILITY.as_secs())]),
    }
}
