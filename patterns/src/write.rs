//! One encoded write. Every verb encodes its arguments into this form, whether it runs alone, in a transaction or in
//! bulk.

mod blind;
mod claim;
mod copy;
mod far;
pub(crate) mod feeds;
mod intent;
mod list;
pub(crate) mod lists;
mod own;
mod sending;
mod state;
mod target;

pub(crate) use blind::Blind;
pub(crate) use blind::ReadOld;
pub(crate) use claim::Claim;
pub(crate) use copy::{CopyWrite, Cure};
pub(crate) use far::Far;
pub(crate) use feeds::FeedChange;
pub(crate) use intent::Intent;
pub(crate) use list::{ListChange, Membership};
pub(crate) use own::OwnSink;
pub(crate) use sending::{Cured, Sending, written};
pub(crate) use state::{New, Old};
pub use target::DeleteTarget;
pub(crate) use target::Deletion;

use std::sync::Arc;

use table_model::{Condition, ETag, Entity, Operation, Properties, TableName, Timestamp};

use crate::{
    Address, Error, Receipt,
    design::Design,
    kinds::Rule,
    large::{Blobs, Named},
    outbox::Touch,
    sealing::Secrets,
    wide::{Parts, Versions},
};

/// Result of a write: the address and the new ETag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Address of the entity.
    pub address: Address,
    /// New ETag. If the response was lost, the write was found to be done, and other clients may have written since,
    /// this is an ETag that no row has, so that a conditional write with it is a conflict.
    pub etag: ETag,
    /// Time of the write.
    pub timestamp: Timestamp,
    /// Indexes whose rows for this entity were inconsistent and have been repaired by this write. Empty unless a client
    /// bypassed the library.
    pub mended: Vec<&'static str>,
    /// Proof of this commit for readers of rows in other partitions, if the write affects such rows. See
    /// [`Query::after`](crate::Query::after).
    pub receipt: Option<Receipt>,
    /// Versions of the rows of a wide entity, if all of it was written.
    pub(crate) versions: Option<Arc<Versions>>,
    /// Blobs that the entity references now, if it references or referenced any.
    pub(crate) blobs: Option<Arc<[Named]>>,
    /// `true` if the entity can have rows in other partitions, even if this write left no commit record.
    pub(crate) is_far: bool,
}

impl Written {
    /// Returns the names of the blobs that the entity references.
    pub(crate) fn blobs(&self) -> impl Iterator<Item = &str> {
        self.blobs.iter().flat_map(|named| named.iter().map(|(_, reference)| reference.name.as_str()))
    }
}

/// The operations of one write: on the entity itself, then on its index rows in the same partition, or on the other
/// parts of a wide entity. They are sent atomically.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) table: TableName,
    pub(crate) operation: Operation,
    pub(crate) copies: Vec<CopyWrite>,
    /// Changes of lists that are stored in separate rows. They become operations when these rows have been read.
    pub(crate) lists: Vec<ListChange>,
    /// Changes of the entity's contributions to aggregates in its partition. They become operations when the target
    /// rows have been read.
    pub(crate) feeds: Vec<FeedChange>,
    /// Operations on the target rows.
    pub(crate) sinks: Vec<Operation>,
    /// State of the entity's own row, if other entities keep values in it.
    pub(crate) own: Option<OwnSink>,
    /// Affected rows in other partitions.
    pub(crate) far: Far,
    /// Changes of the entity's blobs.
    pub(crate) blobs: Blobs,
    /// Unique values in other partitions that must be reserved before the write.
    pub(crate) claims: Vec<Claim>,
    /// Operations on the other parts of a wide entity.
    pub(crate) parts: Parts,
    /// `true` if the operation is on a head that contains the stamps of its parts.
    pub(crate) is_wide: bool,
    /// Properties that must be encrypted before they are sent.
    pub(crate) secrets: Secrets,
    /// Design of the entity. `None` for an untyped entity and for the library's internal rows.
    pub(crate) design: Option<&'static Design>,
}

impl Write {
    /// Creates one operation on an entity without derived rows, or on properties that no derived row contains.
    pub(crate) const fn alone(table: TableName, operation: Operation) -> Self {
        Self {
            table,
            operation,
            copies: Vec::new(),
            lists: Vec::new(),
            feeds: Vec::new(),
            sinks: Vec::new(),
            own: None,
            far: Far::NONE,
            blobs: Blobs::NONE,
            claims: Vec::new(),
            parts: Vec::new(),
            is_wide: false,
            secrets: Secrets::None,
            design: None,
        }
    }

    /// Sets the design of the entity.
    pub(crate) fn of(self, design: Option<&'static Design>) -> Self {
        Self { design, ..self }
    }

    /// Sets the properties that must be encrypted before they are sent.
    pub(crate) fn sealing(self, secrets: Secrets) -> Self {
        Self { secrets, ..self }
    }

    /// Creates the operations on the head of a wide entity and on its other parts.
    pub(crate) fn wide(head: &Address, operation: Operation, parts: Parts) -> Self {
        Self { parts, is_wide: true, ..Self::alone(head.table.clone(), operation) }
    }

    /// Creates the write that inserts a new entity.
    pub(crate) fn insert(mut new: New) -> Self {
        let lists = ListChange::between(&[], std::mem::take(&mut new.lists));
        let (far, secrets, design) = (Far::of(None, Some(&new)), new.secrets, new.design);
        let (feeds, own) = (FeedChange::between(None, Some(&new)), OwnSink::of_new(&new));
        let blobs = Blobs::insert(&mut new);
        let claims = Claim::between(None, &new);
        let (table, entity, derived) = new.into_parts();
        let near = derived.into_iter().filter(|(index, _)| index.near);
        let copies = near.map(|(index, row)| CopyWrite::insert(index, row)).collect();
        let insert = Self::alone(table, Operation::Insert(entity));
        Self { copies, lists, feeds, own, far, blobs, claims, secrets, design, ..insert }
    }

    /// Creates the write that replaces the state that was read with a new one.
    pub(crate) fn over(old: &Old, mut new: New) -> Self {
        let lists = ListChange::between(&old.lists, std::mem::take(&mut new.lists));
        let (mut far, secrets, design) = (Far::of(Some(old), Some(&new)), new.secrets, new.design);
        let (feeds, own) = (FeedChange::between(Some(old), Some(&new)), OwnSink::of(old));
        let blobs = Blobs::over(old, &mut new, &mut far.touches);
        let claims = Claim::between(Some(old), &new);
        let (table, entity, derived) = new.into_parts();
        let copies = CopyWrite::over(old, derived);
        let operation = Operation::Replace(entity, old.condition_of_entity());
        let replace = Self::alone(table, operation);
        Self { copies, lists, feeds, own, far, blobs, claims, secrets, design, ..replace }.keeping()
    }

    /// Creates the write that deletes the entity that was read.
    pub(crate) fn delete(old: &Old) -> Self {
        let Address { table, partition_key, row_key } = old.address.clone();
        let condition = old.condition_of_entity();
        let (copies, mut far) = (CopyWrite::over(old, Vec::new()), Far::of(Some(old), None));
        let blobs = Blobs::delete(old, &mut far.touches);
        let lists = ListChange::between(&old.lists, Vec::new());
        let delete = Operation::Delete { partition_key, row_key, condition };
        let feeds = FeedChange::between(Some(old), None);
        let own = OwnSink::of(old).map(|own| OwnSink { goes: true, ..own });
        let delete = Self::alone(table, delete).of(old.design);
        Self { copies, lists, feeds, own, far, blobs, ..delete }.keeping()
    }

    /// Creates the writes that move an entity within its partition: the row with the old key is deleted, the row with
    /// the new key is inserted, and the index rows change once.
    pub(crate) fn moved(old: &Old, new: New) -> Vec<Self> {
        let Self { table, far: left, feeds: leaves, own, blobs: released, operation: delete, .. } =
            Self::delete(old);
        let gone = Self { feeds: leaves, own, far: left, blobs: released, ..Self::alone(table, delete) };
        let gone = gone.of(old.design);
        // Blob names contain the key of their entity, so the blobs of the old key are copied.
        let Self { operation, far, feeds, own, blobs, secrets, design, .. } = Self::insert(new.clone());
        let Self { table, copies, lists, claims, .. } = Self::over(old, new);
        let come = Self::alone(table, operation).sealing(secrets).of(design);
        vec![gone, Self { copies, lists, feeds, own, far, blobs, claims, ..come }]
    }

    /// Returns all operations, with the operation on the entity first.
    pub(crate) fn operations(&self) -> impl Iterator<Item = &Operation> {
        let copies = self.copies.iter().map(|copy| &copy.operation);
        let parts = self.parts.iter().map(|(_, part)| part);
        std::iter::once(&self.operation).chain(copies).chain(parts).chain(&self.sinks)
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
        self.copies.is_empty()
            && self.lists.is_empty()
            && !self.is_wide
            && self.far.touches.is_empty()
            && !self.reads_sinks()
            && self.blobs.is_empty()
    }

    /// Returns whether target rows are read before the write is sent, or may be.
    pub(crate) fn reads_sinks(&self) -> bool {
        !self.feeds.is_empty() || self.own.as_ref().is_some_and(OwnSink::is_open)
    }

    /// Returns the targets in the same partition that the write changes.
    pub(crate) fn fed(&self) -> impl Iterator<Item = &Address> {
        self.feeds.iter().map(|change| &change.sink)
    }

    /// Returns the number of operations without those on targets. While lists have not been read, this is an upper
    /// bound.
    pub(crate) fn len(&self) -> usize {
        let lists = self.lists.iter().map(ListChange::most_operations);
        1 + self.copies.len() + self.parts.len() + self.sinks.len() + lists.sum::<usize>()
    }

    /// Returns whether the entity can have rows in other partitions.
    pub(crate) fn can_be_far(&self) -> bool {
        self.far.kind.is_some()
            || self.design.is_some_and(|design| Rule::all(design).any(|rule| rule.is_far(design)))
    }

    /// Returns whether the transaction leaves a commit record.
    pub(crate) const fn has_record(&self) -> bool {
        !self.far.touches.is_empty() || self.blobs.has_uploads()
    }

    /// Returns the number of bytes of the operations, as counted for a transaction, and of their part of the commit
    /// record. Lists that have not been read count with their maximum size.
    pub(crate) fn size(&self) -> usize {
        self.operations().map(Operation::size).sum::<usize>()
            + self.lists.len() * list::MOST_BYTES
            + self.far.touches.iter().map(Touch::size).sum::<usize>()
    }

    /// Returns the address of the entity.
    pub(crate) fn into_address(self) -> Address {
        let (partition_key, row_key) = self.operation.into_keys();
        Address { table: self.table, partition_key, row_key }
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

/// Returns whether an operation can be the first in its table. All other operations require an existing entity.
pub(crate) const fn creates(operation: &Operation) -> bool {
    matches!(operation, Operation::Insert(_) | Operation::InsertOrReplace(_) | Operation::InsertOrMerge(_))
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
