use super::BlobState;
use crate::{
    ErrorCode, Result, Timestamp, Uuid,
    blob::{BlobAccess, BlobConditions, BlobETag, BlobType, CopyBlob, LeaseUse},
};

impl BlobState {
    /// Checks that a blob exists and satisfies the conditions of a request, including the lease for a use of it.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`, and the errors of [`LeaseUse::check`].
    pub fn check(
        found: Option<&Self>,
        conditions: &BlobConditions,
        access: BlobAccess,
        usage: LeaseUse,
        now: Timestamp,
    ) -> Result<()> {
        let found = found.filter(|blob| blob.exists());
        Self::check_version(found, conditions, access)?;
        let blob = found.ok_or(ErrorCode::BlobNotFound)?;
        usage.check(blob.lease.as_ref(), conditions.lease, now)
    }

    /// Checks the conditions and the lease of a write that may create the blob.
    ///
    /// # Errors
    /// As [`BlobConditions::check_create`] and [`LeaseUse::check`].
    pub fn check_create(found: Option<&Self>, conditions: &BlobConditions, now: Timestamp) -> Result<()> {
        let lease =
            LeaseUse::WriteBlob.check(found.and_then(|blob| blob.lease.as_ref()), conditions.lease, now);
        let found = found.filter(|blob| blob.exists());
        let version = found.map(|blob| (BlobETag::from(blob.modified), blob.modified));
        conditions.check_create(version.as_ref().map(|(etag, modified)| (etag, *modified)), &lease)?;
        conditions.check_tags(found.map(|blob| &blob.tags), BlobAccess::Create)?;
        lease
    }

    /// Checks the conditions of a request, except the lease.
    ///
    /// # Errors
    /// As [`BlobConditions::check`] and [`BlobConditions::check_tags`].
    pub fn check_version(
        found: Option<&Self>,
        conditions: &BlobConditions,
        access: BlobAccess,
    ) -> Result<()> {
        let found = found.filter(|blob| blob.exists());
        let version = found.map(|blob| (BlobETag::from(blob.modified), blob.modified));
        conditions.check(version.as_ref().map(|(etag, modified)| (etag, *modified)), access)?;
        conditions.check_tags(found.map(|blob| &blob.tags), access)
    }

    /// Checks the type, which cannot change until the blob is deleted.
    ///
    /// # Errors
    /// `InvalidBlobType`.
    pub fn check_type(found: Option<&Self>, blob_type: BlobType) -> Result<()> {
        match found.and_then(|blob| blob.blob_type) {
            Some(other) if other != blob_type => Err(ErrorCode::InvalidBlobType.into()),
            _ => Ok(()),
        }
    }

    /// Checks whether a block can be uploaded with this lease.
    ///
    /// # Errors
    /// `InvalidBlobType`, and the errors of [`LeaseUse::check`].
    pub fn check_block(found: Option<&Self>, lease: Option<Uuid>, now: Timestamp) -> Result<()> {
        Self::check_type(found, BlobType::Block)?;
        LeaseUse::WriteBlob.check(found.and_then(|blob| blob.lease.as_ref()), lease, now)
    }

    /// Checks the source of a copy.
    ///
    /// # Errors
    /// As [`CopyBlob::check_source`] and [`LeaseUse::check`].
    pub fn check_source(found: Option<&Self>, request: &CopyBlob, now: Timestamp) -> Result<()> {
        let found = found.filter(|blob| blob.exists());
        let etag = found.map(|blob| BlobETag::from(blob.modified));
        let version = found.zip(etag.as_ref());
        request.check_source(version.map(|(blob, etag)| (etag, blob.modified, &blob.tags)))?;
        let lease = found.and_then(|blob| blob.lease.as_ref());
        LeaseUse::ReadBlob.check(lease, request.source_conditions.lease, now)
    }
}
