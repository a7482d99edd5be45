//! Access policies, service properties and replication stats: the same operations for tables, queues and blobs, always
//! in XML.

mod asked;

use http::{HeaderName, Method, StatusCode, header};
use table_model::{ErrorCode, blob::BlobConditions, settings::PolicyHolder};

use self::asked::Operation;
use super::{Call, Facts, Grant, Refusal, Reply, RequestBody, ServedAccount, refused};
use crate::wire::{
    acl, blobs,
    service_properties::{self as properties, MOST_BYTES},
    stats::{self, Replication},
};

const PUBLIC_ACCESS: HeaderName = HeaderName::from_static("x-ms-blob-public-access");

/// Returns `true` if the request targets settings.
pub(super) fn are_asked(call: &Call) -> bool {
    call.query.said("restype") == Some("service") || call.query.said("comp") == Some("acl")
}

/// Executes a settings request.
pub(super) async fn serve(account: &ServedAccount, grant: &Grant, call: &Call, body: RequestBody) -> Reply {
    let mut facts = Facts::default();
    let answer = answer(account, grant, call, body, &mut facts).await;
    answer.unwrap_or_else(|refusal| refused(call, &refusal)).facts(facts)
}

async fn answer(
    account: &ServedAccount,
    grant: &Grant,
    call: &Call,
    body: RequestBody,
    facts: &mut Facts,
) -> Result<Reply, Refusal> {
    let operation = Operation::of(call)?;
    *facts = Facts::of(operation.name());
    call.probe.set_operation(operation.name());
    grant.permit(&operation.need())?;
    let settings = &account.settings;
    match operation {
        Operation::GetPolicies(holder) => {
            check_lease(account, call, &holder).await?;
            let policies = settings.policies(&holder).await?;
            with_version(account, &holder, xml(call, acl::write(&policies))).await
        }
        Operation::SetPolicies(holder) => {
            if call.headers.contains_key(PUBLIC_ACCESS) {
                let refusal = Refusal::from(ErrorCode::PublicAccessNotPermitted);
                return Err(refusal.with("HeaderName", PUBLIC_ACCESS.as_str()));
            }
            let policies = acl::read(&body.whole(acl::MOST_BYTES).await?)?;
            if let PolicyHolder::Container(name) = holder {
                let conditions = blobs::read_conditions(&call.headers)?;
                if conditions.tags.is_some() {
                    return Err(
                        Refusal::from(ErrorCode::UnsupportedHeader).with("HeaderName", blobs::IF_TAGS)
                    );
                }
                let version = settings.set_container_policies(&name, policies, &conditions).await?;
                let mut reply = Reply::new(StatusCode::OK);
                blobs::write_version(&version, &mut reply.headers);
                return Ok(reply);
            }
            settings.set_policies(&holder, policies).await?;
            Ok(Reply::new(StatusCode::NO_CONTENT))
        }
        Operation::GetProperties => {
            let found = settings.service_properties(call.kind).await?;
            Ok(xml(call, properties::write(&found)))
        }
        Operation::SetProperties => {
            let change = properties::read(&body.whole(MOST_BYTES).await?)?;
            settings.change_service_properties(call.kind, change).await?;
            Ok(Reply::new(StatusCode::ACCEPTED))
        }
        // A single copy serves both endpoints.
        Operation::GetStats => Ok(xml(call, stats::write(Replication::Live(call.received)))),
    }
}

/// Checks the lease of a container if the request specifies one. Reading its policies does not require it.
async fn check_lease(account: &ServedAccount, call: &Call, holder: &PolicyHolder) -> Result<(), Refusal> {
    if let PolicyHolder::Container(name) = holder
        && let Some(lease) = blobs::lease_id(&call.headers, blobs::LEASE_ID)?
    {
        account.blobs.container_properties(name, &BlobConditions::none().lease(lease)).await?;
    }
    Ok(())
}

/// Adds the version of a container to responses about it.
async fn with_version(
    account: &ServedAccount,
    holder: &PolicyHolder,
    mut reply: Reply,
) -> Result<Reply, Refusal> {
    if let PolicyHolder::Container(name) = holder {
        let found = account.blobs.container_properties(name, &BlobConditions::none()).await?;
        blobs::write_version(&found.version(), &mut reply.headers);
    }
    Ok(reply)
}

fn xml(call: &Call, body: bytes::Bytes) -> Reply {
    let reply = Reply::new(StatusCode::OK)
        .header(header::CONTENT_TYPE, "application/xml")
        .header(header::CACHE_CONTROL, "no-cache");
    if call.method == Method::HEAD { reply } else { reply.body(body) }
}
