//! Writes of the blob service, as decided by the committer.

mod append;
mod block;
mod change;
mod container;
mod copy;
mod delete;
mod lease;
mod list;
mod put;
mod sent;
mod snapshot;

pub(super) use append::Append;
pub(super) use block::PutBlock;
pub(super) use change::ChangeBlob;
pub(crate) use container::SetContainerPolicies;
pub(super) use container::{ChangeContainer, CreateContainer, DeleteContainer};
pub(super) use copy::CopyBlob;
pub(super) use delete::DeleteBlob;
pub(super) use lease::{LeaseBlob, LeaseContainer};
pub(super) use list::PutList;
pub(super) use put::Put;
pub(super) use sent::{Extend, Sent};
pub(super) use snapshot::SnapshotBlob;

use std::sync::Arc;

use table_model::{
    ErrorCode, Result, StorageFault, Timestamp,
    blob::{BlobAccess, BlobAddress, BlobConditions, BlobName, BlobSnapshot, BlobState, BlobType, LeaseUse},
};

use super::{
    container::Container,
    garbage::{Garbage, What},
    pins::Pins,
    place::Id,
    record::{Blob, Contents},
    snapshots,
};
use crate::{engine::Read, job::Turn, write_batch::Edits};

/// Context for the decision on a write.
struct Grounds<'g> {
    /// Stored records, including previous writes of the group.
    read: &'g dyn Read,
    /// Timestamp of the write if it is executed. After a crash it is up to a second ahead of `now`.
    time: Timestamp,
    /// Current monotonic time. Leases use it, as reads do, so that a crash does not end them early.
    now: Timestamp,
    pins: &'g Arc<Pins>,
}

/// Name of a blob in an existing container, and its current record.
struct Target {
    container: Id,
    found: Option<Blob>,
    /// A record exists, but cannot be decoded.
    damaged: bool,
}

impl<'g> Grounds<'g> {
    fn new<'t: 'g>(read: &'g dyn Read, turn: &mut Turn<'t>) -> Result<Self> {
        Ok(Self { read, time: turn.stamp()?, now: turn.now(), pins: &turn.core().pins })
    }

    fn target(&self, at: &BlobAddress) -> Result<Target> {
        at.check_writable()?;
        let container = Container::live(self.read, &at.container)?.id;
        Ok(Target { container, found: Blob::find(self.read, container, &at.name)?, damaged: false })
    }

    /// Returns the target of a write that does not depend on the current state. A damaged record therefore does not
    /// prevent writing or deleting the blob. The data that such a record refers to remains in the file.
    fn target_to_replace(&self, at: &BlobAddress, conditions: &BlobConditions) -> Result<Target> {
        at.check_writable()?;
        self.target_to_delete(at, conditions)
    }

    /// Returns the target of a deletion, which can also be a snapshot; see [`target_to_replace`](Self::target_to_replace).
    fn target_to_delete(&self, at: &BlobAddress, conditions: &BlobConditions) -> Result<Target> {
        let container = Container::live(self.read, &at.container)?.id;
        match Blob::find_at(self.read, container, at) {
            Err(StorageFault::Corrupt { .. }) if *conditions == BlobConditions::none() => {
                Ok(Target { container, found: None, damaged: true })
            }
            found => Ok(Target { container, found: found?, damaged: false }),
        }
    }

    /// Discards the blocks at the end of the list of an append blob that no remaining version contains, when the blob
    /// `old` is replaced, or its snapshot `gone` is deleted.
    fn discard_tail(
        &self,
        container: Id,
        name: &BlobName,
        old: &Blob,
        gone: Option<BlobSnapshot>,
        edits: &mut Edits,
    ) -> Result<(), StorageFault> {
        let (Contents::List(list), Some(BlobType::Append), Some(_)) =
            (old.contents, old.blob_type, old.shared)
        else {
            return Ok(());
        };
        if gone.is_some() {
            match Blob::find(self.read, container, name) {
                Ok(Some(base)) if base.contents != old.contents => {}
                // The blob itself contains the whole list; the list of a damaged blob is unknown.
                _ => return Ok(()),
            }
        }
        let mut longest = None;
        for found in snapshots::all(self.read, container, name)? {
            match found.blob {
                _ if Some(found.snapshot) == gone => {}
                Ok(blob) if blob.contents == old.contents => longest = longest.max(Some(blob.length)),
                Ok(_) => {}
                Err(_) => return Ok(()),
            }
        }
        if let Some(from) = longest.filter(|longest| *longest < old.length) {
            edits.discard(&Garbage::new(list, What::Tail { from }, old.lineage));
        }
        Ok(())
    }

    /// Returns an existing blob that satisfies the conditions.
    fn present(&self, at: &BlobAddress, conditions: &BlobConditions) -> Result<(Id, Blob)> {
        let Target { container, found, .. } = self.target(at)?;
        let blob = present(found, conditions, BlobAccess::Write, self.now)?;
        Ok((container, blob))
    }
}

/// Checks that the blob exists and satisfies the conditions, including the lease.
pub(super) fn present(
    found: Option<Blob>,
    conditions: &BlobConditions,
    access: BlobAccess,
    now: Timestamp,
) -> Result<Blob> {
    let usage = if access == BlobAccess::Read { LeaseUse::ReadBlob } else { LeaseUse::WriteBlob };
    BlobState::check(found.as_deref(), conditions, access, usage, now)?;
    found.ok_or_else(|| ErrorCode::BlobNotFound.into())
}
