//! Operations as the writer takes them: encoded on the caller's thread, so that the one writer has little left to do.

use super::{keys::TableId, record};
use crate::{Condition, Entity, Operation, StorageFault, Timestamp};

/// One operation whose content has been checked.
#[derive(Debug)]
pub(super) struct Prepared {
    /// Whole but for the table's id.
    key: Vec<u8>,
    pub(super) action: Action,
}

/// What is to be done under the key.
#[derive(Debug)]
pub(super) enum Action {
    /// Store this record, whose time and checksum are still to be set.
    Put(Vec<u8>, Expected),
    /// Set these properties of what is stored.
    Merge(Entity, Expected),
    /// Remove what is stored.
    Remove(Condition),
}

/// What must be stored before.
#[derive(Clone, Debug)]
pub(super) enum Expected {
    /// Whatever there is.
    Anything,
    /// Nothing.
    Nothing,
    /// The entity, as the condition says.
    Entity(Condition),
}

impl Prepared {
    pub(super) fn new(operation: &Operation) -> Result<Self, StorageFault> {
        let put = |entity: &Entity, expected| Ok(Action::Put(record::draft(&entity.properties)?, expected));
        let action: Result<_, StorageFault> = match operation {
            Operation::Insert(entity) => put(entity, Expected::Nothing),
            Operation::InsertOrReplace(entity) => put(entity, Expected::Anything),
            Operation::Replace(entity, condition) => put(entity, Expected::Entity(condition.clone())),
            Operation::InsertOrMerge(entity) => Ok(Action::Merge(entity.clone(), Expected::Anything)),
            Operation::Merge(entity, condition) => {
                Ok(Action::Merge(entity.clone(), Expected::Entity(condition.clone())))
            }
            Operation::Delete { condition, .. } => Ok(Action::Remove(condition.clone())),
        };
        // The table's id is known only to the writer, at its turn.
        let key = TableId::META.entity_key(operation.partition_key(), operation.row_key());
        Ok(Self { key, action: action? })
    }

    /// Says in which table the entity is.
    pub(super) fn set_table(&mut self, table: TableId) {
        if let Some(id) = self.key.first_chunk_mut() {
            *id = table.prefix();
        }
    }

    pub(super) fn key(&self) -> &[u8] {
        &self.key
    }

    /// The key, and the record that it brings, sealed.
    pub(super) fn sealed(&mut self, time: Timestamp) -> Result<(&[u8], &[u8]), StorageFault> {
        let Action::Put(record, _) = &mut self.action else {
            return Err(StorageFault::Bug { what: "an operation brings no record".to_owned() });
        };
        record::finish(&self.key, time, record);
        Ok((&self.key, record))
    }

    /// Bytes that it adds to a group.
    pub(super) fn bytes(&self) -> usize {
        self.key.len()
            + match &self.action {
                Action::Put(record, _) => record.len(),
                Action::Merge(entity, _) => entity.size(),
                Action::Remove(_) => 0,
            }
    }
}
