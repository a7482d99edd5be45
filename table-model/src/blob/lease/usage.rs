use super::{Lease, LeaseState};
use crate::{ErrorCode, Result, Timestamp, Uuid};

/// Use of a blob or a container, which its lease may restrict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeaseUse {
    /// A read of a blob. It requires no lease, but a specified one must be active.
    ReadBlob,
    /// A write or the deletion of a blob, also the upload of a block.
    WriteBlob,
    /// Any operation on a container except its deletion. It requires no lease, but a specified one must be active.
    UseContainer,
    /// The deletion of a container.
    DeleteContainer,
}

impl LeaseUse {
    /// Checks the lease id that a request specifies, against the lease of the blob or container.
    ///
    /// The reference gives 409 for another id in its tables, and 412 in its list of error codes. The service answers
    /// 412, as does this function.
    ///
    /// # Errors
    /// `LeaseIdMissing` if the lease is active and the request needs its id; `LeaseIdMismatchWithBlobOperation` for
    /// another id; `LeaseLost` if the specified lease has ended; `LeaseNotPresentWithBlobOperation` if no lease exists.
    /// A container has its own codes for the second and the last.
    pub fn check(self, lease: Option<&Lease>, said: Option<Uuid>, now: Timestamp) -> Result<()> {
        let is_locked = LeaseState::of(lease, now).is_locked();
        let is_id = said.is_some() && lease.map(|lease| lease.id) == said;
        let (mismatch, not_present) = match self {
            Self::ReadBlob | Self::WriteBlob => {
                (ErrorCode::LeaseIdMismatchWithBlobOperation, ErrorCode::LeaseNotPresentWithBlobOperation)
            }
            Self::UseContainer | Self::DeleteContainer => (
                ErrorCode::LeaseIdMismatchWithContainerOperation,
                ErrorCode::LeaseNotPresentWithContainerOperation,
            ),
        };
        let needs_lease = matches!(self, Self::WriteBlob | Self::DeleteContainer);
        match said {
            None if is_locked && needs_lease => Err(ErrorCode::LeaseIdMissing.into()),
            Some(_) if is_locked && !is_id => Err(mismatch.into()),
            Some(_) if !is_locked && is_id => Err(ErrorCode::LeaseLost.into()),
            Some(_) if !is_locked => Err(not_present.into()),
            None | Some(_) => Ok(()),
        }
    }
}
