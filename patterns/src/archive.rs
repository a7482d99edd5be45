//! The built-in task of P3: an entity goes from its table into another, and is in one of them at every moment.

mod moving;

use std::{fmt, marker::PhantomData};

use serde::{Deserialize, Serialize};
use table_store::TableName;

use crate::{Address, EntityKey, Error, Outcome, Pending, Run, Sent, Stored, TableEntity, Tables, Task};

/// An entity that has an archive: a table in which it is kept, under its own keys, once it is no longer current.
/// Implemented by `#[table(archive = "FormerEmployees")]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no archive",
    label = "no archive",
    note = "say where it goes: #[table(archive = \"FormerEmployees\")]"
)]
pub trait Archived: TableEntity {
    /// The archive's table.
    const ARCHIVE: &'static str;
}

/// The task that moves an entity into its archive. A worker does it with `on::<Archive<Employee>>()`.
///
/// Readers may find the entity in both tables for a while, never in none. If it is changed meanwhile, the archive gets the
/// newest state; if it is inserted anew later, it stays, unless a message of the task is left.
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
    /// Of the entity with this key.
    ///
    /// # Errors
    /// [`Error::Key`] for a key that no entity can have.
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
    const NAME: &'static str = E::DESIGN.name;
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
    /// Promises that an entity goes into its archive, in whatever state it is by then. See [`Archive`].
    ///
    /// One request now, and five for the worker: it gets the message, reads both rows, writes one, deletes the other, and
    /// deletes the message.
    pub fn archive<E: Archived>(&self, stored: &Stored<E>) -> Pending<'_, Sent> {
        let task = stored.rows().map(|places| Archive::<E>::at(places.address));
        Box::pin(async move { self.send(&task?).await })
    }

    /// An entity as its archive has it, if it has. One request.
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

    /// Moves an entity to another table now, under the same keys: a step for tasks. Returns whether an entity existed.
    ///
    /// The rows of its indexes are deleted. Its values in blobs are copied to the other table's container, and the originals
    /// are deleted. It writes the other table first and deletes the entity then, each only in the version that it read. If it
    /// is interrupted, both rows may stay until it is called again; the newest state is always in one of them.
    ///
    /// Four requests, and four more for each time that other clients write in between; with a value in a blob eight more.
    ///
    /// # Errors
    /// [`Error::Contended`] after 64 attempts; [`Error::NoBlobs`] and [`Error::NoHints`] if the entity has a value in a blob,
    /// and the handle has no blobs or queues; [`TaskError`](crate::TaskError) for a wide entity.
    pub fn move_entity<K: EntityKey>(&self, key: &K, to: impl Into<String>) -> Pending<'_, bool> {
        let (from, to) = (key.address(), to.into());
        Box::pin(async move { moving::move_entity::<K::Entity>(self, &from?, &to).await })
    }
}
