//! Registry state cached by a handle for the duration of the lease.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use table_model::{Filter, Operation, Query, RowRef};

use super::{
    LEASE,
    definition::definition,
    moves::{MoveStatus, guarded, move_key},
    row::{
        FEED, IndexProgress, IndexStatus, each_row, feed_row, index_key, index_row, partition_of, schema,
        schema_row, table,
    },
    unreadable::{Unreadable, is_guard_of, is_index_of, is_of, is_versions_of},
    versions::VersionStatus,
};
use crate::{
    AccessPath, Error, RegistryError, Tables,
    core::{
        index_state::{Duty, IndexState, Promise},
        reserved::{ENTITY_TYPE, entity_type},
        row::{has_keys, is_of_other_type},
        table::table_of,
        versions::Versions,
    },
    design::{Design, Index},
    handle::lease_clock::{LeaseClock, Monotonic},
};

/// Registry cache, shared by all clones of a handle.
#[derive(Debug)]
pub(crate) struct Registry {
    clock: Arc<dyn LeaseClock>,
    known: Mutex<BTreeMap<&'static str, Arc<States>>>,
}

/// Registry entries of one table, as they were read.
#[derive(Debug, Default)]
pub(crate) struct States {
    read_at: Duration,
    schemas: BTreeSet<String>,
    /// One entry for each of them.
    versions: Vec<VersionStatus>,
    indexes: Vec<IndexStatus>,
    moves: Vec<MoveStatus>,
    /// Types whose entities move to other keys, each with the type that they move to.
    guards: Vec<(String, String)>,
    unreadable: Unreadable,
}

impl Registry {
    pub(crate) fn new() -> Self {
        Self::by(Arc::new(Monotonic::start()))
    }

    pub(crate) fn by(clock: Arc<dyn LeaseClock>) -> Self {
        Self { clock, known: Mutex::default() }
    }

    /// Returns `true` if the cached state has expired.
    pub(crate) fn is_over(&self, states: &States) -> bool {
        self.clock.now().saturating_sub(states.read_at) >= LEASE
    }

    /// Discards the cached state.
    pub(crate) fn forget(&self) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Returns the current states of the indexes of an entity's table, for a program that writes the entity.
    pub(crate) async fn states(
        &self,
        tables: &Tables,
        design: &'static Design,
    ) -> Result<Arc<States>, Error> {
        let states = self.states_to_read(tables, design).await?;
        states.check(design)?;
        Ok(states)
    }

    /// Returns the current states of the indexes of an entity's table, which may contain indexes that the program does
    /// not define.
    pub(crate) async fn states_to_read(
        &self,
        tables: &Tables,
        design: &'static Design,
    ) -> Result<Arc<States>, Error> {
        let is_registered = |states: &Arc<States>| states.schemas.contains(design.stored_name());
        if let Some(states) = self.cached(design).filter(is_registered) {
            return Ok(states);
        }
        let states = self.read_or_begin(tables, design).await?;
        Ok(self.keep(design, states))
    }

    /// Returns the current states, also if the entity is not registered.
    pub(crate) async fn states_if_any(
        &self,
        tables: &Tables,
        design: &'static Design,
    ) -> Result<Arc<States>, Error> {
        if let Some(states) = self.cached(design) {
            return Ok(states);
        }
        let states = self.read(tables, design).await?;
        Ok(self.keep(design, states))
    }

    /// Returns the states of an entity's table that are not expired.
    fn cached(&self, design: &'static Design) -> Option<Arc<States>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(design.table).cloned();
        known.filter(|states| !self.is_over(states))
    }

    fn keep(&self, design: &'static Design, states: States) -> Arc<States> {
        let states = Arc::new(states);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(design.table, Arc::clone(&states));
        states
    }

    async fn read_or_begin(&self, tables: &Tables, design: &'static Design) -> Result<States, Error> {
        // Taken before the request is sent, because the response may be as old as that.
        let read_at = self.clock.now();
        let states = Self::read_at(tables, design, read_at).await?;
        if states.schemas.contains(design.stored_name()) {
            return Ok(states);
        }
        if !design.indexes.is_empty() && has_entities(tables, design).await? {
            return Err(RegistryError::NotRegistered { entity: design.name, table: design.table }.into());
        }
        register(tables, design, design.indexes).await?;
        Self::read_at(tables, design, read_at).await
    }

    /// Reads the states of the indexes of an entity's table, without registering the entity.
    pub(crate) async fn read(&self, tables: &Tables, design: &'static Design) -> Result<States, Error> {
        Self::read_at(tables, design, self.clock.now()).await
    }

    pub(crate) async fn read_at(
        tables: &Tables,
        design: &'static Design,
        read_at: Duration,
    ) -> Result<States, Error> {
        Self::read_table(tables, design.table, read_at).await
    }

    /// Reads the states of the indexes of a table, or of the tables of a template.
    pub(crate) async fn read_table(tables: &Tables, name: &str, read_at: Duration) -> Result<States, Error> {
        let mut states = States { read_at, ..States::default() };
        each_row(tables, Filter::eq("PartitionKey", partition_of(name)), |row| {
            states.schemas.extend(schema(row).map(str::to_owned));
            let unreadable = &mut states.unreadable;
            states.versions.extend(unreadable.keep(row, VersionStatus::read(row)));
            states.indexes.extend(unreadable.keep(row, IndexStatus::read(row)));
            states.moves.extend(unreadable.keep(row, MoveStatus::read(row)));
            states.guards.extend(unreadable.keep(row, guarded(row)));
        })
        .await?;
        Ok(states)
    }
}

impl States {
    /// Checks that a program with this design may write under these states.
    fn check(&self, design: &'static Design) -> Result<(), Error> {
        self.unreadable.check(|row_key| is_of(design.stored_name(), row_key))?;
        self.check_version(design)?;
        for status in self.indexes.iter().filter(|status| status.entity == design.stored_name()) {
            if status.index == FEED {
                if design.changes.is_none() {
                    return Err(RegistryError::ChangesNotRecorded { entity: design.name }.into());
                }
                continue;
            }
            let Some((_, index)) = design.index(&status.index) else {
                if status.state.duty() == Duty::None {
                    continue;
                }
                let (entity, index, state) = (design.name, status.index.clone(), status.state);
                return Err(RegistryError::SchemaTooOld { entity, index, state }.into());
            };
            status.check(design, index)?;
        }
        Ok(())
    }

    /// Checks that programs may write the version of this design.
    pub(crate) fn check_version(&self, design: &'static Design) -> Result<(), Error> {
        let required = self.versions_of(design.stored_name())?.map_or(1, |status| status.min_write);
        let version = design.version();
        if version >= required {
            return Ok(());
        }
        let entity = design.stored_name().to_owned();
        Err(RegistryError::VersionTooOld { entity, version, required }.into())
    }

    /// Returns the versions of an entity, or `None` if it is not registered.
    pub(crate) fn versions_of(&self, entity: &str) -> Result<Option<&VersionStatus>, Error> {
        self.unreadable.check(|row_key| is_versions_of(entity, row_key))?;
        Ok(self.versions.iter().find(|status| status.entity == entity))
    }

    /// Checks that a program with this design may read an index or write its rows, regardless of the other indexes.
    pub(crate) fn check_index(&self, design: &'static Design, index: &'static Index) -> Result<(), Error> {
        self.check_readable(design, index)?;
        self.of(design.stored_name(), index.name).map_or(Ok(()), |status| status.check(design, index))
    }

    /// Checks that the row of an index can be read, if it exists.
    pub(crate) fn check_readable(&self, design: &Design, index: &Index) -> Result<(), Error> {
        let row_key = index_key(design, index);
        self.unreadable.check(|unreadable| unreadable == row_key)
    }

    /// Checks that a program may use a type without regard to a move of its entities.
    pub(crate) fn check_unmoved(&self, design: &'static Design) -> Result<(), Error> {
        self.unreadable.check(|row_key| is_guard_of(design.stored_name(), row_key))?;
        match self.guards.iter().find(|(name, _)| name == design.stored_name()) {
            None => Ok(()),
            Some((_, to)) => Err(RegistryError::Moving { entity: design.name, to: to.clone() }.into()),
        }
    }

    /// Returns the status of a move. `None` if it was not started.
    pub(crate) fn move_of(&self, old: &Design, new: &Design) -> Result<Option<&MoveStatus>, Error> {
        let row_key = move_key(old, new);
        self.unreadable.check(|unreadable| unreadable == row_key)?;
        let is_it = |status: &&MoveStatus| status.from == old.stored_name() && status.to == new.stored_name();
        Ok(self.moves.iter().find(is_it))
    }

    /// Returns the state of an index, or `None` if the index is not maintained.
    pub(crate) fn of(&self, entity: &str, index: &str) -> Option<&IndexStatus> {
        self.indexes.iter().find(|status| status.entity == entity && status.index == index)
    }

    /// Returns the duty of a writer for a rule of an entity. Only indexes can be added or removed.
    pub(crate) fn duty(&self, design: &Design, rule: &str) -> Duty {
        if design.index(rule).is_none() {
            return Duty::Full;
        }
        self.of(design.stored_name(), rule).map_or(Duty::None, |status| status.state.duty())
    }

    /// Returns which rows of an index match their entities. If the entity is not registered, all of them should.
    pub(crate) fn promise(&self, design: &Design, index: &Index) -> Promise {
        if !self.schemas.contains(design.stored_name()) {
            return Promise::All;
        }
        let status = self.of(design.stored_name(), index.name);
        status.map_or(Promise::Nothing, |status| status.state.promise())
    }

    /// Returns `true` if all entities have their rows in an index.
    pub(crate) fn is_settled(&self, entity: &str, index: &str) -> bool {
        let is_in = |state| matches!(state, IndexState::Readable | IndexState::WriteOnly);
        self.of(entity, index).is_none_or(|status| is_in(status.state))
    }

    /// Returns the states of the indexes of an entity, or `None` if the entity is not registered.
    pub(crate) fn registered(&self, entity: &str) -> Result<Option<Vec<IndexStatus>>, Error> {
        self.unreadable.check(|row_key| is_index_of(entity, row_key))?;
        let own = || self.all().filter(|status| status.entity == entity).cloned().collect();
        Ok(self.is_registered(entity).then(own))
    }

    /// Returns whether the registry contains an entity.
    pub(crate) fn is_registered(&self, entity: &str) -> bool {
        self.schemas.contains(entity)
    }

    /// Returns whether the changes of an entity are recorded, or `None` if the entity is not registered.
    pub(crate) fn records_changes(&self, entity: &str) -> Result<Option<bool>, Error> {
        self.unreadable.check(|row_key| is_index_of(entity, row_key))?;
        Ok(self.is_registered(entity).then(|| self.of(entity, FEED).is_some()))
    }

    /// Returns the states of all indexes.
    fn all(&self) -> impl Iterator<Item = &IndexStatus> {
        self.indexes.iter().filter(|status| status.index != FEED)
    }
}

impl IndexStatus {
    fn check(&self, design: &'static Design, index: &'static Index) -> Result<(), Error> {
        if self.definition == definition(design, index) {
            return Ok(());
        }
        Err(RegistryError::Differs { entity: design.name, index: index.name }.into())
    }
}

/// Returns `true` if the table of a type contains a row that may be an entity of the type. Rows of other types do not
/// count. Filters cannot select rows without an `EntityType`, so the rows are checked here.
async fn has_entities(tables: &Tables, design: &'static Design) -> Result<bool, Error> {
    let select = ["PartitionKey", "RowKey", ENTITY_TYPE].map(Into::into).to_vec();
    let mut query = Query { select: Some(select), ..Query::default() };
    loop {
        let segment = match tables.service().query(&table_of(design)?, query.clone()).await {
            Err(error) if error.is_not_found() => return Ok(false),
            other => other?,
        };
        if segment.rows.iter().any(|row| may_be_of(design, row)) {
            return Ok(true);
        }
        query.continuation = segment.continuation;
        if query.continuation.is_none() {
            return Ok(false);
        }
    }
}

/// Returns `true` if a row may be an entity of a type, in any version: by its `EntityType`, or else by its keys.
fn may_be_of(design: &'static Design, row: RowRef<'_>) -> bool {
    if design.entity_type.is_some() && entity_type(row).is_some() {
        return !is_of_other_type(design, row);
    }
    let keys = row.partition_key.zip(row.row_key).filter(|(_, row_key)| !row_key.starts_with('!'));
    let mut versions = Versions::new(design).all();
    versions.any(|version| has_keys(AccessPath::Own, version, keys))
}

/// Registers an entity and its complete indexes, as readable, unless another program has done so. If the row of the entity
/// was lost and rows of its indexes remain, only the row of the entity is written: an index without a row may be incomplete.
pub(crate) async fn register(
    tables: &Tables,
    design: &'static Design,
    complete: impl IntoIterator<Item = &'static Index>,
) -> Result<(), Error> {
    let readable = |index| index_row(design, index, IndexState::Readable, IndexProgress::default());
    let indexes = complete.into_iter().map(readable);
    let rows = std::iter::once(schema_row(design)).chain(indexes).chain(feed_row(design));
    let rows: Vec<_> = rows.map(Operation::Insert).collect();
    match tables.transact_or_create(&table()?, &rows).await {
        Err(error) if error.is_conflict() => {}
        other => return Ok(other.map(drop)?),
    }
    if Registry::read_at(tables, design, Duration::ZERO).await?.is_registered(design.stored_name()) {
        return Ok(());
    }
    match tables.execute(&table()?, &Operation::Insert(schema_row(design))).await {
        Err(error) if !error.is_conflict() => Err(error),
        _ => Ok(()),
    }
}
