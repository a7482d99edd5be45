use http::StatusCode;
use table_model::{
    ErrorCode,
    blob::{ContainerName, limits::LIST_RESULTS},
};

use super::{facts, with_headers, xml};
use crate::{
    server::{Call, Refusal, Reply, ServedAccount, resource::explain},
    wire::{
        blobs::{read_blobs_parameters, read_conditions, write_blobs, write_container, write_version},
        fields,
    },
};

const PUBLIC_ACCESS: &str = "x-ms-blob-public-access";

/// Creates a container. Public access is never enabled.
pub(super) async fn create(
    account: &ServedAccount,
    call: &Call,
    container: &ContainerName,
) -> Result<Reply, Refusal> {
    if fields::text(&call.headers, PUBLIC_ACCESS)?.is_some() {
        return Err(Refusal::from(ErrorCode::PublicAccessNotPermitted).with("HeaderName", PUBLIC_ACCESS));
    }
    let metadata = call.metadata()?;
    let version = account.blobs.create_container(container, metadata).await?;
    Ok(with_headers(StatusCode::CREATED, |headers| write_version(&version, headers)))
}

/// Deletes a container and its blobs.
pub(super) async fn delete(
    account: &ServedAccount,
    call: &Call,
    container: &ContainerName,
) -> Result<Reply, Refusal> {
    account.blobs.delete_container(container, &read_conditions(&call.headers)?).await?;
    Ok(Reply::new(StatusCode::ACCEPTED))
}

/// Reads the properties of a container.
pub(super) async fn properties(
    account: &ServedAccount,
    call: &Call,
    container: &ContainerName,
) -> Result<Reply, Refusal> {
    let found = account.blobs.container_properties(container, &read_conditions(&call.headers)?).await?;
    let reply = with_headers(StatusCode::OK, |headers| write_container(&found, headers));
    Ok(reply.spelled_as(&found.metadata))
}

/// Sets the metadata of a container.
pub(super) async fn set_metadata(
    account: &ServedAccount,
    call: &Call,
    container: &ContainerName,
) -> Result<Reply, Refusal> {
    let (metadata, conditions) = (call.metadata()?, read_conditions(&call.headers)?);
    let version = account.blobs.set_container_metadata(container, metadata, &conditions).await?;
    Ok(with_headers(StatusCode::OK, |headers| write_version(&version, headers)))
}

/// Lists the blobs of a container by name.
pub(super) async fn list(
    account: &ServedAccount,
    call: &Call,
    container: &ContainerName,
) -> Result<Reply, Refusal> {
    let bounds = [("maxresults", 1, LIST_RESULTS as u64)];
    let read = read_blobs_parameters(&call.query);
    let (list, included) = read.map_err(|error| explain(call, error, &bounds))?;
    let (endpoint, mut request) = (format!("{}/", call.root), list.clone());
    let listed = account.share.aside(call.probe.queued(async {
        loop {
            let segment = account.blobs.list_blobs(container, request.clone()).await?;
            let body = write_blobs(&endpoint, container.as_str(), &list, included, &segment);
            match account.share.fewer(&body, segment.items.len()) {
                None => return Ok::<_, Refusal>((body, segment.items.len())),
                fewer => request.max_results = fewer,
            }
        }
    }));
    let (body, count) = listed.await?;
    Ok(xml(body).facts(facts(count)))
}
