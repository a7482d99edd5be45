//! P12, sharded keys: the partition of a row, the cost of a query over all partitions, and the order of its rows.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeSet;

use table_patterns::{OpenOptions, prelude::*};
use table_tests::counting::{Calls, Counting};

/// A stream of events: with keys of time alone, all inserts would be at one end.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
#[table(shard(of = device, count = 16))]
struct Event {
    at: Timestamp,
    device: u32,
    level: i32,
}

fn at(second: u32) -> Timestamp {
    let start: Timestamp = "2014-08-01T00:00:00Z".parse().unwrap();
    start.saturating_add(std::time::Duration::from_secs(second.into()))
}

fn counted() -> (Tables, Counting<table_patterns::Store>) {
    let counting = Counting::new(OpenOptions::new().in_memory().unwrap());
    (Tables::new(counting.clone()), counting)
}

/// Writes 200 events of 40 devices, a second apart.
fn events(tables: &Tables) {
    let events: Vec<Event> =
        (0..200).map(|n| Event { at: at(n), device: n % 40, level: i32::try_from(n).unwrap() }).collect();
    pollster::block_on(tables.bulk().insert_all(&events).run()).unwrap().into_result().unwrap();
}

#[test]
fn a_row_goes_to_the_partition_of_its_shard() {
    let address = |device| Event { at: at(0), device, level: 0 }.address().unwrap();
    // CRC32C of "000223" is 222867b0: no version may change the resulting shard.
    assert_eq!(address(223).partition_key(), "00");
    assert!(address(223).row_key().ends_with("_000223"));
    let partitions: BTreeSet<String> = (0..200).map(|id| address(id).partition_key().to_owned()).collect();
    assert_eq!(partitions.len(), 16);
}

#[test]
fn a_point_computes_its_shard() {
    let (tables, counting) = counted();
    events(&tables);
    counting.take();
    let found = tables.blocking().get(&Event::point(at(41), 1)).unwrap().unwrap();
    assert_eq!(found.level, 41);
    assert!(tables.blocking().get(&Event::rows().at(at(41)).at(1)).unwrap().is_some());
    assert_eq!(counting.take(), Calls { finds: 2, ..Calls::default() });
    tables.blocking().merge(found.patch().level(7)).unwrap();
    tables.blocking().merge(Event::patch(at(41), 1).level(8)).unwrap();
    assert_eq!(tables.blocking().get(&found.key().point()).unwrap().unwrap().level, 8);
}

#[test]
fn a_key_in_the_partition_of_another_shard_is_no_key() {
    let address = Event { at: at(0), device: 223, level: 0 }.address().unwrap();
    assert!(EventKey::parse(address.partition_key(), address.row_key()).is_some());
    assert!(EventKey::parse("01", address.row_key()).is_none());
}

#[test]
fn rows_come_in_the_order_of_their_keys_at_a_request_for_each_shard() {
    let (tables, counting) = counted();
    events(&tables);
    counting.take();
    let query = Event::rows().between(at(50)..at(150));
    let report = tables.blocking().report(&query).unwrap();
    assert_eq!(
        report.items.iter().map(|event| event.level).collect::<Vec<_>>(),
        (50..150).collect::<Vec<_>>()
    );
    assert_eq!(counting.take(), Calls { queries: 16, ..Calls::default() });
    assert_eq!(report.stats.to_string(), "fan-out: 16 requests, 16 ranges, 100 read, 100 returned");
    let explain = query.explain().unwrap().to_string();
    assert!(explain.starts_with("fan-out on Events, 16 partitions\n"), "{explain}");
}

#[test]
fn take_reads_no_more_of_each_shard_than_is_taken() {
    let (tables, _) = counted();
    events(&tables);
    let report = tables.blocking().report(&Event::rows().take(3)).unwrap();
    assert_eq!(report.items.iter().map(|event| event.level).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!(report.stats.requests, 16);
    assert!(report.stats.read <= 48, "{}", report.stats);
}

#[test]
fn scans_read_all_shards() {
    let (tables, counting) = counted();
    events(&tables);
    counting.take();
    let high = Event::scan_partition().filter(|event| event.level.ge(190));
    let report = tables.blocking().report(&high).unwrap();
    assert_eq!(
        (report.stats.class, report.stats.read, report.items.len()),
        (QueryClass::FanOutScan, 200, 10)
    );
    // A query of the complete table is the same as without shards.
    counting.take();
    assert_eq!(tables.blocking().all(&Event::scan_table()).unwrap().len(), 200);
    assert_eq!(counting.take(), Calls { queries: 1, ..Calls::default() });
}

#[test]
fn selections_and_resolvers_go_over_all_shards() {
    #[derive(Projection)]
    #[table(of = Event)]
    struct Level {
        device: u32,
        level: i32,
    }

    let (tables, _) = counted();
    events(&tables);
    let levels = tables.blocking().all(&Event::rows().take(2).select::<Level>()).unwrap();
    assert_eq!(levels.iter().map(|level| (level.device, level.level)).collect::<Vec<_>>(), [(0, 0), (1, 1)]);
    let resolved = Event::rows().resolve(|bag| bag.partition_key().to_owned());
    let partitions: BTreeSet<String> =
        pollster::block_on(resolved.all(&tables)).unwrap().into_iter().collect();
    assert_eq!(partitions.len(), 16);
}
