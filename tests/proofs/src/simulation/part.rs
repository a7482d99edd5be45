//! Building blocks of participants: endless maintenance jobs.

use std::time::Duration;

use table_patterns::{Job, Sweep, TableEntity, Tables};
use table_store::Timestamp;
use table_tests::schedule::pause;

/// Applies pending commit records in a loop.
pub async fn settling(tables: Tables) {
    loop {
        drop(tables.catch_up().await);
        // A pass may make no call. Without this pause, it would block the other participants.
        pause().await;
    }
}

/// Sweeps in a loop. Its clock is two hours ahead, so every row is old enough for deletion.
pub async fn sweeping(tables: &Tables) {
    let ahead = Duration::from_secs(2 * 60 * 60);
    let tables = tables.clone().with_clock(move || Timestamp::now().saturating_add(ahead));
    loop {
        drop(tables.sweep().run().await);
        pause().await;
    }
}

/// Verifies and repairs derived data in a loop.
pub async fn verifying_and_repairing<E: TableEntity>(tables: Tables) {
    loop {
        finish(tables.verify::<E>().repair()).await;
    }
}

/// Rebuilds the given indexes in a loop.
pub async fn reindexing<E: TableEntity>(tables: Tables, indexes: &[&str]) {
    loop {
        for index in indexes {
            finish(tables.reindex::<E>(index)).await;
        }
    }
}

/// Deletes orphaned blobs of any age in a loop.
pub async fn collecting<E: TableEntity>(tables: Tables) {
    loop {
        drop(tables.collect_blobs::<E>().older_than(Duration::ZERO).run().await);
        pause().await;
    }
}

/// Processes all pages and stops after an error. Unlike `run`, it never sleeps.
async fn finish<J: Job>(sweep: Sweep<J>) {
    let mut sweep = sweep.page_size(3);
    while matches!(sweep.step().await, Ok(true)) {}
    pause().await;
}

/// Returns the number of runs from an environment variable, or the default.
#[must_use]
pub fn runs(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
