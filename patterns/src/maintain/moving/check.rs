//! The check of a move before it starts.

use std::{fmt, marker::PhantomData};

use futures_util::{StreamExt, TryStreamExt, stream};

use super::forward::old_types;
use crate::{
    Address, Error, Job, MovedFrom, Pending, RegistryError, Sweep, TableEntity, Tables,
    core::{error::may_pass, table::table_of},
    maintain::sweep::{Walk, WalkPage, address_of},
    pattern::moving::{AtNew, AtOld, Keys, assert_convertible, assert_same, marker_filter},
};

/// Number of new keys that are read concurrently.
const AT_ONCE: usize = 16;
/// Maximum number of entities in the report.
const MOST_LISTED: usize = 1_000;

/// The job of [`Migration::check`](crate::Migration::check).
pub struct MoveCheck<E>(PhantomData<fn() -> E>);

/// Result of a check before a move.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct MoveCheckReport {
    /// Number of entities that are not moved yet.
    pub entities: u64,
    /// Number of markers of moved entities.
    pub moved: u64,
    /// Entities that cannot be moved, at most 1,000, each with the reason: the old and the new key do not determine each
    /// other, or another entity is at the new key.
    pub stuck: Vec<(Address, Error)>,
}

pub(super) fn sweep<E: MovedFrom>(tables: &Tables) -> Sweep<MoveCheck<E>> {
    let filter = Some(old_types::<E>().or(marker_filter()));
    let table = table_of(<E::Old as TableEntity>::DESIGN);
    let walk = table.map(|table| Walk::new("check", E::DESIGN.name, vec![table], filter));
    Sweep::new(tables, MoveCheck(PhantomData), walk)
}

impl<E: MovedFrom> Job for MoveCheck<E> {
    type Report = MoveCheckReport;

    fn page<'a>(&'a self, tables: &'a Tables, page: &'a WalkPage) -> Pending<'a, MoveCheckReport> {
        Box::pin(async move {
            let mut report = MoveCheckReport::default();
            let mut work: Vec<Pending<'_, (Address, Option<Error>)>> = Vec::new();
            for row in &page.rows {
                let Some(address) = address_of(&page.table, row) else { continue };
                let keys = match AtOld::<E>::of(tables, &address, row) {
                    Ok(AtOld::Marker(_)) => {
                        report.moved += 1;
                        continue;
                    }
                    Ok(AtOld::Nothing) => continue,
                    Ok(AtOld::Live(stored)) => movable::<E>(&stored),
                    Err(Error::Decode(error)) if error.is_foreign() => continue,
                    Err(error) => Err(error),
                };
                report.entities += 1;
                work.push(Box::pin(async move {
                    match free::<E>(tables, keys).await {
                        Err(error) if may_pass(&error) => Err(error),
                        result => Ok((address, result.err())),
                    }
                }));
            }
            let found: Vec<_> = stream::iter(work).buffered(AT_ONCE).try_collect().await?;
            report.stuck.extend(found.into_iter().filter_map(|(address, error)| Some((address, error?))));
            Ok(report)
        })
    }

    fn add(report: &mut MoveCheckReport, page: MoveCheckReport) {
        report.entities += page.entities;
        report.moved += page.moved;
        let room = MOST_LISTED.saturating_sub(report.stuck.len());
        report.stuck.extend(page.stuck.into_iter().take(room));
    }
}

/// Returns the keys of an entity, if its conversion can be moved.
fn movable<E: MovedFrom>(old: &E::Old) -> Result<Keys, Error> {
    let keys = Keys::of_old::<E>(old)?;
    assert_same(&keys, old, &E::from(old.clone())).map(|()| keys)
}

/// Fails if another entity is at the new key.
async fn free<E: MovedFrom>(tables: &Tables, keys: Result<Keys, Error>) -> Result<(), Error> {
    let keys = keys?;
    if keys.are_equal() {
        return assert_convertible::<E>(&keys);
    }
    match AtNew::<E>::read(tables, &keys.new).await? {
        AtNew::Live(_) => {
            let (from, to) = (Box::new(keys.old), Box::new(keys.new));
            Err(RegistryError::KeyTaken { from, to }.into())
        }
        AtNew::Nothing | AtNew::Stub(_) | AtNew::Copy { .. } => Ok(()),
    }
}

impl<E> fmt::Debug for MoveCheck<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MoveCheck")
    }
}
