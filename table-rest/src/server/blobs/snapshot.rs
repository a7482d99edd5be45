use http::StatusCode;
use table_model::blob::BlobAddress;

use super::{created, with_headers};
use crate::{
    server::{Call, Refusal, Reply, ServedAccount},
    wire::{
        blobs::{read_conditions, read_delete_snapshots, read_snapshot_request, write_snapshotted},
        fields,
    },
};

/// Creates a snapshot of a blob.
pub(super) async fn create(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
) -> Result<Reply, Refusal> {
    let mut request = read_snapshot_request(&call.headers)?;
    request.metadata = call.metadata()?;
    let snapshotted = account.blobs.snapshot_blob(blob, request).await?;
    Ok(created(|headers| write_snapshotted(&snapshotted, headers)))
}

/// Deletes a blob, its snapshots, both, or a single snapshot, permanently.
pub(super) async fn delete(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
) -> Result<Reply, Refusal> {
    let conditions = read_conditions(&call.headers)?;
    match read_delete_snapshots(&call.headers)? {
        Some(which) => account.blobs.delete_snapshots(blob, which, &conditions).await?,
        None => account.blobs.delete_blob(blob, &conditions).await?,
    }
    Ok(with_headers(StatusCode::ACCEPTED, |headers| {
        fields::set(headers, "x-ms-delete-type-permanent", "true");
    }))
}
