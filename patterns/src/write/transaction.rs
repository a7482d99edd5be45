//! Atomic transactions of several writes.

mod check;
mod once;

pub(crate) use check::check;

use table_model::Operation;

use crate::{
    Address, DeleteTarget, Error, IntoMerge, OnePoint, Pending, Stored, Tables, WriteResult,
    core::entity::Writable, write::Intent,
};

/// An atomic transaction of writes to one partition (`G-EGT-1`), of any entity types.
///
/// It is never split. An invalid transaction (two tables, two partitions, a duplicate entity, more than 100 writes, 4
/// MiB) is rejected before anything is sent, with the index of the invalid operation. The index rows of an entity in
/// its partition are written in the same transaction, and count.
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

/// What a transaction sends; see [`Transaction::plan`].
#[derive(Clone, Debug, Default)]
pub struct TransactionPlan {
    /// The operations of the transaction: entities, their index rows, and last the commit record.
    pub operations: Vec<Operation>,
    /// Rows in other partitions that are updated after the commit.
    pub later: Vec<Address>,
}

impl<'t> Transaction<'t> {
    pub(crate) const fn new(tables: &'t Tables) -> Self {
        Self { tables, writes: Vec::new() }
    }

    pub(crate) fn then(mut self, write: Result<Intent, Error>) -> Self {
        self.writes.push(write);
        self
    }

    /// Adds an insert; see [`Tables::insert`].
    pub fn insert<E: Writable>(self, entity: &E) -> Self {
        self.then(Intent::insert(entity))
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

    /// Adds an overwrite; see [`Tables::overwrite`].
    pub fn overwrite<E: Writable>(self, entity: &E) -> Self {
        self.then(Intent::overwrite(entity))
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

    /// Returns the number of writes.
    pub fn len(&self) -> usize {
        self.writes.len()
    }

    /// Returns whether the transaction is empty. Committing an empty transaction sends nothing.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// Determines what [`commit`](Self::commit) would send now, without sending it: reads the rows that the writes change.
    ///
    /// # Errors
    /// Returns the errors of [`commit`](Self::commit) that occur before anything is sent.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # #[table(index(by_email, row = "email_{email}", unique))]
    /// # struct Employee { department: String, id: u32, email: String }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// let jo = Employee { department: "Sales".into(), id: 1, email: "jo@contoso.com".into() };
    /// let plan = tables.transact().insert(&jo).plan().await?;
    /// let keys: Vec<&str> = plan.operations.iter().map(|operation| operation.row_key()).collect();
    /// assert_eq!(keys, ["empid_000001", "email_jo@contoso.com"]);
    /// assert!(Employee::point("Sales", 1).get(&tables).await?.is_none());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn plan(self) -> Pending<'t, TransactionPlan> {
        let tables = self.tables;
        let encoded = self.encoded();
        Box::pin(async move { tables.plan_all(encoded?).await })
    }

    /// Sends the transaction. Returns one result for each operation, in order, with `None` for a delete.
    ///
    /// # Errors
    /// Returns [`Error::Transaction`] before anything is sent if the transaction is invalid, or if an operation was rejected
    /// because its entity exists or does not exist. Returns [`Error::Service`] with an [`Error::index`] if the service
    /// rejected an operation for another reason. No operation was executed.
    pub fn commit(self) -> Pending<'t, Vec<Option<WriteResult>>> {
        let tables = self.tables;
        let encoded = self.encoded();
        Box::pin(async move { tables.commit_all(encoded?).await })
    }
}
