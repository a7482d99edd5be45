//! Application of one commit record.

use std::{
    collections::{BTreeMap, BTreeSet},
    future::Future,
};

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{Condition, Operation};
use tracing::Span;

use crate::{
    Address, Error, Pending, Tables,
    core::{
        entity_types::EntityInfo,
        outbox::{AffectedRow, Commit, Role},
        rule::Rule,
    },
    handle::span,
    write::{
        Patterns,
        primary::Primary,
        work::{Entry, Name, Work, Works, name},
    },
};

/// Maximum number of rows processed concurrently.
const AT_ONCE: usize = 64;

/// Updates all rows named in the record to match their entities, then deletes the record. Idempotent: any process can
/// call it at any time.
pub(crate) fn conclude<'a>(tables: &'a Tables, commit: &'a Commit) -> Pending<'a, ()> {
    conclude_of(tables, commit, None)
}

/// Concludes a record like [`conclude`], in the span of its write.
pub(crate) fn conclude_of<'a>(
    tables: &'a Tables,
    commit: &'a Commit,
    write: Option<&'a Span>,
) -> Pending<'a, ()> {
    Box::pin(async move {
        let span = span::follow(commit, write);
        if span.is_disabled() {
            return apply(tables, commit).await;
        }
        // Boxed, so that the other case does not have its memory twice.
        span::within(&span, Box::pin(apply(tables, commit))).await
    })
}

async fn apply(tables: &Tables, commit: &Commit) -> Result<(), Error> {
    let kinds = kinds(tables, commit)?;
    for kind in kinds.values() {
        tables.check_version(kind.newest()).await?;
    }
    // Read all row versions first, then the entities, and write afterwards.
    let mut works = works(commit, &kinds)?;
    let fences: Vec<_> = works.iter_mut().map(|work| work.fence(tables)).collect();
    stream::iter(fences).buffered(AT_ONCE).try_collect::<Vec<()>>().await?;
    let primaries = primaries(tables, commit, &kinds).await?;
    // Write new rows before old rows are deleted: readers may see both, but never neither.
    let token = &commit.receipt.token;
    for role in [Role::New, Role::Old] {
        let mut acts: Vec<Pending<'_, ()>> = Vec::with_capacity(works.len());
        // Contributions to the same aggregate run sequentially, because they would conflict with each other.
        let mut sinks: BTreeMap<&str, Vec<Pending<'_, ()>>> = BTreeMap::new();
        for work in works.iter_mut().filter(|work| work.role() == role) {
            let sink = work.target();
            let act = work.conclude(tables, token, &primaries);
            match sink {
                Some(sink) => sinks.entry(sink).or_default().push(act),
                None => acts.push(act),
            }
        }
        let in_turn = sinks.into_values().map(|acts| -> Pending<'_, ()> { Box::pin(in_turn(acts)) });
        acts.extend(in_turn);
        run_all(acts).await?;
    }
    forget(tables, commit).await
}

/// Returns the work items of a record for registered entity types, in the order of their first entries.
fn works<'c>(
    commit: &'c Commit,
    kinds: &BTreeMap<&'c str, EntityInfo>,
) -> Result<Vec<Box<dyn Work<'c> + 'c>>, Error> {
    let mut entries = Vec::with_capacity(commit.touches.len());
    for touch in &commit.touches {
        let Some(&kind) = kinds.get(touch.maker.entity.as_str()) else { continue };
        let entry = |rule| Entry { kind, rule, touch, entity: source(commit, touch) };
        if touch.is_blob() {
            entries.push(entry(None));
        } else {
            entries.extend(kind.rules_named(&touch.maker.index).into_iter().map(|rule| entry(Some(rule))));
        }
    }
    let mut works = Works::with_capacity(entries.len());
    for pattern in Patterns::all() {
        works.extend(pattern.follow(&entries)?);
    }
    works.sort_by_key(|(first, _)| *first);
    Ok(works.into_iter().map(|(_, work)| work).collect())
}

/// Returns the entity types named in the record. Fails if a type or index is not registered, because another version of
/// the program may have written the record.
fn kinds<'c>(tables: &Tables, commit: &'c Commit) -> Result<BTreeMap<&'c str, EntityInfo>, Error> {
    let known = commit.touches.iter().map(|touch| {
        let maker = &touch.maker;
        let unknown = || Error::UnregisteredEntity { name: maker.entity.clone() };
        let kind = tables.kinds().get(&maker.entity, &commit.receipt.table);
        let named = || tables.kinds().named(&maker.entity).filter(|_| touch.is_blob());
        let kind = kind.or_else(named).ok_or_else(unknown)?;
        if !touch.is_blob() && kind.rules().all(|rule| rule.name() != maker.index) {
            let (entity, index) = (kind.stored_name(), maker.index.clone());
            let known = kind.rules().map(Rule::name).collect();
            return Err(Error::NoSuchIndex { entity, index, known });
        }
        Ok((maker.entity.as_str(), kind))
    });
    known.collect()
}

/// Reads each entity named in the record once.
async fn primaries<'c>(
    tables: &Tables,
    commit: &'c Commit,
    kinds: &BTreeMap<&'c str, EntityInfo>,
) -> Result<BTreeMap<Name<'c>, Primary>, Error> {
    let mut named = BTreeSet::new();
    let mut found: Vec<Pending<'_, (Name<'c>, Primary)>> = Vec::new();
    for touch in &commit.touches {
        let name = name(touch);
        if !reads(touch) {
            continue;
        }
        let Some(kind) = kinds.get(name.0).copied().filter(|_| named.insert(name)) else { continue };
        let address = source(commit, touch);
        found.push(Box::pin(async move { Ok((name, Primary::read(tables, kind, address).await?)) }));
    }
    stream::iter(found).buffer_unordered(AT_ONCE).try_collect().await
}

/// Returns `true` if the entity must be read. Blobs uploaded for the commit need no action.
fn reads(touch: &AffectedRow) -> bool {
    !touch.is_blob() || touch.role == Role::Old
}

/// Returns the address of the entity that a row is derived from.
fn source(commit: &Commit, touch: &AffectedRow) -> Address {
    Address { row_key: touch.row_key.clone(), ..commit.receipt.address() }
}

/// Runs all futures to completion, up to `AT_ONCE` concurrently. Returns the first error.
async fn run_all<F: Future<Output = Result<(), Error>>>(futures: Vec<F>) -> Result<(), Error> {
    let mut results = stream::iter(futures).buffer_unordered(AT_ONCE);
    let mut first = Ok(());
    while let Some(result) = results.next().await {
        first = first.and(result);
    }
    first
}

/// Runs all futures to completion, one after the other. Returns the first error.
async fn in_turn(acts: Vec<Pending<'_, ()>>) -> Result<(), Error> {
    let mut first = Ok(());
    for act in acts {
        first = first.and(act.await);
    }
    first
}

/// Deletes the record. It is not an error if another process has already deleted it.
async fn forget(tables: &Tables, commit: &Commit) -> Result<(), Error> {
    let Address { table, partition_key, row_key } = commit.record();
    let delete = Operation::Delete { partition_key, row_key, condition: Condition::Exists };
    match tables.execute(&table, &delete).await {
        Err(error) if !error.is_not_found() => Err(error),
        _ => Ok(()),
    }
}
