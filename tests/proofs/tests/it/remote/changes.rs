//! A change feed through the protocol: two clients of one server write, a third one reads.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

use std::{collections::BTreeMap, thread};

use pollster::block_on;
use table_patterns::{ChangeEvent, prelude::*};
use table_proofs::remote::{Proxy, Served};
use table_rest::ServiceKind;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "RemoteOrders", partition = "{customer}", row = "{number:06}", changes(old))]
#[table(index(by_total, row = "total_{total:06}_{number:06}", copy()))]
struct Order {
    customer: String,
    number: u32,
    total: u32,
    note: Option<String>,
}

fn order(customer: &str, number: u32) -> Order {
    Order { customer: customer.into(), number, total: number * 10, note: None }
}

/// Writes to two partitions, one of them the same for all writers.
fn write(tables: &Tables, writer: u32) {
    let b = tables.blocking();
    for count in 0..10 {
        let number = writer * 100 + count;
        b.insert(&order("shared", number)).unwrap();
        b.insert(&order(&format!("own {writer}"), number)).unwrap();
        b.merge(Order::patch("shared", number).note("patched".to_owned())).unwrap();
        if count % 3 == 0 {
            b.delete_at(Order::point("shared", number)).unwrap();
        }
    }
}

#[test]
fn records_give_the_entities_of_two_clients() {
    let served = Served::new().unwrap();
    block_on(served.tables().unwrap().create::<Order>()).unwrap();
    thread::scope(|scope| {
        for writer in 1..=2 {
            let tables = served.tables().unwrap();
            scope.spawn(move || write(&tables, writer));
        }
    });
    let tables = served.tables().unwrap();
    let (mut built, mut last) = (BTreeMap::new(), BTreeMap::new());
    let mut feed = tables.changes::<Order>().batch_size(7);
    loop {
        let batch = block_on(feed.next_batch()).unwrap();
        for change in &batch.changes {
            let (partition, key) =
                (change.address().partition_key().to_owned(), change.address().to_string());
            let before = last.insert(partition, change.sequence()).unwrap_or_default();
            assert_eq!(change.sequence(), before + 1);
            assert_eq!(change.old(), built.get(&key));
            match change.new() {
                Some(new) => built.insert(key, new.clone()),
                None => built.remove(&key),
            };
        }
        if batch.is_end {
            break;
        }
    }
    assert_eq!(last.get("shared"), Some(&48));
    let stored = block_on(Order::scan_table().all(&tables)).unwrap();
    let stored = stored.into_iter().map(|order| (order.address().unwrap().to_string(), order.into_inner()));
    assert_eq!(built, stored.collect());
}

#[test]
fn insert_whose_response_was_lost_is_executed_once() {
    let served = Served::new().unwrap();
    let proxy = Proxy::new(served.address(ServiceKind::Table).unwrap()).unwrap();
    let tables = served.tables_through(&proxy).unwrap();
    let b = tables.blocking();
    b.insert(&order("jo", 1)).unwrap();
    proxy.hold_next_write();
    // The record of the change does not exist, so the insert is sent again.
    b.insert(&order("jo", 2)).unwrap();
    b.delete_at(Order::point("jo", 2)).unwrap();
    // The first copy arrives now. Without the head, it would insert the entity again.
    proxy.deliver().unwrap();
    assert!(b.get(&Order::point("jo", 2)).unwrap().is_none());
    let changes = block_on(tables.changes::<Order>().next_batch()).unwrap().changes;
    assert_eq!(changes.iter().map(ChangeEvent::sequence).collect::<Vec<_>>(), [1, 2, 3]);
    b.insert(&order("jo", 2)).unwrap();
}
