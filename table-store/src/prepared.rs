//! Operations in the form required by the writer. They are encoded on the caller's thread to relieve the single writer.

use table_model::{Condition, Entity, Operation, StorageFault, Timestamp};

use crate::{keys::TableId, record};

/// An operation with validated content.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// Complete except for the id of the table.
    key: Vec<u8>,
    pub(crate) action: Action,
}

/// Action for the key.
#[derive(Debug)]
pub(crate) enum Action {
    /// Stores this record after setting its timestamp and checksum.
    Put(Vec<u8>, Expected),
    /// Merges these properties into the stored entity.
    Merge(Entity, Expected),
    /// Removes the stored entity.
    Remove(Condition),
}

/// Required state before the operation.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    /// Any state.
    Anything,
    /// No entity.
    Nothing,
    /// An entity that satisfies the condition.
    Entity(Condition),
}

impl Prepared {
    pub(crate) fn new(operation: &Operation) -> Result<Self, StorageFault> {
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
        // Only the writer determines the id of the table, when it executes the operation.
        let key = TableId::META.entity_key(operation.partition_key(), operation.row_key());
        Ok(Self { key, action: action? })
    }

    /// Sets the table of the entity.
    pub(crate) fn set_table(&mut self, table: TableId) {
        if let Some(id) = self.key.first_chunk_mut() {
            *id = table.prefix();
        }
    }

    pub(crate) fn key(&self) -> &[u8] {
        &self.key
    }

    /// Returns the key and the record with its timestamp and checksum.
    pub(crate) fn sealed(&mut self, time: Timestamp) -> Result<(&[u8], &[u8]), StorageFault> {
        let Action::Put(record, _) = &mut self.action else {
            return Err(StorageFault::Bug { what: "an operation contains no record".to_owned() });
        };
        record::finish(&self.key, time, record);
        Ok((&self.key, record))
    }

    /// Returns the number of bytes that the operation adds to a group.
    pub(crate) fn bytes(&self) -> usize {
        self.key.len()
            + match &self.action {
                Action::Put(record, _) => record.len(),
                Action::Merge(entity, _) => entity.size(),
                Action::Remove(_) => 0,
            }
    }
}
