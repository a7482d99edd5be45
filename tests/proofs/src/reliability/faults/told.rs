use table_store::{OpenError, StorageFault};

use crate::reliability::FaultKind;

/// Returns whether the store's error reports the disk's error.
pub(super) fn tells(error: &StorageFault, said: FaultKind) -> bool {
    match error {
        StorageFault::Io(_) => said != FaultKind::Full,
        StorageFault::DiskFull { .. } => said == FaultKind::Full,
        // A truncated disk is reported as damage.
        StorageFault::Corrupt { .. } => said == FaultKind::Short,
        _ => false,
    }
}

/// Returns whether the error of opening or creating a store reports the disk's error.
pub(crate) fn refusal_tells(error: &OpenError, said: FaultKind) -> bool {
    match error {
        OpenError::Storage { fault, .. } => tells(fault, said),
        OpenError::Damaged { .. } => said == FaultKind::Short,
        _ => false,
    }
}
