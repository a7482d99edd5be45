//! The blob service: reads an operation from method, path and parameters, checks its permissions, and executes it.

mod account;
mod append;
mod batch;
mod blob;
mod blocks;
mod checksum;
mod container;
mod copy;
mod lease;
mod operation;
mod pour;
mod put;
mod read;
mod snapshot;
mod source;
mod tags;
mod unsupported;

pub(in crate::server) use self::unsupported::component as unsupported_component;

use http::{HeaderMap, StatusCode, header};

use self::{
    operation::{Operation, Request},
    source::Source,
};
use super::{Accounts, Call, Facts, Grant, Refusal, Reply, ReplyBody, RequestBody, ServedAccount, refused};
use crate::wire::fields;

/// Executes a request to the blobs of an account. The source of a copy can be in another one of the accounts.
pub(crate) async fn serve(
    accounts: &Accounts,
    account: &ServedAccount,
    grant: &Grant,
    call: &Call,
    body: RequestBody,
) -> Reply {
    let request = match Request::read(call) {
        Ok(request) => request,
        Err(refusal) => return refused(call, &refusal),
    };
    let operation = request.operation;
    call.probe.set_operation(operation.name());
    let answer = async {
        grant.permit(&operation.need())?;
        if let Some(need) = operation.need_of_tags(call)? {
            grant.permit(&need)?;
        }
        unsupported::check(call, operation, account.emulation.loose)?;
        operation.check_headers_of_tags(call)?;
        let source = || Source::read(accounts, account, grant, call);
        match operation {
            Operation::ListContainers => account::list(account, call).await,
            Operation::GetAccountInformation => Ok(account::information()),
            Operation::Batch => batch::execute(accounts, account, call, &request, body).await,
            Operation::FindBlobs => tags::find(account, call, None).await,
            Operation::CreateContainer => container::create(account, call, &request.container()?).await,
            Operation::DeleteContainer => container::delete(account, call, &request.container()?).await,
            Operation::GetContainerProperties => {
                container::properties(account, call, &request.container()?).await
            }
            Operation::SetContainerMetadata => {
                container::set_metadata(account, call, &request.container()?).await
            }
            Operation::LeaseContainer | Operation::BreakContainerLease => {
                lease::container(account, call, &request.container()?).await
            }
            Operation::ListBlobs => container::list(account, call, &request.container()?).await,
            Operation::FindBlobsInContainer => tags::find(account, call, Some(request.container()?)).await,
            Operation::PutBlob => put::put(account, grant, call, &request.blob()?, body).await,
            Operation::PutBlock => blocks::put(account, call, &request.blob()?, body).await,
            Operation::PutBlockList => blocks::put_list(account, call, &request.blob()?, body).await,
            Operation::GetBlockList => blocks::list(account, call, &request.blob()?).await,
            Operation::AppendBlock => append::append(account, call, &request.blob()?, body).await,
            Operation::GetBlob => read::read(account, call, &request.blob()?).await,
            Operation::GetBlobProperties => read::properties(account, call, &request.blob()?).await,
            Operation::GetBlobMetadata => blob::metadata(account, call, &request.blob()?).await,
            Operation::SetBlobMetadata => blob::set_metadata(account, call, &request.blob()?).await,
            Operation::SetBlobProperties => blob::set_headers(account, call, &request.blob()?).await,
            Operation::SetBlobTier => blob::set_tier(account, call, &request.blob()?).await,
            Operation::LeaseBlob | Operation::BreakBlobLease => {
                lease::blob(account, call, &request.blob()?).await
            }
            Operation::GetBlobTags => tags::get(account, call, &request.blob()?).await,
            Operation::SetBlobTags => tags::set(account, call, &request.blob()?, body).await,
            Operation::DeleteBlob => snapshot::delete(account, call, &request.blob()?).await,
            Operation::SnapshotBlob => snapshot::create(account, call, &request.blob()?).await,
            Operation::CopyBlob | Operation::CopyBlobFromUrl => {
                copy::copy(account, &source().await?, grant, call, &request.blob()?, body).await
            }
            Operation::PutBlobFromUrl => {
                copy::put_blob(account, &source().await?, grant, call, &request.blob()?, body).await
            }
            Operation::PutBlockFromUrl => {
                copy::put_block(account, &source().await?, call, &request.blob()?, body).await
            }
            Operation::AppendBlockFromUrl => {
                copy::append(account, &source().await?, call, &request.blob()?, body).await
            }
            Operation::AbortCopyBlob => copy::abort(account, call, &request.blob()?).await,
        }
    };
    let mut reply: Reply = answer.await.unwrap_or_else(|refusal: Refusal| not_done(call, &refusal));
    reply.facts.operation = operation.name();
    reply
}

/// Returns the response to a rejected request. `304 Not Modified` has no body.
fn not_done(call: &Call, refusal: &Refusal) -> Reply {
    let mut reply = refused(call, refusal);
    if refusal.error.is_not_modified() {
        reply.body = ReplyBody::Whole(bytes::Bytes::new());
        reply.headers.remove(header::CONTENT_TYPE);
    }
    reply
}

/// Creates a response with an XML body.
fn xml(body: bytes::Bytes) -> Reply {
    Reply::new(StatusCode::OK)
        .header(header::CONTENT_TYPE, "application/xml")
        .header(header::CACHE_CONTROL, "no-cache")
        .body(body)
}

/// Returns the telemetry of a listing.
fn facts(returned: usize) -> Facts {
    let returned = u64::try_from(returned).unwrap_or(u64::MAX);
    Facts { read: returned, returned, ..Facts::default() }
}

/// Creates a response without a body, with headers from a wire format.
fn with_headers(status: StatusCode, write: impl FnOnce(&mut HeaderMap)) -> Reply {
    let mut reply = Reply::new(status);
    write(&mut reply.headers);
    reply
}

/// Returns the response to a write: 201, with the header for encryption at rest, as clients expect.
fn created(write: impl FnOnce(&mut HeaderMap)) -> Reply {
    let mut reply = with_headers(StatusCode::CREATED, write);
    fields::set(&mut reply.headers, "x-ms-request-server-encrypted", "true");
    reply
}
