//! One encoded write. Every verb encodes its arguments into this form, whether it runs alone, in a transaction or in
//! bulk.

pub(crate) mod abort_record;
mod blind;
pub(crate) mod bulk;
mod change;
mod cross_partition;
mod intent;
pub(crate) mod one_point;
mod pattern;
mod plan;
pub(crate) mod primary;
pub(crate) mod regulate;
mod sending;
mod target;
pub(crate) mod transaction;
mod value_holder;
pub(crate) mod work;
pub(crate) mod write_outcome;

pub(crate) use blind::Blind;
pub(crate) use change::{Change, Recovery, removal};
pub(crate) use cross_partition::{CrossPartition, Following};
pub(crate) use intent::{Intent, Late, depends_on_old};
pub(crate) use pattern::{Patched, Pattern, Patterns, States};
pub(crate) use sending::{Recovered, Sending};
pub use target::DeleteTarget;
pub(crate) use target::Deletion;

use std::any::Any;

use table_model::{Condition, ETag, Entity, Operation, Properties, TableName};

pub(crate) use crate::core::new::New;
use crate::{
    Address, Error,
    core::{rule::Rule, versions::Versions},
    design::Design,
};

/// One write: the operation on the entity, and what each pattern of its design adds. All operations are sent
/// atomically.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) table: TableName,
    /// Operation on the entity.
    pub(crate) operation: Operation,
    /// Design of the entity. `None` for an untyped entity and for the library's internal rows.
    pub(crate) design: Option<&'static Design>,
    /// Changes of the patterns, in the order of their operations.
    pub(crate) changes: Vec<Box<dyn Change>>,
    /// Whether the write creates the entity. `None` if its response does not show it.
    pub(crate) creates: Option<bool>,
}

impl Write {
    /// Creates one operation on an entity without derived rows, or on properties that no derived row contains.
    pub(crate) const fn alone(table: TableName, operation: Operation) -> Self {
        let creates = match &operation {
            Operation::Insert(_) => Some(true),
            Operation::Replace(..) | Operation::Merge(..) => Some(false),
            Operation::InsertOrReplace(_) | Operation::InsertOrMerge(_) | Operation::Delete { .. } => None,
        };
        Self { table, operation, design: None, changes: Vec::new(), creates }
    }

    /// Marks a write to a row that has no entity yet, but values of other entities.
    pub(crate) fn creating(self) -> Self {
        Self { creates: Some(true), ..self }
    }

    /// Sets the design of the entity.
    pub(crate) fn of(self, design: Option<&'static Design>) -> Self {
        Self { design, ..self }
    }

    /// Adds the change of a pattern.
    pub(crate) fn with(mut self, change: impl Change) -> Self {
        self.add(change);
        self
    }

    /// Adds the change of a pattern.
    pub(crate) fn add(&mut self, change: impl Change) {
        self.changes.push(Box::new(change));
    }

    /// Returns the change of a pattern.
    pub(crate) fn change<C: Change>(&self) -> Option<&C> {
        self.changes.iter().find_map(|change| (&**change as &dyn Any).downcast_ref())
    }

    /// Returns the change of a pattern.
    pub(crate) fn change_mut<C: Change>(&mut self) -> Option<&mut C> {
        change_mut(&mut self.changes)
    }

    /// Returns all operations, with the operation on the entity first.
    pub(crate) fn operations(&self) -> impl Iterator<Item = &Operation> {
        let others = self.changes.iter().flat_map(|change| change.operations());
        std::iter::once(&self.operation).chain(others)
    }

    /// Returns the ETags that the operations require.
    pub(crate) fn versions(&self) -> impl Iterator<Item = ETag> {
        self.operations().filter_map(|operation| match operation {
            Operation::Replace(_, Condition::Matches(etag))
            | Operation::Merge(_, Condition::Matches(etag))
            | Operation::Delete { condition: Condition::Matches(etag), .. } => Some(etag.clone()),
            _ => None,
        })
    }

    /// Returns whether the write affects only the entity's row.
    pub(crate) fn is_alone(&self) -> bool {
        self.changes.iter().all(|change| change.is_alone())
    }

    /// Returns whether rows must be read or values uploaded before the write is sent.
    pub(crate) fn is_open(&self) -> bool {
        self.changes.iter().any(|change| change.is_open())
    }

    /// Returns whether the write must not be sent while another write of the partition is in flight.
    pub(crate) fn is_exclusive(&self) -> bool {
        self.changes.iter().any(|change| change.is_exclusive())
    }

    /// Returns the row that concurrent writers change as well.
    pub(crate) fn contended(&self) -> Option<Address> {
        self.changes.iter().find_map(|change| change.contended(&|| self.address()))
    }

    /// Returns the rows that the write changes together with other writes of its transaction.
    pub(crate) fn shared(&self) -> impl Iterator<Item = &Address> {
        self.changes.iter().flat_map(|change| change.shared())
    }

    /// Returns the number of operations without those on shared rows that are not read yet. While lists have not been
    /// read, this is an upper bound.
    pub(crate) fn len(&self) -> usize {
        let count = |change: &dyn Change| change.operations().count() + change.most_operations();
        1 + self.changes.iter().map(|change| count(&**change)).sum::<usize>()
    }

    /// Returns whether the entity can have rows in other partitions.
    pub(crate) fn can_be_far(&self) -> bool {
        self.changes.iter().any(|change| change.kind().is_some())
            || self
                .design
                .is_some_and(|design| Versions::new(design).all().flat_map(Rule::all).any(Rule::is_far))
    }

    /// Returns whether the transaction leaves a commit record.
    pub(crate) fn has_record(&self) -> bool {
        self.changes.iter().any(|change| change.has_record())
    }

    /// Returns the number of bytes of the operations, as counted for a transaction, and of their part of the commit
    /// record. Lists that have not been read count with their maximum size.
    pub(crate) fn size(&self) -> usize {
        self.operations().map(Operation::size).sum::<usize>()
            + self.changes.iter().map(|change| change.bytes()).sum::<usize>()
    }

    /// Returns an upper bound of [`size`](Self::size), without counting characters.
    pub(crate) fn size_at_most(&self) -> usize {
        self.operations().map(Operation::size_at_most).sum::<usize>()
            + self.changes.iter().map(|change| change.bytes()).sum::<usize>()
    }

    /// Returns the number of bytes of its part of the commit record.
    pub(crate) fn record_size(&self) -> usize {
        self.changes.iter().map(|change| change.record_bytes(&|| self.address())).sum()
    }

    /// Returns the address of the entity.
    pub(crate) fn address(&self) -> Address {
        Address {
            table: self.table.clone(),
            partition_key: self.operation.partition_key().to_owned(),
            row_key: self.operation.row_key().to_owned(),
        }
    }
}

/// Returns the change of a pattern.
pub(crate) fn change_mut<C: Change>(changes: &mut [Box<dyn Change>]) -> Option<&mut C> {
    changes.iter_mut().find_map(|change| (&mut **change as &mut dyn Any).downcast_mut())
}

/// Returns whether an operation can be the first in its table. All other operations require an existing entity.
pub(crate) const fn creates(operation: &Operation) -> bool {
    matches!(operation, Operation::Insert(_) | Operation::InsertOrReplace(_) | Operation::InsertOrMerge(_))
}

pub(crate) const fn properties(operation: &Operation) -> Option<&Properties> {
    match operation {
        Operation::Insert(entity)
        | Operation::InsertOrReplace(entity)
        | Operation::InsertOrMerge(entity)
        | Operation::Replace(entity, _)
        | Operation::Merge(entity, _) => Some(&entity.properties),
        Operation::Delete { .. } => None,
    }
}

pub(crate) fn properties_mut(operation: &mut Operation) -> Option<&mut Properties> {
    match operation {
        Operation::Insert(entity)
        | Operation::InsertOrReplace(entity)
        | Operation::InsertOrMerge(entity)
        | Operation::Replace(entity, _)
        | Operation::Merge(entity, _) => Some(&mut entity.properties),
        Operation::Delete { .. } => None,
    }
}

/// Creates an operation that writes properties to an address.
pub(crate) fn at(
    address: Address,
    properties: Properties,
    form: impl FnOnce(Entity) -> Operation,
) -> Operation {
    let Address { partition_key, row_key, .. } = address;
    form(Entity { partition_key, row_key, properties })
}

/// Returns an error if the address of the entity's fields differs from the address that was read.
pub(crate) fn key_changed(from: &Address, to: &Address) -> Result<(), Error> {
    if from == to {
        return Ok(());
    }
    Err(Error::KeyChanged { from: Box::new(from.clone()), to: Box::new(to.clone()) })
}

/// Condition that accepts any version of an existing row.
pub(crate) const ANY: Condition = Condition::Exists;
