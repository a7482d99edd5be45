use http::StatusCode;
use table_model::blob::limits::LIST_RESULTS;

use super::{facts, with_headers, xml};
use crate::{
    server::{Call, Refusal, Reply, ServedAccount, resource::explain},
    wire::{
        blobs::{read_containers_parameters, write_containers},
        fields,
    },
};

/// Lists the containers of the account by name.
pub(super) async fn list(account: &ServedAccount, call: &Call) -> Result<Reply, Refusal> {
    let bounds = [("maxresults", 1, LIST_RESULTS as u64)];
    let read = read_containers_parameters(&call.query);
    let (list, metadata) = read.map_err(|error| explain(call, error, &bounds))?;
    let (endpoint, mut request) = (format!("{}/", call.root), list.clone());
    let listed = account.share.aside(call.probe.queued(async {
        loop {
            let segment = account.blobs.list_containers(request.clone()).await?;
            let body = write_containers(&endpoint, &list, metadata, &segment);
            match account.share.fewer(&body, segment.containers.len()) {
                None => return Ok::<_, Refusal>((body, segment.containers.len())),
                fewer => request.max_results = fewer,
            }
        }
    }));
    let (body, count) = listed.await?;
    Ok(xml(body).facts(facts(count)))
}

/// Returns the account information: a general-purpose account with local redundancy.
pub(super) fn information() -> Reply {
    with_headers(StatusCode::OK, |headers| {
        fields::set(headers, "x-ms-sku-name", "Standard_LRS");
        fields::set(headers, "x-ms-account-kind", "StorageV2");
        fields::set(headers, "x-ms-is-hns-enabled", "false");
    })
}
