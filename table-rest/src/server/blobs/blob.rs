use http::StatusCode;
use table_model::{
    ErrorCode,
    blob::{BlobAddress, BlobConditions, BlobType},
};

use super::{put::require_lease, unsupported::ACCESS_TIER, with_headers};
use crate::{
    server::{Call, Refusal, Reply, ServedAccount, resource::missing_header},
    wire::{
        blobs::{read_conditions, read_content, write_version},
        fields, metadata,
    },
};

/// Reads the metadata of a blob.
pub(super) async fn metadata(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
) -> Result<Reply, Refusal> {
    let found = account.blobs.blob_properties(blob, &read_conditions(&call.headers)?).await?;
    let reply = with_headers(StatusCode::OK, |headers| {
        write_version(&found.version(), headers);
        metadata::write(&found.metadata, headers);
    });
    Ok(reply.spelled_as(&found.metadata))
}

/// Sets the metadata of a blob.
pub(super) async fn set_metadata(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
) -> Result<Reply, Refusal> {
    let (metadata, conditions) = (call.metadata()?, read_conditions(&call.headers)?);
    let version = account.blobs.set_blob_metadata(blob, metadata, &conditions).await?;
    Ok(with_headers(StatusCode::OK, |headers| {
        write_version(&version, headers);
        fields::set(headers, "x-ms-request-server-encrypted", "true");
    }))
}

/// Sets the headers of a blob.
pub(super) async fn set_headers(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
) -> Result<Reply, Refusal> {
    let (content, conditions) = (read_content(&call.headers, false)?, read_conditions(&call.headers)?);
    let version = account.blobs.set_blob_headers(blob, content, &conditions).await?;
    Ok(with_headers(StatusCode::OK, |headers| write_version(&version, headers)))
}

/// Accepts an online tier of a block blob. All blobs are hot, so it has no further effect.
pub(super) async fn set_tier(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
) -> Result<Reply, Refusal> {
    if fields::text(&call.headers, ACCESS_TIER)?.is_none() {
        return Err(missing_header(ACCESS_TIER));
    }
    let said = read_conditions(&call.headers)?;
    let mut conditions = BlobConditions::none();
    (conditions.lease, conditions.tags) = (said.lease, said.tags);
    let found = account.blobs.blob_properties(blob, &conditions).await?;
    // A tier is a write, although it changes nothing here.
    require_lease(&found, said.lease)?;
    if found.blob_type == BlobType::Block {
        Ok(Reply::new(StatusCode::OK))
    } else {
        Err(ErrorCode::InvalidBlobType.into())
    }
}
