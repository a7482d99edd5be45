use crate::{ErrorCode, Result, TableError, Timestamp, Uuid};

use super::BlobETag;

/// Which versions a condition speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlobMatch {
    /// Any: `*`.
    Any,
    /// One.
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

/// When a request to a container or blob may go ahead: the service's conditional headers.
///
/// All that are set must hold, except that of `if_none_match` and `if_modified_since` one is enough. Times are compared
/// by whole seconds, as headers carry no more.
///
/// ```
/// use table_store::{ErrorCode, Timestamp, blob::{BlobConditions, BlobETag}};
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
    /// It must exist, in this version.
    pub if_match: Option<BlobMatch>,
    /// It must not exist, or not in this version.
    pub if_none_match: Option<BlobMatch>,
    /// It must have changed after this time.
    pub if_modified_since: Option<Timestamp>,
    /// It must not have changed after this time.
    pub if_unmodified_since: Option<Timestamp>,
    /// The lease that it must have. It has none: the store knows no leases, so one that is named is refused.
    pub lease: Option<Uuid>,
}

/// What is to be done if conditions hold: it decides how a failure is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BlobAccess {
    /// A read: where there is nothing new, that is no failure.
    Read,
    /// A change of what is there.
    Write,
    /// A write that may create: an existing blob that must not exist has a code of its own.
    Create,
}

impl BlobConditions {
    /// None: whatever is there.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Nothing may be there: `If-None-Match: *`.
    #[must_use]
    pub fn absent() -> Self {
        Self { if_none_match: Some(BlobMatch::Any), ..Self::default() }
    }

    /// Something must be there: `If-Match: *`.
    #[must_use]
    pub fn exists() -> Self {
        Self { if_match: Some(BlobMatch::Any), ..Self::default() }
    }

    /// It must not be this version: `If-None-Match`.
    #[must_use]
    pub fn if_none_match(mut self, etag: BlobETag) -> Self {
        self.if_none_match = Some(BlobMatch::Version(etag));
        self
    }

    /// It must have changed after this time.
    #[must_use]
    pub fn if_modified_since(mut self, time: Timestamp) -> Self {
        self.if_modified_since = Some(time);
        self
    }

    /// It must not have changed after this time.
    #[must_use]
    pub fn if_unmodified_since(mut self, time: Timestamp) -> Self {
        self.if_unmodified_since = Some(time);
        self
    }

    /// Holds them against what is there: version and time of its last change.
    ///
    /// # Errors
    /// `ConditionNotMet`, of a read perhaps as [`TableError::not_modified`]; `BlobAlreadyExists`;
    /// `LeaseNotPresentWithBlobOperation`.
    pub fn check(&self, found: Option<(&BlobETag, Timestamp)>, access: BlobAccess) -> Result<()> {
        let Some((etag, modified)) = found else {
            return match self.if_match {
                Some(_) => Err(ErrorCode::ConditionNotMet.into()),
                None => Ok(()),
            };
        };
        if self.lease.is_some() {
            return Err(ErrorCode::LeaseNotPresentWithBlobOperation.into());
        }
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

/// It must be this version: `If-Match`.
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
