//! Sends transactions and collects their results.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    future::{Future, poll_fn, ready},
    pin::Pin,
    task::Poll,
};

use futures_util::{StreamExt, stream};
use table_model::TableName;

use super::{
    Group, SentTogether,
    batch::{Batch, Batches},
    later::Later,
    rejected::{self, Sent},
    together::together,
};
use crate::{Error, Tables, write::Intent};

/// Number of partitions that are written concurrently.
const PARTITIONS_AT_ONCE: usize = 16;
/// Number of transactions in flight if the service preserves their order. It is large enough for the next group to be
/// full when one is committed.
const BATCHES_AT_ONCE: usize = 128;

/// Sends all batches.
pub(super) async fn send(tables: &Tables, mut batches: Batches<'_>) -> Vec<Group> {
    let mut groups = if tables.service().capabilities().keeps_order {
        run_in_order(tables, batches.by_ref().map(|(_, batch)| batch)).await
    } else {
        let mut partitions: Vec<Vec<Batch>> = Vec::new();
        for (partition, batch) in batches.by_ref() {
            if partitions.len() <= partition {
                partitions.resize_with(partition + 1, Vec::new);
            }
            if let Some(known) = partitions.get_mut(partition) {
                known.push(batch);
            }
        }
        let runs = partitions.into_iter().map(|batches| run(tables, batches));
        stream::iter(runs).buffer_unordered(PARTITIONS_AT_ONCE).flat_map(stream::iter).collect().await
    };
    let (refused, late) = batches.into_rest();
    groups.extend(refused);
    groups.extend(run_late(tables, late).await);
    groups
}

/// Sends the writes that require a read first: partitions concurrently, the transactions of each partition
/// sequentially.
async fn run_late(tables: &Tables, late: Vec<(usize, Intent)>) -> Vec<Group> {
    let mut partitions: HashMap<(TableName, String), Vec<(usize, Intent)>> = HashMap::new();
    for (index, intent) in late {
        let (table, key) = intent.partition();
        let of_partition = (table.clone(), key.to_owned());
        partitions.entry(of_partition).or_default().push((index, intent));
    }
    let runs = partitions.into_values().map(|intents| async move {
        let mut groups = Vec::with_capacity(intents.len());
        for mut writes in together(intents) {
            if writes.len() > 1 {
                let (indexes, intents): (Vec<usize>, Vec<Intent>) = writes.into_iter().unzip();
                let index = |number: usize| indexes.get(number).copied().unwrap_or_default();
                let SentTogether { outcome, sent, rejected } = tables.send_together(intents).await;
                let rejected = rejected.into_iter();
                groups.extend(rejected.map(|(at, error)| Group::new(vec![index(at)], Err(error))));
                writes = sent.into_iter().map(|(at, intent)| (index(at), intent)).collect();
                match outcome {
                    // What the rows contain besides the new values makes it too large for one transaction.
                    Err(Error::Transaction(_)) => {}
                    outcome => {
                        let indexes: Vec<usize> = writes.into_iter().map(|(index, _)| index).collect();
                        groups.extend((!indexes.is_empty()).then_some(Group::new(indexes, outcome)));
                        continue;
                    }
                }
            }
            for (index, intent) in writes {
                let outcome = tables.carry_out(intent).await.map(|written| vec![written]);
                groups.push(Group::new(vec![index], outcome));
            }
        }
        groups
    });
    stream::iter(runs).buffer_unordered(PARTITIONS_AT_ONCE).flat_map(stream::iter).collect().await
}

/// Sends the batches of one partition sequentially.
async fn run(tables: &Tables, batches: Vec<Batch>) -> Vec<Group> {
    let mut groups = Vec::with_capacity(batches.len());
    for batch in batches {
        groups.extend(rejected::finish(tables, run_batch(tables, batch).await, |_| false).await);
    }
    groups
}

/// Sends batches to a service that executes writes in the order in which they are sent, with many in flight.
async fn run_in_order(tables: &Tables, batches: impl Iterator<Item = Batch>) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut under_way = VecDeque::new();
    let mut later = Later::default();
    let mut written: HashSet<TableName> = HashSet::new();
    for batch in batches {
        // The first write may have to create the table, and later writes must not overtake it. Of two writes that
        // change one list or one target, the second would only have to retry. A write with uploads in progress would be
        // overtaken.
        if batch.table().is_some_and(|table| written.insert(table.clone())) || batch.is_prepared() {
            // What a rejection leaves is written after the batches that were sent before.
            while let Some((number, oldest)) = under_way.pop_front() {
                groups.extend(finish(tables, number, oldest, &mut later).await);
            }
            groups.extend(rejected::finish(tables, run_batch(tables, batch).await, |_| false).await);
            continue;
        }
        let number = later.send(&batch);
        let mut run: Running<'_> = Box::pin(run_batch(tables, batch));
        // The first poll sends the request.
        let run = match poll_fn(|context| Poll::Ready(run.as_mut().poll(context))).await {
            Poll::Ready(Sent { group, left }) if left.is_empty() && under_way.is_empty() => {
                later.forget_through(number);
                groups.push(group);
                continue;
            }
            Poll::Ready(sent) => Box::pin(ready(sent)),
            Poll::Pending => run,
        };
        under_way.push_back((number, run));
        if under_way.len() >= BATCHES_AT_ONCE
            && let Some((number, oldest)) = under_way.pop_front()
        {
            groups.extend(finish(tables, number, oldest, &mut later).await);
        }
    }
    while let Some((number, oldest)) = under_way.pop_front() {
        groups.extend(finish(tables, number, oldest, &mut later).await);
    }
    groups
}

/// A batch in flight.
type Running<'t> = Pin<Box<dyn Future<Output = Sent> + Send + 't>>;

/// Waits for the oldest batch in flight. What a rejection leaves of it is sent now, unless a later batch contains the
/// same entity.
async fn finish(tables: &Tables, number: u64, oldest: Running<'_>, later: &mut Later) -> Vec<Group> {
    let sent = oldest.await;
    later.forget_through(number);
    rejected::finish(tables, sent, |write| later.contains(write)).await
}

async fn run_batch(tables: &Tables, batch: Batch) -> Sent {
    let (indexes, writes) = batch.writes.into_iter().unzip();
    rejected::send(tables, indexes, writes).await
}
