//! Metrics of the stores: of each commit as it happens, and of their state when the metrics are read.

use std::{sync::Arc, time::Duration};

use metrics::{Gauge, Histogram, gauge, histogram};
use table_rest::server::telemetry::{Metric, MetricKind};
use table_store::{
    GroupCommit, QueueService, Store, StoreObserver, TableService, Timestamp, outbox::OutboxKind,
    queue::ListQueues,
};

use crate::serve::Account;

const OF_ACCOUNT: &[&str] = &["account"];

const COMMIT_SECONDS: Metric = Metric {
    name: "tables_commit_seconds",
    kind: MetricKind::Histogram,
    labels: &["account", "stage"],
    help: "Time of a commit: to execute its requests, and to persist them with their sync",
};

const COMMIT_OPERATIONS: Metric = Metric {
    name: "tables_commit_operations",
    kind: MetricKind::Histogram,
    labels: OF_ACCOUNT,
    help: "Operations of a commit",
};

const SYNC_SECONDS: Metric = Metric {
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

const fn gauge_of(name: &'static str, help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Gauge, labels: OF_ACCOUNT, help }
}

const ALL: [Metric; 10] = [
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
];

/// Buckets of [`COMMIT_OPERATIONS`].
pub(super) const OPERATIONS: (&str, [f64; 9]) =
    (COMMIT_OPERATIONS.name, [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0, 3_000.0, 10_000.0]);

/// Number of follow-ups of each kind that are counted.
const MOST: usize = 1_000;

/// Passes the descriptions of the metrics to the recorder.
pub(super) fn describe() {
    ALL.iter().for_each(Metric::describe);
}

/// Records the commits and syncs of a store.
pub(in crate::serve) struct Commits {
    execute: Histogram,
    persist: Histogram,
    operations: Histogram,
    sync: Histogram,
}

impl Commits {
    pub(in crate::serve) fn of(account: &Account) -> Arc<Self> {
        let name = account.name.to_string();
        let stage = |stage: &'static str| histogram!(COMMIT_SECONDS.name, "account" => name.clone(), "stage" => stage);
        Arc::new(Self {
            execute: stage("execute"),
            persist: stage("persist"),
            operations: histogram!(COMMIT_OPERATIONS.name, "account" => name.clone()),
            sync: histogram!(SYNC_SECONDS.name, "account" => name.clone()),
        })
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
}

impl std::fmt::Debug for Commits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Commits").finish_non_exhaustive()
    }
}

/// Updates the metrics of the state of the stores.
pub(super) async fn update(stores: &[(Account, Store)]) {
    for (account, store) in stores {
        let (account, stats) = (account.name.as_str(), store.stats());
        set(COMMIT_WAITERS, account, number(stats.waiting));
        set(DAMAGED_PAGES, account, number(stats.damaged_pages as u64));
        if let Some(bytes) = stats.file_bytes {
            set(FILE_BYTES, account, number(bytes));
        }
        if let Some(pass) = stats.background_scrub.and_then(|scrub| scrub.last) {
            let ended = pass.ended.duration_since(Timestamp::UNIX_EPOCH);
            set(LAST_SCRUB, account, ended.as_secs_f64());
        }
        for (metric, kind) in [(PENDING, OutboxKind::Commits), (PARKED, OutboxKind::DeadLetters)] {
            // A damaged index leaves the last number. Requests and the scrub report the damage.
            if let Ok(rows) = store.list_outbox(kind, None, MOST).await {
                set(metric, account, number(rows.len() as u64));
            }
        }
        if let Ok(messages) = poison_messages(store).await {
            set(POISON, account, number(messages));
        }
    }
}

/// Returns the number of messages that workers could not process. The store keeps the number of each queue.
async fn poison_messages(store: &Store) -> table_store::Result<u64> {
    let mut messages = 0;
    for queue in store.list_queues(ListQueues::new()).await?.queues {
        if queue.name.as_str().ends_with("-poison") {
            messages += store.queue_properties(&queue.name).await?.approximate_messages;
        }
    }
    Ok(messages)
}

fn set(metric: Metric, account: &str, value: f64) {
    let gauge: Gauge = gauge!(metric.name, "account" => account.to_owned());
    gauge.set(value);
}

/// Converts a number. Beyond 2^53, it is rounded.
#[expect(clippy::cast_precision_loss, reason = "a metric is a double")]
const fn number(number: u64) -> f64 {
    number as f64
}
