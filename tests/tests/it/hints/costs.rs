//! The requests of writes and of workers, as stated in the chapter on rows in other partitions.

use pollster::block_on;
use table_patterns::{Error, prelude::*};
use table_store::OpenOptions;
use table_tests::counting::{Calls, Counting, QueueCalls};

use super::place::{Place, Staff, staff};

/// An insert with one row in another partition, which the writer updates.
const FOLLOWED: Calls =
    Calls { finds: 2, writes: 3, transactions: 1, creates: 0, drops: 0, lists: 0, queries: 0, marks: 0 };
/// The same, deferred to workers.
const LEFT: Calls = Calls { finds: 0, writes: 0, ..FOLLOWED };

fn puts(puts: u64, deletes: u64) -> QueueCalls {
    QueueCalls { puts, deletes, ..QueueCalls::default() }
}

#[test]
fn a_write_costs_a_hint_and_its_deletion_and_those_that_come_soon_after_share_one() {
    let place = Place::new();
    let b = place.tables.blocking();
    b.insert(&staff("Blue", 1, 7)).unwrap();
    assert_eq!(place.take(), (FOLLOWED, puts(1, 1)), "the first takes its hint back");
    b.insert(&staff("Blue", 2, 7)).unwrap();
    assert_eq!(place.take(), (FOLLOWED, puts(1, 0)), "the second puts one to be shared");
    for id in 3..9 {
        place.pass(15);
        b.insert(&staff("Blue", id, 7)).unwrap();
        assert_eq!(place.take(), (FOLLOWED, puts(0, 0)));
    }
    b.insert(&staff("Red", 1, 7)).unwrap();
    assert_eq!(place.take(), (FOLLOWED, puts(1, 1)), "of another partition");
    place.pass(120);
    b.insert(&staff("Blue", 9, 7)).unwrap();
    assert_eq!(place.take(), (FOLLOWED, puts(1, 1)), "the shared hint would end too early");
    assert_eq!(place.messages("tables-outbox"), 1);
}

#[test]
fn what_no_row_elsewhere_shows_costs_no_hint_and_what_is_left_to_workers_one_of_its_own() {
    let place = Place::new();
    let b = place.tables.blocking();
    b.insert(&staff("Blue", 1, 7)).unwrap();
    let stored = b.get(&Staff::point("Blue", 1)).unwrap().unwrap();
    place.take();
    b.merge(stored.patch().age(31)).unwrap();
    assert_eq!(place.take(), (Calls { writes: 1, ..Calls::default() }, puts(0, 0)));
    place.tables.with_deferred_updates().blocking().insert(&staff("Blue", 2, 7)).unwrap();
    assert_eq!(place.take(), (LEFT, puts(1, 0)));
}

#[test]
fn a_worker_reads_each_partition_once_and_deletes_what_it_has_done() {
    let place = Place::new();
    let leaving = place.tables.with_deferred_updates();
    for id in 1..=3 {
        leaving.blocking().insert(&staff("Blue", id, 7)).unwrap();
    }
    leaving.blocking().insert(&staff("Red", 1, 7)).unwrap();
    place.take();
    let pass = block_on(place.tables.catch_up()).unwrap();
    assert_eq!((pass.followed, pass.left), (4, 0));
    let (calls, queues) = place.take();
    assert_eq!(calls, Calls { queries: 2, finds: 8, writes: 12, ..Calls::default() });
    assert_eq!(queues, QueueCalls { queues: 1, gets: 1, deletes: 4, ..QueueCalls::default() });
    assert_eq!(place.at_desk(7), 4);
}

#[test]
fn a_shared_hint_is_looked_after_until_its_deadline_and_a_little_longer_each_time() {
    let place = Place::new();
    let b = place.tables.blocking();
    b.insert(&staff("Blue", 1, 7)).unwrap();
    b.insert(&staff("Blue", 2, 7)).unwrap();
    place.take();
    let mut looks = Vec::new();
    for second in 1..=300 {
        place.pass(1);
        block_on(place.tables.catch_up()).unwrap();
        let (calls, _) = place.take();
        if calls.queries > 0 {
            looks.push(second);
        }
    }
    assert_eq!(looks, [10, 30, 70, 150, 242]);
    assert_eq!(place.messages("tables-outbox"), 0);
}

#[test]
fn a_worker_that_knows_the_entity_follows_hints_beside_its_tasks() {
    let place = Place::new();
    place.tables.with_deferred_updates().blocking().insert(&staff("Blue", 1, 7)).unwrap();
    assert_eq!(place.at_desk(7), 0);
    assert_eq!(
        block_on(place.tables.worker().register_entity::<Staff>().pass()).unwrap().commits.followed,
        1
    );
    assert_eq!(place.at_desk(7), 1);
}

#[test]
fn without_queues_such_a_write_is_refused_before_anything_is_sent() {
    let service = Counting::new(OpenOptions::new().in_memory().unwrap()).without_marks();
    let tables = Tables::new(service.clone());
    let refused = tables.blocking().insert(&staff("Blue", 1, 7)).unwrap_err();
    assert!(matches!(&refused, Error::QueuesNotConfigured { entity } if entity == "Staff"), "{refused}");
    assert_eq!(service.take(), Calls::default());
}

#[test]
fn a_lag_is_three_requests_to_the_queues() {
    let place = Place::new();
    place.tables.with_deferred_updates().blocking().insert(&staff("Blue", 1, 7)).unwrap();
    place.take();
    let lag = block_on(place.tables.lag()).unwrap();
    assert_eq!((lag.pending, lag.wake_ups, lag.dead_lettered), (None, Some(1), 0));
    assert_eq!(lag.oldest, Some(Timestamp::UNIX_EPOCH));
    let queues = QueueCalls { queues: 2, peeks: 1, ..QueueCalls::default() };
    assert_eq!(place.take(), (Calls::default(), queues));
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Files", partition = "{team}", row = "file_{id:03}")]
#[table(index(by_badge, partition = "badge_{badge:04}", row = "{team}_{id:03}", copy()))]
struct File {
    team: String,
    id: u16,
    badge: u16,
    #[table(blob)]
    text: Blob,
}

#[test]
fn small_value_from_a_reader_leaves_a_hint_for_the_commit() {
    let store = OpenOptions::new().in_memory().unwrap();
    let service = Counting::new(store.clone()).without_marks();
    let tables = Tables::new(service).with_queues(store.clone()).with_blobs(store);
    tables.register_entity::<File>();
    let text = Blob::from_reader(|| Ok(&b"short"[..]));
    let file = File { team: "Blue".into(), id: 1, badge: 7, text };
    let leaving = tables.with_deferred_updates();
    assert!(leaving.blocking().insert(&file).unwrap().receipt.is_some());
    assert_eq!(block_on(tables.lag()).unwrap().wake_ups, Some(1));
    assert_eq!(block_on(tables.catch_up()).unwrap().followed, 1);
    assert_eq!(tables.blocking().all(&File::by_badge_rows(7)).unwrap().len(), 1);
    assert!(tables.blocking().sweep(tables.verify::<File>()).unwrap().is_clean());
}
