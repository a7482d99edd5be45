//! Numbers and contents of the records of a transaction.

use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{Condition, ETag, ErrorCode, Operation, Properties, TableError, limits};

use super::{
    ChangeKind,
    name::FeedName,
    recorded::Recorded,
    rows::{self, advance},
    trim,
};
use crate::{
    Address, Error, Tables,
    core::{error::ChangeFeedError, reserved::TRANSACTION, row::open},
    handle::heads::Head,
    write::{Write, properties},
};

/// Number of entities that are read concurrently.
const READS_AT_ONCE: usize = 16;

/// Number of times that a partition is added to the list of partitions if the responses are lost.
const LISTINGS: u32 = 4;

/// Reads the heads, and the entities whose records require it, and converts the changes to operations. The `first`
/// attempt uses the last known heads; a head that is out of date rejects the transaction.
pub(super) async fn settle(tables: &Tables, writes: &mut [Write], first: bool) -> Result<(), Error> {
    let mut feeds: Vec<(FeedName, Address)> = Vec::new();
    for recorded in writes.iter().filter_map(Write::change::<Recorded>).filter(|change| change.is_planned()) {
        if feeds.iter().all(|(_, head)| *head != recorded.head) {
            feeds.push((recorded.feed, recorded.head.clone()));
        }
    }
    for (feed, row) in feeds {
        append(tables, writes, (feed, &row), first).await?;
    }
    Ok(())
}

async fn append(
    tables: &Tables,
    writes: &mut [Write],
    (feed, row): (FeedName, &Address),
    first: bool,
) -> Result<(), Error> {
    let is_of = |write: &Write| write.change::<Recorded>().is_some_and(|recorded| recorded.head == *row);
    let numbers: Vec<usize> = (0..writes.len()).filter(|at| writes.get(*at).is_some_and(is_of)).collect();
    let states = read(tables, writes, &numbers).await?;
    let head = match tables.heads().get(row).filter(|_| first) {
        Some(head) => Some(head),
        None => read_head(tables, row).await?,
    };
    if head.is_none() {
        list(tables, feed, row).await?;
    }
    let before = head.as_ref().map_or(0, |head| head.sequence);
    let mut sequence = before;
    for (at, state) in numbers.iter().zip(states) {
        let Some(write) = writes.get_mut(*at) else { continue };
        sequence += 1;
        record(tables, write, sequence, state).map_err(|error| error.at(*at))?;
    }
    let next = advance(row, head.as_ref(), sequence);
    let last = numbers.last().and_then(|last| writes.get_mut(*last));
    if let Some(last) = last.and_then(Write::change_mut::<Recorded>) {
        last.close(Arc::clone(tables.heads()), sequence, next);
    }
    if first && trim::is_due(before, sequence) {
        // Records that are not removed now are removed later.
        trim::trim(tables, feed, &row.partition_key, trim::AT_ONCE).await.ok();
    }
    Ok(())
}

pub(super) async fn read_head(tables: &Tables, row: &Address) -> Result<Option<Head>, Error> {
    let found = tables.read(row, None).await?;
    Ok(found.get(0).and_then(rows::head).map(|(head, _)| head))
}

/// Adds the partition to the list of partitions, before its first record is written. A partition without records does
/// no harm in the list.
async fn list(tables: &Tables, feed: FeedName, head: &Address) -> Result<(), Error> {
    let listed = feed.listed(head.table.clone(), &head.partition_key);
    let operation = rows::list(&listed, &head.partition_key);
    let mut done = tables.execute(&head.table, &operation).await;
    for _ in 1..LISTINGS {
        if !done.as_ref().is_err_and(Error::is_outcome_unknown) {
            break;
        }
        // The row always has the same contents, so a repetition is harmless.
        done = tables.execute(&head.table, &operation).await;
    }
    done.map(drop)
}

/// The stored state of an entity, with its version.
type State = Option<(ETag, Properties)>;

/// Reads the entities whose records contain the previous state or the result of a patch.
async fn read(tables: &Tables, writes: &[Write], numbers: &[usize]) -> Result<Vec<State>, Error> {
    let reads = numbers.iter().filter_map(|at| Some((*at, writes.get(*at)?)));
    let reads = reads.map(|(at, write)| async move {
        let is_patch = matches!(write.operation, Operation::Merge(..));
        let is_read = is_patch || write.change::<Recorded>().is_some_and(Recorded::has_old);
        if !is_read {
            return Ok(None);
        }
        state(tables, write).await.map(Some).map_err(|error| error.at(at))
    });
    let reads: Vec<_> = reads.collect();
    stream::iter(reads).buffered(READS_AT_ONCE).try_collect().await
}

async fn state(tables: &Tables, write: &Write) -> Result<(ETag, Properties), Error> {
    let address = write.address();
    let found = tables.read(&address, None).await?;
    let Some(row) = found.get(0) else { return Err(TableError::new(ErrorCode::ResourceNotFound).into()) };
    if let Some(Condition::Matches(required)) = condition(&write.operation)
        && required != row.etag
    {
        return Err(TableError::new(ErrorCode::UpdateConditionNotSatisfied).into());
    }
    if let Some(design) = write.design {
        open(design, row)?;
    }
    let mut properties = row.properties.to_properties();
    properties.remove(TRANSACTION);
    Ok((row.etag.clone(), properties))
}

/// Determines the operations of a record. A write of an entity that was read requires the version that was read.
fn record(tables: &Tables, write: &mut Write, sequence: u64, state: State) -> Result<(), Error> {
    // The record contains the properties as the row of the entity stores them.
    tables.seal(write)?;
    let address = write.address();
    let Some(recorded) = write.change::<Recorded>() else { return Ok(()) };
    let (feed, kind, has_old) = (recorded.feed, recorded.kind, recorded.has_old());
    let previous = recorded.previous.clone();
    let (etag, stored) = state.unzip();
    // A move to another key is a delete, which replaces the row by a marker.
    let written = properties(&write.operation).filter(|_| kind != ChangeKind::Delete).cloned();
    let new = match (&write.operation, written, &stored) {
        (Operation::Merge(..), Some(changed), Some(stored)) => {
            let mut new = stored.clone();
            changed.into_iter().for_each(|(name, value)| new.set(name, value));
            Some(new)
        }
        (_, written, _) => written,
    };
    let old = previous.or(stored).filter(|_| has_old);
    let operations = rows::record(feed, (&address, kind, sequence), new, old);
    check(&address, &operations)?;
    let is_bound = etag.is_some_and(|etag| bind(&mut write.operation, etag));
    if let Some(recorded) = write.change_mut::<Recorded>() {
        recorded.put(operations, is_bound);
    }
    Ok(())
}

/// Rejects a record that the service would reject.
fn check(entity: &Address, operations: &[Operation]) -> Result<(), Error> {
    for operation in operations {
        let count = properties(operation).map_or(0, Properties::len);
        let bytes = operation.size();
        if count > limits::USER_PROPERTIES || bytes > limits::ENTITY_BYTES {
            let address = Box::new(entity.clone());
            return Err(ChangeFeedError::RecordTooLarge { address, properties: count, bytes }.into());
        }
    }
    Ok(())
}

const fn condition(operation: &Operation) -> Option<&Condition> {
    match operation {
        Operation::Replace(_, condition)
        | Operation::Merge(_, condition)
        | Operation::Delete { condition, .. } => Some(condition),
        _ => None,
    }
}

/// Requires the version that was read, unless the write already requires a version. Returns whether the condition was
/// changed.
fn bind(operation: &mut Operation, etag: ETag) -> bool {
    match operation {
        Operation::Replace(_, condition)
        | Operation::Merge(_, condition)
        | Operation::Delete { condition, .. }
            if *condition == Condition::Exists =>
        {
            *condition = Condition::Matches(etag);
            true
        }
        _ => false,
    }
}
