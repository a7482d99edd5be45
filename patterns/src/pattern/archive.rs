//! The built-in task of P3: it moves an entity from its table to another. The entity never disappears from both tables.

mod moving;
mod occupant;
mod reopening;
mod upgraded;

pub(crate) use upgraded::to_newest;

use std::{fmt, marker::PhantomData};

use serde::{Deserialize, Serialize};
use table_model::TableName;

use crate::{
    Address, CollectBlobs, EntityKey, Error, Outcome, Pending, Run, Sent, Stored, TableEntity, Tables, Task,
};

/// An entity type with an archive: a table that stores entities under the same keys when they are no longer current.
/// Implemented by `#[table(archive = "FormerEmployees")]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no archive",
    label = "no archive",
    note = "specify the archive table: #[table(archive = \"FormerEmployees\")]"
)]
pub trait Archived: TableEntity {
    /// Name of the archive table.
    const ARCHIVE: &'static str;
}

/// The task that moves an entity to its archive. A worker runs it if it was created with `on::<Archive<Employee>>()`.
///
/// For a short time, both tables can contain the entity; at least one always does. If the entity is changed
/// concurrently, the archive receives the newest state. An entity that is inserted again later is not moved, unless a
/// message of the task is still in the queue.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Archive<E> {
    table: String,
    partition_key: String,
    row_key: String,
    #[serde(skip)]
    entity: PhantomData<fn() -> E>,
}

impl<E: Archived> Archive<E> {
    /// Creates the task for the entity with this key.
    ///
    /// # Errors
    /// Returns [`Error::Key`] if the key cannot be encoded.
    pub fn of(key: &E::Key) -> Result<Self, Error> {
        Ok(Self::at(key.address()?))
    }

    fn at(address: Address) -> Self {
        let Address { table, partition_key, row_key } = address;
        Self { table: table.as_str().to_owned(), partition_key, row_key, entity: PhantomData }
    }
}

impl<E> fmt::Debug for Archive<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, partition_key, row_key, .. } = self;
        write!(f, "Archive({table}, {partition_key}, {row_key})")
    }
}

impl<E: Archived> Task for Archive<E> {
    const NAME: &'static str = E::DESIGN.stored_name();
    const QUEUE: &'static str = "tables-archive";
}

impl<E: Archived> Run for Archive<E> {
    async fn run(&self, tables: &Tables) -> Result<Outcome, Error> {
        let (partition_key, row_key) = (self.partition_key.clone(), self.row_key.clone());
        let from = Address { table: TableName::new(&self.table)?, partition_key, row_key };
        moving::move_entity::<E>(tables, &from, E::ARCHIVE).await?;
        Ok(Outcome::Done)
    }
}

impl Tables {
    /// Sends a task that moves an entity to its archive, in the state that the entity has when the task runs. See
    /// [`Archive`].
    ///
    /// The cost is one request now, and five requests of the worker: it gets the message, reads both rows, writes one
    /// row, deletes the other, and deletes the message.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", archive = "FormerEmployees")]
    /// struct Employee { department: String, id: u32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&Employee { department: "Sales".into(), id: 1 }).await?;
    /// let Some(stored) = Employee::point("Sales", 1).get(&tables).await? else { return Ok(()) };
    /// tables.archive(&stored).await?;
    /// tables.worker().on::<Archive<Employee>>().pass().await?;
    /// assert!(Employee::point("Sales", 1).get(&tables).await?.is_none());
    /// assert!(tables.archived(&stored.key()).await?.is_some());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns the errors of [`send`](Tables::send).
    pub fn archive<E: Archived>(&self, stored: &Stored<E>) -> Pending<'_, Sent> {
        let task = stored.rows().map(|places| Archive::<E>::at(places.address));
        Box::pin(async move { self.send(&task?).await })
    }

    /// Reads an entity from its archive. Returns `None` if the archive does not contain it. The cost is one request.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", archive = "FormerEmployees")]
    /// struct Employee { department: String, id: u32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&Employee { department: "Sales".into(), id: 1 }).await?;
    /// let key = EmployeeKey { department: "Sales".into(), id: 1 };
    /// assert!(tables.archived(&key).await?.is_none());
    /// tables.move_entity(&key, "FormerEmployees").await?;
    /// assert_eq!(tables.archived(&key).await?.map(|former| former.id), Some(1));
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Key`] if the key cannot be encoded, and [`Error::Decode`] if the row cannot be decoded.
    pub fn archived<K: EntityKey>(&self, key: &K) -> Pending<'_, Option<K::Entity>>
    where
        K::Entity: Archived,
    {
        let address = key.address();
        Box::pin(async move {
            let table = TableName::new(<K::Entity as Archived>::ARCHIVE)?;
            let address = Address { table, ..address? };
            let rows = self.read(&address, None).await?;
            let source = self.source(&address.table);
            rows.get(0).map(|row| Ok(K::Entity::decode(source, row)?)).transpose()
        })
    }

    /// Returns an entity from its archive to its table, with its index rows and the time of its creation, and deletes the
    /// archive's row. Returns `false` if the archive does not contain the entity.
    ///
    /// If the call is interrupted, both tables may contain the entity; the next call deletes the archive's row. The cost is
    /// one request, an insert and a delete.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", archive = "FormerEmployees")]
    /// struct Employee { department: String, id: u32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&Employee { department: "Sales".into(), id: 1 }).await?;
    /// let key = EmployeeKey { department: "Sales".into(), id: 1 };
    /// tables.move_entity(&key, "FormerEmployees").await?;
    /// assert!(tables.reopen(&key).await?);
    /// assert!(tables.archived(&key).await?.is_none());
    /// assert_eq!(Employee::point("Sales", 1).require(&tables).await?.id, 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::AlreadyExists`] if another entity with this key exists, or if a task is moving the entity to the
    /// archive, and [`Error::Unique`] if another entity has its unique value by now. The archive is then unchanged.
    pub fn reopen<K: EntityKey>(&self, key: &K) -> Pending<'_, bool>
    where
        K::Entity: Archived,
    {
        let address = key.address();
        Box::pin(async move { reopening::reopen::<K::Entity>(self, &address?).await })
    }

    /// Moves an entity to another table immediately, under the same keys. Intended as a step of a task. Returns whether
    /// the entity existed.
    ///
    /// The index rows of the entity are deleted. Its values in blobs are copied to the other table's container, and the
    /// originals are deleted. The entity is first written to the other table and then deleted, each only in the version
    /// that was read. If the move is interrupted, both rows may exist until the next call; one of them always contains
    /// the newest state.
    ///
    /// The cost is four requests, plus four for each concurrent write. A value in a blob adds eight requests.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", archive = "FormerEmployees")]
    /// struct Employee { department: String, id: u32 }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&Employee { department: "Sales".into(), id: 1 }).await?;
    /// let key = EmployeeKey { department: "Sales".into(), id: 1 };
    /// assert!(tables.move_entity(&key, "FormerEmployees").await?);
    /// assert!(Employee::point("Sales", 1).get(&tables).await?.is_none());
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Contended`] after 64 attempts. If the entity has a value in a blob, returns
    /// [`Error::BlobsNotConfigured`] or [`Error::QueuesNotConfigured`] if the handle has no blob or queue service.
    /// Returns a [`TaskError`](crate::TaskError) for a wide entity, and if the row in the other table is not this entity:
    /// that row and the entity are then unchanged.
    pub fn move_entity<K: EntityKey>(&self, key: &K, to: impl Into<String>) -> Pending<'_, bool> {
        let (from, to) = (key.address(), to.into());
        Box::pin(async move { moving::move_entity::<K::Entity>(self, &from?, &to).await })
    }

    /// Creates the job of [`collect_blobs`](Self::collect_blobs) for the blobs of the entities in an archive.
    pub fn collect_archived_blobs<E: Archived>(&self) -> CollectBlobs<'_> {
        CollectBlobs::of(self, TableName::new(E::ARCHIVE).map_err(Error::from))
    }
}
