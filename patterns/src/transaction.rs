//! Several writes, all or none.

mod check;
mod once;

pub(crate) use check::check;

use crate::{
    DeleteTarget, Error, IntoMerge, OnePoint, Pending, Stored, Tables, Written, entity::Writable,
    write::Intent,
};

/// Writes to one partition that happen all or none (`G-EGT-1`), of whatever types live there.
///
/// It is never split. What cannot be one transaction (two tables, two partitions, an entity twice, more than 100
/// writes, 4 MiB) is refused before anything is sent, with the index of the operation at fault. The rows that indexes
/// keep of an entity in its partition are written in the same transaction, and count.
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
/// let raise = |id| Employee::patch("Sales", id).age(31);
/// tables.transact().merge(raise(1)).merge(raise(2)).insert(&employee(4)).commit().await?;
///
/// // One that cannot be done undoes all, and is named.
/// let error = tables.transact().merge(raise(3)).merge(raise(9)).commit().await.unwrap_err();
/// assert_eq!((error.code(), error.index()), (Some(ErrorCode::ResourceNotFound), Some(1)));
/// # Ok(())
/// # })
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "a transaction does nothing until it is committed"]
pub struct Transaction<'t> {
    tables: &'t Tables,
    writes: Vec<Result<Intent, Error>>,
}

impl<'t> Transaction<'t> {
    pub(crate) const fn new(tables: &'t Tables) -> Self {
        Self { tables, writes: Vec::new() }
    }

    fn then(mut self, write: Result<Intent, Error>) -> Self {
        self.writes.push(write);
        self
    }

    /// See [`Tables::insert`].
    pub fn insert<E: Writable>(self, entity: &E) -> Self {
        self.then(Intent::insert(entity))
    }

    /// See [`Tables::replace`].
    pub fn replace<E: Writable>(self, stored: &Stored<E>) -> Self {
        self.then(Intent::replace(stored))
    }

    /// See [`Tables::replace_any`].
    pub fn replace_any<E: Writable>(self, entity: &E) -> Self {
        self.then(Intent::replace_any(entity))
    }

    /// See [`Tables::upsert`].
    pub fn upsert<E: Writable>(self, entity: &E) -> Self {
        self.then(Intent::upsert(entity))
    }

    /// See [`Tables::merge`].
    pub fn merge(self, patch: impl IntoMerge) -> Self {
        self.then(Intent::merge(patch))
    }

    /// See [`Tables::upsert_merge`].
    pub fn upsert_merge(self, patch: impl IntoMerge) -> Self {
        self.then(Intent::upsert_merge(patch))
    }

    /// See [`Tables::delete`].
    pub fn delete<E: Writable>(self, stored: &Stored<E>) -> Self {
        self.then(Intent::delete(stored))
    }

    /// See [`Tables::delete_at`].
    pub fn delete_at(self, point: impl OnePoint + DeleteTarget) -> Self {
        self.then(Intent::delete(point))
    }

    /// How many writes it has.
    pub fn len(&self) -> usize {
        self.writes.len()
    }

    /// Whether it has none; committing it then sends nothing.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// Sends it. One result for each operation, in their order; none for a delete.
    ///
    /// [`Error::Transaction`] before anything is sent; [`Error::Service`] with [`Error::index`] if the service refused
    /// one of them, and then none was done.
    pub fn commit(self) -> Pending<'t, Vec<Option<Written>>> {
        let tables = self.tables;
        let encoded = self.encoded();
        Box::pin(async move { tables.send_all(encoded?).await })
    }
}
