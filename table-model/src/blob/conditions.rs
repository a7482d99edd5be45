use crate::{ErrorCode, Result, TableError, Timestamp, Uuid};

use super::{BlobETag, BlobTags, TagCondition};

/// Versions that a condition matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlobMatch {
    /// Any version: `*`.
    Any,
    /// One version.
    Version(BlobETag),
}

impl BlobMatch {
    fn holds(&self, etag: &BlobETag) -> bool {
        match self {
            Self::Any => true,
            Self::Version(version) => version == etag,
        }
    }
}

/// Preconditions of a request to a container or blob: the conditional headers of the service.
///
/// All specified conditions must be satisfied, except that one of `if_none_match` and `if_modified_since` is
/// sufficient. Times are compared in whole seconds, the resolution of the headers.
///
/// ```
/// use table_model::{ErrorCode, Timestamp, blob::{BlobConditions, BlobETag}};
///
/// let read = BlobETag::from(Timestamp::UNIX_EPOCH);
/// let unchanged = BlobConditions::from(read);
/// assert!(unchanged.if_match.is_some());
/// let absent = BlobConditions::absent();
/// assert!(absent.if_none_match.is_some());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobConditions {
    /// The blob must exist in this version.
    pub if_match: Option<BlobMatch>,
    /// The blob must not exist in this version, or not at all.
    pub if_none_match: Option<BlobMatch>,
    /// The blob must have changed after this time.
    pub if_modified_since: Option<Timestamp>,
    /// The blob must not have changed after this time.
    pub if_unmodified_since: Option<Timestamp>,
    /// Id of the active lease of the blob or container; [`LeaseUse`](super::LeaseUse) checks it.
    pub lease: Option<Uuid>,
    /// Condition on the tags of the blob; [`check_tags`](Self::check_tags) checks it.
    pub tags: Option<TagCondition>,
}

/// Kind of a conditional request. It determines the error of a failed condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlobAccess {
    /// A read. An unchanged resource is not a failure.
    Read,
    /// A change of an existing resource.
    Write,
    /// A write that may create the resource. If the blob exists but must not, the error has a separate code.
    Create,
}

impl BlobConditions {
    /// Creates empty conditions, which are always satisfied.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Requires that the blob does not exist: `If-None-Match: *`.
    #[must_use]
    pub fn absent() -> Self {
        Self { if_none_match: Some(BlobMatch::Any), ..Self::default() }
    }

    /// Requires that the blob exists: `If-Match: *`.
    #[must_use]
    pub fn exists() -> Self {
        Self { if_match: Some(BlobMatch::Any), ..Self::default() }
    }

    /// Requires another version than this: `If-None-Match`.
    #[must_use]
    pub fn if_none_match(mut self, etag: BlobETag) -> Self {
        self.if_none_match = Some(BlobMatch::Version(etag));
        self
    }

    /// Requires a change after this time.
    #[must_use]
    pub fn if_modified_since(mut self, time: Timestamp) -> Self {
        self.if_modified_since = Some(time);
        self
    }

    /// Requires no change after this time.
    #[must_use]
    pub fn if_unmodified_since(mut self, time: Timestamp) -> Self {
        self.if_unmodified_since = Some(time);
        self
    }

    /// Requires that the blob or container has this active lease.
    #[must_use]
    pub fn lease(mut self, id: Uuid) -> Self {
        self.lease = Some(id);
        self
    }

    /// Requires that the tags of the blob satisfy a condition.
    #[must_use]
    pub fn tags(mut self, condition: TagCondition) -> Self {
        self.tags = Some(condition);
        self
    }

    /// Checks the condition on the tags of the existing blob.
    ///
    /// The reference does not say what a condition on a blob that does not exist means. Here a blob is not created, as with
    /// `If-Match`; other requests fail because the blob does not exist.
    ///
    /// # Errors
    /// `ConditionNotMet`, also for a read.
    pub fn check_tags(&self, found: Option<&BlobTags>, access: BlobAccess) -> Result<()> {
        let Some(condition) = &self.tags else { return Ok(()) };
        let is_met = found.map_or(access != BlobAccess::Create, |tags| condition.holds(tags));
        if is_met { Ok(()) } else { Err(ErrorCode::ConditionNotMet.into()) }
    }

    /// Checks the conditions of a write that may create the blob, like [`check`](Self::check). `lease` is the result of
    /// [`LeaseUse::check`](super::LeaseUse::check), which the caller returns afterwards.
    ///
    /// `If-None-Match: *` alone comes after the lease, and a request with the id of the active lease satisfies it: the
    /// owner of the blob may overwrite it. The reference does not say so; the recordings of the tests of the Azure SDKs do.
    ///
    /// # Errors
    /// `ConditionNotMet` or `BlobAlreadyExists`; the error of the lease.
    pub fn check_create(&self, found: Option<(&BlobETag, Timestamp)>, lease: &Result<()>) -> Result<()> {
        if found.is_some() && self.if_none_match == Some(BlobMatch::Any) {
            lease.clone()?;
            if self.lease.is_some() {
                let others = Self { if_none_match: None, if_modified_since: None, ..self.clone() };
                return others.check(found, BlobAccess::Create);
            }
        }
        self.check(found, BlobAccess::Create)
    }

    /// Checks the conditions against the version and the last modification time of the existing resource. The tags and the
    /// lease are checked separately, with [`check_tags`](Self::check_tags) and
    /// [`LeaseUse::check`](super::LeaseUse::check).
    ///
    /// # Errors
    /// `ConditionNotMet`, for a read possibly as [`TableError::not_modified`]; `BlobAlreadyExists`;
    /// `UnsatisfiableCondition` for a read of what must not exist.
    pub fn check(&self, found: Option<(&BlobETag, Timestamp)>, access: BlobAccess) -> Result<()> {
        if access == BlobAccess::Read && self.if_none_match == Some(BlobMatch::Any) {
            return Err(ErrorCode::UnsatisfiableCondition.into());
        }
        let Some((etag, modified)) = found else {
            return match self.if_match {
                Some(_) => Err(ErrorCode::ConditionNotMet.into()),
                None => Ok(()),
            };
        };
        let later_than = |time: Timestamp| seconds(modified) > seconds(time);
        if self.if_match.as_ref().is_some_and(|wanted| !wanted.holds(etag))
            || self.if_unmodified_since.is_some_and(later_than)
        {
            return Err(ErrorCode::ConditionNotMet.into());
        }
        let other = self.if_none_match.as_ref().map(|wanted| !wanted.holds(etag));
        let changed = self.if_modified_since.map(later_than);
        if other == Some(true) || changed == Some(true) || (other, changed) == (None, None) {
            return Ok(());
        }
        Err(match access {
            BlobAccess::Read => TableError::not_modified(),
            BlobAccess::Create if self.if_none_match == Some(BlobMatch::Any) => {
                ErrorCode::BlobAlreadyExists.into()
            }
            BlobAccess::Write | BlobAccess::Create => ErrorCode::ConditionNotMet.into(),
        })
    }
}

/// Requires this version: `If-Match`.
impl From<BlobETag> for BlobConditions {
    fn from(etag: BlobETag) -> Self {
        Self { if_match: Some(BlobMatch::Version(etag)), ..Self::default() }
    }
}

const fn seconds(time: Timestamp) -> i64 {
    time.ticks() / 10_000_000
}

#[cfg(test)]
mod tests;
