use http::StatusCode;
use table_model::{
    ErrorCode, TableError,
    blob::{BlobAddress, ContainerName, TagFilter, limits::LIST_RESULTS},
};

use super::{checksum::Said, facts, xml};
use crate::{
    server::{
        Call, Refusal, Reply, RequestBody, ServedAccount,
        resource::{explain, missing_parameter},
    },
    wire::{
        blobs::{TAGS_BODY_BYTES, read_conditions_of_tags, read_find, read_tags, write_found, write_tags},
        xml::Writer,
    },
};

/// The expression of a search.
const WHERE: &str = "where";

/// Reads the tags of a blob.
pub(super) async fn get(account: &ServedAccount, call: &Call, blob: &BlobAddress) -> Result<Reply, Refusal> {
    let conditions = read_conditions_of_tags(&call.headers)?;
    let tags = account.blobs.blob_tags(blob, &conditions).await.map_err(|error| {
        // Unlike a read of the blob, a failed condition is no success without content.
        if error.is_not_modified() { ErrorCode::ConditionNotMet.into() } else { error }
    })?;
    Ok(xml(write_tags(Writer::new(), &tags)))
}

/// Replaces the tags of a blob, whose version does not change.
pub(super) async fn set(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let (conditions, said) = (read_conditions_of_tags(&call.headers)?, Said::read(&call.headers)?);
    let body = body.whole(TAGS_BODY_BYTES).await?;
    said.verify(&body)?;
    account.blobs.set_blob_tags(blob, read_tags(&body)?, &conditions).await?;
    Ok(Reply::new(StatusCode::NO_CONTENT))
}

/// Finds blobs of the account, or of a container, by their tags.
pub(super) async fn find(
    account: &ServedAccount,
    call: &Call,
    container: Option<ContainerName>,
) -> Result<Reply, Refusal> {
    let text = call.query.said(WHERE).ok_or_else(|| missing_parameter(WHERE))?;
    let filter: TagFilter = text.parse().map_err(|error| of_expression(call, error))?;
    let bounds = [("maxresults", 1, LIST_RESULTS as u64)];
    let mut request = read_find(filter, &call.query).map_err(|error| explain(call, error, &bounds))?;
    request.container = container;
    request.scope().map_err(|error| of_expression(call, error))?;
    let endpoint = format!("{}/", call.root);
    let found = account.share.aside(call.probe.queued(async {
        loop {
            let segment = account.blobs.find_blobs(request.clone()).await?;
            let body = write_found(&endpoint, &request.filter, &segment);
            match account.share.fewer(&body, segment.blobs.len()) {
                None => return Ok::<_, Refusal>((body, segment.blobs.len())),
                fewer => request.max_results = fewer,
            }
        }
    }));
    let (body, count) = found.await?;
    Ok(xml(body).facts(facts(count)))
}

/// Adds the parameter with the expression to an error of it.
fn of_expression(call: &Call, error: TableError) -> Refusal {
    let refusal = Refusal::from(error);
    if refusal.error.code() != ErrorCode::InvalidQueryParameterValue {
        return refusal;
    }
    let value = call.query.get(WHERE).unwrap_or_default();
    refusal.with("QueryParameterName", WHERE).with("QueryParameterValue", value)
}
