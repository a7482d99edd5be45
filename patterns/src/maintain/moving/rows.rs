//! What the passes do with the rows of a page.

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{Condition, Operation, RowRef};

use super::turn::Done;
use crate::{
    Address, Error, MoveState, MovedFrom, Pending, RegistryError, TableEntity, Tables,
    apply::conclude,
    core::{error::may_pass, marker::marker_of, outbox::Commit, row::parse_key, table::table_of},
    design::Design,
    maintain::sweep::{WalkPage, address_of},
    pattern::moving::{AtNew, AtOld, Keys, Relocated, Session, has_unique_values, is_leftover},
};

/// Number of rows that are processed concurrently.
const AT_ONCE: usize = 16;
/// Maximum number of attempts for one row after concurrent writes.
const ATTEMPTS: u32 = 64;

/// Result for one row.
enum Row {
    /// Nothing to do.
    Right,
    /// An entity at its old key. `true` if this process moved it.
    Found(bool),
}

/// Processes the rows of a page concurrently.
async fn each<'p>(
    page: Option<&'p WalkPage>,
    work: impl Fn(Address, RowRef<'p>) -> Pending<'p, Row>,
) -> Result<Done, Error> {
    let rows = page.into_iter().flat_map(|page| page.rows.iter().map(move |row| (&page.table, row)));
    let work: Vec<Pending<'_, (Address, Result<Row, Error>)>> = rows
        .filter_map(|(table, row)| {
            let address = address_of(table, row)?;
            let done = work(address.clone(), row);
            let of_row = async move {
                match done.await {
                    Err(error) if may_pass(&error) => Err(error),
                    other => Ok((address, other)),
                }
            };
            Some(Box::pin(of_row) as Pending<'_, _>)
        })
        .collect();
    let results: Vec<_> = stream::iter(work).buffered(AT_ONCE).try_collect().await?;
    let mut done = Done::default();
    for (address, result) in results {
        match result {
            Ok(Row::Right) => {}
            Ok(Row::Found(was_moved)) => {
                done.found += 1;
                done.moved += u64::from(was_moved);
            }
            Err(error) => done.stuck.push((address, error)),
        }
    }
    Ok(done)
}

/// Moves the entities of a page, and completes the moves that their markers belong to.
pub(super) async fn relocate<E: MovedFrom>(tables: &Tables, page: Option<&WalkPage>) -> Result<Done, Error> {
    Session::<E>::of(tables).await?.prepare().await?;
    each(page, |address, row| {
        Box::pin(async move {
            let found = match AtOld::<E>::of(tables, &address, row) {
                // An index row, or an entity of another type with the same name.
                Err(Error::Decode(error)) if error.is_foreign() => return Ok(Row::Right),
                found => found?,
            };
            let keys = match found {
                AtOld::Marker(marker) => {
                    let keys = Keys { old: address, new: marker.to.clone() };
                    Session::<E>::of(tables).await?.settle(&keys, &marker).await?;
                    return Ok(Row::Right);
                }
                AtOld::Live(stored) => Keys::of_old::<E>(&stored)?,
                AtOld::Nothing => return Ok(Row::Right),
            };
            for _ in 0..ATTEMPTS {
                match Session::<E>::of(tables).await?.relocate(&keys, None).await? {
                    Relocated::Moved(_) => return Ok(Row::Found(true)),
                    Relocated::Elsewhere => return Ok(Row::Found(false)),
                    Relocated::Again => {}
                }
            }
            Err(Error::Contended { address: Box::new(keys.old), attempts: ATTEMPTS })
        })
    })
    .await
}

/// Deletes placeholders and copies that belong to no entity, and applies commit records: after the move, programs that
/// know the old type may no longer exist. An entity at an old key cannot remain.
pub(super) async fn sweep<E: MovedFrom>(tables: &Tables, page: Option<&WalkPage>) -> Result<Done, Error> {
    each(page, |address, row| {
        Box::pin(async move {
            if let Some(commit) = Commit::read(&address.table, row)? {
                return apply::<E>(tables, &commit).await;
            }
            if !is_leftover::<E>(row) {
                let is_old =
                    parse_key::<<E::Old as TableEntity>::Key>(&address.partition_key, &address.row_key);
                if address.table != table_of(<E::Old as TableEntity>::DESIGN)? || is_old.is_none() {
                    return Ok(Row::Right);
                }
                return Err(late::<E>());
            }
            let Some(key) = parse_key::<E::Key>(&address.partition_key, &address.row_key) else {
                return Ok(Row::Right);
            };
            let keys = Keys::of_key::<E>(&key)?;
            let found = AtNew::<E>::of(tables.source(&address.table), row)?;
            if let AtNew::Copy { replaced, .. } = &found {
                let is_moving = match AtOld::<E>::read(tables, &keys.old).await? {
                    AtOld::Live(stored) => stored.etag().to_string() == *replaced,
                    AtOld::Marker(marker) => marker.replaced.as_ref() == Some(replaced),
                    AtOld::Nothing => false,
                };
                if is_moving {
                    return Err(late::<E>());
                }
            }
            delete(tables, address, row).await
        })
    })
    .await
}

/// Applies a commit of the old or the new type. Workers can apply a commit of the new type later as well.
async fn apply<E: MovedFrom>(tables: &Tables, commit: &Commit) -> Result<Row, Error> {
    let names = |design: &Design| {
        let is_there = design.table.eq_ignore_ascii_case(commit.receipt.table.as_str());
        is_there && commit.touches.iter().any(|touch| design.reads(&touch.maker.entity))
    };
    let is_old = names(<E::Old as TableEntity>::DESIGN);
    // Without the marker, a row that still names the old key would show that its unique value is free.
    let must_succeed = is_old || has_unique_values(E::DESIGN);
    if is_old || names(E::DESIGN) {
        match conclude(tables, commit).await {
            Err(error) if must_succeed || may_pass(&error) => return Err(error),
            _ => {}
        }
    }
    Ok(Row::Right)
}

/// Deletes markers.
pub(super) async fn clear<E: MovedFrom>(tables: &Tables, page: Option<&WalkPage>) -> Result<Done, Error> {
    each(page, |address, row| {
        Box::pin(async move {
            // Another move may have the same old table.
            let is_own = marker_of(row).is_some_and(|marker| {
                let key = parse_key::<E::Key>(&marker.to.partition_key, &marker.to.row_key);
                key.and_then(|key| Keys::of_key::<E>(&key).ok()).is_some_and(|keys| keys.old == address)
            });
            if is_own { delete(tables, address, row).await } else { Ok(Row::Right) }
        })
    })
    .await
}

/// Writes the markers of entities that were inserted without one.
pub(super) async fn mark<E: MovedFrom>(tables: &Tables, page: Option<&WalkPage>) -> Result<Done, Error> {
    each(page, |address, row| {
        Box::pin(async move {
            let stored = match AtNew::<E>::of(tables.source(&address.table), row) {
                Ok(AtNew::Live(stored)) => stored,
                Ok(_) => return Ok(Row::Right),
                Err(Error::Decode(error)) if error.is_foreign() => return Ok(Row::Right),
                Err(error) => return Err(error),
            };
            let keys = Keys::of::<E>(&stored)?;
            if keys.are_equal() {
                return Ok(Row::Right);
            }
            for _ in 0..ATTEMPTS {
                if Session::<E>::of(tables).await?.claim(&keys).await? {
                    return Ok(Row::Right);
                }
                match AtOld::<E>::read(tables, &keys.old).await? {
                    AtOld::Marker(marker) if marker.to == keys.new => return Ok(Row::Right),
                    AtOld::Nothing => {}
                    AtOld::Marker(_) | AtOld::Live(_) => {
                        let (from, to) = (Box::new(keys.new), Box::new(keys.old));
                        return Err(RegistryError::KeyTaken { from, to }.into());
                    }
                }
            }
            Err(Error::Contended { address: Box::new(keys.old), attempts: ATTEMPTS })
        })
    })
    .await
}

async fn delete(tables: &Tables, address: Address, row: RowRef<'_>) -> Result<Row, Error> {
    let Address { table, partition_key, row_key } = address;
    let condition = Condition::Matches(row.etag.clone());
    match tables.execute(&table, &Operation::Delete { partition_key, row_key, condition }).await {
        Err(error) if !error.is_conflict() && !error.is_not_found() => Err(error),
        _ => Ok(Row::Right),
    }
}

/// Returns the error for an entity that is still at its old key.
fn late<E: MovedFrom>() -> Error {
    let (entity, state, step) = (E::DESIGN.name, MoveState::New, "the end");
    let reason = "an entity is at its old key; step back to `both` to move it";
    RegistryError::MoveState { entity, state, step, reason }.into()
}
