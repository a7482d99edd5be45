//! The writes of the blob service, as the committer decides on them.

mod append;
mod block;
mod change;
mod container;
mod list;
mod put;
mod sent;

pub(super) use append::Append;
pub(super) use block::PutBlock;
pub(super) use change::{Change, ChangeBlob, DeleteBlob};
pub(super) use container::{ChangeContainer, CreateContainer, DeleteContainer};
pub(super) use list::PutList;
pub(super) use put::Put;
pub(super) use sent::{Extend, Sent};

use std::sync::Arc;

use super::{
    container::Container,
    pins::Pins,
    place::Id,
    record::{Blob, Kind},
};
use crate::{
    ErrorCode, Result, StorageFault, Timestamp,
    blob::{BlobAccess, BlobAddress, BlobConditions, BlobETag, BlobType},
    embedded::{engine::Read, job::Turn},
};

/// What a write is decided on with.
struct Grounds<'g> {
    /// What is stored, with the writes before it.
    read: &'g dyn Read,
    /// The time that the write gets if it is made.
    time: Timestamp,
    pins: &'g Arc<Pins>,
}

/// A blob's name in a live container, and what is there.
struct Target {
    container: Id,
    found: Option<Blob>,
    /// There is a record that cannot be read.
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

    /// The same for a write that needs to know nothing of what is there: then a record that is damaged hinders nobody
    /// from writing or deleting the blob. What such a record named stays in the file.
    fn target_to_replace(&self, at: &BlobAddress, conditions: &BlobConditions) -> Result<Target> {
        let container = Container::live(self.read, &at.container)?.id;
        match Blob::find(self.read, container, &at.name) {
            Err(StorageFault::Corrupt { .. }) if *conditions == BlobConditions::none() => {
                Ok(Target { container, found: None, damaged: true })
            }
            found => Ok(Target { container, found: found?, damaged: false }),
        }
    }

    /// A blob that must be there, as the conditions say.
    fn present(&self, at: &BlobAddress, conditions: &BlobConditions) -> Result<(Id, Blob)> {
        let Target { container, found, .. } = self.target(at)?;
        let blob = present(found, conditions, BlobAccess::Write)?;
        Ok((container, blob))
    }
}

/// A blob that must be there, as the conditions say.
pub(super) fn present(found: Option<Blob>, conditions: &BlobConditions, access: BlobAccess) -> Result<Blob> {
    let found = found.filter(Blob::is_there);
    check(found.as_ref(), conditions, access)?;
    found.ok_or_else(|| ErrorCode::BlobNotFound.into())
}

/// Holds conditions against a blob; blocks without a blob are none.
fn check(found: Option<&Blob>, conditions: &BlobConditions, access: BlobAccess) -> Result<()> {
    let there = found.filter(|blob| blob.is_there());
    let version = there.map(|blob| (BlobETag::from(blob.modified), blob.modified));
    conditions.check(version.as_ref().map(|(etag, modified)| (etag, *modified)), access)
}

/// A blob keeps its type until it is deleted.
fn check_type(found: Option<&Blob>, blob_type: BlobType) -> Result<()> {
    match found.map(|blob| blob.kind) {
        Some(Kind::Blob(other)) if other != blob_type => Err(ErrorCode::InvalidBlobType.into()),
        _ => Ok(()),
    }
}
