use table_model::{
    ErrorCode, Result,
    blob::{BlobAccess, BlobAddress, BlobConditions, BlobState, ContainerName, LeaseAction, Leased},
};

use super::{
    super::{container::Container, place, record::Blob},
    Grounds,
};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Operates on the lease of a blob. The version of the blob does not change.
#[derive(Debug)]
pub(in crate::blobs) struct LeaseBlob {
    pub(in crate::blobs) at: BlobAddress,
    pub(in crate::blobs) action: LeaseAction,
    pub(in crate::blobs) conditions: BlobConditions,
}

impl Work for LeaseBlob {
    type Answer = Leased;

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, Leased)> {
        self.at.check_writable()?;
        let grounds = &Grounds::new(read, turn)?;
        let container = Container::live(read, &self.at.container)?.id;
        let found = Blob::find(read, container, &self.at.name)?.filter(|blob| blob.exists());
        BlobState::check_version(found.as_deref(), &self.conditions, BlobAccess::Write)?;
        let mut blob = found.ok_or(ErrorCode::BlobNotFound)?;
        let version = blob.modified.into();
        let answer = self.action.replace(&mut blob.lease, version, grounds.now)?;
        let mut edits = Edits::new();
        edits.put(place::blob(container, &self.at.name), blob.encode());
        Ok((edits, answer))
    }
}

/// Operates on the lease of a container. The version of the container does not change.
#[derive(Debug)]
pub(in crate::blobs) struct LeaseContainer {
    pub(in crate::blobs) name: ContainerName,
    pub(in crate::blobs) action: LeaseAction,
    pub(in crate::blobs) conditions: BlobConditions,
}

impl Work for LeaseContainer {
    type Answer = Leased;

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, Leased)> {
        let grounds = &Grounds::new(read, turn)?;
        let mut container = Container::live(read, &self.name)?;
        container.check_version(&self.conditions, BlobAccess::Write)?;
        let version = container.modified.into();
        let answer = self.action.replace(&mut container.lease, version, grounds.now)?;
        let mut edits = Edits::new();
        edits.put(place::container(&self.name), container.encode());
        Ok((edits, answer))
    }
}
