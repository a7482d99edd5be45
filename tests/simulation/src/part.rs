//! What those that take part do between calls.

use std::{future::poll_fn, task::Poll, time::Duration};

use table_patterns::{Job, Sweep, TableEntity, Tables};
use table_store::Timestamp;

/// Lets others go first.
pub async fn pause() {
    let mut waited = false;
    poll_fn(|context| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        // Where several calls are under way, only those that are awake are asked again.
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Follows what there is, again and again.
pub async fn settling(tables: Tables) {
    loop {
        drop(tables.settle().await);
        // A pass may make no call at all; others must go on all the same.
        pause().await;
    }
}

/// Sweeps again and again, by a clock that is two hours ahead: every row is old enough to be deleted.
pub async fn sweeping(tables: &Tables) {
    let ahead = Duration::from_secs(2 * 60 * 60);
    let tables = tables.clone().with_clock(move || Timestamp::now().saturating_add(ahead));
    loop {
        drop(tables.sweep().run().await);
        pause().await;
    }
}

/// Compares derived data with its entities and repairs it, again and again.
pub async fn verifying_and_repairing<E: TableEntity>(tables: Tables) {
    loop {
        finish(tables.verify::<E>().repair()).await;
    }
}

/// Fills these indexes, again and again.
pub async fn reindexing<E: TableEntity>(tables: Tables, indexes: &[&str]) {
    loop {
        for index in indexes {
            finish(tables.reindex::<E>(index)).await;
        }
    }
}

/// Deletes blobs that no entity names, again and again, however young they are.
pub async fn collecting<E: TableEntity>(tables: Tables) {
    loop {
        drop(tables.collect_blobs::<E>().older_than(Duration::ZERO).run().await);
        pause().await;
    }
}

/// Goes through all rows; after an error it ends. It never waits, as `run` does.
async fn finish<J: Job>(sweep: Sweep<J>) {
    let mut sweep = sweep.page_size(3);
    while matches!(sweep.step().await, Ok(true)) {}
    pause().await;
}

/// How many runs the environment asks for under this name; without it the default.
#[must_use]
pub fn runs(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
