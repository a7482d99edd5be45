use std::ops::{Deref, DerefMut};

use table_model::{
    ErrorCode, Result, StorageFault,
    blob::{
        ContainerName, ContainerState,
        codec::{push_lease, read_lease},
    },
    fields::{Fields, push_metadata},
};

use super::place::{self, Id};
use crate::{checksum, engine::Read};

/// Record of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Container {
    pub(super) id: Id,
    /// The container exists. `false` if it is deleted and its blobs are still being removed.
    pub(super) live: bool,
    pub(super) state: ContainerState,
}

impl Deref for Container {
    type Target = ContainerState;

    fn deref(&self) -> &ContainerState {
        &self.state
    }
}

impl DerefMut for Container {
    fn deref_mut(&mut self) -> &mut ContainerState {
        &mut self.state
    }
}

/// States of a container in its record. An earlier version that knows no leases rejects the third one.
const LIVE: u8 = 1;
const DELETED: u8 = 2;
const LIVE_WITH_LEASE: u8 = 3;

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

    pub(super) fn encode(&self) -> Vec<u8> {
        // The lease of a deleted container has no further effect.
        let lease = self.lease.as_ref().filter(|_| self.live);
        let mut body = vec![match (self.live, lease) {
            (false, _) => DELETED,
            (true, None) => LIVE,
            (true, Some(_)) => LIVE_WITH_LEASE,
        }];
        body.extend_from_slice(&self.id.0.to_le_bytes());
        body.extend_from_slice(&self.modified.ticks().to_le_bytes());
        push_metadata(&mut body, &self.metadata);
        if let Some(lease) = lease {
            push_lease(&mut body, lease);
        }
        body
    }

    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(body);
        let (live, is_leased) = match fields.byte()? {
            LIVE => (true, false),
            DELETED => (false, false),
            LIVE_WITH_LEASE => (true, true),
            _ => return None,
        };
        let (id, modified) = (Id(fields.long()?), fields.time()?);
        let metadata = fields.metadata()?;
        let lease = if is_leased { Some(read_lease(&mut fields)?) } else { None };
        fields.end()?;
        Some(Self { id, live, state: ContainerState { modified, metadata, lease } })
    }
}
