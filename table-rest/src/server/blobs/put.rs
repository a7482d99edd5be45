use bytes::Bytes;
use table_model::{
    ErrorCode, TableError, Uuid,
    blob::{
        BlobAccess, BlobAddress, BlobConditions, BlobFeature, BlobMatch, BlobProperties, BlobType,
        BlobWritten, PutBlob, limits::PUT_BYTES,
    },
};

use super::{
    Operation,
    checksum::{Said, crc64, write_crc64},
    created,
    pour::{ONE_PIECE, length, pour},
};
use crate::{
    server::{Call, Grant, Refusal, Reply, RequestBody, ServedAccount, resource::missing_header},
    wire::{
        blobs::{BLOB_TYPE, read_put, write_written},
        fields,
    },
};

/// Puts a blob and replaces an existing one.
pub(super) async fn put(
    account: &ServedAccount,
    grant: &Grant,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let blob_type = match fields::text(&call.headers, BLOB_TYPE)? {
        Some(text) if text == BlobType::Block.as_str() => BlobType::Block,
        Some(text) if text == BlobType::Append.as_str() => BlobType::Append,
        Some("PageBlob") => return Err(BlobFeature::PageBlob.refusal().into()),
        Some(_) => return Err(Refusal::from(fields::invalid(BLOB_TYPE)).with("HeaderName", BLOB_TYPE)),
        None => return Err(missing_header(BLOB_TYPE)),
    };
    let length = length(&body, PUT_BYTES)?;
    let mut put = read_put(&call.headers, true)?;
    put.metadata = call.metadata()?;
    let create_only = CreateOnly::of(grant, account, blob, &mut put.conditions).await?;
    let answer = match blob_type {
        BlobType::Append => put_append(account, blob, put, length).await,
        BlobType::Block => put_block(account, call, blob, put, body, length).await,
    };
    answer.map_err(|refusal| create_only.told(refusal))
}

/// Whether a request may create a blob, but not overwrite one.
#[derive(Clone, Copy, Debug)]
pub(super) struct CreateOnly(bool);

impl CreateOnly {
    /// Adds the condition that the blob does not exist, if the permissions do not include overwriting it.
    ///
    /// # Errors
    ///
    /// Returns an error for a lease id, which would satisfy the condition: a new blob has no lease, and an existing one must
    /// not be overwritten.
    pub(super) async fn of(
        grant: &Grant,
        account: &ServedAccount,
        blob: &BlobAddress,
        conditions: &mut BlobConditions,
    ) -> Result<Self, TableError> {
        let is_create_only = grant.permit(&Operation::OVERWRITE).is_err();
        if is_create_only {
            conditions.if_none_match = Some(BlobMatch::Any);
            if conditions.lease.is_some() {
                let code = match account.blobs.blob_properties(blob, &BlobConditions::none()).await {
                    Ok(_) => ErrorCode::UnauthorizedBlobOverwrite,
                    Err(error) if error.code() == ErrorCode::BlobNotFound => {
                        ErrorCode::LeaseNotPresentWithBlobOperation
                    }
                    Err(error) => return Err(error),
                };
                return Err(code.into());
            }
        }
        Ok(Self(is_create_only))
    }

    /// Returns the error with the code for missing permissions, if it is the error of this condition.
    pub(super) fn told(self, refusal: Refusal) -> Refusal {
        match refusal.error.code() {
            ErrorCode::BlobAlreadyExists | ErrorCode::LeaseIdMissing if self.0 => {
                ErrorCode::UnauthorizedBlobOverwrite.into()
            }
            _ => refusal,
        }
    }
}

async fn put_append(
    account: &ServedAccount,
    blob: &BlobAddress,
    put: PutBlob,
    length: u64,
) -> Result<Reply, Refusal> {
    if length != 0 {
        return Err(Refusal::from(fields::invalid("content-length")).with("HeaderName", "Content-Length"));
    }
    let written = account.blobs.create_append_blob(blob, put).await?;
    Ok(created(|headers| write_written(&written, headers)))
}

async fn put_block(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
    mut put: PutBlob,
    body: RequestBody,
    length: u64,
) -> Result<Reply, Refusal> {
    let said = Said::read(&call.headers)?;
    if let (Some(body), Some(blob)) = (said.md5, put.headers.content_md5)
        && body != blob
    {
        return Err(ErrorCode::Md5Mismatch.into());
    }
    put.headers.content_md5 = put.headers.content_md5.or(said.md5);
    let (written, sum) = if length <= ONE_PIECE as u64 {
        let content = body.whole(ONE_PIECE).await?;
        put_whole(account, blob, put, content, said).await?
    } else {
        put_pieces(account, blob, put, body, said).await?
    };
    Ok(created(|headers| {
        write_written(&written, headers);
        write_crc64(sum, headers);
    }))
}

async fn put_whole(
    account: &ServedAccount,
    blob: &BlobAddress,
    put: PutBlob,
    content: Bytes,
    said: Said,
) -> Result<(BlobWritten, u64), TableError> {
    let sum = crc64(&content);
    said.check(sum)?;
    Ok((account.blobs.put_blob(blob, content, put).await?, sum))
}

async fn put_pieces(
    account: &ServedAccount,
    blob: &BlobAddress,
    put: PutBlob,
    body: RequestBody,
    said: Said,
) -> Result<(BlobWritten, u64), Refusal> {
    refuse_early(account, blob, &put.conditions).await?;
    pour(&account.share, body, account.blobs.write_blob(blob, put).await?, said).await
}

/// Conditions and leases are evaluated after the upload. If they already fail, the request is rejected early.
pub(super) async fn refuse_early(
    account: &ServedAccount,
    blob: &BlobAddress,
    conditions: &BlobConditions,
) -> Result<(), TableError> {
    let mut leased = BlobConditions::none();
    leased.lease = conditions.lease;
    leased.tags = conditions.tags.clone();
    match account.blobs.blob_properties(blob, &leased).await {
        Ok(found) => {
            let lease = require_lease(&found, leased.lease);
            conditions.check_create(Some((&found.etag, found.last_modified)), &lease)?;
            lease
        }
        Err(error) if error.code() == ErrorCode::BlobNotFound => conditions.check(None, BlobAccess::Create),
        Err(error) => Err(error),
    }
}

/// Checks that a write of a leased blob specifies a lease. Reading the properties has checked that it is the active one.
pub(super) fn require_lease(found: &BlobProperties, lease: Option<Uuid>) -> Result<(), TableError> {
    match lease {
        None if found.lease.is_locked() => Err(ErrorCode::LeaseIdMissing.into()),
        _ => Ok(()),
    }
}
