//! Expiry: deletes the entities whose time is past, and those that were soft-deleted long enough ago.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Duration,
};

use futures_util::{StreamExt, stream};
use table_model::{Filter, RowRef, TableName, Timestamp, ValueRef};
use table_schema::role::Role;

use crate::{
    Address, Error, Expires, Job, Pending, SoftDelete, Source, Sweep, Tables,
    core::{
        entity::Writable,
        entity_types::{EntityInfo, of_types},
        error::may_pass,
        old::Old,
        table::table_of,
    },
    design::Design,
    maintain::{
        sweep::{Periods, Sort, Walk, WalkPage, address_of},
        verify::is_unknown,
    },
};

/// Number of entities that are deleted concurrently.
const AT_ONCE: usize = 16;
/// Maximum number of attempts for one entity after concurrent writes.
const ATTEMPTS: u32 = 64;
/// Maximum number of failures in the report.
const MOST_LISTED: usize = 1_000;

/// The job of [`Tables::expire`] and [`Tables::purge`].
#[derive(Debug)]
pub struct Expire {
    rule: Rule,
    /// Entities that failed attempts of the current page have deleted.
    deleted: AtomicU64,
}

/// The entities that are deleted.
#[derive(Clone, Copy, Debug)]
struct Rule {
    read: Reading,
    /// Time from that in an entity to its deletion.
    keep: Duration,
    is_dry: bool,
}

/// An entity, and the time in it.
type Timed = (Old, Option<Timestamp>);

/// Decoding of a row.
#[derive(Clone, Copy, Debug)]
enum Reading {
    Typed(fn(Source<'_>, RowRef<'_>) -> Result<Timed, Error>),
    /// By the design of the entity, which names the property with the time.
    Designed(EntityInfo, &'static str),
}

/// Result of [`Tables::expire`] and [`Tables::purge`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ExpireReport {
    /// Number of entities that were deleted; in a [dry run](Sweep::dry_run), that would be deleted.
    pub deleted: u64,
    /// Entities that remain, at most 1,000, because they cannot be decoded or their rows cannot be deleted.
    pub failed: Vec<(Address, Error)>,
    /// Number of entities past their time that remain, by version, because the design of [`Tables::design`] does not
    /// describe it.
    pub other_versions: BTreeMap<u32, u64>,
    /// Number of rows of the type past their time that remain, because this design does not declare their keys.
    pub unknown: u64,
}

impl Tables {
    /// Creates a sweep that deletes the expired entities of a type, with their index rows, contributions and blobs.
    ///
    /// Each entity is deleted only in the version whose time is past by the clock of this handle. If its time is extended
    /// concurrently, either the extension is rejected because the entity no longer exists, or the entity remains. A
    /// repeated or interrupted sweep deletes nothing else.
    ///
    /// The store filters the rows by the time, but reads the complete table, or the existing tables of an entity with a
    /// table for each period. To delete such tables as a whole, drop them.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Sessions", partition = "{user}", row = "s_{id:06}", expires = ends)]
    /// struct Session { user: String, id: u32, ends: Timestamp }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// let (past, future) = ("2014-07-31T00:00:00Z".parse()?, "9999-07-31T00:00:00Z".parse()?);
    /// tables.insert(&Session { user: "jo".into(), id: 1, ends: past }).await?;
    /// tables.insert(&Session { user: "jo".into(), id: 2, ends: future }).await?;
    ///
    /// assert_eq!(tables.expire::<Session>().run().await?.deleted, 1);
    /// let left = Session::rows("jo").all(&tables).await?;
    /// assert_eq!(left.iter().map(|session| session.id).collect::<Vec<_>>(), [2]);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn expire<E: Expires>(&self) -> Sweep<Expire> {
        let read = |source: Source<'_>, row: RowRef<'_>| {
            let stored = <E as Writable>::stored(source, row)?;
            Ok((Old::of(&stored)?, stored.expires_at()))
        };
        let names = E::DESIGN.role(Role::Expires).into_iter();
        Rule { read: Reading::Typed(read), keep: Duration::ZERO, is_dry: false }.sweep(
            self,
            "expire",
            E::DESIGN,
            names,
        )
    }

    /// Creates a sweep that permanently deletes the entities of a type that were [soft-deleted](Self::soft_delete) at least
    /// the duration `keep` ago. It works as [`expire`](Self::expire) does: an entity that is restored concurrently remains.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Users", partition = "{tenant}", row = "{id:06}", soft_delete = deleted)]
    /// struct User { tenant: String, id: u32, deleted: Option<Timestamp> }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// tables.insert(&User { tenant: "a".into(), id: 1, deleted: None }).await?;
    /// tables.soft_delete(User::point("a", 1)).await?;
    /// let thirty_days = Duration::from_secs(30 * 24 * 60 * 60);
    /// assert_eq!(tables.purge::<User>(thirty_days).run().await?.deleted, 0);
    /// assert_eq!(tables.purge::<User>(Duration::ZERO).run().await?.deleted, 1);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn purge<E: SoftDelete>(&self, keep: Duration) -> Sweep<Expire> {
        let read = |source: Source<'_>, row: RowRef<'_>| {
            let stored = <E as Writable>::stored(source, row)?;
            Ok((Old::of(&stored)?, stored.deleted_at()))
        };
        let names = E::DESIGN.role_in_versions(Role::SoftDelete);
        Rule { read: Reading::Typed(read), keep, is_dry: false }.sweep(self, "purge", E::DESIGN, names)
    }
}

impl Sweep<Expire> {
    /// Counts the entities that would be deleted, and writes nothing.
    pub const fn dry_run(mut self) -> Self {
        self.job().rule.is_dry = true;
        self
    }
}

fn expired(names: impl Iterator<Item = &'static str>, by: Timestamp) -> Option<Filter> {
    names.map(|name| Filter::le(name, by)).reduce(Filter::or)
}

/// Returns a filter for the rows that may be due. Rows of older versions can have the time under another name.
fn due(design: &'static Design, names: impl Iterator<Item = &'static str>, by: Timestamp) -> Option<Filter> {
    let expired = expired(names, by)?;
    let Some(newest) = design.entity_type else { return Some(expired) };
    let older = of_types(design.entity_types().filter(|name| *name != newest));
    let newest = of_types([newest].into_iter())?.and(expired);
    Some(match older {
        Some(older) => newest.or(older),
        None => newest,
    })
}

impl Reading {
    /// Returns whether a row can be an entity, and counts the others of its type.
    fn selects(self, tables: &Tables, table: &TableName, row: RowRef<'_>, report: &mut ExpireReport) -> bool {
        let Self::Designed(kind, _) = self else { return true };
        match Sort::of(kind, tables.source(table), row) {
            Sort::Entity | Sort::Unreadable(_) => return true,
            Sort::OtherVersion(version, _) => *report.other_versions.entry(version).or_default() += 1,
            Sort::Other if is_unknown(tables, kind, table, row) => report.unknown += 1,
            _ => {}
        }
        false
    }

    /// Returns an entity and its time, or `None` for a row of something else.
    fn read(self, source: Source<'_>, row: RowRef<'_>) -> Result<Option<Timed>, Error> {
        let found = match self {
            Self::Typed(read) => read(source, row),
            Self::Designed(kind, name) => {
                let time = match row.properties.get(name) {
                    Some(ValueRef::DateTime(time)) => Some(time),
                    _ => None,
                };
                return Ok(Old::of_row(kind, source, row)?.map(|old| (old, time)));
            }
        };
        match found {
            Ok(found) => Ok(Some(found)),
            // The row belongs to an index, which is deleted together with its entity, or has another entity type.
            Err(Error::Decode(error)) if error.is_foreign() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Expire {
    /// Creates the sweep of an entity by its design.
    pub(crate) fn designed(
        tables: &Tables,
        kind: EntityInfo,
        name: &'static str,
        keep: Option<Duration>,
    ) -> Sweep<Self> {
        let job = if keep.is_some() { "purge" } else { "expire" };
        let read = Reading::Designed(kind, name);
        let rule = Rule { read, keep: keep.unwrap_or_default(), is_dry: false };
        rule.sweep(tables, job, kind.newest(), [name].into_iter())
    }
}

impl Rule {
    fn sweep(
        self,
        tables: &Tables,
        job: &str,
        design: &'static Design,
        names: impl Iterator<Item = &'static str>,
    ) -> Sweep<Expire> {
        let by = tables.clock().now().saturating_sub(self.keep).max(Timestamp::MIN_STORED);
        let filter = match self.read {
            Reading::Typed(_) => due(design, names, by),
            // Rows of versions that the design does not describe are counted.
            Reading::Designed(..) => expired(names, by),
        };
        let walk = match &design.tables {
            Some(template) => Ok(Walk::over(job, design.name, Periods::Type(template), filter)),
            None => table_of(design).map(|table| Walk::new(job, design.name, vec![table], filter)),
        };
        Sweep::new(tables, Expire { rule: self, deleted: AtomicU64::new(0) }, walk)
    }

    /// Returns whether the entity was deleted, or the error if it is not transient. After a transient error of another
    /// entity, deletes nothing.
    fn delete<'t>(
        self,
        tables: &'t Tables,
        address: Address,
        has_failed: &'t AtomicBool,
    ) -> Pending<'t, (Address, Result<bool, Error>)> {
        Box::pin(async move {
            if has_failed.load(Relaxed) {
                return Ok((address, Ok(false)));
            }
            match self.attempt(tables, &address).await {
                Err(error) if may_pass(&error) => {
                    has_failed.store(true, Relaxed);
                    Err(error)
                }
                outcome => Ok((address, outcome)),
            }
        })
    }

    async fn attempt(self, tables: &Tables, address: &Address) -> Result<bool, Error> {
        for _ in 0..ATTEMPTS {
            let rows = tables.read(address, None).await?;
            let Some(row) = rows.get(0) else { return Ok(false) };
            let Some((old, time)) = self.read.read(tables.source(&address.table), row)? else {
                return Ok(false);
            };
            let is_due = time.is_some_and(|time| time.saturating_add(self.keep) <= tables.clock().now());
            if !is_due || self.is_dry {
                return Ok(is_due);
            }
            match tables.delete_if_exists(&old).await {
                Err(error) if error.is_conflict() => {}
                deleted => return deleted,
            }
        }
        Err(Error::Contended { address: Box::new(address.clone()), attempts: ATTEMPTS })
    }
}

impl Job for Expire {
    type Report = ExpireReport;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, ExpireReport> {
        Box::pin(async move {
            let mut report = ExpireReport::default();
            let is_read = |row: &RowRef<'_>| self.rule.read.selects(tables, &page.table, *row, &mut report);
            let rows: Vec<RowRef<'_>> = page.rows.iter().filter(is_read).collect();
            let addresses = rows.into_iter().filter_map(|row| address_of(&page.table, row));
            let has_failed = AtomicBool::new(false);
            let delete = |address| self.rule.delete(tables, address, &has_failed);
            let work: Vec<Pending<'_, _>> = addresses.map(delete).collect();
            // After a transient error, the deletions that were started are completed, so that they are counted.
            let done: Vec<_> = stream::iter(work).buffered(AT_ONCE).collect().await;
            let mut transient = None;
            for outcome in done {
                match outcome {
                    Ok((_, Ok(deleted))) => report.deleted += u64::from(deleted),
                    Ok((address, Err(error))) => report.failed.push((address, error)),
                    Err(error) => transient = transient.or(Some(error)),
                }
            }
            if let Some(error) = transient {
                // The repeated page counts the entities of a dry run again.
                let deleted = if self.rule.is_dry { 0 } else { report.deleted };
                self.deleted.fetch_add(deleted, Relaxed);
                return Err(error);
            }
            report.deleted += self.deleted.swap(0, Relaxed);
            Ok(report)
        })
    }

    fn add(report: &mut ExpireReport, page: ExpireReport) {
        report.deleted += page.deleted;
        report.unknown += page.unknown;
        for (version, entities) in page.other_versions {
            *report.other_versions.entry(version).or_default() += entities;
        }
        let room = MOST_LISTED.saturating_sub(report.failed.len());
        report.failed.extend(page.failed.into_iter().take(room));
    }
}
