//! Bulk writes, grouped into as few transactions as possible.

mod batch;
mod group;
mod later;
mod rejected;
mod report;
mod together;

pub use report::{BulkReport, Group};
pub(crate) use together::SentTogether;

use std::fmt;

use batch::Batches;

use crate::{
    DeleteTarget, Error, IntoMerge, OnePoint, Pending, Stored, Tables, core::entity::Writable, write::Intent,
};

/// A collection of writes to any tables and partitions, of any entity types.
///
/// The writes are split into entity group transactions: one partition, at most 100 writes, less than 4 MiB, each entity
/// once. Writes to a partition keep their order; partitions are written concurrently. Each group is atomic, and a
/// failed group does not stop the others. The [report](BulkReport) contains the inputs and the result of each group.
///
/// A write fails alone if the service rejects it, such as an insert of an existing entity, or if its row cannot be read:
/// the others of its group are sent again. Each of the first three such writes of a group costs one more transaction; then
/// the rest of the group is sent one by one. See [`BulkReport::duplicates`].
///
/// ```
/// # use table_patterns::prelude::*;
/// # #[derive(TableEntity, Clone, Debug)]
/// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// # struct Employee { department: String, id: u32, age: i32 }
/// # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # tables.bulk().insert_all(&[employee(1), employee(2), employee(3)]).run().await?.into_result()?;
/// let others: Vec<Employee> = (10..300).map(employee).collect();
/// let report = tables.bulk().upsert_all(&others).run().await?;
/// assert_eq!(report.groups.len(), 3); // 100, 100 and 90
/// for group in report.failed() {
///     println!("inputs {:?} were not written: {:?}", group.indexes, group.outcome);
/// }
/// # Ok(())
/// # })
/// # }
/// ```
#[must_use = "a bulk does nothing until it is run"]
pub struct Bulk<'t> {
    tables: &'t Tables,
    parts: Vec<Part<'t>>,
}

/// A part of the inputs.
enum Part<'t> {
    /// Encoded writes.
    Ready(Vec<Encoded>),
    /// Writes that are encoded one by one when they are sent.
    Lazy(Box<dyn Iterator<Item = Encoded> + Send + 't>),
}

type Encoded = Result<Intent, Error>;

impl<'t> Bulk<'t> {
    pub(crate) const fn new(tables: &'t Tables) -> Self {
        Self { tables, parts: Vec::new() }
    }

    fn then(mut self, write: Encoded) -> Self {
        match self.parts.last_mut() {
            Some(Part::Ready(writes)) => writes.push(write),
            _ => self.parts.push(Part::Ready(vec![write])),
        }
        self
    }

    fn then_all<'e: 't, E: Writable>(
        mut self,
        entities: impl IntoIterator<Item = &'e E, IntoIter: Send + 't>,
        write: impl Fn(&E) -> Encoded + Send + 't,
    ) -> Self {
        self.parts.push(Part::Lazy(Box::new(entities.into_iter().map(write))));
        self
    }

    /// Adds an insert; see [`Tables::insert`].
    pub fn insert<E: Writable>(self, entity: &E) -> Self {
        self.then(Intent::insert(entity))
    }

    /// Adds an insert for each entity; see [`Tables::insert`]. Each entity is encoded only when it is sent, so the
    /// number of entities is not limited by memory.
    pub fn insert_all<'e: 't, E: Writable>(
        self,
        entities: impl IntoIterator<Item = &'e E, IntoIter: Send + 't>,
    ) -> Self {
        self.then_all(entities, |entity| Intent::insert(entity))
    }

    /// Adds a replace; see [`Tables::replace`].
    pub fn replace<E: Writable>(self, stored: &Stored<E>) -> Self {
        self.then(Intent::replace(stored))
    }

    /// Adds an unconditional replace; see [`Tables::replace_any`].
    pub fn replace_any<E: Writable>(self, entity: &E) -> Self {
        self.then(Intent::replace_any(entity))
    }

    /// Adds an upsert; see [`Tables::upsert`].
    pub fn upsert<E: Writable>(self, entity: &E) -> Self {
        self.then(Intent::upsert(entity))
    }

    /// Adds an upsert for each entity; see [`Tables::upsert`]. Each entity is encoded only when it is sent.
    pub fn upsert_all<'e: 't, E: Writable>(
        self,
        entities: impl IntoIterator<Item = &'e E, IntoIter: Send + 't>,
    ) -> Self {
        self.then_all(entities, |entity| Intent::upsert(entity))
    }

    /// Adds an overwrite; see [`Tables::overwrite`].
    pub fn overwrite<E: Writable>(self, entity: &E) -> Self {
        self.then(Intent::overwrite(entity))
    }

    /// Adds an overwrite for each entity; see [`Tables::overwrite`]. Each entity is encoded only when it is sent.
    pub fn overwrite_all<'e: 't, E: Writable>(
        self,
        entities: impl IntoIterator<Item = &'e E, IntoIter: Send + 't>,
    ) -> Self {
        self.then_all(entities, |entity| Intent::overwrite(entity))
    }

    /// Adds a merge; see [`Tables::merge`].
    pub fn merge(self, patch: impl IntoMerge) -> Self {
        self.then(Intent::merge(patch))
    }

    /// Adds an insert-or-merge; see [`Tables::upsert_merge`].
    pub fn upsert_merge(self, patch: impl IntoMerge) -> Self {
        self.then(Intent::upsert_merge(patch))
    }

    /// Adds a delete; see [`Tables::delete`].
    pub fn delete(self, target: impl DeleteTarget) -> Self {
        self.then(Intent::delete(target))
    }

    /// Adds an unconditional delete; see [`Tables::delete_at`].
    pub fn delete_at(self, point: impl OnePoint + DeleteTarget) -> Self {
        self.then(Intent::delete(point))
    }

    /// Sends the writes and returns a report.
    ///
    /// # Errors
    /// Always returns `Ok`: all failures are in the report.
    pub fn run(self) -> Pending<'t, BulkReport> {
        let writes = self.parts.into_iter().flat_map(|part| match part {
            Part::Ready(writes) => Box::new(writes.into_iter()),
            Part::Lazy(writes) => writes,
        });
        // Values are encrypted before their size is counted, because encryption makes them larger.
        let tables = self.tables;
        let writes = writes.map(|write| {
            write.and_then(|mut intent| {
                if let Intent::Ready(write) = &mut intent {
                    tables.seal(write)?;
                }
                Ok(intent)
            })
        });
        let batches = Batches::new(Box::new(writes));
        Box::pin(async move {
            let mut groups = group::send(tables, batches).await;
            groups.sort_by_key(|group| group.indexes.first().copied());
            Ok(BulkReport { groups })
        })
    }
}

impl fmt::Debug for Bulk<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bulk").field("tables", self.tables).finish_non_exhaustive()
    }
}
