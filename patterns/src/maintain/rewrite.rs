//! The job that replaces entities by themselves, so that their rows have the form that the program writes today.

use std::{fmt, marker::PhantomData};

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{RowRef, Rows};

use crate::{
    Address, Error, Job, Pending, TableEntity, Tables,
    core::{entity::Writable, entity_types::EntityInfo, error::may_pass, versions::Versions},
    maintain::{
        list_rows,
        sweep::{WalkPage, address_of},
    },
    pattern::{
        archive,
        changes::{
            self,
            rewrite::{is_of_feed, recorded_entity, recorded_type},
        },
    },
    write::Intent,
};

/// Number of entities that are written concurrently.
const AT_ONCE: usize = 16;
/// Maximum number of attempts for one entity after concurrent writes.
const ATTEMPTS: u32 = 64;
/// Maximum number of failures in the report.
const MOST_LISTED: usize = 1_000;

/// The job of [`Tables::upgrade`].
pub struct Rewrite<E> {
    entity: PhantomData<fn() -> E>,
}

/// Result of a job that rewrites entities.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct RewriteReport {
    /// Number of entities that were written, also in the archive.
    pub written: u64,
    /// Number of rows of the change feed that were written: records, and previous states of entities.
    pub records: u64,
    /// Number of rows of lists whose `EntityType` was set to that of the newest version. An entity that remains in a
    /// list does not change these rows.
    pub list_rows: u64,
    /// Entities that are unchanged, at most 1,000, because they cannot be decoded or their rows cannot be written.
    pub failed: Vec<(Address, Error)>,
}

/// What was written.
#[derive(Clone, Copy, Debug)]
enum Written {
    Entity,
    ListRow,
    Record,
}

impl<E: TableEntity> Rewrite<E> {
    pub(super) const fn new() -> Self {
        Self { entity: PhantomData }
    }

    /// Returns whether a row is to be written: that of an entity, or that of a change feed.
    fn is_due(row: RowRef<'_>) -> bool {
        let is_older = |written: &str| Some(written) != E::DESIGN.entity_type && E::DESIGN.reads(written);
        recorded_type(row).is_some_and(is_older) || EntityInfo::of::<E>().is_older(row)
    }

    /// Returns what was written, or the error if it is not transient.
    fn write<'a>(
        &'a self,
        tables: &'a Tables,
        address: Address,
    ) -> Pending<'a, (Address, Result<Option<Written>, Error>)> {
        Box::pin(async move {
            match self.attempt(tables, &address).await {
                Err(error) if may_pass(&error) => Err(error),
                outcome => Ok((address, outcome)),
            }
        })
    }

    async fn attempt(&self, tables: &Tables, address: &Address) -> Result<Option<Written>, Error> {
        for _ in 0..ATTEMPTS {
            let rows: Rows = tables.read(address, None).await?;
            let Some(row) = rows.get(0).filter(|row| Self::is_due(*row)) else { return Ok(None) };
            let Some((written, what)) = self.replace(tables, address, row).await? else { return Ok(None) };
            match written {
                Ok(()) => return Ok(Some(what)),
                Err(error) if error.is_conflict() || error.is_not_found() => {}
                Err(error) => return Err(error),
            }
        }
        Err(Error::Contended { address: Box::new(address.clone()), attempts: ATTEMPTS })
    }

    /// Writes a row as the newest version. Returns the result of the request, and what was written; `None` if the row is
    /// written with another one, or belongs to another type.
    async fn replace(
        &self,
        tables: &Tables,
        address: &Address,
        row: RowRef<'_>,
    ) -> Result<Option<(Result<(), Error>, Written)>, Error> {
        let in_table = |name: &str| address.table.as_str().eq_ignore_ascii_case(name);
        let (operation, what) = if is_of_feed(&address.row_key) {
            let Some(entity) = recorded_entity(tables, address, row).await? else { return Ok(None) };
            (changes::rewrite::to_newest::<E>(tables, (address, row), &entity), Written::Record)
        } else if Versions::new(E::DESIGN).archives().any(in_table) {
            (archive::to_newest::<E>(tables, address, row), Written::Entity)
        } else if let Some(operation) = list_rows::to_newest(tables, EntityInfo::of::<E>(), address, row) {
            (Ok(operation), Written::ListRow)
        } else if E::DESIGN.tables.is_none() && !in_table(E::DESIGN.table) {
            // A table of lists contains no entities. An entity with a table for each period has no lists.
            return Ok(None);
        } else {
            return match <E as Writable>::stored(tables.source(&address.table), row) {
                Ok(stored) => {
                    let mut intent = Intent::replace(&stored)?;
                    changes::rewrite::record_newest(tables, &stored, address, &mut intent)?;
                    Ok(Some((tables.carry_out(intent).await.map(drop), Written::Entity)))
                }
                // The row belongs to an index, which is written together with its entity, or has another entity type.
                Err(Error::Decode(error)) if error.is_foreign() => Ok(None),
                Err(error) => Err(error),
            };
        };
        match operation {
            Ok(operation) => Ok(Some((tables.execute(&address.table, &operation).await.map(drop), what))),
            Err(Error::Decode(error)) if error.is_foreign() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl<E: TableEntity> Job for Rewrite<E> {
    type Report = RewriteReport;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, RewriteReport> {
        Box::pin(async move {
            let due = page.rows.iter().filter(|row| Self::is_due(*row));
            let addresses = due.filter_map(|row| address_of(&page.table, row));
            let work: Vec<Pending<'_, _>> = addresses.map(|address| self.write(tables, address)).collect();
            let done: Vec<_> = stream::iter(work).buffered(AT_ONCE).try_collect().await?;
            let mut report = RewriteReport::default();
            for (address, outcome) in done {
                match outcome {
                    Ok(Some(Written::Entity)) => report.written += 1,
                    Ok(Some(Written::ListRow)) => report.list_rows += 1,
                    Ok(Some(Written::Record)) => report.records += 1,
                    Ok(None) => {}
                    Err(error) => report.failed.push((address, error)),
                }
            }
            Ok(report)
        })
    }

    fn add(report: &mut RewriteReport, page: RewriteReport) {
        report.written += page.written;
        report.list_rows += page.list_rows;
        report.records += page.records;
        let room = MOST_LISTED.saturating_sub(report.failed.len());
        report.failed.extend(page.failed.into_iter().take(room));
    }
}

impl<E> fmt::Debug for Rewrite<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rewrite")
    }
}
