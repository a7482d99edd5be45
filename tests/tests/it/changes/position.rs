//! Positions: batches, restarts, retention.

use std::time::Duration;

use pollster::block_on;
use table_patterns::{ChangeEvent, ChangeFeedError, ChangePosition, Error, Timestamp, prelude::*};
use table_store::{OpenOptions, Store};

use super::{Order, all, order};

fn store() -> Store {
    OpenOptions::new().in_memory().unwrap()
}

/// Returns a handle whose clock is ahead.
fn later(store: &Store, days: u64) -> Tables {
    let ahead = Duration::from_secs(days * 86_400);
    Tables::new(store.clone()).with_clock(move || Timestamp::now().saturating_add(ahead))
}

fn failure(result: Result<table_patterns::ChangeBatch<Order>>) -> ChangeFeedError {
    match result.unwrap_err() {
        Error::Changes(error) => *error,
        other => panic!("{other}"),
    }
}

#[test]
fn reader_continues_from_a_saved_position() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for number in 0..7 {
        for customer in ["a", "b", "c"] {
            b.insert(&order(customer, number, 1)).unwrap();
        }
    }
    // Each batch is read by a new process.
    let (mut saved, mut seen): (Option<String>, Vec<(String, u64)>) = (None, Vec::new());
    for _ in 0..40 {
        let feed = tables.changes::<Order>().batch_size(2);
        let mut feed = match &saved {
            Some(text) => feed.after(&text.parse().unwrap()),
            None => feed,
        };
        let batch = block_on(feed.next_batch()).unwrap();
        seen.extend(
            batch
                .changes
                .iter()
                .map(|change| (change.address().partition_key().to_owned(), change.sequence())),
        );
        saved = Some(batch.position.to_string());
        if batch.is_end {
            break;
        }
    }
    for customer in ["a", "b", "c"] {
        let of_one = seen.iter().filter(|(partition, _)| partition == customer).map(|(_, number)| *number);
        assert_eq!(of_one.collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7], "{seen:?}");
    }
    // A busy partition does not delay the others.
    assert_eq!(seen[..6].iter().map(|(partition, _)| &**partition).collect::<String>(), "aabbcc");

    // A partition that is created later is found.
    b.insert(&order("d", 1, 1)).unwrap();
    b.insert(&order("a", 100, 1)).unwrap();
    let position: ChangePosition = saved.unwrap().parse().unwrap();
    let mut feed = tables.changes::<Order>().after(&position);
    let batch = block_on(feed.next_batch()).unwrap();
    let keys: Vec<_> = batch.changes.iter().map(|change| change.address().partition_key()).collect();
    assert_eq!(keys, ["a", "d"]);
}

#[test]
fn position_at_the_end_returns_later_changes_only() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&order("a", 1, 1)).unwrap();
    let end = block_on(tables.changes::<Order>().end()).unwrap();
    assert!(block_on(tables.changes::<Order>().after(&end).next_batch()).unwrap().changes.is_empty());
    b.insert(&order("a", 2, 1)).unwrap();
    b.insert(&order("b", 1, 1)).unwrap();
    let batch = block_on(tables.changes::<Order>().after(&end).next_batch()).unwrap();
    assert_eq!(batch.changes.iter().map(ChangeEvent::sequence).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn one_partition_can_be_read_alone() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    let mut feed = tables.changes::<Order>().partition("b");
    let before = block_on(feed.next_batch()).unwrap();
    assert!(before.changes.is_empty() && before.is_end);
    b.insert(&order("a", 1, 1)).unwrap();
    b.insert(&order("b", 1, 1)).unwrap();
    b.insert(&order("b", 2, 1)).unwrap();
    let batch = block_on(feed.next_batch()).unwrap();
    assert_eq!(batch.changes.iter().map(|change| change.key().number).collect::<Vec<_>>(), [1, 2]);
    assert!(block_on(feed.next_batch()).unwrap().changes.is_empty());
    assert_eq!(
        block_on(tables.changes::<Order>().partition("a").end()).unwrap().to_string().matches(',').count(),
        0
    );
}

#[test]
fn removed_changes_are_an_error_and_never_a_gap() {
    let store = store();
    let tables = Tables::new(store.clone());
    let b = tables.blocking();
    for number in 1..=5 {
        b.insert(&order("a", number, 1)).unwrap();
    }
    let mut feed = tables.changes::<Order>().batch_size(2);
    let two = block_on(feed.next_batch()).unwrap().position;
    let end = block_on(tables.changes::<Order>().end()).unwrap();
    let fresh: ChangePosition =
        block_on(tables.changes::<Order>().partition("z").next_batch()).unwrap().position;

    assert_eq!(block_on(later(&store, 6).changes::<Order>().trim()).unwrap(), 0);
    assert_eq!(block_on(later(&store, 8).changes::<Order>().trim()).unwrap(), 4, "the last record remains");
    let expired = failure(block_on(tables.changes::<Order>().after(&two).next_batch()));
    assert!(matches!(expired, ChangeFeedError::Expired { expected: 3, oldest: 5, .. }), "{expired}");
    assert!(expired.to_string().contains("the changes 3 to 4 of `Order` in partition \"a\" were removed"));

    // A position at the end, and one before the oldest record, are still valid.
    assert!(block_on(tables.changes::<Order>().after(&end).next_batch()).unwrap().changes.is_empty());
    assert_eq!(all::<Order>(&tables).iter().map(ChangeEvent::sequence).collect::<Vec<_>>(), [5]);
    b.insert(&order("a", 6, 1)).unwrap();
    let batch = block_on(tables.changes::<Order>().after(&end).next_batch()).unwrap();
    assert_eq!(batch.changes.iter().map(ChangeEvent::sequence).collect::<Vec<_>>(), [6]);

    // A reader that had seen an empty partition misses its first changes.
    for number in 1..=3 {
        b.insert(&order("z", number, 1)).unwrap();
    }
    assert_eq!(block_on(later(&store, 8).changes::<Order>().partition("z").trim()).unwrap(), 2);
    let expired = failure(block_on(tables.changes::<Order>().partition("z").after(&fresh).next_batch()));
    assert!(matches!(expired, ChangeFeedError::Expired { expected: 1, oldest: 3, .. }), "{expired}");
}

#[test]
fn interrupted_first_pass_misses_no_removed_change() {
    let store = store();
    let tables = Tables::new(store.clone());
    let b = tables.blocking();
    for number in 1..=3 {
        b.insert(&order("a", number, 1)).unwrap();
        b.insert(&order("b", number, 1)).unwrap();
    }
    // The pass ends after the first partition.
    let saved = block_on(tables.changes::<Order>().batch_size(3).next_batch()).unwrap().position;
    let saved: ChangePosition = saved.to_string().parse().unwrap();
    let soon = later(&store, 6);
    let batch = block_on(soon.changes::<Order>().after(&saved).next_batch()).unwrap();
    assert_eq!(batch.changes.iter().map(ChangeEvent::sequence).collect::<Vec<_>>(), [1, 2, 3]);

    let late = later(&store, 8);
    let batch = block_on(late.changes::<Order>().after(&saved).next_batch()).unwrap();
    assert_eq!(batch.changes.len(), 3, "no record was removed");
    block_on(late.changes::<Order>().trim()).unwrap();
    let expired = failure(block_on(late.changes::<Order>().after(&saved).next_batch()));
    assert!(matches!(expired, ChangeFeedError::Expired { expected: 1, oldest: 3, .. }), "{expired}");
    // A new reader starts with the oldest record.
    assert_eq!(all::<Order>(&late).len(), 2);
}

#[test]
fn writers_remove_old_records() {
    let store = store();
    let tables = later(&store, 8);
    let b = tables.blocking();
    b.insert(&order("a", 1, 0)).unwrap();
    for total in 1..1_000 {
        let mut stored = b.get(&Order::point("a", 1)).unwrap().unwrap();
        stored.total = total;
        b.replace(&stored).unwrap();
    }
    let left = all::<Order>(&tables);
    assert_eq!(left.last().map(ChangeEvent::sequence), Some(1_000));
    assert!(left.len() <= 256, "{} records", left.len());
}

#[test]
fn table_that_was_created_again_is_noticed() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for number in 1..=3 {
        b.insert(&order("a", number, 1)).unwrap();
    }
    let end = block_on(tables.changes::<Order>().end()).unwrap();
    block_on(tables.delete_table::<Order>()).unwrap();
    let missing = failure(block_on(tables.changes::<Order>().partition("a").after(&end).next_batch()));
    assert!(matches!(missing, ChangeFeedError::UnknownPosition { sequence: 3, .. }), "{missing}");
    for number in 1..=5 {
        b.insert(&order("a", number, 1)).unwrap();
        let other = failure(block_on(tables.changes::<Order>().after(&end).next_batch()));
        assert!(matches!(other, ChangeFeedError::UnknownPosition { sequence: 3, .. }), "{other}");
    }
}

#[test]
fn partition_that_is_no_longer_listed_is_noticed() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&order("a", 1, 1)).unwrap();
    b.insert(&order("b", 1, 1)).unwrap();
    let mut feed = tables.changes::<Order>();
    block_on(feed.next_batch()).unwrap();
    let missing = |feed: &mut table_patterns::ChangeFeed<'_, Order>| {
        let missing = failure(block_on(feed.next_batch()));
        assert!(matches!(missing, ChangeFeedError::UnknownPosition { sequence: 1, .. }), "{missing}");
    };
    block_on(tables.delete_table::<Order>()).unwrap();
    missing(&mut feed);
    // The table exists again, with other partitions than the position.
    b.insert(&order("c", 1, 1)).unwrap();
    missing(&mut feed);
}

#[test]
fn partition_whose_entities_were_deleted_stays_known() {
    let store = store();
    let tables = Tables::new(store.clone());
    let b = tables.blocking();
    b.insert(&order("a", 1, 1)).unwrap();
    b.delete_at(Order::point("a", 1)).unwrap();
    let position = block_on(tables.changes::<Order>().end()).unwrap();
    let later = later(&store, 400);
    assert_eq!(block_on(later.changes::<Order>().trim()).unwrap(), 1);
    let mut feed = later.changes::<Order>().after(&position);
    let batch = block_on(feed.next_batch()).unwrap();
    assert_eq!((batch.changes.len(), batch.is_end), (0, true));
    // A partition without records has no mark that could be unknown.
    let empty = block_on(tables.changes::<Order>().partition("z").next_batch()).unwrap();
    assert!(block_on(tables.changes::<Order>().after(&empty.position).next_batch()).unwrap().is_end);
}

#[test]
fn position_of_another_feed_is_refused() {
    let tables = Tables::in_memory().unwrap();
    let position = block_on(tables.changes::<super::Entry>().end()).unwrap();
    let other = failure(block_on(tables.changes::<Order>().after(&position).next_batch()));
    assert_eq!(other, ChangeFeedError::OtherFeed { entity: "Order" });
}
