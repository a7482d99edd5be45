mod turn;

use std::time::Duration;

use futures_timer::Delay;
use table_model::{Condition, Entity, Operation};

use crate::{
    Difference, Error, HasChanges, Pending, RegistryError, TableEntity, Tables,
    core::{entity_types::EntityInfo, index_state::IndexState},
    design::Index,
    handle::registry::{
        known::Registry,
        row::{IndexStatus, feed_row, table},
    },
    maintain::reindex::index_of,
};

/// Online change of an index, returned by [`Tables::add_index`] and [`Tables::drop_index`], or by
/// [`Designed::add_index`](crate::Designed::add_index) and [`Designed::drop_index`](crate::Designed::drop_index) for an
/// entity without its type.
///
/// [`run`](Self::run) performs the complete change, which takes some minutes. Most of this time is spent waiting until
/// no program uses the previous state. [`step`](Self::step) processes one page of rows or advances to the next state.
/// The progress is stored in the registry, so a change can be interrupted at any time and continued by any process.
/// Concurrent runs are safe.
#[derive(Debug)]
#[must_use = "an index change does nothing until it is run"]
pub struct IndexChange {
    tables: Tables,
    kind: EntityInfo,
    index: Result<&'static Index, Error>,
    comes: bool,
    page: Option<u32>,
    per_second: Option<u32>,
}

/// Result of one step of an [`IndexChange`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum IndexStep {
    /// The index has advanced to this state.
    Moved(IndexState),
    /// The index remains in its state for at least this duration.
    Wait(Duration),
    /// Number of rows processed in the current state.
    Rows(u64),
    /// Entities that cannot have an index row, at most 1,000: another entity has the same unique key, or the entity
    /// cannot be decoded. If the index is removed: rows at its keys that may be entities, so they remain. After they are
    /// repaired, moved or deleted, the next step starts again.
    Stuck(Vec<Difference>),
    /// The index is readable or has been removed.
    Done,
}

impl Tables {
    /// Returns a handle that uses the registry of indexes. The table `tablepatterns` specifies which indexes are
    /// maintained and which can be read. It is read at most every 30 seconds. All programs that write the tables should
    /// use the registry, so that indexes can be added or dropped while they run: [`add_index`](Self::add_index).
    ///
    /// On first use of an entity type without rows, its indexes are registered as readable; rows of other types in its
    /// table do not count, but are read. For a type with rows see [`register`](Self::register).
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # #[table(index(by_badge, row = "badge_{badge:08}_{id:06}", copy()))]
    /// # struct Employee { department: String, id: u32, badge: u32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?.with_registry();
    /// tables.insert(&Employee { department: "Sales".into(), id: 1, badge: 7 }).await?;
    /// // The type had no rows, so the index is maintained and can be read.
    /// assert_eq!(Employee::by_badge_rows("Sales").at(7).all(&tables).await?.len(), 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    #[must_use]
    pub fn with_registry(&self) -> Self {
        self.going_by(Registry::new())
    }

    /// Returns the same handle with a custom clock, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn with_registry_by(
        &self,
        clock: std::sync::Arc<dyn crate::handle::lease_clock::LeaseClock>,
    ) -> Self {
        self.going_by(Registry::by(clock))
    }

    /// Registers the change feed of an entity whose type is registered already. From now on, programs that do not
    /// declare the feed cannot write the entity. A program that has read the registry before can write for
    /// [`LEASE`](crate::LEASE), and its last requests take effect within [`MAX_REQUEST_AGE`](crate::MAX_REQUEST_AGE)
    /// after that.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Orders", partition = "{customer}", row = "{number:06}", changes)]
    /// # struct Order { customer: String, number: u32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?.with_registry();
    /// tables.register_changes::<Order>().await?;
    /// tables.insert(&Order { customer: "jo".into(), number: 1 }).await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Registry`] if the handle does not use a registry, and [`Error::Service`] if a request fails.
    pub fn register_changes<E: HasChanges>(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            let registry = self.registry().ok_or(RegistryError::None)?;
            let Some(row) = feed_row(E::DESIGN).map(Operation::Insert) else { return Ok(()) };
            // Registers the entity, if it is not registered yet.
            registry.states(self, E::DESIGN).await?;
            let registered = self.execute(&table()?, &row).await;
            registry.forget();
            match registered {
                Err(error) if !error.is_conflict() => Err(error),
                _ => Ok(()),
            }
        })
    }

    /// Removes the change feed of an entity from the registry, so that programs that do not declare it can write. Call
    /// it when no program reads the feed. Other programs read the registry again within [`LEASE`](crate::LEASE).
    /// Programs that declare the feed continue to write records. Has no effect if the feed is not registered.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Orders", partition = "{customer}", row = "{number:06}", changes)]
    /// # struct Order { customer: String, number: u32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?.with_registry();
    /// tables.insert(&Order { customer: "jo".into(), number: 1 }).await?;
    /// tables.unregister_changes::<Order>().await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Registry`] if the handle does not use a registry, and [`Error::Service`] if a request fails.
    pub fn unregister_changes<E: HasChanges>(&self) -> Pending<'_, ()> {
        Box::pin(async move {
            let registry = self.registry().ok_or(RegistryError::None)?;
            let Some(Entity { partition_key, row_key, .. }) = feed_row(E::DESIGN) else { return Ok(()) };
            let gone = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
            let removed = self.execute(&table()?, &gone).await;
            registry.forget();
            match removed {
                Err(error) if !error.is_not_found() => Err(error),
                _ => Ok(()),
            }
        })
    }

    /// Returns the status of the indexes of an entity.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # #[table(index(by_badge, row = "badge_{badge:08}_{id:06}", copy()))]
    /// # struct Employee { department: String, id: u32, badge: u32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::in_memory()?.with_registry();
    /// tables.insert(&Employee { department: "Sales".into(), id: 1, badge: 7 }).await?;
    /// let indexes = tables.indexes::<Employee>().await?;
    /// assert_eq!(indexes.iter().map(|status| &*status.index).collect::<Vec<_>>(), ["by_badge"]);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`Error::Registry`] if the handle does not use a registry or the registered definition of an index
    /// differs, and [`Error::Service`] if a request fails.
    pub fn indexes<E: TableEntity>(&self) -> Pending<'_, Vec<IndexStatus>> {
        Box::pin(async move {
            let registry = self.registry().ok_or(RegistryError::None)?;
            registry.forget();
            let states = registry.states(self, E::DESIGN).await?;
            Ok(states.registered(E::DESIGN.stored_name())?.unwrap_or_default())
        })
    }

    /// Adds an index or a lookup to existing entities while programs write them.
    ///
    /// All programs must first run the version that declares the index. They neither maintain nor read the index until
    /// it is added, and reading by it is an error. From the first step on, programs that do not declare it cannot
    /// write.
    ///
    /// ```no_run
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # #[table(index(by_badge, row = "badge_{badge:08}_{id:06}", copy()))]
    /// # struct Employee { department: String, id: u32, badge: u32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::open("company.tables")?.with_registry();
    /// tables.add_index::<Employee>("by_badge").max_rows_per_second(500).run().await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn add_index<E: TableEntity>(&self, index: &str) -> IndexChange {
        IndexChange::of(self, EntityInfo::of::<E>(), index, true)
    }

    /// Removes an index or a lookup with its rows while programs write the entities. After completion, the declaration
    /// can be removed from the entity type.
    ///
    /// ```no_run
    /// # use table_patterns::prelude::*;
    /// # #[derive(TableEntity, Clone, Debug)]
    /// # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
    /// # #[table(index(by_badge, row = "badge_{badge:08}_{id:06}", copy()))]
    /// # struct Employee { department: String, id: u32, badge: u32 }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let tables = Tables::open("company.tables")?.with_registry();
    /// tables.drop_index::<Employee>("by_badge").run().await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn drop_index<E: TableEntity>(&self, index: &str) -> IndexChange {
        IndexChange::of(self, EntityInfo::of::<E>(), index, false)
    }
}

impl IndexChange {
    /// Creates the change of an index of an entity type.
    pub(crate) fn of(tables: &Tables, kind: EntityInfo, index: &str, comes: bool) -> Self {
        let index = index_of(kind.newest(), index).map(|(_, index)| index);
        Self { tables: tables.clone(), kind, index, comes, page: None, per_second: None }
    }

    /// Sets the number of rows per request: 1 to 1,000. The default is 200.
    pub const fn page_size(mut self, rows: u32) -> Self {
        self.page = Some(rows);
        self
    }

    /// Sets the maximum number of rows processed per second.
    pub const fn max_rows_per_second(mut self, per_second: u32) -> Self {
        self.per_second = Some(per_second);
        self
    }

    /// Advances by one state or one page of rows, unless a wait is required.
    ///
    /// # Errors
    /// Returns [`Error::NoSuchIndex`] if the entity does not declare the index, [`Error::Registry`] if the handle does
    /// not use a registry or the change conflicts with the state of the index, and [`Error::Service`] if a request
    /// fails.
    pub fn step(&self) -> Pending<'_, IndexStep> {
        Box::pin(async move {
            let index = self.index.clone()?;
            let registry = self.tables.registry().ok_or(RegistryError::None)?;
            // Discard the cached state.
            registry.forget();
            let design = self.kind.newest();
            let known = registry.states(&self.tables, design).await?;
            let status = known.of(design.stored_name(), index.name);
            if self.comes { self.further(index, status).await } else { self.back(index, status).await }
        })
    }

    /// Runs the complete change.
    ///
    /// # Errors
    /// Returns [`RegistryError::Stuck`] if entities cannot have an index row, or if rows at its keys may be entities, and
    /// the errors of [`step`](Self::step).
    pub fn run(self) -> Pending<'static, ()> {
        Box::pin(async move {
            loop {
                match self.step().await? {
                    IndexStep::Done => return Ok(()),
                    IndexStep::Wait(rest) => Delay::new(rest).await,
                    IndexStep::Moved(_) | IndexStep::Rows(_) => {}
                    IndexStep::Stuck(entities) => {
                        let (entity, index) = (self.kind.name(), self.index.map_or("", |index| index.name));
                        let (count, first) = (entities.len(), entities.first().map(Difference::to_string));
                        let first = first.unwrap_or_default();
                        return Err(RegistryError::Stuck { entity, index, count, first }.into());
                    }
                }
            }
        })
    }
}
