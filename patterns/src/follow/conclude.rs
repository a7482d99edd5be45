//! One commit record worked off.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::Future,
};

use futures_util::{StreamExt, TryStreamExt, stream};
use table_store::{Condition, Operation};

use super::{
    blob,
    canary::{Canary, is_broken},
    copy::{self, Primary},
    seen::Seen,
    total,
};
use crate::{
    Address, Error, Pending, Tables,
    kinds::{Kind, Rule},
    outbox::{Commit, Role, Touch},
};

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
        let mut first = None;
        if is_broken(Canary::ReadFirst) {
            first = Some(primaries(tables, commit, &kinds).await?);
        }
        let mut fences: Vec<Pending<'_, _>> = Vec::with_capacity(commit.touches.len());
        for touch in &commit.touches {
            let rule = rule(&kinds, touch);
            fences.push(Box::pin(async move { fence(tables, rule, touch, &source(commit, touch)).await }));
        }
        let seen: Vec<_> = stream::iter(fences).buffered(AT_ONCE).try_collect().await?;
        let primaries = match first {
            Some(first) => first,
            None => primaries(tables, commit, &kinds).await?,
        };
        // A new row before the old one goes: readers see both rather than none.
        let token = &commit.receipt.token;
        for role in [Role::New, Role::Old] {
            let mut acts: Vec<Pending<'_, ()>> = Vec::with_capacity(commit.touches.len());
            // Those of one sink, which is written by each of them: at the same time they would only wait for each other.
            let mut sinks: BTreeMap<&str, Vec<Pending<'_, ()>>> = BTreeMap::new();
            for (touch, seen) in commit.touches.iter().zip(&seen) {
                if touch.is_blob() && touch.role == role {
                    acts.push(Box::pin(blob::conclude(tables, touch, primaries.get(&name(touch)))));
                    continue;
                }
                let found = kinds.get(touch.maker.entity.as_str()).zip(primaries.get(&name(touch)));
                let Some((kind, primary)) = found.filter(|_| touch.role == role) else { continue };
                match (rule(&kinds, touch), seen.clone()) {
                    (Some(Rule::Index(number, _)), Fence::Copy(seen)) => {
                        acts.push(Box::pin(copy::conclude(
                            tables,
                            (*kind, number),
                            touch,
                            token,
                            seen,
                            primary,
                        )));
                    }
                    (Some(Rule::Feed(number, feed)), Fence::Total(seen)) => {
                        let feed = (number, feed);
                        let act = Box::pin(total::conclude(tables, *kind, feed, touch, seen, primary));
                        sinks.entry(touch.address.partition_key()).or_default().push(act);
                    }
                    _ => {}
                }
            }
            let in_turn = sinks.into_values().map(|acts| -> Pending<'_, ()> { Box::pin(in_turn(acts)) });
            acts.extend(in_turn);
            run_all(acts).await?;
        }
        forget(tables, commit).await
    })
}

/// What was seen of one row before the entity was read.
#[derive(Clone, Debug)]
enum Fence {
    Copy(Seen),
    Total(total::Seen),
    /// Of a rule that the entity does not have any more.
    None,
}

async fn fence(tables: &Tables, rule: Option<Rule>, touch: &Touch, source: &Address) -> Result<Fence, Error> {
    Ok(match rule {
        Some(Rule::Index(..)) => Fence::Copy(copy::fence(tables, touch, source).await?),
        Some(Rule::Feed(..)) => Fence::Total(total::fence(tables, touch, source).await?),
        None => Fence::None,
    })
}

/// What a row is made by.
fn rule(kinds: &BTreeMap<&str, Kind>, touch: &Touch) -> Option<Rule> {
    kinds.get(touch.maker.entity.as_str())?.rule(&touch.maker.index)
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
    let Address { table, partition_key, row_key } = commit.receipt.address();
    let delete = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
    match tables.execute(&table, &delete).await {
        Err(error) if !error.is_not_found() => Err(error),
        _ => Ok(()),
    }
}
