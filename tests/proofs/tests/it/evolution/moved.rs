//! Entities that move to other keys: the verbs in each state, and programs that know only the old type.

mod elsewhere;
mod fed;
mod indexed;
mod overlap;
mod place;
mod unique;

use std::{sync::Arc, time::Duration};

use pollster::block_on;
use table_patterns::{
    DecodeError, MigrationStep, MoveState, MovedFrom, RegistryError, RowError, Tables, prelude::*,
};
use table_proofs::{remote::Served, simulation::Calendar};
use table_store::{MapStorage, OpenOptions};
use table_tests::counting::Counting;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Orders", partition = "{customer}", row = "{number:04}", entity_type = "Order")]
struct OrderV1 {
    customer: String,
    number: u32,
    total: i64,
}

/// The same entity, in a partition for each shard.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(
    name = "Sharded",
    partition = "{shard:02}_{customer}",
    row = "order_{number:06}",
    entity_type = "Order"
)]
#[table(shard(of = number, count = 4))]
struct Order {
    customer: String,
    number: u32,
    total: i64,
    note: Option<String>,
}

impl From<OrderV1> for Order {
    fn from(OrderV1 { customer, number, total }: OrderV1) -> Self {
        Self { customer, number, total, note: None }
    }
}

impl From<Order> for OrderV1 {
    fn from(Order { customer, number, total, .. }: Order) -> Self {
        Self { customer, number, total }
    }
}

impl From<OrderKey> for OrderV1Key {
    fn from(OrderKey { customer, number }: OrderKey) -> Self {
        Self { customer, number }
    }
}

impl MovedFrom for Order {
    type Old = OrderV1;
}

/// A type whose new keys do not determine the old ones: numbers of one century have one key.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Rounded", partition = "{customer}", row = "{century:04}", entity_type = "Rounded")]
struct Rounded {
    customer: String,
    century: u32,
    total: i64,
}

impl From<OrderV1> for Rounded {
    fn from(OrderV1 { customer, number, total }: OrderV1) -> Self {
        Self { customer, century: number / 100, total }
    }
}

impl From<Rounded> for OrderV1 {
    fn from(Rounded { customer, century, total }: Rounded) -> Self {
        Self { customer, number: century * 100, total }
    }
}

impl From<RoundedKey> for OrderV1Key {
    fn from(RoundedKey { customer, century }: RoundedKey) -> Self {
        Self { customer, number: century * 100 }
    }
}

impl MovedFrom for Rounded {
    type Old = OrderV1;
}

fn old(number: u32, total: i64) -> OrderV1 {
    OrderV1 { customer: "contoso".into(), number, total }
}

fn order(number: u32, total: i64) -> Order {
    old(number, total).into()
}

fn key(number: u32) -> OrderKey {
    OrderKey { customer: "contoso".into(), number }
}

/// Returns a handle with a registry whose time the calendar controls.
fn embedded() -> (Tables, Calendar) {
    let calendar = Calendar::new();
    let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
    (Tables::from(store).with_registry_by(Arc::new(calendar.clone())), calendar)
}

fn go_to<E: MovedFrom>(tables: &Tables, calendar: &Calendar, target: MoveState) {
    let migration = tables.migration::<E>();
    for _ in 0..100 {
        match block_on(migration.step_to(target)).unwrap() {
            MigrationStep::Done => return,
            MigrationStep::Wait(rest) => calendar.pass(rest + Duration::from_millis(1)),
            MigrationStep::Stuck(stuck) => panic!("{stuck:?}"),
            _ => {}
        }
    }
    panic!("the move does not reach {target}");
}

fn get(tables: &Tables, number: u32) -> Option<(i64, bool)> {
    let found = block_on(tables.moving::<Order>().get(&key(number))).unwrap();
    found.map(|order| (order.total, order.is_moved()))
}

/// Runs every verb on new entities and on those of earlier states.
fn verbs(tables: &Tables, state: MoveState, first: u32) {
    let orders = tables.moving::<Order>();
    let moved = state >= MoveState::Both;
    block_on(orders.insert(&order(first, 1))).unwrap();
    assert!(block_on(orders.insert(&order(first, 2))).unwrap_err().is_conflict(), "{state}");
    assert_eq!(get(tables, first), Some((1, moved)), "{state}");

    let mut stored = block_on(orders.get(&key(first))).unwrap().unwrap();
    let outdated = stored.clone();
    stored.total = 3;
    block_on(orders.replace(&stored)).unwrap();
    assert!(block_on(orders.replace(&outdated)).unwrap_err().is_conflict(), "{state}");
    assert!(block_on(orders.delete(&outdated)).unwrap_err().is_conflict(), "{state}");
    stored.number = 9_999;
    assert!(matches!(block_on(orders.replace(&stored)), Err(Error::KeyChanged { .. })), "{state}");

    let updated = block_on(orders.update(&key(first), |order| order.total += 1)).unwrap();
    assert_eq!((updated.total, get(tables, first)), (4, Some((4, moved))), "{state}");
    assert!(matches!(block_on(orders.update(&key(first + 1), |_| {})), Err(Error::NotFound(_))));

    block_on(orders.insert(&order(first + 1, 1))).unwrap();
    assert!(block_on(orders.delete_at(&key(first + 1))).unwrap(), "{state}");
    assert!(!block_on(orders.delete_at(&key(first + 1))).unwrap(), "{state}");
    assert_eq!(get(tables, first + 1), None, "{state}");
    // The key of a deleted entity can be used again.
    block_on(orders.insert(&order(first + 1, 5))).unwrap();
    assert_eq!(get(tables, first + 1), Some((5, moved)), "{state}");

    let range = block_on(orders.all(&OrderV1::rows("contoso").between(first..first + 10)));
    if state >= MoveState::New {
        assert!(
            matches!(range, Err(Error::Registry(error)) if matches!(*error, RegistryError::MoveState { .. }))
        );
    } else {
        let totals: Vec<i64> = range.unwrap().iter().map(|order| order.total).collect();
        assert_eq!(totals, [4, 5], "{state}");
    }
}

#[test]
fn every_verb_works_in_every_state() {
    use MoveState::{Both, Follow, Gone, New, Off};

    let (tables, calendar) = embedded();
    block_on(tables.register::<OrderV1>()).unwrap();
    for (number, state) in [Off, Follow, Both, New, Gone].into_iter().enumerate() {
        let first = 100 * u32::try_from(number + 1).unwrap();
        go_to::<Order>(&tables, &calendar, state);
        verbs(&tables, state, first);
        // Entities of earlier states are found, and can be changed.
        for earlier in (100..first).step_by(100) {
            let total = get(&tables, earlier).unwrap().0;
            block_on(tables.moving::<Order>().update(&key(earlier), |order| order.total += 10)).unwrap();
            assert_eq!(get(&tables, earlier).unwrap().0, total + 10, "{state}");
        }
    }
    // After the move, the verbs of the tables can be used.
    let b = tables.blocking();
    b.insert(&order(7_000, 1)).unwrap();
    assert_eq!(b.all(&Order::rows("contoso").between(7_000..=7_000)).unwrap().len(), 1);
    let refused = b.insert(&old(7_001, 1)).unwrap_err();
    assert!(refused.to_string().contains("tables.moving::<Order>()"), "{refused}");
    let status = block_on(tables.migration::<Order>().status()).unwrap().unwrap();
    assert_eq!(
        (status.state, status.moved),
        (Gone, 2),
        "the entities of `off`; others were moved by their writers"
    );
}

#[test]
fn properties_that_no_type_declares_are_moved() {
    let (tables, calendar) = embedded();
    block_on(tables.register::<OrderV1>()).unwrap();
    let b = tables.blocking();
    b.insert(&old(1, 1)).unwrap();
    let mut untyped = b.get(&DynamicEntity::point("Orders", "contoso", "0001")).unwrap().unwrap();
    untyped.set("phone", "555");
    b.replace(&untyped).unwrap();
    go_to::<Order>(&tables, &calendar, MoveState::Gone);
    let found = b.get(&Order::point("contoso", 1)).unwrap().unwrap();
    assert_eq!(found.unread().map(|(name, _)| name).collect::<Vec<_>>(), ["phone"]);
    assert!(b.get(&DynamicEntity::point("Orders", "contoso", "0001")).unwrap().is_none());
}

/// Returns a program without the registry and with an entity that it read, after the entity was moved.
fn moved() -> (Tables, Tables, Stored<OrderV1>) {
    let (tables, calendar) = embedded();
    block_on(tables.register::<OrderV1>()).unwrap();
    tables.blocking().insert(&old(1, 1)).unwrap();
    let older = Tables::from_services(tables.service().clone(), None, None);
    let stored = older.blocking().get(&OrderV1::point("contoso", 1)).unwrap().unwrap();
    go_to::<Order>(&tables, &calendar, MoveState::New);
    (tables, older, stored)
}

/// A program that does not know of the move and uses no registry meets the marker.
#[test]
fn typed_writes_of_the_old_type_are_rejected_at_a_marker() {
    let (tables, older, mut stored) = moved();
    let o = older.blocking();
    let point = || OrderV1::point("contoso", 1);
    let is_foreign = |error: Error| {
        let text = error.to_string();
        // The error names the move and the remedy, not the name that the library uses for the marker.
        assert!(text.contains("moved to other keys") && text.contains("`tables.moving`"), "{text}");
        assert!(text.contains(&format!("to {}", order(1, 1).address().unwrap())), "{text}");
        let Error::Decode(error) = error else { return false };
        matches!(*error.problem, RowError::Moved { .. }) && DecodeError::is_foreign(&error)
    };
    assert!(is_foreign(o.get(&point()).unwrap_err()));
    assert!(is_foreign(o.all(&OrderV1::rows("contoso")).unwrap_err()));
    assert!(is_foreign(o.upsert(&old(1, 2)).unwrap_err()));
    assert!(is_foreign(o.replace_any(&old(1, 2)).unwrap_err()));
    assert!(is_foreign(block_on(older.update(point(), |order| order.total = 2)).unwrap_err()));
    assert!(o.insert(&old(1, 2)).unwrap_err().is_conflict());
    stored.total = 2;
    assert!(o.replace(&stored).unwrap_err().is_conflict());
    assert!(o.delete(&stored).unwrap_err().is_conflict());
    assert!(block_on(older.merge(stored.patch().total(2))).unwrap_err().is_conflict());
    assert_eq!(get(&tables, 1), Some((1, true)));
}

/// A program that does not know of the move and uses the registry cannot write.
#[test]
fn programs_with_the_registry_must_know_the_move() {
    let (tables, calendar) = embedded();
    let b = tables.blocking();
    b.insert(&old(1, 1)).unwrap();
    go_to::<Order>(&tables, &calendar, MoveState::Follow);
    for refused in [
        b.insert(&old(2, 1)).map(drop).unwrap_err(),
        b.upsert(&old(1, 2)).map(drop).unwrap_err(),
        b.delete_at(OrderV1::point("contoso", 1)).unwrap_err(),
        b.insert(&order(2, 1)).map(drop).unwrap_err(),
    ] {
        assert!(
            matches!(&refused, Error::Registry(error) if matches!(**error, RegistryError::Moving { .. }))
        );
    }
    // The step back allows it again.
    go_to::<Order>(&tables, &calendar, MoveState::Off);
    b.insert(&old(2, 1)).unwrap();
    b.insert(&order(2, 1)).unwrap();
}

#[test]
fn two_entities_with_one_new_key_are_listed_and_stay() {
    let (tables, calendar) = embedded();
    let b = tables.blocking();
    for number in [100, 101, 200] {
        b.insert(&old(number, 1)).unwrap();
    }
    let migration = tables.migration::<Rounded>();
    let report = block_on(migration.check().run()).unwrap();
    assert_eq!((report.entities, report.moved, report.stuck.len()), (3, 0, 1));
    assert_eq!(report.stuck[0].0.row_key(), "0101");
    let refused = loop {
        match block_on(migration.step_to(MoveState::New)).unwrap() {
            MigrationStep::Wait(rest) => calendar.pass(rest + Duration::from_millis(1)),
            MigrationStep::Stuck(stuck) => break stuck,
            step => assert!(!matches!(step, MigrationStep::Done)),
        }
    };
    assert!(matches!(&refused[..], [(address, Error::Registry(error))]
        if address.row_key() == "0101" && matches!(**error, RegistryError::NotReversible { .. })));
    assert!(b.get(&OrderV1::point("contoso", 101)).unwrap().is_some());
    // After a repair, the move continues.
    let older = Tables::from_services(tables.service().clone(), None, None);
    older.blocking().delete_at(OrderV1::point("contoso", 101)).unwrap();
    go_to::<Rounded>(&tables, &calendar, MoveState::Gone);
    assert_eq!(b.all(&Rounded::rows("contoso")).unwrap().len(), 2);
}

#[test]
fn a_check_changes_nothing_and_lists_taken_keys() {
    let (tables, _) = embedded();
    let b = tables.blocking();
    b.insert(&old(1, 1)).unwrap();
    b.insert(&order(1, 9)).unwrap();
    let report = block_on(tables.migration::<Order>().check().run()).unwrap();
    assert!(matches!(&report.stuck[..], [(_, Error::Registry(error))]
        if matches!(**error, RegistryError::KeyTaken { .. })));
    assert_eq!(block_on(tables.migration::<Order>().status()).unwrap(), None);
    assert_eq!(b.get(&OrderV1::point("contoso", 1)).unwrap().unwrap().total, 1);
}

#[test]
fn a_move_turns_back_while_that_is_possible() {
    use MoveState::{Both, Follow, Gone, New, Off};

    let (tables, calendar) = embedded();
    let orders = || tables.moving::<Order>();
    block_on(tables.register::<OrderV1>()).unwrap();
    tables.blocking().insert(&old(1, 1)).unwrap();
    for target in [Follow, Off, Both, Follow, Off, New, Both] {
        go_to::<Order>(&tables, &calendar, target);
    }
    // Inserted without a marker.
    go_to::<Order>(&tables, &calendar, New);
    block_on(orders().insert(&order(2, 2))).unwrap();
    go_to::<Order>(&tables, &calendar, Both);
    assert_eq!((get(&tables, 1), get(&tables, 2)), (Some((1, true)), Some((2, true))));
    let range = block_on(orders().all(&OrderV1::rows("contoso")));
    assert!(range.is_err(), "markers are missing");
    go_to::<Order>(&tables, &calendar, Follow);
    assert_eq!((get(&tables, 1), get(&tables, 2)), (Some((1, true)), Some((2, true))));
    assert_eq!(block_on(orders().all(&OrderV1::rows("contoso"))).unwrap().len(), 2);
    block_on(orders().insert(&order(3, 3))).unwrap();
    assert_eq!(get(&tables, 3), Some((3, false)));
    // Moved entities remain at their new keys.
    let migration = tables.migration::<Order>();
    let refused = loop {
        match block_on(migration.step_to(Off)) {
            Ok(MigrationStep::Wait(rest)) => calendar.pass(rest + Duration::from_millis(1)),
            Ok(step) => assert!(!matches!(step, MigrationStep::Done)),
            Err(refused) => break refused,
        }
    };
    assert!(refused.to_string().contains("entities were moved"), "{refused}");
    go_to::<Order>(&tables, &calendar, Gone);
    assert!(block_on(migration.step_to(New)).is_err());
    assert_eq!(tables.blocking().all(&Order::rows("contoso")).unwrap().len(), 3);
}

/// Requests of each verb, and of the job for each entity.
#[test]
fn a_move_works_through_the_client() {
    let served = Served::new().unwrap();
    let calendar = Calendar::new();
    // The age of states is measured by the clock of the server, so that a step to `both` would take minutes.
    let tables = served.tables().unwrap().with_registry_by(Arc::new(calendar));
    verbs(&tables, MoveState::Off, 100);
    let migration = tables.migration::<Order>();
    assert!(matches!(
        block_on(migration.step_to(MoveState::New)),
        Ok(MigrationStep::Advanced(MoveState::Follow))
    ));
    verbs(&tables, MoveState::Follow, 200);
    assert!(matches!(block_on(migration.step_to(MoveState::New)), Ok(MigrationStep::Wait(_))));
}

#[test]
fn requests_of_each_verb() {
    use MoveState::{Both, Follow, Gone, New, Off};

    let calendar = Calendar::new();
    let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
    let counting = Counting::new(store);
    let tables = Tables::new(counting.clone()).with_registry_by(Arc::new(calendar.clone()));
    block_on(tables.register::<OrderV1>()).unwrap();
    let orders = tables.moving::<Order>();
    // The state, with the requests of: an insert, a read, a replace of a new entity; a read, a replace, a read of an
    // entity of `off`; a read of no entity.
    let expected = [
        (Off, [1, 1, 1], [1, 1, 1], 1),
        (Follow, [1, 1, 1], [1, 1, 1], 1),
        (Both, [2, 1, 1], [2, 6, 1], 2),
        (New, [1, 1, 1], [1, 1, 1], 1),
        (Gone, [1, 1, 1], [1, 1, 1], 1),
    ];
    for number in 0..10 {
        block_on(orders.insert(&order(number, 1))).unwrap();
    }
    for (number, (state, of_new, of_old, of_none)) in expected.into_iter().enumerate() {
        go_to::<Order>(&tables, &calendar, state);
        let number = u32::try_from(number).unwrap();
        let (first, none) = (100 + number, 9_000);
        // Reads the states of the registry.
        block_on(orders.insert(&order(200 + number, 1))).unwrap();
        let count = |verb: &dyn Fn()| {
            counting.take();
            verb();
            counting.take().all()
        };
        let read = |number| count(&|| drop(block_on(orders.get(&key(number))).unwrap()));
        let replace = |number| {
            let mut stored = block_on(orders.get(&key(number))).unwrap().unwrap();
            stored.total += 1;
            count(&|| drop(block_on(orders.replace(&stored)).unwrap()))
        };
        let insert = count(&|| drop(block_on(orders.insert(&order(first, 1))).unwrap()));
        assert_eq!([insert, read(first), replace(first)], of_new, "{state}");
        assert_eq!([read(number), replace(number), read(number)], of_old, "{state}");
        assert_eq!(read(none), of_none, "{state}");
    }
}

#[test]
fn requests_of_the_job_for_each_entity() {
    let requests = |count: u32| {
        let calendar = Calendar::new();
        let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
        let counting = Counting::new(store);
        let tables = Tables::new(counting.clone()).with_registry_by(Arc::new(calendar.clone()));
        for number in 0..count {
            tables.blocking().insert(&old(number, 1)).unwrap();
        }
        go_to::<Order>(&tables, &calendar, MoveState::Both);
        counting.take();
        go_to::<Order>(&tables, &calendar, MoveState::New);
        counting.take().all()
    };
    // 5 in the first pass, and 1 in the pass that checks.
    assert_eq!(requests(21) - requests(1), 20 * 6);
}
