//! Many writes, in as few transactions as it takes.

mod batch;
mod group;
mod report;

pub use report::{BulkReport, Group};

use batch::Batches;

use crate::{Error, IntoMerge, Pending, PointQuery, Stored, Tables, entity::Writable, write::Write};

/// Many writes to any tables and partitions, of whatever types.
///
/// They are split into entity group transactions: one partition, at most 100 writes, below 4 MiB, each entity once.
/// Within a partition the order is kept; partitions are written at the same time. A group is done whole or not at all,
/// and one that fails does not stop the others: the [report](BulkReport) says of each which inputs it held and how it
/// ended.
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
#[derive(Clone, Debug)]
#[must_use = "a bulk does nothing until it is run"]
pub struct Bulk<'t> {
    tables: &'t Tables,
    writes: Vec<Result<Write, Error>>,
}

impl<'t> Bulk<'t> {
    pub(crate) const fn new(tables: &'t Tables) -> Self {
        Self { tables, writes: Vec::new() }
    }

    fn then(mut self, write: Result<Write, Error>) -> Self {
        self.writes.push(write);
        self
    }

    /// See [`Tables::insert`].
    pub fn insert<E: Writable>(self, entity: &E) -> Self {
        self.then(Write::insert(entity))
    }

    /// Inserts all of them; see [`Tables::insert`].
    pub fn insert_all<'e, E: Writable>(self, entities: impl IntoIterator<Item = &'e E>) -> Self {
        entities.into_iter().fold(self, Self::insert)
    }

    /// See [`Tables::replace`].
    pub fn replace<E: Writable>(self, stored: &Stored<E>) -> Self {
        self.then(Write::replace(stored))
    }

    /// See [`Tables::replace_any`].
    pub fn replace_any<E: Writable>(self, entity: &E) -> Self {
        self.then(Write::replace_any(entity))
    }

    /// See [`Tables::upsert`].
    pub fn upsert<E: Writable>(self, entity: &E) -> Self {
        self.then(Write::upsert(entity))
    }

    /// Upserts all of them; see [`Tables::upsert`].
    pub fn upsert_all<'e, E: Writable>(self, entities: impl IntoIterator<Item = &'e E>) -> Self {
        entities.into_iter().fold(self, Self::upsert)
    }

    /// See [`Tables::merge`].
    pub fn merge(self, patch: impl IntoMerge) -> Self {
        self.then(Write::merge(patch))
    }

    /// See [`Tables::upsert_merge`].
    pub fn upsert_merge(self, patch: impl IntoMerge) -> Self {
        self.then(Write::upsert_merge(patch))
    }

    /// See [`Tables::delete`].
    pub fn delete<E: Writable>(self, stored: &Stored<E>) -> Self {
        self.then(Write::delete(stored))
    }

    /// See [`Tables::delete_at`].
    pub fn delete_at<E, R>(self, point: PointQuery<E, R>) -> Self {
        self.then(Write::delete(point))
    }

    /// How many writes it has.
    pub fn len(&self) -> usize {
        self.writes.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// Sends them. The call itself fails only by being dropped; every failure is in the report.
    pub fn run(self) -> Pending<'t, BulkReport> {
        let (tables, batches) = (self.tables, Batches::new(self.writes));
        Box::pin(async move {
            let mut groups = group::send(tables, batches).await;
            groups.sort_by_key(|group| group.indexes.first().copied());
            Ok(BulkReport { groups })
        })
    }
}
