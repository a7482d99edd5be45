use table_model::{
    ErrorCode, Metadata, Result, StorageFault, Timestamp,
    blob::{ContainerName, ContainerProperties},
};

use super::{
    codec::{Fields, push_metadata},
    place::{self, Id},
};
use crate::{checksum, engine::Read};

/// Record of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Container {
    pub(super) id: Id,
    /// The container exists. `false` if it is deleted and its blobs are still being removed.
    pub(super) live: bool,
    pub(super) modified: Timestamp,
    pub(super) metadata: Metadata,
}

impl Container {
    /// Reads the record of a name, including deleted containers.
    pub(super) fn find(read: &dyn Read, name: &ContainerName) -> Result<Option<Self>, StorageFault> {
        let key = place::container(name);
        let Some(body) = checksum::get(read, &key)? else { return Ok(None) };
        Self::decode(&body).map(Some).ok_or_else(|| checksum::damaged(&key, "its layout is invalid"))
    }

    /// Reads the record of an existing container. Returns `ContainerNotFound` if it does not exist or is being swept.
    pub(super) fn live(read: &dyn Read, name: &ContainerName) -> Result<Self> {
        let found = Self::find(read, name)?.filter(|container| container.live);
        found.ok_or_else(|| ErrorCode::ContainerNotFound.into())
    }

    pub(super) fn properties(self, name: ContainerName) -> ContainerProperties {
        ContainerProperties::new(name, self.modified.into(), self.metadata)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        let mut body = vec![if self.live { 1 } else { 2 }];
        body.extend_from_slice(&self.id.0.to_le_bytes());
        body.extend_from_slice(&self.modified.ticks().to_le_bytes());
        push_metadata(&mut body, &self.metadata);
        body
    }

    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(body);
        let live = match fields.byte()? {
            1 => true,
            2 => false,
            _ => return None,
        };
        let (id, modified) = (Id(fields.long()?), fields.time()?);
        let metadata = fields.metadata()?;
        fields.end()?;
        Some(Self { id, live, modified, metadata })
    }
}
