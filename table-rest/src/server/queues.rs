//! The queue service: reads an operation from method, path and parameters, checks its permissions, and executes it.

mod account;
mod message;
mod messages;
mod operation;
mod queue;

use http::{StatusCode, header};
use table_model::ErrorCode;

use self::operation::{Operation, Request};
use super::{Call, Facts, Grant, Refusal, Reply, RequestBody, ServedAccount, refused};

/// Executes a request to the queues of an account.
pub(crate) async fn serve(account: &ServedAccount, grant: &Grant, call: &Call, body: RequestBody) -> Reply {
    let request = match Request::read(call) {
        Ok(request) => request,
        Err(refusal) => return refused(call, &refusal),
    };
    let operation = request.operation;
    call.probe.set_operation(operation.name());
    let answer = async {
        grant.permit(&operation.need())?;
        match operation {
            Operation::ListQueues => account::list(account, call).await,
            Operation::CreateQueue => queue::create(account, call, &request.queue()?).await,
            Operation::DeleteQueue => queue::delete(account, &request.queue()?).await,
            Operation::GetQueueMetadata => queue::properties(account, &request.queue()?).await,
            Operation::SetQueueMetadata => queue::set_metadata(account, call, &request.queue()?).await,
            Operation::PutMessage => messages::put(account, call, &request.queue()?, body).await,
            // Getting messages makes them invisible, which is a write.
            Operation::GetMessages if call.secondary => Err(ErrorCode::InsufficientAccountPermissions.into()),
            Operation::GetMessages => messages::get(account, call, &request.queue()?).await,
            Operation::PeekMessages => messages::peek(account, call, &request.queue()?).await,
            Operation::ClearMessages => messages::clear(account, &request.queue()?).await,
            Operation::UpdateMessage => {
                let queue = request.queue()?;
                let id = message::id(account, &queue, request.message()).await?;
                message::update(account, call, &queue, id, body).await
            }
            Operation::DeleteMessage => {
                let queue = request.queue()?;
                let id = message::id(account, &queue, request.message()).await?;
                message::delete(account, call, &queue, id).await
            }
        }
    };
    let mut reply: Reply = answer.await.unwrap_or_else(|refusal: Refusal| refused(call, &refusal));
    reply.facts.operation = operation.name();
    reply
}

/// Creates a response with an XML body.
fn xml(status: StatusCode, body: bytes::Bytes) -> Reply {
    Reply::new(status)
        .header(header::CONTENT_TYPE, "application/xml")
        .header(header::CACHE_CONTROL, "no-cache")
        .body(body)
}

/// Returns the telemetry of a listing or a read.
fn facts(returned: usize) -> Facts {
    let returned = u64::try_from(returned).unwrap_or(u64::MAX);
    Facts { read: returned, returned, ..Facts::default() }
}

/// Creates a response without a body, with headers from a wire format.
fn with_headers(status: StatusCode, write: impl FnOnce(&mut http::HeaderMap)) -> Reply {
    let mut reply = Reply::new(status);
    write(&mut reply.headers);
    reply
}
