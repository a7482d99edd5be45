//! Part of a write that one pattern adds.

use std::{any::Any, fmt, sync::Arc};

use table_model::{Condition, ErrorCode, Operation, Properties, Written as Answer};

use crate::{
    Address,
    core::{
        entity_types::EntityInfo, index_state::Duty, outbox::AffectedRow, stamps::Stamp, written::WriteResult,
    },
    design::Index,
    handle::registry::known::States,
};

/// The part of a write that one pattern adds, and its behavior while the write is sent. A method that a pattern does
/// not implement has no effect.
pub(crate) trait Change: Any + fmt::Debug + Send + Sync {
    /// Returns a copy.
    fn boxed(&self) -> Box<dyn Change>;

    /// Returns whether the operation on the entity can be sent without this part.
    fn is_alone(&self) -> bool {
        true
    }

    /// Returns whether rows must be read or values uploaded before the write is sent.
    fn is_open(&self) -> bool {
        false
    }

    /// Returns whether the write must not be sent while another write of the partition is in flight.
    fn is_exclusive(&self) -> bool {
        self.is_open()
    }

    /// Returns the row that concurrent writers change as well, for the error after too many attempts. `entity` is the
    /// address of the entity.
    fn contended(&self, _entity: &dyn Fn() -> Address) -> Option<Address> {
        None
    }

    /// Returns rows that this write changes together with other writes of its transaction, with one operation on each.
    fn shared(&self) -> Vec<&Address> {
        Vec::new()
    }

    /// Returns the operations on other rows of the partition.
    fn operations(&self) -> Box<dyn Iterator<Item = &Operation> + '_> {
        Box::new(std::iter::empty())
    }

    /// Returns the operations on rows that contain properties of the entity.
    fn copies(&mut self) -> Vec<&mut Operation> {
        Vec::new()
    }

    /// Returns the maximum number of operations that are added when rows are read.
    fn most_operations(&self) -> usize {
        0
    }

    /// Returns the number of bytes in a transaction, in addition to the operations.
    fn bytes(&self) -> usize {
        0
    }

    /// Returns the rows in other partitions, and the blobs, that the commit record names.
    fn touches(&self) -> &[AffectedRow] {
        &[]
    }

    /// Returns the number of bytes in the commit record. `entity` is the address of the entity.
    fn record_bytes(&self, _entity: &dyn Fn() -> Address) -> usize {
        self.touches().iter().map(AffectedRow::size).sum()
    }

    /// Returns whether the transaction must leave a commit record.
    fn has_record(&self) -> bool {
        !self.touches().is_empty()
    }

    /// Returns the entity type, so that the commit record can be applied.
    fn kind(&self) -> Option<EntityInfo> {
        None
    }

    /// Returns the registry states under which the write was planned, if it depends on more than the states of indexes.
    fn relies_on(&self) -> Option<&Arc<States>> {
        None
    }

    /// Removes or changes operations on indexes that are being added or removed.
    fn regulate(&mut self, _duty: &dyn Fn(&str) -> Duty) {}

    /// Marks operations on rows that may or may not exist, because their index is being added or removed.
    fn mark(&mut self, _is_settled: &dyn Fn(&str) -> bool) {}

    /// Moves the operations out. Later methods identify an operation by its number.
    fn take_operations(&mut self) -> Vec<Operation> {
        Vec::new()
    }

    /// Returns the stamp property filler, if the rows of the write are stamped together.
    fn stamps(&self) -> Option<fn(&mut Properties, Stamp)> {
        None
    }

    /// Returns the number of an operation whose row proves the outcome of the attempt: an insert with the token of the
    /// attempt, at a key that no other attempt can use after this one.
    fn proof(&self) -> Option<usize> {
        None
    }

    /// Returns the index of an operation.
    fn index(&self, _number: usize) -> Option<&'static Index> {
        None
    }

    /// Determines the recovery for a rejected operation, and changes the operation if required.
    fn recover(&mut self, _number: usize, _operation: &mut Operation, _code: ErrorCode) -> Recovery {
        Recovery::None
    }

    /// Returns whether the rejection of the operation on the entity means that rows must be read again.
    fn is_outdated(&self, _code: ErrorCode) -> bool {
        false
    }

    /// Completes the result with the response to the operation on the entity.
    fn complete(&mut self, _operation: &Operation, _written: &mut Option<WriteResult>) {}

    /// Completes the result with the response to another operation.
    fn complete_row(&mut self, _number: usize, _answer: &Answer, _written: &mut Option<WriteResult>) {}
}

impl Clone for Box<dyn Change> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// Recovery for a rejected operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recovery {
    /// The operation was changed: send all operations again.
    Changed,
    /// The operation is not required: send the others again.
    Needless,
    /// A concurrent write changed a row that was read: read it again.
    Stale,
    /// Another entity has the key.
    Taken,
    /// A concurrent writer changed the entity.
    Overtaken,
    /// The rejection is final.
    None,
}

/// Converts an operation to a delete of its row in any version.
pub(crate) fn removal(operation: &Operation) -> Operation {
    let (partition_key, row_key) = (operation.partition_key().to_owned(), operation.row_key().to_owned());
    Operation::Delete { partition_key, row_key, condition: Condition::Exists }
}
