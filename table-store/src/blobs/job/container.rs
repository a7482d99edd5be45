use table_model::{
    ErrorCode, Metadata, Result,
    blob::{BlobAccess, BlobConditions, BlobVersion, ContainerName, ContainerState, LeaseUse},
    settings::StoredPolicies,
};

use super::{
    super::{
        container::Container,
        garbage::{Garbage, What},
        place::{self, Id},
    },
    Grounds,
};
use crate::{
    account::Holder,
    engine::Read,
    free_name::free_name,
    job::{Turn, Work},
    reserved_names::Resource,
    write_batch::Edits,
};

/// Creates a container.
#[derive(Debug)]
pub(in crate::blobs) struct CreateContainer {
    pub(in crate::blobs) name: ContainerName,
    pub(in crate::blobs) metadata: Metadata,
}

impl Work for CreateContainer {
    type Answer = BlobVersion;

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, BlobVersion)> {
        let core = turn.core();
        let grounds = &Grounds::new(read, turn)?;
        let mut edits = Edits::new();
        match Container::find(grounds.read, &self.name)? {
            Some(Container { live: true, .. }) => return Err(ErrorCode::ContainerAlreadyExists.into()),
            _ if core.is_reserved(Resource::Container, self.name.as_str()) => {
                return Err(ErrorCode::ContainerBeingDeleted.into());
            }
            Some(deleted) => move_away(grounds.read, &deleted, &mut edits)?,
            None => {}
        }
        let container = Container {
            id: Id::at(grounds.time),
            live: true,
            state: ContainerState::new(grounds.time, self.metadata.clone()),
        };
        edits.put(place::container(&self.name), container.encode());
        Ok((edits, grounds.time.into()))
    }
}

/// Moves the record of a deleted container to another name, so that its name is available. The sweep finds the record by
/// the garbage.
fn move_away(read: &dyn Read, deleted: &Container, edits: &mut Edits) -> Result<()> {
    let id = deleted.id.number();
    let name = free_name(
        |number| ContainerName::new(format!("deleted-{id}-{number}")),
        |name| Ok(Container::find(read, name)?.is_some()),
    )?;
    edits.put(place::container(&name), deleted.encode());
    edits.discard(&Garbage::new(deleted.id, What::Container(name), deleted.id));
    Ok(())
}

/// Deletes a container. It no longer exists after the commit, and its blobs are removed in steps.
#[derive(Debug)]
pub(in crate::blobs) struct DeleteContainer {
    pub(in crate::blobs) name: ContainerName,
    pub(in crate::blobs) conditions: BlobConditions,
}

impl Work for DeleteContainer {
    type Answer = ();

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, ())> {
        let core = turn.core();
        let grounds = &Grounds::new(read, turn)?;
        let mut container = present(grounds, &self.name, &self.conditions, LeaseUse::DeleteContainer)?;
        core.reserve(Resource::Container, self.name.as_str());
        container.live = false;
        let mut edits = Edits::new();
        edits.put(place::container(&self.name), container.encode());
        edits.remove(Holder::container(container.id.number()).key());
        edits.discard(&Garbage::new(container.id, What::Container(self.name.clone()), container.id));
        Ok((edits, ()))
    }
}

/// Replaces the access policies of a container.
#[derive(Debug)]
pub(crate) struct SetContainerPolicies {
    pub(crate) name: ContainerName,
    pub(crate) policies: StoredPolicies,
    pub(crate) conditions: BlobConditions,
}

impl Work for SetContainerPolicies {
    type Answer = BlobVersion;

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, BlobVersion)> {
        let grounds = &Grounds::new(read, turn)?;
        let mut container = present(grounds, &self.name, &self.conditions, LeaseUse::UseContainer)?;
        container.touch(grounds.time, grounds.now);
        let mut edits = Edits::new();
        Holder::container(container.id.number()).set_policies(&self.policies, &mut edits);
        edits.put(place::container(&self.name), container.encode());
        Ok((edits, grounds.time.into()))
    }
}

/// Replaces the metadata of a container.
#[derive(Debug)]
pub(in crate::blobs) struct ChangeContainer {
    pub(in crate::blobs) name: ContainerName,
    pub(in crate::blobs) metadata: Metadata,
    pub(in crate::blobs) conditions: BlobConditions,
}

impl Work for ChangeContainer {
    type Answer = BlobVersion;

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, BlobVersion)> {
        let grounds = &Grounds::new(read, turn)?;
        let mut container = present(grounds, &self.name, &self.conditions, LeaseUse::UseContainer)?;
        container.metadata = self.metadata.clone();
        container.touch(grounds.time, grounds.now);
        let mut edits = Edits::new();
        edits.put(place::container(&self.name), container.encode());
        Ok((edits, grounds.time.into()))
    }
}

/// Returns an existing container that satisfies the conditions, including the lease.
fn present(
    grounds: &Grounds<'_>,
    name: &ContainerName,
    conditions: &BlobConditions,
    usage: LeaseUse,
) -> Result<Container> {
    let container = Container::live(grounds.read, name)?;
    container.check(conditions, BlobAccess::Write, usage, grounds.now)?;
    Ok(container)
}
