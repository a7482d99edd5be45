//! Expiry: deletes the entities whose time is past.

use std::{
    fmt,
    marker::PhantomData,
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
};

use futures_util::{StreamExt, stream};
use table_model::{Filter, Timestamp};

use crate::{
    Address, Error, Expires, Job, Pending, Sweep, Tables,
    core::{entity::Writable, entity_types::of_types, error::may_pass, table::table_of},
    design::Design,
    maintain::sweep::{Periods, Walk, WalkPage, address_of},
};

/// Number of entities that are deleted concurrently.
const AT_ONCE: usize = 16;
/// Maximum number of attempts for one entity after concurrent writes.
const ATTEMPTS: u32 = 64;
/// Maximum number of failures in the report.
const MOST_LISTED: usize = 1_000;

/// The job of [`Tables::expire`].
pub struct Expire<E> {
    /// Entities that failed attempts of the current page have deleted.
    deleted: AtomicU64,
    of: PhantomData<fn() -> E>,
}

/// Result of [`Tables::expire`].
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ExpireReport {
    /// Number of entities that were deleted.
    pub deleted: u64,
    /// Entities that remain, at most 1,000, because they cannot be decoded or their rows cannot be deleted.
    pub failed: Vec<(Address, Error)>,
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
    pub fn expire<E: Expires>(&self) -> Sweep<Expire<E>> {
        let (design, filter) = (E::DESIGN, due(E::DESIGN, self.clock().now()));
        let walk = match &design.tables {
            Some(template) => Ok(Walk::over("expire", design.name, Periods::Type(template), filter)),
            None => table_of(design).map(|table| Walk::new("expire", design.name, vec![table], filter)),
        };
        Sweep::new(self, Expire { deleted: AtomicU64::new(0), of: PhantomData }, walk)
    }
}

/// Returns a filter for the rows that may be expired. Rows of older versions can have the time under another name.
fn due(design: &'static Design, now: Timestamp) -> Option<Filter> {
    let expired = Filter::le(design.expires?, now);
    let Some(newest) = design.entity_type else { return Some(expired) };
    let older = of_types(design.entity_types().filter(|name| *name != newest));
    let newest = of_types([newest].into_iter())?.and(expired);
    Some(match older {
        Some(older) => newest.or(older),
        None => newest,
    })
}

impl<E: Expires> Expire<E> {
    /// Returns whether the entity was deleted, or the error if it is not transient. After a transient error of another
    /// entity, deletes nothing.
    fn delete<'t>(
        tables: &'t Tables,
        address: Address,
        has_failed: &'t AtomicBool,
    ) -> Pending<'t, (Address, Result<bool, Error>)> {
        Box::pin(async move {
            if has_failed.load(Relaxed) {
                return Ok((address, Ok(false)));
            }
            match Self::attempt(tables, &address).await {
                Err(error) if may_pass(&error) => {
                    has_failed.store(true, Relaxed);
                    Err(error)
                }
                outcome => Ok((address, outcome)),
            }
        })
    }

    async fn attempt(tables: &Tables, address: &Address) -> Result<bool, Error> {
        for _ in 0..ATTEMPTS {
            let rows = tables.read(address, None).await?;
            let Some(row) = rows.get(0) else { return Ok(false) };
            let stored = match <E as Writable>::stored(tables.source(&address.table), row) {
                Ok(stored) => stored,
                // The row belongs to an index, which is deleted together with its entity, or has another entity type.
                Err(Error::Decode(error)) if error.is_foreign() => return Ok(false),
                Err(error) => return Err(error),
            };
            if !stored.is_expired(tables.clock().now()) {
                return Ok(false);
            }
            match tables.delete_if_exists(&stored).await {
                Err(error) if error.is_conflict() => {}
                deleted => return deleted,
            }
        }
        Err(Error::Contended { address: Box::new(address.clone()), attempts: ATTEMPTS })
    }
}

impl<E: Expires> Job for Expire<E> {
    type Report = ExpireReport;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, ExpireReport> {
        Box::pin(async move {
            let addresses = page.rows.iter().filter_map(|row| address_of(&page.table, row));
            let has_failed = AtomicBool::new(false);
            let delete = |address| Self::delete(tables, address, &has_failed);
            let work: Vec<Pending<'_, _>> = addresses.map(delete).collect();
            // After a transient error, the deletions that were started are completed, so that they are counted.
            let done: Vec<_> = stream::iter(work).buffered(AT_ONCE).collect().await;
            let (mut report, mut transient) = (ExpireReport::default(), None);
            for outcome in done {
                match outcome {
                    Ok((_, Ok(deleted))) => report.deleted += u64::from(deleted),
                    Ok((address, Err(error))) => report.failed.push((address, error)),
                    Err(error) => transient = transient.or(Some(error)),
                }
            }
            if let Some(error) = transient {
                self.deleted.fetch_add(report.deleted, Relaxed);
                return Err(error);
            }
            report.deleted += self.deleted.swap(0, Relaxed);
            Ok(report)
        })
    }

    fn add(report: &mut ExpireReport, page: ExpireReport) {
        report.deleted += page.deleted;
        let room = MOST_LISTED.saturating_sub(report.failed.len());
        report.failed.extend(page.failed.into_iter().take(room));
    }
}

impl<E> fmt::Debug for Expire<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Expire")
    }
}
