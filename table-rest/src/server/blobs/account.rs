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
    let segment = account.blobs.list_containers(list.clone()).await?;
    let body = write_containers(&format!("{}/", call.root), &list, metadata, &segment);
    Ok(xml(body).facts(facts(segment.containers.len())))
}

/// Returns the account information: a general-purpose account with local redundancy.
pub(super) fn information() -> Reply {
    with_headers(StatusCode::OK, |headers| {
        fields::set(headers, "x-ms-sku-name", "Standard_LRS");
        fields::set(headers, "x-ms-account-kind", "StorageV2");
        fields::set(headers, "x-ms-is-hns-enabled", "false");
    })
}
