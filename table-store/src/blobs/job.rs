//! Writes of the blob service, as decided by the committer.

mod append;
mod block;
mod change;
mod container;
mod lease;
mod list;
mod put;
mod sent;

pub(super) use append::Append;
pub(super) use block::PutBlock;
pub(super) use change::{Change, ChangeBlob, DeleteBlob};
pub(super) use container::{ChangeContainer, CreateContainer, DeleteContainer};
pub(super) use lease::{LeaseBlob, LeaseContainer};
pub(super) use list::PutList;
pub(super) use put::Put;
pub(super) use sent::{Extend, Sent};

use std::sync::Arc;

use table_model::{
    ErrorCode, Result, StorageFault, Timestamp,
    blob::{BlobAccess, BlobAddress, BlobConditions, BlobETag, BlobType, Lease, LeaseUse},
};

use super::{
    container::Container,
    pins::Pins,
    place::Id,
    record::{Blob, Kind},
};
use crate::{engine::Read, job::Turn};

/// Context for the decision on a write.
struct Grounds<'g> {
    /// Stored records, including previous writes of the group.
    read: &'g dyn Read,
    /// Timestamp of the write if it is executed.
    time: Timestamp,
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
        Ok(Self { read, time: turn.stamp()?, pins: &turn.core().pins })
    }

    fn target(&self, at: &BlobAddress) -> Result<Target> {
        let container = Container::live(self.read, &at.container)?.id;
        Ok(Target { container, found: Blob::find(self.read, container, &at.name)?, damaged: false })
    }

    /// Returns the target of a write that does not depend on the current state. A damaged record therefore does not
    /// prevent writing or deleting the blob. The data that such a record refers to remains in the file.
    fn target_to_replace(&self, at: &BlobAddress, conditions: &BlobConditions) -> Result<Target> {
        let container = Container::live(self.read, &at.container)?.id;
        match Blob::find(self.read, container, &at.name) {
            Err(StorageFault::Corrupt { .. }) if *conditions == BlobConditions::none() => {
                Ok(Target { container, found: None, damaged: true })
            }
            found => Ok(Target { container, found: found?, damaged: false }),
        }
    }

    /// Returns an existing blob that satisfies the conditions.
    fn present(&self, at: &BlobAddress, conditions: &BlobConditions) -> Result<(Id, Blob)> {
        let Target { container, found, .. } = self.target(at)?;
        let blob = present(found, conditions, BlobAccess::Write, self.time)?;
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
    let found = found.filter(Blob::is_there);
    check_version(found.as_ref(), conditions, access)?;
    let blob = found.ok_or(ErrorCode::BlobNotFound)?;
    let usage = if access == BlobAccess::Read { LeaseUse::ReadBlob } else { LeaseUse::WriteBlob };
    usage.check(blob.lease.as_ref(), conditions.lease, now)?;
    Ok(blob)
}

/// Checks the conditions and the lease of a write that may create the blob. Uncommitted blocks alone do not count as a
/// blob.
fn check_create(found: Option<&Blob>, conditions: &BlobConditions, now: Timestamp) -> Result<()> {
    check_version(found, conditions, BlobAccess::Create)?;
    LeaseUse::WriteBlob.check(found.and_then(|blob| blob.lease.as_ref()), conditions.lease, now)
}

fn check_version(found: Option<&Blob>, conditions: &BlobConditions, access: BlobAccess) -> Result<()> {
    let there = found.filter(|blob| blob.is_there());
    let version = there.map(|blob| (BlobETag::from(blob.modified), blob.modified));
    conditions.check(version.as_ref().map(|(etag, modified)| (etag, *modified)), access)?;
    conditions.check_tags(there.map(|blob| &blob.tags), access)
}

/// Returns the lease of a blob that replaces another one.
fn kept_lease(old: Option<&Blob>, now: Timestamp) -> Option<Lease> {
    Lease::after_change(old.and_then(|old| old.lease.clone()), now)
}

/// Checks the type, which cannot change until the blob is deleted.
fn check_type(found: Option<&Blob>, blob_type: BlobType) -> Result<()> {
    match found.map(|blob| blob.kind) {
        Some(Kind::Blob(other)) if other != blob_type => Err(ErrorCode::InvalidBlobType.into()),
        _ => Ok(()),
    }
}
