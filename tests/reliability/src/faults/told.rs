use table_store::{StorageFault, embedded::OpenError};

use crate::FaultKind;

/// Whether the store's error says what the disk said.
pub(super) fn tells(error: &StorageFault, said: FaultKind) -> bool {
    match error {
        StorageFault::Io(_) => said != FaultKind::Full,
        StorageFault::DiskFull => said == FaultKind::Full,
        // A disk that ends too early was cut off.
        StorageFault::Corrupt { .. } => said == FaultKind::Short,
        _ => false,
    }
}

/// Whether the refusal to open or make a store says what the disk said.
pub(crate) fn refusal_tells(error: &OpenError, said: FaultKind) -> bool {
    match error {
        OpenError::Storage { fault, .. } => tells(fault, said),
        OpenError::Damaged { .. } => said == FaultKind::Short,
        _ => false,
    }
}
