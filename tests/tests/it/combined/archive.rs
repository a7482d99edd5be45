//! A move into an archive that is overtaken by another move.

use pollster::block_on;
use table_patterns::prelude::*;
use table_store::OpenOptions;
use table_tests::{
    schedule::Stepped,
    seed::Seed,
    unreliable::{Faults, Unreliable},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Orders", partition = "{customer}", row = "{id:06}", archive = "OldOrders")]
struct Order {
    customer: String,
    id: u32,
    state: i64,
}

/// The same order in its archive, which has a further archive.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "OldOrders", partition = "{customer}", row = "{id:06}", archive = "AncientOrders")]
#[table(entity_type = "Order")]
struct OldOrder {
    customer: String,
    id: u32,
    state: i64,
}

fn places(tables: &Tables) -> Vec<&'static str> {
    let mut places = vec!["Orders", "OldOrders", "AncientOrders"];
    places.retain(|table| {
        block_on(DynamicEntity::point(*table, "jo", "000001").get(tables)).unwrap().is_some()
    });
    places
}

/// Returns the tables that contain the order after one move was overtaken by `others`, when it had sent this number of
/// requests.
fn overtaken(requests: usize, others: impl Fn(&Tables)) -> Vec<&'static str> {
    let store = OpenOptions::new().in_memory().unwrap();
    let calm = Tables::new(store.clone());
    let order = Order { customer: "jo".into(), id: 1, state: 1 };
    calm.blocking().insert(&order).unwrap();
    let slow = Tables::new(Unreliable::new(store, Seed::new(1), Faults::NONE));
    let mut client = Stepped::new(slow.move_entity(&order.key(), "OldOrders"));
    // Each request waits twice.
    assert!(client.advance(2 * requests));
    others(&calm);
    assert!(!client.advance(1_000));
    client.finish().unwrap();
    places(&calm)
}

fn move_order(tables: &Tables) {
    let key = Order { customer: "jo".into(), id: 1, state: 1 }.key();
    block_on(tables.move_entity(&key, "OldOrders")).unwrap();
}

/// The requests before the delete: two reads, an insert, which creates its table and is repeated, and another read.
const BEFORE_DELETE: usize = 6;

#[test]
fn overtaken_move_leaves_no_row_behind() {
    for requests in 0..=BEFORE_DELETE {
        let chained = overtaken(requests, |tables| {
            move_order(tables);
            let old = OldOrder { customer: "jo".into(), id: 1, state: 1 };
            assert!(block_on(tables.move_entity(&old.key(), "AncientOrders")).unwrap());
        });
        assert_eq!(chained, ["AncientOrders"], "after {requests} requests");

        let deleted = overtaken(requests, |tables| {
            move_order(tables);
            tables.blocking().delete_at(OldOrder::point("jo", 1)).unwrap();
        });
        assert_eq!(deleted, [] as [&str; 0], "after {requests} requests");

        let moved = overtaken(requests, move_order);
        assert_eq!(moved, ["OldOrders"], "after {requests} requests");

        // The order is inserted again, and the same call moves it again.
        let again = overtaken(requests, |tables| {
            move_order(tables);
            tables.blocking().insert(&Order { customer: "jo".into(), id: 1, state: 2 }).unwrap();
        });
        assert_eq!(again, ["OldOrders"], "after {requests} requests");
    }
}

#[test]
fn move_whose_delete_is_repeated_keeps_the_archived_row() {
    let store = OpenOptions::new().in_memory().unwrap();
    let calm = Tables::new(store.clone());
    calm.blocking().insert(&Order { customer: "jo".into(), id: 1, state: 1 }).unwrap();
    let service = Unreliable::new(store, Seed::new(1), Faults::NONE).doubling_deletes();
    let slow = Tables::new(service);
    let order = Order { customer: "jo".into(), id: 1, state: 1 };
    let mut client = Stepped::new(slow.move_entity(&order.key(), "OldOrders"));
    assert!(!client.advance(1_000));
    client.finish().unwrap();
    assert_eq!(places(&calm), ["OldOrders"]);
}
