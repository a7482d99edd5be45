//! A client-side cache for small sets that rarely change, for client-side joins.

mod joined;

pub use joined::{Joined, Pair};

use std::{
    collections::HashMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use crate::{Address, Error, Pending, PointQuery, Query, Stored, TableEntity, Tables};

/// A cache of entities of one type. Each entity is read on first use and cached for a fixed time.
///
/// A cached entity is at most that old. The cache is intended for small sets that rarely change, such as the
/// departments that a list of employees refers to. A missing entity is cached, too. Clones share the cached entities.
///
/// ```
/// use std::time::Duration;
/// use table_patterns::prelude::*;
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Departments", partition = "{code}", row = "department")]
/// struct Department { code: String, name: String }
///
/// #[derive(TableEntity, Clone, Debug)]
/// #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
/// struct Employee { department: String, id: u32 }
///
/// # fn main() -> Result<()> {
/// # pollster::block_on(async {
/// # let tables = Tables::in_memory()?;
/// # tables.insert(&Department { code: "d1".into(), name: "Sales".into() }).await?;
/// # for id in 1..=3 { tables.insert(&Employee { department: "d1".into(), id }).await?; }
/// let departments = tables.cache::<Department>(Duration::from_secs(300));
/// let employees = Employee::rows("d1").stream(&tables);
/// let mut rows = employees.join(&departments, |employee| Department::point(&employee.department));
/// while let Some((employee, department)) = rows.try_next().await? {
///     let department = department.map(|department| department.name.clone());
///     assert_eq!((employee.department.as_str(), department.as_deref()), ("d1", Some("Sales")));
/// }
/// assert_eq!(departments.reads(), 1); // for three employees
/// # Ok(())
/// # })
/// # }
/// ```
pub struct Cache<E> {
    inside: Arc<Inside<E>>,
}

struct Inside<E> {
    tables: Tables,
    at_most: Duration,
    clock: fn() -> Instant,
    kept: Mutex<Kept<E>>,
}

struct Kept<E> {
    entries: HashMap<Key, Entry<E>>,
    reads: u64,
    /// Number of calls of [`Cache::clear`].
    cleared: u64,
}

/// Address of an entity, and whether its query excludes soft-deleted entities.
type Key = (Address, bool);

/// A result, and the start time of its read.
struct Entry<E> {
    since: Instant,
    entity: Option<Arc<Stored<E>>>,
}

/// Maximum number of cached entities. When the limit is reached, expired entries are removed; if that is not enough,
/// all entries are removed.
const MOST: usize = 10_000;

impl Tables {
    /// Creates a cache that keeps entities for at most this time after they were read.
    pub fn cache<E: TableEntity>(&self, at_most: Duration) -> Cache<E> {
        Cache::new(self.clone(), at_most, Instant::now)
    }
}

impl<E: TableEntity> Cache<E> {
    fn new(tables: Tables, at_most: Duration, clock: fn() -> Instant) -> Self {
        let kept = Mutex::new(Kept { entries: HashMap::new(), reads: 0, cleared: 0 });
        Self { inside: Arc::new(Inside { tables, at_most, clock, kept }) }
    }

    /// Returns an entity, or `None` if it does not exist. The cost is one request, unless the cache contains the
    /// entity. A query with a consistency requirement ([`after`](crate::Query::after),
    /// [`caught_up`](crate::Query::caught_up), [`validated`](crate::Query::validated)) always reads, and its result
    /// replaces the cached entity.
    ///
    /// # Errors
    /// Returns the errors of [`PointQuery::get`].
    pub fn get(&self, point: &PointQuery<E>) -> Pending<'static, Option<Arc<Stored<E>>>> {
        let (inside, point) = (Arc::clone(&self.inside), point.clone());
        Box::pin(async move {
            let key = (point.address()?, point.spec().clauses.visible.is_some());
            if let Some(found) = inside.find(&key).filter(|_| !point.requires_read()) {
                return Ok(found.entity);
            }
            // Measured before the request: the result is the state at this time or a newer one.
            let (since, cleared) = ((inside.clock)(), inside.cleared());
            let entity = point.get(&inside.tables).await?.map(Arc::new);
            inside.keep(key, Entry { since, entity: entity.clone() }, cleared);
            Ok(entity)
        })
    }

    /// Removes all entries. Subsequent calls of [`get`](Self::get) read the entities again. The results of reads that
    /// are in progress are not cached.
    pub fn clear(&self) {
        let mut kept = self.inside.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.entries.clear();
        kept.cleared += 1;
    }

    /// Returns the number of requests sent.
    pub fn reads(&self) -> u64 {
        self.inside.kept.lock().unwrap_or_else(PoisonError::into_inner).reads
    }
}

impl<E> Inside<E> {
    fn is_fresh(&self, entry: &Entry<E>) -> bool {
        (self.clock)().saturating_duration_since(entry.since) <= self.at_most
    }

    /// Returns the cached result for a key, if it has not expired.
    fn find(&self, key: &Key) -> Option<Entry<E>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Entry { since, entity } = kept.entries.get(key).filter(|entry| self.is_fresh(entry))?;
        Some(Entry { since: *since, entity: entity.clone() })
    }

    fn cleared(&self) -> u64 {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).cleared
    }

    /// Caches a result, unless the cache was cleared since the read started or contains the result of a later read.
    fn keep(&self, key: Key, entry: Entry<E>, cleared: u64) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.reads += 1;
        let is_newer = kept.entries.get(&key).is_none_or(|known| known.since <= entry.since);
        if kept.cleared != cleared || !is_newer {
            return;
        }
        if kept.entries.len() >= MOST {
            kept.entries.retain(|_, entry| self.is_fresh(entry));
        }
        if kept.entries.len() >= MOST {
            kept.entries.clear();
        }
        kept.entries.insert(key, entry);
    }
}

impl<E> Clone for Cache<E> {
    fn clone(&self) -> Self {
        Self { inside: Arc::clone(&self.inside) }
    }
}

impl<E> fmt::Debug for Cache<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = self.inside.kept.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_struct("Cache")
            .field("at_most", &self.inside.at_most)
            .field("entities", &kept.entries.len())
            .field("reads", &kept.reads)
            .finish_non_exhaustive()
    }
}

/// Result of a cache lookup, with the error type of the caller.
pub(crate) type Found<E> = Result<Option<Arc<Stored<E>>>, Error>;

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::prelude::*;

    mod table_patterns {
        pub(super) use crate::*;
    }

    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Departments", partition = "{code}", row = "department", crate = table_patterns)]
    struct Department {
        code: String,
        name: String,
    }

    thread_local! {
        static LATER: Cell<Duration> = const { Cell::new(Duration::ZERO) };
        static START: Instant = Instant::now();
    }

    fn clock() -> Instant {
        START.with(|start| *start + LATER.get())
    }

    fn named(name: &str) -> Department {
        Department { code: "d1".into(), name: name.into() }
    }

    #[test]
    fn what_it_gives_is_never_older_than_stated() {
        let tables = Tables::in_memory().unwrap();
        let cache = Cache::<Department>::new(tables.clone(), Duration::from_secs(60), clock);
        let point = Department::point("d1");
        let name = || pollster::block_on(cache.get(&point)).unwrap().map(|found| found.name.clone());
        assert_eq!(name(), None);
        tables.blocking().insert(&named("Sales")).unwrap();
        assert_eq!(name(), None, "that it was not there is kept as well");
        LATER.set(Duration::from_secs(61));
        assert_eq!(name().as_deref(), Some("Sales"));
        tables.blocking().replace_any(&named("Sales and service")).unwrap();
        LATER.set(Duration::from_secs(121));
        assert_eq!(name().as_deref(), Some("Sales"), "sixty seconds old, and no older");
        assert_eq!(cache.reads(), 2);
        LATER.set(Duration::from_secs(122));
        assert_eq!(name().as_deref(), Some("Sales and service"));
        cache.clear();
        assert_eq!((name().is_some(), cache.reads()), (true, 4));
    }

    #[test]
    fn consistency_requirements_bypass_the_cache() {
        let tables = Tables::in_memory().unwrap();
        let cache = tables.cache::<Department>(Duration::from_secs(300));
        let name = |point| pollster::block_on(cache.get(&point)).unwrap().unwrap().name.clone();
        tables.blocking().insert(&named("old")).unwrap();
        assert_eq!(name(Department::point("d1")), "old");
        let written = tables.blocking().replace_any(&named("new")).unwrap();
        assert_eq!(name(Department::point("d1")), "old");
        assert_eq!(name(Department::point("d1").after(&written)), "new");
        assert_eq!(name(Department::point("d1")), "new", "the later read is cached");
    }

    #[test]
    fn reads_before_clear_are_not_cached() {
        let tables = Tables::in_memory().unwrap();
        let cache = tables.cache::<Department>(Duration::from_secs(300));
        tables.blocking().insert(&named("new")).unwrap();
        let address = Department::point("d1").address().unwrap();
        let (since, cleared) = (Instant::now(), cache.inside.cleared());
        cache.clear();
        cache.inside.keep((address, false), Entry { since, entity: None }, cleared);
        assert!(pollster::block_on(cache.get(&Department::point("d1"))).unwrap().is_some());
    }

    #[test]
    fn it_does_not_grow_without_end() {
        let tables = Tables::in_memory().unwrap();
        let cache = Cache::<Department>::new(tables, Duration::from_secs(60), Instant::now);
        for number in 0..=MOST {
            pollster::block_on(cache.get(&Department::point(number.to_string()))).unwrap();
        }
        assert!(cache.inside.kept.lock().unwrap().entries.len() <= MOST);
    }
}
