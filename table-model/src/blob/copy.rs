use super::{BlobAccess, BlobConditions, BlobETag, BlobTags, BlobVersion, limits::COPY_SOURCE_BYTES};
use crate::{ErrorCode, Metadata, Result, TableError, Timestamp, Uuid};

/// Copy that wrote a blob, as reported with its properties. A copy within a store is complete when the request ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobCopy {
    /// Id of the copy.
    pub id: Uuid,
    /// Source as the request named it, without credentials.
    pub source: String,
    /// Time at which the copy was completed.
    pub completed: Timestamp,
}

/// Tags of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CopyTags {
    /// These tags, and none of the source.
    Replace(BlobTags),
    /// The tags that the source has at the time of the copy.
    Copy,
}

/// Request to copy a blob.
///
/// The rules follow the REST reference, "Copy Blob" and "Copy Blob From URL".
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CopyBlob {
    /// Id of the copy, different for each request.
    pub id: Uuid,
    /// Name of the source, reported with the properties of the copy; at most 2 KiB. It has no further effect.
    pub source: String,
    /// Metadata of the copy. If it is empty, the copy has that of the source.
    pub metadata: Metadata,
    /// Tags of the copy.
    pub tags: CopyTags,
    /// Preconditions on the blob that is replaced.
    pub conditions: BlobConditions,
    /// Preconditions on the source. A lease is not required, but a specified one must be active.
    pub source_conditions: BlobConditions,
}

impl CopyBlob {
    /// Creates an unconditional request that keeps the metadata of the source, but not its tags.
    #[must_use]
    pub fn new(id: Uuid) -> Self {
        Self {
            id,
            source: String::new(),
            metadata: Metadata::new(),
            tags: CopyTags::Replace(BlobTags::new()),
            conditions: BlobConditions::none(),
            source_conditions: BlobConditions::none(),
        }
    }

    /// Sets the name of the source for the properties of the copy.
    #[must_use]
    pub fn source(mut self, source: impl Into<String>) -> Self {
        self.source = source.into();
        self
    }

    /// Sets the metadata of the copy.
    #[must_use]
    pub fn metadata(mut self, metadata: Metadata) -> Self {
        self.metadata = metadata;
        self
    }

    /// Sets the tags of the copy.
    #[must_use]
    pub fn tags(mut self, tags: BlobTags) -> Self {
        self.tags = CopyTags::Replace(tags);
        self
    }

    /// Copies the tags of the source. The service does so for sources of up to 256 MiB.
    #[must_use]
    pub fn source_tags(mut self) -> Self {
        self.tags = CopyTags::Copy;
        self
    }

    /// Sets the preconditions on the blob that is replaced.
    #[must_use]
    pub fn conditions(mut self, conditions: impl Into<BlobConditions>) -> Self {
        self.conditions = conditions.into();
        self
    }

    /// Sets the preconditions on the source.
    #[must_use]
    pub fn source_conditions(mut self, conditions: impl Into<BlobConditions>) -> Self {
        self.source_conditions = conditions.into();
        self
    }

    /// Checks that the name of the source is short enough to be stored.
    ///
    /// # Errors
    /// `InvalidHeaderValue`.
    pub fn check(&self) -> Result<()> {
        if self.source.len() > COPY_SOURCE_BYTES {
            let code = ErrorCode::InvalidHeaderValue;
            let text = format!("{} A copy source has at most {COPY_SOURCE_BYTES} bytes.", code.message());
            return Err(TableError::with_message(code, text));
        }
        Ok(())
    }

    /// Checks the conditions on the source, except the lease. `found` is its version with its tags, if it exists.
    ///
    /// # Errors
    /// `BlobNotFound` if the source does not exist, `SourceConditionNotMet`.
    pub fn check_source(&self, found: Option<(&BlobETag, Timestamp, &BlobTags)>) -> Result<()> {
        let Some((etag, modified, tags)) = found else { return Err(ErrorCode::BlobNotFound.into()) };
        let conditions = &self.source_conditions;
        let checked = conditions.check(Some((etag, modified)), BlobAccess::Write);
        let checked = checked.and_then(|()| conditions.check_tags(Some(tags), BlobAccess::Write));
        checked.map_err(|_| ErrorCode::SourceConditionNotMet.into())
    }

    /// Returns the copy as stored with the blob.
    #[must_use]
    pub fn completed(&self, time: Timestamp) -> BlobCopy {
        BlobCopy { id: self.id, source: self.source.clone(), completed: time }
    }
}

/// Result of a copy, which is complete.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobCopied {
    /// Version of the copy.
    pub version: BlobVersion,
    /// Id of the copy.
    pub id: Uuid,
}

impl BlobCopied {
    /// Creates the result for a version of a blob.
    #[must_use]
    pub fn new(version: BlobVersion, id: Uuid) -> Self {
        Self { version, id }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_the_source_have_their_own_code() {
        let time = Timestamp::UNIX_EPOCH;
        let etag = BlobETag::from(time);
        let other = BlobETag::from(Timestamp::MAX);
        let tags = BlobTags::new().with("k", "v").unwrap();
        let tagged = |text: &str| BlobConditions::none().tags(text.parse().unwrap());
        let code = |conditions: BlobConditions, found: bool| {
            let request = CopyBlob::new(Uuid::from_u128(1)).source_conditions(conditions);
            request.check_source(found.then_some((&etag, time, &tags))).err().map(|error| error.code())
        };
        assert_eq!(code(BlobConditions::none(), true), None);
        assert_eq!(code(BlobConditions::from(etag.clone()), true), None);
        assert_eq!(code(tagged("k = 'v'"), true), None);
        assert_eq!(code(BlobConditions::none(), false), Some(ErrorCode::BlobNotFound));
        for failing in [
            BlobConditions::from(other),
            BlobConditions::none().if_none_match(etag.clone()),
            BlobConditions::none().if_modified_since(time),
            tagged("k <> 'v'"),
        ] {
            assert_eq!(code(failing, true), Some(ErrorCode::SourceConditionNotMet));
        }
    }

    #[test]
    fn a_long_source_is_refused() {
        let of = |bytes: usize| CopyBlob::new(Uuid::from_u128(1)).source("x".repeat(bytes)).check();
        of(COPY_SOURCE_BYTES).unwrap();
        assert_eq!(of(COPY_SOURCE_BYTES + 1).unwrap_err().code(), ErrorCode::InvalidHeaderValue);
    }
}
