use super::{Pending, Tables};
use crate::{
    Bulk, DeleteTarget, Error, IntoMerge, OnePoint, Stored, Transaction, Written, entity::Writable,
    write::Intent,
};

impl Tables {
    /// Writes a new entity. `EntityAlreadyExists` ([`Error::is_conflict`]) if its key is taken.
    pub fn insert<E: Writable>(&self, entity: &E) -> Pending<'_, Written> {
        self.write(Intent::insert(entity))
    }

    /// Writes what was read and changed, if nobody else wrote in between: `UpdateConditionNotSatisfied`
    /// ([`Error::is_conflict`]) otherwise. Properties that the type does not know are dropped.
    ///
    /// If a key field was changed it is [`Error::KeyChanged`]; see [`Tables::rekey`].
    pub fn replace<E: Writable>(&self, stored: &Stored<E>) -> Pending<'_, Written> {
        self.write(Intent::replace(stored))
    }

    /// Writes an entity in place of the one that is there, whatever its version. `ResourceNotFound` if there is none.
    pub fn replace_any<E: Writable>(&self, entity: &E) -> Pending<'_, Written> {
        self.write(Intent::replace_any(entity))
    }

    /// Writes an entity whether or not one is there: insert or replace.
    pub fn upsert<E: Writable>(&self, entity: &E) -> Pending<'_, Written> {
        self.write(Intent::upsert(entity))
    }

    /// Writes the properties of a patch and keeps the others. `ResourceNotFound` if the entity is not there; for a
    /// patch of what was read, `UpdateConditionNotSatisfied` if somebody else wrote in between.
    pub fn merge(&self, patch: impl IntoMerge) -> Pending<'_, Written> {
        self.write(Intent::merge(patch))
    }

    /// Writes the properties of a patch; makes the entity if it is not there: insert or merge. A version is not looked
    /// at. What the patch does not set must be optional, or the entity that it makes cannot be read.
    pub fn upsert_merge(&self, patch: impl IntoMerge) -> Pending<'_, Written> {
        self.write(Intent::upsert_merge(patch))
    }

    /// Deletes what was read, if nobody else wrote in between.
    pub fn delete<E: Writable>(&self, stored: &Stored<E>) -> Pending<'_, ()> {
        self.send_delete(Intent::delete(stored))
    }

    /// Deletes by key, whatever the version. `ResourceNotFound` if it is not there.
    pub fn delete_at(&self, point: impl OnePoint + DeleteTarget) -> Pending<'_, ()> {
        self.send_delete(Intent::delete(point))
    }

    /// Deletes what was read (in that version) or a point (in any), if it is there. Whether it was.
    pub fn delete_if_exists(&self, target: impl DeleteTarget) -> Pending<'_, bool> {
        let deleted = self.send_delete(Intent::delete(target));
        Box::pin(async move {
            match deleted.await {
                Ok(()) => Ok(true),
                Err(error) if error.is_not_found() => Ok(false),
                Err(error) => Err(error),
            }
        })
    }

    /// Moves an entity whose key fields were changed: within one partition, in one transaction, if nobody else wrote
    /// it and the new key is free. To another partition it is [`Error::MovesPartition`].
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
    /// let Some(mut employee) = Employee::point("Sales", 3).get(&tables).await? else { return Ok(()) };
    /// employee.id = 4;
    /// assert!(matches!(tables.replace(&employee).await, Err(Error::KeyChanged { .. })));
    /// tables.rekey(&employee).await?;
    /// assert!(Employee::point("Sales", 3).get(&tables).await?.is_none());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn rekey<E: Writable>(&self, stored: &Stored<E>) -> Pending<'_, Written> {
        let writes = Intent::rekey(stored);
        Box::pin(async move {
            let writes = writes?;
            // The last write is the entity itself: its replacement in place, or its insert at the new key.
            let answers = self.send_all(writes).await?;
            answers.into_iter().last().flatten().ok_or_else(unanswered)
        })
    }

    /// Several writes to one partition, of whatever types, all or none.
    pub const fn transact(&self) -> Transaction<'_> {
        Transaction::new(self)
    }

    /// Many writes to any partitions, in as few transactions as it takes.
    pub const fn bulk(&self) -> Bulk<'_> {
        Bulk::new(self)
    }
}

fn unanswered() -> Error {
    table_store::TableError::with_message(
        table_store::ErrorCode::InternalError,
        "The service answered a transaction without its results.",
    )
    .into()
}
