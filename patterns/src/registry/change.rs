mod turn;

use std::{marker::PhantomData, time::Duration};

use futures_timer::Delay;

use super::{IndexState, IndexStatus, known::register};
use crate::{
    Difference, Error, Pending, RegistryError, TableEntity, Tables, design::Index, reindex::index_of,
};

/// An index of live data on its way in or out: [`Tables::add_index`], [`Tables::drop_index`].
///
/// [`run`](Self::run) does all of it, and takes some minutes: most of the time it waits until no program goes by the state
/// before. [`step`](Self::step) does a page of rows or moves on by one state. Where it stands is in the registry, so it may
/// be killed at any time and begun again, by another process too; two at once do no harm.
#[derive(Debug)]
#[must_use = "it does nothing until it is run"]
pub struct IndexChange<E> {
    tables: Tables,
    index: Result<&'static Index, Error>,
    comes: bool,
    page: Option<u32>,
    per_second: Option<u32>,
    entity: PhantomData<fn() -> E>,
}

/// What one step of an [`IndexChange`] came to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum IndexStep {
    /// It is in another state now.
    Moved(IndexState),
    /// It stays in its state for at least so long.
    Wait(Duration),
    /// So many rows were gone through, since the state began.
    Rows(u64),
    /// Some entities cannot have their row, at most 1,000 of them: another one has the same unique key, or they cannot be read.
    /// Once they are mended, the next step begins anew.
    Stuck(Vec<Difference>),
    /// It is in, or it is gone.
    Done,
}

impl Tables {
    /// The same tables, through a handle that goes by the registry of indexes: the table `tablepatterns` says which indexes
    /// are kept and which can be read. It is read at most every 30 seconds. All programs that write the tables should go
    /// by it, so that an index can be added or dropped while they run: [`add_index`](Self::add_index).
    ///
    /// The indexes of an entity whose table is empty are noted as readable when it is first used. For one that has rows
    /// see [`register`](Self::register).
    #[must_use]
    pub fn with_registry(&self) -> Self {
        self.going_by(super::Registry::new())
    }

    /// The same with a clock of one's own, for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn with_registry_by(&self, clock: std::sync::Arc<dyn super::LeaseClock>) -> Self {
        self.going_by(super::Registry::by(clock))
    }

    /// Notes all indexes of an entity as readable, as they are: for tables that were written without a registry. Nothing
    /// happens where the entity is known there.
    pub fn register<E: TableEntity>(&self) -> Pending<'_, ()> {
        Box::pin(async move { register(self, E::DESIGN).await })
    }

    /// What the registry says of an entity's indexes.
    pub fn indexes<E: TableEntity>(&self) -> Pending<'_, Vec<IndexStatus>> {
        Box::pin(async move {
            let registry = self.registry().ok_or(RegistryError::None)?;
            registry.forget();
            let states = registry.states(self, E::DESIGN).await?;
            Ok(states.all().iter().filter(|status| status.entity == E::DESIGN.name).cloned().collect())
        })
    }

    /// Adds an index or a lookup to entities that are there already, while programs write them.
    ///
    /// First all programs must run the version that declares it: until it is added they leave it alone, and reading by it is
    /// an error. From the first step on, programs that do not declare it cannot write.
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
    /// tables.add_index::<Employee>("by_badge").at_most(500).run().await?;
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn add_index<E: TableEntity>(&self, index: &str) -> IndexChange<E> {
        IndexChange::new(self, index, true)
    }

    /// Takes an index or a lookup away from entities, with its rows, while programs write them. Once it is through, the
    /// declaration can go.
    pub fn drop_index<E: TableEntity>(&self, index: &str) -> IndexChange<E> {
        IndexChange::new(self, index, false)
    }
}

impl<E: TableEntity> IndexChange<E> {
    fn new(tables: &Tables, index: &str, comes: bool) -> Self {
        let index = index_of(E::DESIGN, index).map(|(_, index)| index);
        Self { tables: tables.clone(), index, comes, page: None, per_second: None, entity: PhantomData }
    }

    /// How many rows are read at once: 1 to 1,000, without this 200.
    pub const fn page_size(mut self, rows: u32) -> Self {
        self.page = Some(rows);
        self
    }

    /// Has it go through at most so many rows in a second.
    pub const fn at_most(mut self, per_second: u32) -> Self {
        self.per_second = Some(per_second);
        self
    }

    /// Moves on by one state or one page of rows, if it is time to.
    pub fn step(&self) -> Pending<'_, IndexStep> {
        Box::pin(async move {
            let index = self.index.clone()?;
            let registry = self.tables.registry().ok_or(RegistryError::None)?;
            // Not what it knows, but what is.
            registry.forget();
            let known = registry.states(&self.tables, E::DESIGN).await?;
            let status = known.of(E::DESIGN.name, index.name);
            if self.comes { self.further(index, status).await } else { self.back(index, status).await }
        })
    }

    /// Does all of it.
    pub fn run(self) -> Pending<'static, ()> {
        Box::pin(async move {
            loop {
                match self.step().await? {
                    IndexStep::Done => return Ok(()),
                    IndexStep::Wait(rest) => Delay::new(rest).await,
                    IndexStep::Moved(_) | IndexStep::Rows(_) => {}
                    IndexStep::Stuck(entities) => {
                        let (entity, index) = (E::DESIGN.name, self.index.map_or("", |index| index.name));
                        let (count, first) = (entities.len(), entities.first().map(Difference::to_string));
                        let first = first.unwrap_or_default();
                        return Err(RegistryError::Stuck { entity, index, count, first }.into());
                    }
                }
            }
        })
    }
}
