//! Requests of each verb of an entity with a change feed.

use pollster::block_on;
use table_patterns::prelude::*;
use table_store::{OpenOptions, Store};
use table_tests::counting::{Calls, Counting};

use super::{Entry, Order, entry, order};

fn counted() -> (Tables, Counting<Store>) {
    let counting = Counting::new(OpenOptions::new().in_memory().unwrap());
    let tables = Tables::new(counting.clone());
    block_on(tables.create::<Order>()).unwrap();
    block_on(tables.create::<Entry>()).unwrap();
    counting.take();
    (tables, counting)
}

const ONE: Calls =
    Calls { creates: 0, drops: 0, lists: 0, finds: 0, queries: 0, writes: 0, transactions: 1, marks: 0 };

#[test]
fn verbs_cost_what_the_guide_says() {
    let (tables, counting) = counted();
    let b = tables.blocking();
    b.insert(&order("jo", 1, 5)).unwrap();
    assert_eq!(counting.take(), Calls { finds: 1, writes: 1, ..ONE }, "the first change of a partition");
    b.insert(&order("jo", 2, 5)).unwrap();
    assert_eq!(counting.take(), ONE);
    let stored = b.get(&Order::point("jo", 1)).unwrap().unwrap();
    counting.take();
    b.replace(&stored).unwrap();
    assert_eq!(counting.take(), ONE);
    b.merge(Order::patch("jo", 1).total(6)).unwrap();
    assert_eq!(counting.take(), Calls { finds: 1, ..ONE }, "a patch reads the entity");
    b.upsert(&order("jo", 1, 7)).unwrap();
    assert_eq!(counting.take(), Calls { finds: 1, ..ONE });
    b.delete_at(Order::point("jo", 1)).unwrap();
    assert_eq!(counting.take(), Calls { finds: 1, ..ONE });

    let other = Tables::new(counting.clone());
    other.blocking().insert(&order("jo", 3, 5)).unwrap();
    assert_eq!(counting.take(), Calls { finds: 1, ..ONE }, "the first change of a process reads the head");
    b.insert(&order("jo", 4, 5)).unwrap();
    assert_eq!(
        counting.take(),
        Calls { finds: 1, transactions: 2, ..ONE },
        "after a change by another process"
    );
}

#[test]
fn previous_state_costs_a_read() {
    let (tables, counting) = counted();
    let b = tables.blocking();
    b.insert(&entry(1, 5)).unwrap();
    let stored = b.get(&Entry::point("jo", 1)).unwrap().unwrap();
    counting.take();
    b.replace(&stored).unwrap();
    assert_eq!(counting.take(), Calls { finds: 1, ..ONE });
    b.merge(Entry::patch("jo", 1).total(6)).unwrap();
    assert_eq!(counting.take(), Calls { finds: 1, ..ONE });
}

#[test]
fn readers_send_one_request_for_each_partition() {
    let (tables, counting) = counted();
    for customer in ["a", "b", "c"] {
        tables.blocking().insert(&order(customer, 1, 5)).unwrap();
    }
    counting.take();
    let mut feed = tables.changes::<Order>();
    assert_eq!(block_on(feed.next_batch()).unwrap().changes.len(), 3);
    assert_eq!(counting.take(), Calls { queries: 4, transactions: 0, ..ONE });
    assert_eq!(block_on(feed.next_batch()).unwrap().changes.len(), 0);
    assert_eq!(counting.take(), Calls { queries: 4, transactions: 0, ..ONE });
    block_on(tables.changes::<Order>().end()).unwrap();
    assert_eq!(counting.take(), Calls { finds: 3, queries: 1, transactions: 0, ..ONE });
    block_on(tables.changes::<Order>().partition("a").next_batch()).unwrap();
    assert_eq!(counting.take(), Calls { queries: 1, transactions: 0, ..ONE });
}

#[test]
fn entity_without_a_feed_costs_nothing_more() {
    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Plain", partition = "{owner}", row = "{number:06}")]
    struct Plain {
        owner: String,
        number: u32,
    }

    let (tables, counting) = counted();
    block_on(tables.create::<Plain>()).unwrap();
    counting.take();
    tables.blocking().insert(&Plain { owner: "jo".into(), number: 1 }).unwrap();
    assert_eq!(counting.take(), Calls { writes: 1, transactions: 0, ..ONE });
}
