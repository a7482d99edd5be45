use std::fmt;

use table_model::{
    Result, StorageFault,
    settings::{PolicyHolder, StoredPolicies},
};

use crate::{
    blobs,
    catalog::{self, TableState},
    engine::Read,
    keys::TableId,
    queues::{self, Space},
    write_batch::{self, Edits},
};

/// Resource that has policies, identified by a unique id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Holder {
    kind: Kind,
    id: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Table = 1,
    Queue = 2,
    Container = 3,
}

impl Holder {
    pub(crate) fn table(TableId(id): TableId) -> Self {
        Self { kind: Kind::Table, id: id.into() }
    }

    pub(crate) fn queue(space: Space) -> Self {
        Self { kind: Kind::Queue, id: space.number() }
    }

    pub(crate) fn container(id: u64) -> Self {
        Self { kind: Kind::Container, id }
    }

    /// Finds the resource with a name. Returns the error for its kind if it does not exist.
    pub(super) fn find(read: &dyn Read, holder: &PolicyHolder) -> Result<Self> {
        match holder {
            PolicyHolder::Table(name) => {
                let row = catalog::find(read, name)?.filter(|row| row.state == TableState::Live);
                row.map(|row| Self::table(row.id)).ok_or_else(|| holder.not_found().into())
            }
            PolicyHolder::Queue(name) => queues::space(read, name).map(Self::queue),
            PolicyHolder::Container(name) => blobs::container_id(read, name).map(Self::container),
        }
    }

    pub(crate) fn key(self) -> Vec<u8> {
        TableId::SETTINGS.key(&[&[self.kind as u8], &self.id.to_be_bytes()[..]].concat())
    }

    pub(super) fn of_key(key: &[u8]) -> Option<Self> {
        let (kind, id) = key.get(4..)?.split_first()?;
        let kind =
            [Kind::Table, Kind::Queue, Kind::Container].into_iter().find(|known| *known as u8 == *kind)?;
        Some(Self { kind, id: u64::from_be_bytes(id.try_into().ok()?) })
    }

    /// Replaces the policies.
    pub(crate) fn set_policies(self, policies: &StoredPolicies, edits: &mut Edits) {
        if policies.as_slice().is_empty() {
            edits.remove(self.key());
        } else {
            edits.put(self.key(), policies.encode());
        }
    }

    /// Moves the policies of a queue to its new space.
    pub(crate) fn move_to(self, other: Self, read: &dyn Read, edits: &mut Edits) -> Result<(), StorageFault> {
        if let Some(content) = write_batch::find(read, &self.key(), |content| Some(content.to_vec()))? {
            edits.remove(self.key());
            edits.put(other.key(), content);
        }
        Ok(())
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Table => "table",
            Kind::Queue => "queue",
            Kind::Container => "container",
        };
        write!(f, "{kind} #{}", self.id)
    }
}
