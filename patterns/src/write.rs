//! One write, encoded: what every verb turns its arguments into, alone, in a transaction or in bulk.

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

use table_store::{Condition, ETag, Entity, Operation, Properties, TableName, Timestamp};

use crate::{
    Address, Error, Receipt,
    design::Design,
    kinds::Rule,
    large::{Blobs, Named},
    outbox::Touch,
    sealing::Secrets,
    wide::{Parts, Versions},
};

/// What a write answers: the new version, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// What was written.
    pub address: Address,
    /// Its new version. Where the answer was lost and the write was found done, and others may have written since: a version
    /// that nothing has any more, so that a write that asks for it is a conflict.
    pub etag: ETag,
    /// When it was written.
    pub timestamp: Timestamp,
    /// The indexes whose rows of this entity were not as they should have been, and now are. Anything but an empty list
    /// says that somebody wrote past the library.
    pub mended: Vec<&'static str>,
    /// The proof for readers of rows in other partitions, where such rows follow: see
    /// [`Query::after`](crate::Query::after).
    pub receipt: Option<Receipt>,
    /// What is known of the rows of a wide entity, if it was written whole.
    pub(crate) versions: Option<Arc<Versions>>,
    /// The blobs that the entity names now, if it names or named any.
    pub(crate) blobs: Option<Arc<[Named]>>,
    /// Whether the entity can have rows in other partitions, also if this write left no record.
    pub(crate) is_far: bool,
}

impl Written {
    /// The names of the blobs that the entity names.
    pub(crate) fn blobs(&self) -> impl Iterator<Item = &str> {
        self.blobs.iter().flat_map(|named| named.iter().map(|(_, reference)| reference.name.as_str()))
    }
}

/// The operations of one write: on the entity itself, then on the rows that its indexes keep of it in its partition, or
/// on the other parts of a wide one. They are sent together or not at all.
#[derive(Clone, Debug)]
pub(crate) struct Write {
    pub(crate) table: TableName,
    pub(crate) operation: Operation,
    pub(crate) copies: Vec<CopyWrite>,
    /// What changes in lists that are rows of their own: operations, once these are read.
    pub(crate) lists: Vec<ListChange>,
    /// What it changes of what the entity adds to sinks in its partition: operations, once their rows are read.
    pub(crate) feeds: Vec<FeedChange>,
    /// Those operations.
    pub(crate) sinks: Vec<Operation>,
    /// What is known of the entity's own row, if others keep values in it.
    pub(crate) own: Option<OwnSink>,
    /// The rows in other partitions that follow.
    pub(crate) far: Far,
    /// What changes in the blobs of the entity.
    pub(crate) blobs: Blobs,
    /// The unique values elsewhere that must be reserved before.
    pub(crate) claims: Vec<Claim>,
    /// The operations on the other parts of a wide entity.
    pub(crate) parts: Parts,
    /// Whether it is on a head that names the stamps of its parts.
    pub(crate) is_wide: bool,
    /// What must be sealed before it is sent.
    pub(crate) secrets: Secrets,
    /// The entity's design; none of a bag, or of the library's own rows.
    pub(crate) design: Option<&'static Design>,
}

impl Write {
    /// One operation on an entity without derived rows, or on properties that none of them holds.
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

    /// The same, of an entity of this design.
    pub(crate) fn of(self, design: Option<&'static Design>) -> Self {
        Self { design, ..self }
    }

    /// The same, of which these properties must be sealed before it is sent.
    pub(crate) fn sealing(self, secrets: Secrets) -> Self {
        Self { secrets, ..self }
    }

    /// The operations on the head of a wide entity and on its other parts.
    pub(crate) fn wide(head: &Address, operation: Operation, parts: Parts) -> Self {
        Self { parts, is_wide: true, ..Self::alone(head.table.clone(), operation) }
    }

    /// Writes a new entity.
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

    /// Writes a new state over the one that was read.
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

    /// Takes away what was read.
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

    /// The writes that move an entity within its partition: the old key's row goes, the new one comes, and the rows of
    /// the indexes change once.
    pub(crate) fn moved(old: &Old, new: New) -> Vec<Self> {
        let Self { table, far: left, feeds: leaves, own, blobs: released, operation: delete, .. } =
            Self::delete(old);
        let gone = Self { feeds: leaves, own, far: left, blobs: released, ..Self::alone(table, delete) };
        let gone = gone.of(old.design);
        // Blobs are named after the key of their entity, so those of the old key are copied.
        let Self { operation, far, feeds, own, blobs, secrets, design, .. } = Self::insert(new.clone());
        let Self { table, copies, lists, claims, .. } = Self::over(old, new);
        let come = Self::alone(table, operation).sealing(secrets).of(design);
        vec![gone, Self { copies, lists, feeds, own, far, blobs, claims, ..come }]
    }

    /// All its operations, the entity's own first.
    pub(crate) fn operations(&self) -> impl Iterator<Item = &Operation> {
        let copies = self.copies.iter().map(|copy| &copy.operation);
        let parts = self.parts.iter().map(|(_, part)| part);
        std::iter::once(&self.operation).chain(copies).chain(parts).chain(&self.sinks)
    }

    /// The versions that it asks for.
    pub(crate) fn versions(&self) -> impl Iterator<Item = ETag> {
        self.operations().filter_map(|operation| match operation {
            Operation::Replace(_, Condition::Matches(etag))
            | Operation::Merge(_, Condition::Matches(etag))
            | Operation::Delete { condition: Condition::Matches(etag), .. } => Some(etag.clone()),
            _ => None,
        })
    }

    /// Whether it is on nothing but the entity.
    pub(crate) fn is_alone(&self) -> bool {
        self.copies.is_empty()
            && self.lists.is_empty()
            && !self.is_wide
            && self.far.touches.is_empty()
            && !self.reads_sinks()
            && self.blobs.is_empty()
    }

    /// Whether rows of sinks are read before it is sent, or may be.
    pub(crate) fn reads_sinks(&self) -> bool {
        !self.feeds.is_empty() || self.own.as_ref().is_some_and(OwnSink::is_open)
    }

    /// The sinks in its partition that it changes.
    pub(crate) fn fed(&self) -> impl Iterator<Item = &Address> {
        self.feeds.iter().map(|change| &change.sink)
    }

    /// How many operations it has; the most that there can be while lists are not read, without those on sinks.
    pub(crate) fn len(&self) -> usize {
        let lists = self.lists.iter().map(ListChange::most_operations);
        1 + self.copies.len() + self.parts.len() + self.sinks.len() + lists.sum::<usize>()
    }

    /// Whether its entity can have rows in other partitions.
    pub(crate) fn can_be_far(&self) -> bool {
        self.far.kind.is_some()
            || self.design.is_some_and(|design| Rule::all(design).any(|rule| rule.is_far(design)))
    }

    /// Whether its transaction leaves a commit record.
    pub(crate) const fn has_record(&self) -> bool {
        !self.far.touches.is_empty() || self.blobs.has_uploads()
    }

    /// Their bytes, as a transaction counts them, and those of what the commit record says of them; with lists that are
    /// not read yet as long as they can be.
    pub(crate) fn size(&self) -> usize {
        self.operations().map(Operation::size).sum::<usize>()
            + self.lists.len() * list::MOST_BYTES
            + self.far.touches.iter().map(Touch::size).sum::<usize>()
    }

    /// What it wrote to.
    pub(crate) fn into_address(self) -> Address {
        let (partition_key, row_key) = self.operation.into_keys();
        Address { table: self.table, partition_key, row_key }
    }

    /// What it writes to.
    pub(crate) fn address(&self) -> Address {
        Address {
            table: self.table.clone(),
            partition_key: self.operation.partition_key().to_owned(),
            row_key: self.operation.row_key().to_owned(),
        }
    }
}

/// Whether an operation can be the first of its table: all others ask for an entity that is there.
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
        _ => None,
    }
}

/// An operation that brings properties to an address.
pub(crate) fn at(
    address: Address,
    properties: Properties,
    form: impl FnOnce(Entity) -> Operation,
) -> Operation {
    let Address { partition_key, row_key, .. } = address;
    form(Entity { partition_key, row_key, properties })
}

/// Why an entity cannot go where its fields say, if it cannot.
pub(crate) fn key_changed(from: &Address, to: &Address) -> Result<(), Error> {
    if from == to {
        return Ok(());
    }
    Err(Error::KeyChanged { from: Box::new(from.clone()), to: Box::new(to.clone()) })
}

/// Replaces whatever version is there.
pub(crate) const ANY: Condition = Condition::Exists;
