use super::BlobState;
use crate::{
    ErrorCode, Metadata, Result, TableError, Timestamp,
    blob::{
        AppendBlock, Appended, BlobHeaders, BlobTags, BlobType, BlockId, CopyBlob, CopyTags, Lease, PutBlob,
        SnapshotBlob,
        limits::{BLOCKS, UNCOMMITTED_BLOCKS},
    },
};

/// New headers, metadata or tags of a blob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlobChange {
    /// All metadata.
    Metadata(Metadata),
    /// All headers.
    Headers(BlobHeaders),
    /// All tags. They are not part of the version, so the version does not change.
    Tags(BlobTags),
}

impl BlobState {
    /// Records a change of the blob, which ends the right to renew a lease that has expired at `now`.
    pub fn touch(&mut self, time: Timestamp, now: Timestamp) {
        self.modified = time;
        self.lease = Lease::after_change(self.lease.take(), now);
    }

    /// Replaces headers, metadata or tags.
    pub fn change(&mut self, change: BlobChange, time: Timestamp, now: Timestamp) {
        if !matches!(change, BlobChange::Tags(_)) {
            self.touch(time, now);
        }
        match change {
            BlobChange::Metadata(metadata) => self.metadata = metadata,
            BlobChange::Headers(headers) => {
                self.headers = headers;
                // The headers are no longer those of the copy: REST reference, "Get Blob Properties".
                self.copy = None;
            }
            BlobChange::Tags(tags) => self.tags = tags,
        }
    }

    /// Returns an empty blob that replaces `old`.
    #[must_use]
    pub fn written(
        blob_type: BlobType,
        put: &PutBlob,
        old: Option<&Self>,
        time: Timestamp,
        now: Timestamp,
    ) -> Self {
        Self {
            created: created(old, time),
            headers: put.headers.clone(),
            metadata: put.metadata.clone(),
            tags: put.tags.clone(),
            lease: kept_lease(old, now),
            ..Self::new(Some(blob_type), time)
        }
    }

    /// Returns a blob that is assembled from this number of blocks and replaces `old`. Its length is set by the caller.
    #[must_use]
    pub fn assembled(
        blocks: usize,
        put: &PutBlob,
        old: Option<&Self>,
        time: Timestamp,
        now: Timestamp,
    ) -> Self {
        let mut blob = Self::written(BlobType::Block, put, old, time, now);
        // A list has at most 50,000 blocks.
        blob.blocks = u32::try_from(blocks).unwrap_or(u32::MAX);
        if blocks > 0 {
            blob.block_id_bytes = old.map_or(0, |old| old.block_id_bytes);
        }
        blob
    }

    /// Returns the copy of this blob that replaces `old`.
    #[must_use]
    pub fn copied(&self, request: &CopyBlob, old: Option<&Self>, time: Timestamp, now: Timestamp) -> Self {
        let mut copy = Self {
            modified: time,
            created: created(old, time),
            lease: kept_lease(old, now),
            copy: Some(request.completed(time)),
            ..self.clone()
        };
        if !request.metadata.is_empty() {
            copy.metadata = request.metadata.clone();
        }
        if let CopyTags::Replace(tags) = &request.tags {
            copy.tags = tags.clone();
        }
        copy
    }

    /// Returns the snapshot of this blob at `time`. It has no lease.
    #[must_use]
    pub fn snapshot(&self, request: &SnapshotBlob, time: Timestamp) -> Self {
        let (modified, metadata) = request.applied(self.modified, self.metadata.clone(), time);
        Self { modified, metadata, lease: None, ..self.clone() }
    }

    /// Adds appended content of this length.
    ///
    /// # Errors
    /// `InvalidBlobType`, `AppendPositionConditionNotMet`, `MaxBlobSizeConditionNotMet`, `BlockCountExceedsLimit`.
    pub fn append(
        &mut self,
        append: &AppendBlock,
        length: u64,
        time: Timestamp,
        now: Timestamp,
    ) -> Result<Appended> {
        Self::check_type(Some(self), BlobType::Append)?;
        let offset = self.length;
        if append.position.is_some_and(|position| position != offset) {
            return Err(ErrorCode::AppendPositionConditionNotMet.into());
        }
        let end = offset.saturating_add(length);
        if append.max_size.is_some_and(|most| end > most) {
            return Err(ErrorCode::MaxBlobSizeConditionNotMet.into());
        }
        if usize::try_from(self.blocks).is_ok_and(|blocks| blocks >= BLOCKS) {
            return Err(ErrorCode::BlockCountExceedsLimit.into());
        }
        self.length = end;
        self.blocks += 1;
        self.touch(time, now);
        // A stored hash only covers the previous content.
        (self.headers.content_md5, self.headers.other_md5) = (None, None);
        Ok(Appended::new(time.into(), offset, self.blocks))
    }

    /// Adds an uncommitted block to the `count` uncommitted ones, unless it replaces one of them. Returns their number.
    ///
    /// # Errors
    /// `InvalidBlobOrBlock` if other ids have another length, `BlockCountExceedsLimit`.
    pub fn add_block(&mut self, id: &BlockId, count: u32, replaces: bool) -> Result<u32> {
        let bytes = u8::try_from(id.as_bytes().len()).unwrap_or(u8::MAX);
        if count == 0 && self.blocks == 0 {
            self.block_id_bytes = bytes;
        } else if self.block_id_bytes != bytes {
            return Err(ErrorCode::InvalidBlobOrBlock.into());
        }
        let count = if replaces { count } else { count.saturating_add(1) };
        if usize::try_from(count).is_ok_and(|count| count > UNCOMMITTED_BLOCKS) {
            return Err(TableError::with_message(
                ErrorCode::BlockCountExceedsLimit,
                "The uncommitted block count cannot exceed the maximum limit of 100,000 blocks.",
            ));
        }
        Ok(count)
    }
}

/// Returns the time of creation of a blob that replaces another one.
fn created(old: Option<&BlobState>, time: Timestamp) -> Timestamp {
    old.filter(|old| old.exists()).map_or(time, |old| old.created)
}

/// Returns the lease of a blob that replaces another one.
fn kept_lease(old: Option<&BlobState>, now: Timestamp) -> Option<Lease> {
    Lease::after_change(old.and_then(|old| old.lease.clone()), now)
}
