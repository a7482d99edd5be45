//! Programs that do not declare the feed of an entity.

use pollster::block_on;
use table_patterns::{Error, RegistryError, prelude::*};
use table_store::OpenOptions;

use super::{Order, all, order};

/// The previous program.
mod before {
    use table_patterns::prelude::*;

    #[derive(TableEntity, Clone, Debug, PartialEq)]
    #[table(name = "Orders", partition = "{customer}", row = "{number:06}")]
    pub(super) struct Order {
        pub(super) customer: String,
        pub(super) number: u32,
        pub(super) total: i64,
    }
}

fn old_order(number: u32) -> before::Order {
    before::Order { customer: "jo".into(), number, total: 1 }
}

fn is_refused<T: std::fmt::Debug>(written: Result<T>) -> bool {
    let Error::Registry(error) = written.unwrap_err() else { return false };
    *error == RegistryError::ChangesNotRecorded { entity: "Order" }
}

#[test]
fn registry_rejects_programs_without_the_feed() {
    let store = OpenOptions::new().in_memory().unwrap();
    let new = Tables::new(store.clone()).with_registry();
    let old = Tables::new(store).with_registry();
    new.blocking().insert(&order("jo", 1, 5)).unwrap();
    assert!(is_refused(old.blocking().insert(&old_order(2))));
    assert!(is_refused(old.blocking().merge(before::Order::patch("jo", 1).total(6))));
    assert!(old.blocking().get(&before::Order::point("jo", 1)).unwrap().is_some());
    assert_eq!(all::<Order>(&new).len(), 1);
    assert!(block_on(new.indexes::<Order>()).unwrap().is_empty());
}

#[test]
fn feed_is_added_to_a_registered_entity() {
    let store = OpenOptions::new().in_memory().unwrap();
    let old = Tables::new(store.clone()).with_registry();
    old.blocking().insert(&old_order(1)).unwrap();
    let new = Tables::new(store.clone()).with_registry();
    block_on(new.register_changes::<Order>()).unwrap();
    block_on(new.register_changes::<Order>()).unwrap();
    // A program that reads the registry again, as each one does after the lease.
    assert!(is_refused(Tables::new(store).with_registry().blocking().insert(&old_order(2))));
    new.blocking().merge(Order::patch("jo", 1).total(7)).unwrap();
    assert_eq!(all::<Order>(&new).len(), 1);
}

#[test]
fn feed_ends_when_it_is_unregistered() {
    let store = OpenOptions::new().in_memory().unwrap();
    let new = Tables::new(store.clone()).with_registry();
    new.blocking().insert(&order("jo", 1, 5)).unwrap();
    let old = || Tables::new(store.clone()).with_registry();
    assert!(is_refused(old().blocking().insert(&old_order(2))));
    for _ in 0..2 {
        block_on(new.unregister_changes::<Order>()).unwrap();
        // A program that reads the registry again, as each one does after the lease.
        old().blocking().upsert(&old_order(2)).unwrap();
    }
    // A program that still declares the feed records its changes.
    new.blocking().merge(Order::patch("jo", 1).total(7)).unwrap();
    assert_eq!(all::<Order>(&new).len(), 2);
}

#[test]
fn unreadable_row_of_the_feed_rejects_both_programs() {
    let store = OpenOptions::new().in_memory().unwrap();
    let program = || Tables::new(store.clone()).with_registry();
    program().blocking().insert(&order("jo", 1, 5)).unwrap();
    let raw = Tables::new(store.clone());
    let row = DynamicEntity::point("tablepatterns", "orders", "index_Order.!changes");
    let mut row = raw.blocking().get(&row).unwrap().unwrap();
    row.set("state", "archived");
    raw.blocking().replace(&row).unwrap();
    let refusals = [
        program().blocking().insert(&old_order(2)).map(drop),
        program().blocking().insert(&order("jo", 3, 5)).map(drop),
    ];
    for refusal in refusals {
        let Error::Registry(error) = refusal.unwrap_err() else { panic!("not by the registry") };
        assert!(matches!(*error, RegistryError::Unreadable { property: "state", .. }), "{error}");
    }
    // The feed depends on its own rows only.
    assert_eq!(all::<Order>(&program()).len(), 1);
}
