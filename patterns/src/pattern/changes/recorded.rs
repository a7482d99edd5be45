//! The record of a change, while its write is sent.

use std::sync::Arc;

use table_model::{ErrorCode, Operation, Properties, Written as Answer};

use super::{ChangeKind, name::FeedName};
use crate::{
    Address,
    core::{
        reserved::{ENTITY_TYPE, NO_TOKEN, TRANSACTION},
        written::WriteResult,
    },
    handle::heads::{Head, Heads},
    write::{Change, Recovery, Write, properties_mut},
};

/// Size in a transaction that is reserved for a row of the feed before the row is known. As many rows as fit into a
/// transaction with their entities and the head are below the limit of the transaction.
const ROOM: usize = 60 << 10;

/// The record of one change.
#[derive(Clone, Debug)]
pub(super) struct Recorded {
    pub(super) feed: FeedName,
    pub(super) kind: ChangeKind,
    /// Address of the head.
    pub(super) head: Address,
    /// The operations: the record, the previous state, and the head at the last record of a transaction. `None` until
    /// the head has been read.
    rows: Option<Vec<Operation>>,
    /// The head after this change, and the number of its operation.
    next: Option<(Arc<Heads>, u64, usize)>,
    /// The previous state in the newest version, if the write replaces an older version by it.
    pub(super) previous: Option<Properties>,
    /// `true` if the version of the entity in the condition of the write was read for the record.
    is_bound: bool,
}

impl Recorded {
    /// Adds the record of a change to a write of an entity with a feed.
    pub(super) fn add_to(write: &mut Write, kind: ChangeKind) {
        let design = write.design.filter(|design| design.changes.is_some());
        let Some(feed) = design.map(FeedName::of) else { return };
        let head = Address { row_key: feed.head(), ..write.address() };
        if let Some(properties) = properties_mut(&mut write.operation) {
            mark(properties);
        }
        write.add(Self { feed, kind, head, rows: None, next: None, previous: None, is_bound: false });
    }

    /// Returns whether the operations must be determined.
    pub(super) const fn is_planned(&self) -> bool {
        self.rows.is_none()
    }

    /// Sets the operations. `is_bound` is `true` if the write requires the version of the entity that was read for the
    /// record.
    pub(super) fn put(&mut self, rows: Vec<Operation>, is_bound: bool) {
        (self.rows, self.is_bound) = (Some(rows), is_bound);
    }

    /// Adds the operation on the head, whose result is kept in `heads`.
    pub(super) fn close(&mut self, heads: Arc<Heads>, sequence: u64, operation: Operation) {
        let rows = self.rows.get_or_insert_default();
        self.next = Some((heads, sequence, rows.len()));
        rows.push(operation);
    }

    /// Returns whether the record contains the previous state.
    pub(super) fn has_old(&self) -> bool {
        self.kind != ChangeKind::Insert && self.feed.design.changes.is_some_and(|changes| changes.old)
    }

    /// Returns the number of rows of the record.
    fn count(&self) -> usize {
        1 + usize::from(self.has_old())
    }
}

impl Change for Recorded {
    fn boxed(&self) -> Box<dyn Change> {
        Box::new(self.clone())
    }

    fn is_alone(&self) -> bool {
        false
    }

    fn is_open(&self) -> bool {
        self.is_planned()
    }

    fn contended(&self, _entity: &dyn Fn() -> Address) -> Option<Address> {
        Some(self.head.clone())
    }

    fn shared(&self) -> Vec<&Address> {
        if self.is_planned() { vec![&self.head] } else { Vec::new() }
    }

    fn operations(&self) -> Box<dyn Iterator<Item = &Operation> + '_> {
        Box::new(self.rows.iter().flatten())
    }

    fn most_operations(&self) -> usize {
        if self.is_planned() { self.count() } else { 0 }
    }

    fn bytes(&self) -> usize {
        if self.is_planned() { self.count() * ROOM } else { 0 }
    }

    fn take_operations(&mut self) -> Vec<Operation> {
        self.rows.replace(Vec::new()).unwrap_or_default()
    }

    fn recover(&mut self, _number: usize, _operation: &mut Operation, code: ErrorCode) -> Recovery {
        if is_outdated(code) { Recovery::Stale } else { Recovery::None }
    }

    fn is_outdated(&self, code: ErrorCode) -> bool {
        self.is_bound && is_outdated(code)
    }

    fn proof(&self) -> Option<usize> {
        Some(0)
    }

    fn complete_row(&mut self, number: usize, answer: &Answer, _written: &mut Option<WriteResult>) {
        if let (Some((heads, sequence, at)), Answer::Version { etag, .. }) = (&self.next, answer)
            && *at == number
        {
            heads.put(self.head.clone(), Head { sequence: *sequence, etag: etag.clone() });
        }
    }
}

/// Adds the token property, by which untyped writers recognize that a write of the entity involves other rows.
fn mark(properties: &mut Properties) {
    if properties.get(TRANSACTION).is_some() {
        return;
    }
    // `EntityType` is always the last property.
    let last = properties.remove(ENTITY_TYPE);
    properties.push_new(TRANSACTION, NO_TOKEN);
    if let Some(entity_type) = last {
        properties.push_new(ENTITY_TYPE, entity_type);
    }
}

/// Returns whether a rejection means that another writer has appended a record, or has changed the entity.
const fn is_outdated(code: ErrorCode) -> bool {
    use ErrorCode::{EntityAlreadyExists, ResourceNotFound, UpdateConditionNotSatisfied};

    matches!(code, EntityAlreadyExists | ResourceNotFound | UpdateConditionNotSatisfied)
}
