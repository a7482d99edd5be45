//! The queue service: an operation is read from verb, path and parameters, permitted, and done.

mod account;
mod message;
mod messages;
mod operation;
mod queue;

use http::{StatusCode, header};
use table_store::ErrorCode;

use self::operation::{Operation, Request};
use super::{Call, Facts, Grant, Refusal, Reply, RequestBody, ServedAccount, refused};

/// Answers a request to an account's queues.
pub(crate) async fn serve(account: &ServedAccount, grant: &Grant, call: &Call, body: RequestBody) -> Reply {
    let request = match Request::read(call) {
        Ok(request) => request,
        Err(refusal) => return refused(call, &refusal),
    };
    let operation = request.operation;
    let answer = async {
        grant.permit(&operation.need())?;
        match operation {
            Operation::ListQueues => account::list(account, call).await,
            Operation::CreateQueue => queue::create(account, call, &request.queue()?).await,
            Operation::DeleteQueue => queue::delete(account, &request.queue()?).await,
            Operation::GetQueueMetadata => queue::properties(account, &request.queue()?).await,
            Operation::SetQueueMetadata => queue::set_metadata(account, call, &request.queue()?).await,
            Operation::PutMessage => messages::put(account, call, &request.queue()?, body).await,
            // It hides them from others, which is a write.
            Operation::GetMessages if call.secondary => Err(ErrorCode::InsufficientAccountPermissions.into()),
            Operation::GetMessages => messages::get(account, call, &request.queue()?).await,
            Operation::PeekMessages => messages::peek(account, call, &request.queue()?).await,
            Operation::ClearMessages => messages::clear(account, &request.queue()?).await,
            Operation::UpdateMessage => {
                message::update(account, call, &request.queue()?, request.message()?, body).await
            }
            Operation::DeleteMessage => {
                message::delete(account, call, &request.queue()?, request.message()?).await
            }
        }
    };
    let mut reply: Reply = answer.await.unwrap_or_else(|refusal: Refusal| refused(call, &refusal));
    reply.facts.operation = operation.name();
    reply
}

/// An answer that holds XML.
fn xml(status: StatusCode, body: bytes::Bytes) -> Reply {
    Reply::new(status)
        .header(header::CONTENT_TYPE, "application/xml")
        .header(header::CACHE_CONTROL, "no-cache")
        .body(body)
}

/// What a listing or a read gave.
fn facts(returned: usize) -> Facts {
    let returned = u64::try_from(returned).unwrap_or(u64::MAX);
    Facts { read: returned, returned, ..Facts::default() }
}

/// An answer without a body, and headers that a form of the wire writes.
fn with_headers(status: StatusCode, write: impl FnOnce(&mut http::HeaderMap)) -> Reply {
    let mut reply = Reply::new(status);
    write(&mut reply.headers);
    reply
}
