//! Metrics of the stores: of each commit as it happens, and of their state when the metrics are read.

use std::{sync::Arc, time::Duration};

use metrics::{Gauge, Histogram, gauge, histogram};
use serde::Serialize;
use table_explorer::{HeatSpan, HeatStep};
use table_rest::server::telemetry::{Metric, MetricKind};
use table_store::{
    GroupCommit, Name, QueueService, StoreObserver, StoreStats, TableName, TableService, Timestamp,
    outbox::{OutboxKind, OutboxRow},
    queue::ListQueues,
};

use super::{
    HotKeys, Samples, database,
    hot::{HotPartitions, Window},
};
use crate::serve::{Account, Backend};

const OF_ACCOUNT: &[&str] = &["account"];

const COMMIT_SECONDS: Metric = Metric {
    name: "tables_commit_seconds",
    kind: MetricKind::Histogram,
    labels: &["account", "stage"],
    help: "Time of a commit: to execute its requests, and to persist them with their sync",
};

pub(super) const COMMIT_OPERATIONS: Metric = Metric {
    name: "tables_commit_operations",
    kind: MetricKind::Histogram,
    labels: OF_ACCOUNT,
    help: "Operations of a commit",
};

pub(super) const SYNC_SECONDS: Metric = Metric {
    name: "tables_sync_seconds",
    kind: MetricKind::Histogram,
    labels: OF_ACCOUNT,
    help: "Time of a sync of the file of the store or its log",
};

const COMMIT_WAITERS: Metric =
    gauge_of("tables_commit_waiters", "Write requests that wait for the start of their commit");
const FILE_BYTES: Metric = gauge_of("tables_file_bytes", "Size of the file of the store, without its log");
const DAMAGED_PAGES: Metric =
    gauge_of("tables_damaged_pages", "Damaged pages that were found, at most 1,000");
const LAST_SCRUB: Metric =
    gauge_of("tables_last_scrub_timestamp_seconds", "End of the last complete scrub in the background");
const PENDING: Metric =
    gauge_of("tables_followups_pending", "Commit records that were not applied yet, at most 1,000");
const PARKED: Metric = gauge_of("tables_followups_parked", "Dead-lettered commit records, at most 1,000");
const POISON: Metric = gauge_of(
    "tables_poison_messages",
    "Messages in queues whose name ends with -poison, of the first 5,000 queues",
);

const OLDEST: Metric = gauge_of(
    "tables_followup_oldest_seconds",
    "Age of the oldest commit record that was not applied yet, of the first 1,000; 0 without one",
);
const HOT: Metric = Metric {
    name: "tables_hot_partition_entities",
    kind: MetricKind::Gauge,
    labels: &["account", "rank"],
    help: "Entities read and written in the hottest partitions in five minutes, at most",
};

pub(super) const fn gauge_of(name: &'static str, help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Gauge, labels: OF_ACCOUNT, help }
}

const ALL: [Metric; 12] = [
    COMMIT_SECONDS,
    COMMIT_OPERATIONS,
    SYNC_SECONDS,
    COMMIT_WAITERS,
    FILE_BYTES,
    DAMAGED_PAGES,
    LAST_SCRUB,
    PENDING,
    PARKED,
    POISON,
    OLDEST,
    HOT,
];

/// Buckets of [`COMMIT_OPERATIONS`].
pub(super) const OPERATIONS: (&str, [f64; 9]) =
    (COMMIT_OPERATIONS.name, [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0, 3_000.0, 10_000.0]);

/// Number of follow-ups of each kind that are counted.
const MOST: usize = 1_000;

/// Number of partitions with metrics. The labels are ranks, since names of partitions would add series without a bound.
const RANKS: usize = 10;

/// Passes the descriptions of the metrics to the recorder.
pub(super) fn describe() {
    ALL.iter().for_each(Metric::describe);
}

/// Records the commits, syncs and partitions of a store.
pub(in crate::serve) struct Commits {
    account: String,
    hot: Option<HotPartitions>,
    /// The counts of the last hour, if the explorer shows them.
    samples: Option<Samples>,
    execute: Histogram,
    persist: Histogram,
    operations: Histogram,
    sync: Histogram,
}

impl Commits {
    pub(super) fn of(account: &Account, keys: HotKeys, has_history: bool) -> Arc<Self> {
        let name = account.name.to_string();
        let stage = |stage: &'static str| histogram!(COMMIT_SECONDS.name, "account" => name.clone(), "stage" => stage);
        Arc::new(Self {
            execute: stage("execute"),
            persist: stage("persist"),
            operations: histogram!(COMMIT_OPERATIONS.name, "account" => name.clone()),
            sync: histogram!(SYNC_SECONDS.name, "account" => name.clone()),
            hot: HotPartitions::of(keys, has_history),
            samples: has_history.then(Samples::start),
            account: name,
        })
    }

    /// Returns `true` if this records the store of an account.
    pub(super) fn is_of(&self, account: &Account) -> bool {
        self.account == account.name.as_str()
    }

    pub(super) fn account(&self) -> &str {
        &self.account
    }

    pub(super) fn samples(&self) -> Option<&Samples> {
        self.samples.as_ref()
    }

    /// Returns the load of the last hour or day.
    pub(in crate::serve) fn heat(&self, span: HeatSpan) -> Vec<HeatStep> {
        self.hot.as_ref().map(|hot| hot.history(span)).unwrap_or_default()
    }

    /// Returns the hottest partitions, and updates their metrics.
    pub(super) fn hot(&self) -> Option<AccountHeat<'_>> {
        let windows = self.hot.as_ref()?.windows()?;
        let [.., last] = &windows;
        for rank in 0..RANKS {
            let entities = last.partitions.get(rank).map_or(0, |hot| hot.entities);
            let labels = [("account", self.account.clone()), ("rank", (rank + 1).to_string())];
            gauge!(HOT.name, &labels).set(number(entities));
        }
        Some(AccountHeat { account: &self.account, windows })
    }
}

impl StoreObserver for Commits {
    fn committed(&self, commit: &GroupCommit) {
        self.execute.record(commit.execute);
        self.persist.record(commit.persist);
        self.operations.record(u32::try_from(commit.operations).unwrap_or(u32::MAX));
    }

    fn synced(&self, took: Duration) {
        self.sync.record(took);
    }

    fn counts_partitions(&self) -> bool {
        self.hot.is_some()
    }

    fn accessed(&self, table: &TableName, partition_key: &str, entities: u64) {
        if let Some(hot) = &self.hot {
            hot.add(table, partition_key, entities);
        }
    }
}

/// The hottest partitions of an account.
#[derive(Serialize)]
pub(super) struct AccountHeat<'a> {
    account: &'a str,
    windows: [Window; 2],
}

impl std::fmt::Debug for Commits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Commits").finish_non_exhaustive()
    }
}

/// Updates the metrics of the state of the stores.
pub(super) async fn update(stores: &[(Account, Backend)]) {
    for (account, backend) in stores {
        let account = account.name.as_str();
        match backend {
            Backend::Store(store) => of_file(account, &store.stats()),
            Backend::Database(database) => {
                let is_up = backend.is_ready().await;
                database::update(account, is_up, &database.stats());
                if !is_up {
                    continue;
                }
            }
        }
        let store = backend.tables();
        for (metric, kind) in [(PENDING, OutboxKind::Commits), (PARKED, OutboxKind::DeadLetters)] {
            // A damaged index leaves the last number. Requests and the scrub report the damage.
            if let Ok(rows) = store.list_outbox(kind, None, MOST).await {
                set(metric, account, number(rows.len() as u64));
                if kind == OutboxKind::Commits
                    && let Ok(age) = oldest(store, &rows).await
                {
                    set(OLDEST, account, age.as_secs_f64());
                }
            }
        }
        if let Ok(messages) = poison_messages(backend.queues()).await {
            set(POISON, account, number(messages));
        }
    }
}

/// Sets the metrics of a file or of memory.
fn of_file(account: &str, stats: &StoreStats) {
    set(COMMIT_WAITERS, account, number(stats.waiting));
    set(DAMAGED_PAGES, account, number(stats.damaged_pages as u64));
    if let Some(bytes) = stats.file_bytes {
        set(FILE_BYTES, account, number(bytes));
    }
    if let Some(pass) = stats.background_scrub.and_then(|scrub| scrub.last) {
        let ended = pass.ended.duration_since(Timestamp::UNIX_EPOCH);
        set(LAST_SCRUB, account, ended.as_secs_f64());
    }
}

/// Returns the age of the oldest commit record. Their tokens sort by time.
async fn oldest(store: &dyn TableService, records: &[OutboxRow]) -> table_store::Result<Duration> {
    let Some(record) = records.iter().min_by_key(|record| &record.row_key) else { return Ok(Duration::ZERO) };
    let time = [Name::from("Timestamp")];
    let row = store.get(&record.table, &record.partition_key, &record.row_key, Some(&time)).await?;
    let written = row.and_then(|row| row.timestamp);
    Ok(written.map_or(Duration::ZERO, |written| Timestamp::now().duration_since(written)))
}

/// Returns the number of messages that workers could not process. The store keeps the number of each queue.
async fn poison_messages(store: &dyn QueueService) -> table_store::Result<u64> {
    let mut messages = 0;
    for queue in store.list_queues(ListQueues::new()).await?.queues {
        if queue.name.as_str().ends_with("-poison") {
            messages += store.queue_properties(&queue.name).await?.approximate_messages;
        }
    }
    Ok(messages)
}

pub(super) fn set(metric: Metric, account: &str, value: f64) {
    let gauge: Gauge = gauge!(metric.name, "account" => account.to_owned());
    gauge.set(value);
}

/// Converts a number. Beyond 2^53, it is rounded.
#[expect(clippy::cast_precision_loss, reason = "a metric is a double")]
pub(super) const fn number(number: u64) -> f64 {
    number as f64
}
