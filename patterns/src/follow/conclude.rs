//! One commit record worked off.

mod work;

use std::{
    collections::{BTreeMap, BTreeSet},
    future::Future,
};

use futures_util::{StreamExt, TryStreamExt, stream};
use table_store::{Condition, Operation};

use super::{blob, copy::Primary};
use crate::{
    Address, Error, Pending, Tables,
    kinds::{Kind, Rule},
    outbox::{Commit, Role, Touch},
};
use work::works;

/// How many rows are worked on at the same time.
const AT_ONCE: usize = 64;

/// An entity that the record names: its kind's name and its RowKey.
type Name<'c> = (&'c str, &'c str);

/// Makes all rows that the record names what their entities say, then takes the record away. Anyone may do that at any
/// time, and again.
pub(crate) fn conclude<'a>(tables: &'a Tables, commit: &'a Commit) -> Pending<'a, ()> {
    Box::pin(async move {
        let kinds = kinds(tables, commit)?;
        // All versions first, then the entities, then the writes.
        let works = works(commit, &kinds)?;
        let fences: Vec<_> = works.iter().map(|work| work.fence(tables)).collect();
        let mut seen: Vec<_> = stream::iter(fences).buffered(AT_ONCE).map_ok(Some).try_collect().await?;
        let primaries = primaries(tables, commit, &kinds).await?;
        // A new row before the old one goes: readers see both rather than none.
        let token = &commit.receipt.token;
        for role in [Role::New, Role::Old] {
            let mut acts: Vec<Pending<'_, ()>> = Vec::with_capacity(works.len());
            // Those of one sink, which is written by each of them: at the same time they would only wait for each other.
            let mut sinks: BTreeMap<&str, Vec<Pending<'_, ()>>> = BTreeMap::new();
            for (work, seen) in works.iter().zip(&mut seen).filter(|(work, _)| work.role() == role) {
                let Some(seen) = seen.take() else { continue };
                let act = work.conclude(tables, token, seen, &primaries);
                match work.sink() {
                    Some(sink) => sinks.entry(sink).or_default().push(act),
                    None => acts.push(act),
                }
            }
            let in_turn = sinks.into_values().map(|acts| -> Pending<'_, ()> { Box::pin(in_turn(acts)) });
            acts.extend(in_turn);
            run_all(acts).await?;
        }
        forget(tables, commit).await
    })
}

/// The kinds that the record names, all of which must be known, with the rule: another version of the program may have
/// written it.
fn kinds<'c>(tables: &Tables, commit: &'c Commit) -> Result<BTreeMap<&'c str, Kind>, Error> {
    let known = commit.touches.iter().map(|touch| {
        let maker = &touch.maker;
        let unknown = || Error::UnknownEntity { name: maker.entity.clone() };
        let kind = tables.kinds().get(&maker.entity).ok_or_else(unknown)?;
        if kind.rule(&maker.index).is_none() && !touch.is_blob() {
            let (entity, index) = (kind.design.name, maker.index.clone());
            let known = kind.rules().map(Rule::name).collect();
            return Err(Error::NoSuchIndex { entity, index, known });
        }
        Ok((maker.entity.as_str(), kind))
    });
    known.collect()
}

/// The entities that the record names, each read once.
async fn primaries<'c>(
    tables: &Tables,
    commit: &'c Commit,
    kinds: &BTreeMap<&'c str, Kind>,
) -> Result<BTreeMap<Name<'c>, Primary>, Error> {
    let mut named = BTreeSet::new();
    let mut reads: Vec<Pending<'_, (Name<'c>, Primary)>> = Vec::new();
    for touch in &commit.touches {
        let name = name(touch);
        if !blob::reads(touch) {
            continue;
        }
        let Some(kind) = kinds.get(name.0).copied().filter(|_| named.insert(name)) else { continue };
        let address = source(commit, touch);
        reads.push(Box::pin(async move { Ok((name, Primary::read(tables, kind, address).await?)) }));
    }
    stream::iter(reads).buffer_unordered(AT_ONCE).try_collect().await
}

fn name(touch: &Touch) -> Name<'_> {
    (&touch.maker.entity, &touch.row_key)
}

/// Where the entity is that a row is made from.
fn source(commit: &Commit, touch: &Touch) -> Address {
    Address { row_key: touch.row_key.clone(), ..commit.receipt.address() }
}

/// Runs all to their ends, some at a time; the first error.
async fn run_all<F: Future<Output = Result<(), Error>>>(futures: Vec<F>) -> Result<(), Error> {
    let mut results = stream::iter(futures).buffer_unordered(AT_ONCE);
    let mut first = Ok(());
    while let Some(result) = results.next().await {
        first = first.and(result);
    }
    first
}

/// Runs one after the other to their ends; the first error.
async fn in_turn(acts: Vec<Pending<'_, ()>>) -> Result<(), Error> {
    let mut first = Ok(());
    for act in acts {
        first = first.and(act.await);
    }
    first
}

/// Takes the record away; somebody else may have been faster.
async fn forget(tables: &Tables, commit: &Commit) -> Result<(), Error> {
    let Address { table, partition_key, row_key } = commit.record();
    let delete = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
    match tables.execute(&table, &delete).await {
        Err(error) if !error.is_not_found() => Err(error),
        _ => Ok(()),
    }
}
