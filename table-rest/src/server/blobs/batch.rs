//! Blob batches: up to 256 deletions, or settings of tiers, in one request. Each has its own signature and its own result.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use table_model::{ErrorCode, TableError};

use super::{
    operation::{Operation, Request},
    serve,
};
use crate::{
    auth::X_MS_VERSION,
    server::{
        Accounts, Call, Refusal, Reply, ReplyBody, RequestBody, ServedAccount, Spelling, authenticate,
        refused, route::is_plain,
    },
    wire::{
        batch::{Part, PartReply, request, response},
        query_string::QueryString,
    },
};

/// Maximum number of requests in a batch, as in the reference, "Blob Batch".
const MOST: usize = 256;

/// Maximum size of a batch in bytes: 4 MiB.
const BODY_BYTES: usize = 4 << 20;

/// Headers of the response to a request that its part contains.
const HEADERS: [(&str, &str); 4] = [
    ("x-ms-delete-type-permanent", "x-ms-delete-type-permanent"),
    ("x-ms-error-code", "x-ms-error-code"),
    ("content-type", "Content-Type"),
    ("www-authenticate", "WWW-Authenticate"),
];

/// Executes the requests of a batch one after the other. `outer` is the request for the batch.
///
/// If the batch itself is rejected, its response has a single part without a content ID, which clients take for an
/// error of the batch.
pub(super) async fn execute(
    accounts: &Accounts,
    account: &ServedAccount,
    call: &Call,
    outer: &Request,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let body = body.whole(BODY_BYTES).await?;
    let mut reply = Reply::new(StatusCode::ACCEPTED);
    let parts = match inner_calls(call, outer, &body) {
        Ok(calls) => {
            let mut parts = Vec::with_capacity(calls.len());
            for (content_id, inner) in calls {
                let mut done = match inner {
                    // Boxed: a request of a batch is executed like any other.
                    Ok(inner) => Box::pin(single(accounts, account, &inner)).await,
                    Err(refusal) => refused(call, &refusal),
                };
                reply.refusal = reply.refusal.or(done.refusal.take());
                parts.push(part(call, content_id, &done));
            }
            parts
        }
        Err(refusal) => vec![part(call, None, &refused(call, &refusal))],
    };
    let (content_type, content) = response::write_blobs(&parts, call.id);
    Ok(reply.text(header::CONTENT_TYPE, &content_type).body(content))
}

/// The content ID of a part, and its request.
type Inner = (Option<String>, Result<Call, Refusal>);

/// Reads the requests of a batch. All must be for the same operation.
fn inner_calls(call: &Call, outer: &Request, body: &[u8]) -> Result<Vec<Inner>, Refusal> {
    let parts = request::read_blobs(call.header(header::CONTENT_TYPE).unwrap_or_default(), body, MOST)?;
    if parts.len() > MOST {
        return Err(ErrorCode::ExceedsMaxBatchRequestCount.into());
    }
    let mut common = None;
    let mut calls = Vec::with_capacity(parts.len());
    for part in &parts {
        let inner = inner_call(call, part)?;
        let request = Request::read(&inner);
        if let Ok(request) = &request {
            if !matches!(request.operation, Operation::DeleteBlob | Operation::SetBlobTier)
                || !request.is_within(outer)
            {
                return Err(invalid());
            }
            if *common.get_or_insert(request.operation) != request.operation {
                return Err(ErrorCode::AllBatchSubRequestsShouldBeSameApi.into());
            }
        }
        calls.push((part.content_id.map(str::to_owned), request.map(|_| inner)));
    }
    Ok(calls)
}

/// Creates the call of a part. The version of the batch applies to it, but is not part of its signature by a key.
fn inner_call(call: &Call, part: &Part<'_>) -> Result<Call, Refusal> {
    let mut headers = HeaderMap::new();
    for (name, value) in part.headers.iter() {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid())?;
        if name != X_MS_VERSION {
            headers.append(name, HeaderValue::from_str(value).map_err(|_| invalid())?);
        }
    }
    if let Some(version) = call.headers.get(&X_MS_VERSION)
        && !headers.contains_key(header::AUTHORIZATION)
    {
        headers.insert(X_MS_VERSION.clone(), version.clone());
    }
    if !is_plain(part.path, call.kind) {
        return Err(invalid());
    }
    Ok(Call {
        method: part.method.parse().map_err(|_| invalid())?,
        signed_path: part.path.to_owned(),
        path: behind_account(call, part.path).to_owned(),
        raw_query: part.query.to_owned(),
        query: QueryString::parse(part.query)?,
        headers,
        spelling: Spelling::default(),
        ..call.clone()
    })
}

/// Returns the path of a part without the account. In path-style URLs some clients include it, some do not.
fn behind_account<'p>(call: &Call, path: &'p str) -> &'p str {
    let is_path_style = call.signed_path != call.path;
    let rest = path.strip_prefix('/').and_then(|rest| rest.strip_prefix(call.account.as_str()));
    rest.filter(|rest| is_path_style && rest.starts_with('/')).unwrap_or(path)
}

async fn single(accounts: &Accounts, account: &ServedAccount, call: &Call) -> Reply {
    match authenticate(account, call).await {
        Ok(grant) => serve(accounts, account, &grant, call, RequestBody::empty()).await,
        Err(refusal) => refused(call, &refusal),
    }
}

fn part(call: &Call, content_id: Option<String>, reply: &Reply) -> PartReply {
    let mut headers =
        vec![("x-ms-request-id", call.id.to_string()), ("x-ms-version", call.version().to_owned())];
    headers.extend(
        HEADERS
            .iter()
            .filter_map(|(name, shown)| Some((*shown, reply.headers.get(*name)?.to_str().ok()?.to_owned()))),
    );
    let body = match &reply.body {
        ReplyBody::Whole(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        ReplyBody::Stream(..) => String::new(),
    };
    if !body.is_empty() {
        headers.push(("Content-Length", body.len().to_string()));
    }
    PartReply { status: reply.status.as_u16(), content_id, headers, body }
}

fn invalid() -> Refusal {
    TableError::from(ErrorCode::InvalidInput).into()
}
