//! Unique values across partitions from the caller's view, and the requests of each call.
//! `tests/proofs/tests/it/simulation` covers the same with crashing clients and lost responses.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken promise ends the test")]
#![allow(clippy::duplicated_attributes, reason = "two indexes are unique")]

use std::time::Duration;

use pollster::block_on;
use table_patterns::{
    DifferenceKind, Error, RepairStatus, Timestamp, UniqueViolationError, Value, prelude::*,
};
use table_store::{
    Entity as Row, OpenOptions, Operation, Properties, QueueService, Store, TableName, TableService,
    queue::QueueName,
};
use table_tests::{
    counting::{Calls, Counting},
    seed::Seed,
    unreliable::{Faults, Unreliable},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Staff", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_badge, partition = "badge_{badge:08}", row = "holder", unique))]
#[table(index(by_desk, table = "Desks", partition = "{desk}", row = "{floor:02}", unique, sparse, copy()))]
struct Staff {
    department: String,
    id: u32,
    badge: u32,
    desk: Option<String>,
    floor: Option<u8>,
    age: u8,
}

fn staff(department: &str, id: u32, badge: u32) -> Staff {
    Staff { department: department.into(), id, badge, desk: None, floor: None, age: 30 }
}

fn at_desk(department: &str, id: u32, badge: u32, desk: &str) -> Staff {
    Staff { desk: Some(desk.into()), floor: Some(1), ..staff(department, id, badge) }
}

fn violation<T: std::fmt::Debug>(result: Result<T>) -> UniqueViolationError {
    match result.unwrap_err() {
        Error::Unique(violation) => *violation,
        other => panic!("{other:?}"),
    }
}

/// Returns the raw row of a badge.
fn badge_row(tables: &Tables, badge: u32) -> Option<DynamicEntity> {
    let point = DynamicEntity::point("Staff", format!("badge_{badge:08}"), "holder");
    tables.blocking().get(&point).unwrap().map(Stored::into_inner)
}

#[test]
fn no_two_entities_have_one_value_whatever_their_partitions() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&staff("Sales", 1, 4711)).unwrap();
    let taken = violation(b.insert(&staff("IT", 2, 4711)));
    assert_eq!((taken.index, taken.operation), ("by_badge", 0));
    let row = taken.address.unwrap();
    assert_eq!((row.partition_key(), row.row_key()), ("badge_00004711", "holder"));
    assert!(b.get(&Staff::point("IT", 2)).unwrap().is_none(), "nothing was written");

    // A point query, which returns a copy.
    let found = b.get(&Staff::by_badge(4711)).unwrap().unwrap();
    assert_eq!((found.id, found.department.as_str(), found.age), (1, "Sales", 30));
    let whole = block_on(found.load(&tables)).unwrap().unwrap();
    assert_eq!(*whole, staff("Sales", 1, 4711));
}

#[test]
fn a_value_is_free_again_once_it_was_given_up() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&staff("Sales", 1, 1)).unwrap();
    // By a change.
    let mut one = b.get(&Staff::point("Sales", 1)).unwrap().unwrap();
    one.badge = 2;
    b.replace(&one).unwrap();
    b.insert(&staff("IT", 2, 1)).unwrap();
    assert_eq!(violation(b.upsert(&staff("IT", 2, 2))).index, "by_badge");
    // By a delete.
    b.delete_at(Staff::point("Sales", 1)).unwrap();
    b.upsert(&staff("IT", 2, 2)).unwrap();
    assert_eq!(b.get(&Staff::by_badge(2)).unwrap().unwrap().id, 2);
    assert!(b.get(&Staff::by_badge(1)).unwrap().is_none());
    assert!(badge_row(&tables, 1).is_none());
    assert!(block_on(tables.verify::<Staff>().run()).unwrap().is_clean());
}

#[test]
fn of_two_values_none_is_kept_when_one_is_taken() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&at_desk("Sales", 1, 1, "oak")).unwrap();
    let taken = violation(b.insert(&at_desk("IT", 2, 2, "oak")));
    assert_eq!(taken.index, "by_desk");
    // The badge was reserved first, and released.
    assert!(badge_row(&tables, 2).is_none());
    b.insert(&at_desk("IT", 3, 2, "elm")).unwrap();
    assert_eq!(b.get(&Staff::by_desk("elm", 1)).unwrap().unwrap().id, 3);
    // An entity without a desk claims none.
    b.insert(&staff("IT", 4, 4)).unwrap();
    b.insert(&staff("IT", 5, 5)).unwrap();
}

#[test]
fn all_entities_of_a_transaction_claim() {
    let tables = Tables::in_memory().unwrap();
    let all = tables.transact().insert(&staff("IT", 1, 1)).insert(&staff("IT", 2, 2));
    block_on(all.commit()).unwrap();
    let taken = tables.transact().insert(&staff("IT", 3, 3)).insert(&staff("IT", 4, 2));
    let taken = violation(block_on(taken.commit()));
    assert_eq!((taken.index, taken.operation), ("by_badge", 1));
    assert!(badge_row(&tables, 3).is_none());
    // Two of one transaction.
    let taken = tables.transact().insert(&staff("IT", 3, 3)).insert(&staff("IT", 4, 3));
    assert_eq!(violation(block_on(taken.commit())).operation, 1);
    assert!(badge_row(&tables, 3).is_none());

    let many: Vec<_> = (10..260).map(|id| staff("IT", id, id)).collect();
    block_on(tables.bulk().insert_all(&many).run()).unwrap().into_result().unwrap();
    assert_eq!(tables.blocking().get(&Staff::by_badge(259)).unwrap().unwrap().id, 259);
    assert!(block_on(tables.verify::<Staff>().run()).unwrap().is_clean());
}

/// Concurrent claimants of the same values claim them in the same order, whatever the order of their writes.
#[test]
fn claims_are_made_in_the_order_of_their_keys() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&staff("IT", 1, 1)).unwrap();
    b.insert(&staff("IT", 2, 2)).unwrap();
    let rising = tables.transact().insert(&staff("Sales", 1, 1)).insert(&staff("Sales", 2, 2));
    assert_eq!(violation(b.commit(rising)).operation, 0);
    let falling = tables.transact().insert(&staff("Sales", 2, 2)).insert(&staff("Sales", 1, 1));
    assert_eq!(violation(b.commit(falling)).operation, 1, "badge 1 is claimed first");
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Cards", partition = "{site}", row = "{id:06}")]
#[table(index(by_badge, partition = "badge_{badge:06}", row = "holder", unique, copy()))]
struct Card {
    site: String,
    id: u32,
    badge: u32,
    note: String,
}

/// An insert with a cross-partition unique key is prepared first. A later write of the same partition waits for it.
#[test]
fn bulk_keeps_the_order_of_unique_inserts() {
    let tables = Tables::in_memory().unwrap();
    let card = |site: &str, id| Card { site: site.into(), id, badge: id, note: "first".into() };
    let second = |site, id| Card::patch(site, id).note("second".to_owned());
    tables.blocking().insert(&card("w", 999)).unwrap();
    let bulk = tables.bulk().insert(&card("x", 1)).merge(second("x", 1));
    let bulk = bulk.insert(&card("a", 2)).merge(second("a", 2));
    block_on(bulk.run()).unwrap().into_result().unwrap();
    for point in [Card::point("x", 1), Card::point("a", 2)] {
        assert_eq!(tables.blocking().get(&point).unwrap().unwrap().note, "second");
    }
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Users", partition = "{site}", row = "user_{name}")]
#[table(index(by_mail, partition = "mail_{name}", row = "holder", unique, copy()))]
#[table(index(by_phone, partition = "phone_{phone}", row = "holder", unique, copy()))]
struct User {
    site: String,
    name: String,
    phone: String,
    #[table(blob, inline = 10)]
    photo: Blob,
}

fn users(count: u32) -> Vec<User> {
    let user = |id| {
        let name = format!("{id:0400}");
        User { site: "x".into(), phone: name.clone(), name, photo: Blob::new(vec![7; 50]) }
    };
    (0..count).map(user).collect()
}

fn messages(store: &Store) -> u64 {
    let queue = QueueName::new("tables-outbox").unwrap();
    block_on(store.queue_properties(&queue)).unwrap().approximate_messages
}

/// The claims and the blobs of one transaction do not fit into one wake-up message.
#[test]
fn large_bulk_puts_several_hints() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone());
    let all = users(90);
    let report = block_on(tables.bulk().insert_all(&all).run()).unwrap();
    assert_eq!(report.groups.len(), 1, "{report:?}");
    assert_eq!(report.into_result().unwrap(), 90);
    assert_eq!(messages(&store), 0, "all messages were deleted with the commit");
    assert!(block_on(tables.verify::<User>().run()).unwrap().is_clean());

    // One value is taken: the reservations, the blobs and the messages of the others are removed.
    let mut others: Vec<User> =
        users(180).split_off(90).into_iter().map(|user| User { site: "y".into(), ..user }).collect();
    others.last_mut().unwrap().phone = format!("{:0400}", 1);
    let mut transaction = tables.transact();
    for user in &others {
        transaction = transaction.insert(user);
    }
    assert_eq!(violation(block_on(transaction.commit())).operation, 89);
    assert_eq!(messages(&store), 0);
    assert!(block_on(tables.verify::<User>().run()).unwrap().is_clean());
    assert_eq!(tables.blocking().all(&User::scan_table()).unwrap().len(), 90);
}

/// Dead-letters all commit records.
fn park_all(tables: &Tables) {
    let table = TableName::new("Staff").unwrap();
    let rows = block_on(tables.service().query(&table, table_store::Query::default())).unwrap().rows;
    for row in &rows {
        let (partition_key, row_key) = (row.partition_key.unwrap(), row.row_key.unwrap());
        let Some(token) = row_key.strip_prefix("!o_") else { continue };
        let dead_lettered = Row {
            partition_key: partition_key.into(),
            row_key: format!("!x_{token}"),
            properties: row.properties.to_properties(),
        };
        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
        let delete = Operation::Delete { partition_key, row_key, condition: table_store::Condition::Exists };
        block_on(tables.service().transact(&table, &[delete, Operation::Insert(dead_lettered)])).unwrap();
    }
}

#[test]
fn a_parked_commit_keeps_its_unique_value() {
    let tables = Tables::in_memory().unwrap();
    tables.with_deferred_updates().blocking().insert(&staff("Sales", 1, 4711)).unwrap();
    park_all(&tables);
    // The reservation is still pending, and old enough to be considered abandoned.
    let later =
        tables.clone().with_clock(|| Timestamp::now().saturating_add(Duration::from_secs(2 * 60 * 60)));
    assert_eq!(block_on(later.sweep().run()).unwrap().reservations, 0);
    assert!(badge_row(&tables, 4711).is_some());
    assert_eq!(violation(tables.blocking().insert(&staff("IT", 2, 4711))).index, "by_badge");
    // The abort record does not prevent the record from being applied.
    assert_eq!(block_on(tables.retry_dead_letters()).unwrap(), 1);
    block_on(tables.catch_up()).unwrap();
    assert_eq!(block_on(tables.lag()).unwrap().dead_lettered, 0);
    assert_eq!(tables.blocking().get(&Staff::by_badge(4711)).unwrap().unwrap().id, 1);
}

/// An abort record occupies the key of the commit record, so the record is applied where it is.
#[test]
fn retried_record_beside_its_abort_record_is_applied_or_an_error_is_returned() {
    let (mut applied, mut failed) = (0, 0);
    for seed in 0..40 {
        let store = OpenOptions::new().in_memory().unwrap();
        let tables = Tables::from(store.clone());
        tables.with_deferred_updates().blocking().insert(&staff("Sales", 1, 4711)).unwrap();
        park_all(&tables);
        assert_eq!(violation(tables.blocking().insert(&staff("IT", 2, 4711))).index, "by_badge");
        let faults = Faults { refused: 100, ..Faults::NONE };
        let service = Unreliable::new(store.clone(), Seed::new(seed), faults);
        let busy = Tables::new(service).with_queues(store);
        busy.register_entity::<Staff>();
        match block_on(busy.retry_dead_letters()) {
            Ok(_) => {
                assert_eq!(block_on(tables.lag()).unwrap().dead_lettered, 0, "seed {seed}");
                applied += 1;
            }
            Err(_) => failed += 1,
        }
    }
    assert!(applied > 5 && failed > 5, "{applied} {failed}");
}

#[test]
fn a_value_cannot_be_handed_over_by_a_rekey() {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    b.insert(&staff("IT", 1, 1)).unwrap();
    let mut moved = b.get(&Staff::point("IT", 1)).unwrap().unwrap();
    moved.id = 2;
    assert!(matches!(b.rekey(&moved), Err(Error::HoldsUnique { index: "by_badge", .. })));
    // With another badge it can be moved.
    moved.badge = 2;
    b.rekey(&moved).unwrap();
    assert_eq!(b.get(&Staff::by_badge(2)).unwrap().unwrap().id, 2);
    assert!(badge_row(&tables, 1).is_none());
}

#[test]
fn what_workers_make_live_later_is_reserved_at_once() {
    let tables = Tables::in_memory().unwrap();
    let leaving = tables.with_deferred_updates();
    let written = block_on(leaving.insert(&staff("Sales", 1, 1))).unwrap();
    assert_eq!(violation(tables.blocking().insert(&staff("IT", 2, 1))).index, "by_badge");
    // The claimant completed the row of the commit in order to read it.
    let found = tables.blocking().get(&Staff::by_badge(1).after(&written)).unwrap();
    assert_eq!(found.unwrap().id, 1);
    block_on(leaving.delete_at(Staff::point("Sales", 1))).unwrap();
    // Not applied yet: a claimant reads the entity that the row names.
    tables.blocking().insert(&staff("IT", 2, 1)).unwrap();
    block_on(tables.catch_up()).unwrap();
    assert_eq!(tables.blocking().get(&Staff::by_badge(1)).unwrap().unwrap().id, 2);
    assert_eq!(block_on(tables.lag()).unwrap().pending, Some(0));
}

#[test]
fn sixteen_claimants_at_once_and_one_has_it() {
    let tables = Tables::in_memory().unwrap();
    for round in 0..10 {
        let claim = |id| {
            let tables = tables.clone();
            move || tables.blocking().insert(&staff(&format!("D{id}"), id, round))
        };
        let claimants: Vec<_> = (0..16).map(|id| std::thread::spawn(claim(round * 100 + id))).collect();
        let results: Vec<_> = claimants.into_iter().map(|claimant| claimant.join().unwrap()).collect();
        let won = results.iter().filter(|result| result.is_ok()).count();
        assert_eq!(won, 1, "{results:?}");
        let lost = results.into_iter().filter_map(Result::err);
        // On a busy machine, one client may abandon its claim before.
        let is_loss = |error: &Error| matches!(error, Error::Unique(_) | Error::Contended { .. });
        let others: Vec<_> = lost.filter(|error| !is_loss(error)).collect();
        assert!(others.is_empty(), "{others:?}");
    }
    assert!(block_on(tables.verify::<Staff>().run()).unwrap().is_clean());
}

/// Leaves a reservation of a claimant that no longer exists, for the entity 9 of `IT`.
fn abandon(store: &Store, badge: u32, token: &str) {
    let text = |text: &str| Value::String(text.into());
    let mut properties = Properties::new();
    properties.set("_st", text("p"));
    properties.set("_tk", text(token));
    properties.set("_src", text(r#"["Staff","IT","empid_000009"]"#));
    let (partition_key, row_key) = (format!("badge_{badge:08}"), "holder".to_owned());
    let row = Operation::Insert(Row { partition_key, row_key, properties });
    block_on(store.execute(&TableName::new("Staff").unwrap(), &row)).unwrap();
}

#[test]
fn an_abandoned_reservation_blocks_nobody_and_verify_finds_it() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone());
    let b = tables.blocking();
    b.insert(&staff("Sales", 1, 1)).unwrap();
    abandon(&store, 2, "00000000000000000000000002");
    abandon(&store, 3, "00000000000000000000000003");
    assert!(b.get(&Staff::by_badge(2)).unwrap().is_none(), "no reader sees it");
    b.insert(&staff("Sales", 2, 2)).unwrap();
    assert_eq!(b.get(&Staff::by_badge(2)).unwrap().unwrap().id, 2);

    let report = block_on(tables.verify::<Staff>().run()).unwrap();
    assert_eq!((report.count(), report.count_of(DifferenceKind::Reserved)), (1, 1), "{report}");
    let report = block_on(tables.verify::<Staff>().repair().run()).unwrap();
    assert!(matches!(report.differences[0].repair, RepairStatus::Done), "{report}");
    assert!(badge_row(&tables, 3).is_none());
    assert!(block_on(tables.verify::<Staff>().run()).unwrap().is_clean());
}

/// An abandoned attempt of the entity itself occupies the key of its row.
#[test]
fn repair_replaces_an_abandoned_reservation_by_the_missing_row() {
    let store = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::from(store.clone());
    let b = tables.blocking();
    b.insert(&staff("IT", 9, 1)).unwrap();
    b.delete_at(DynamicEntity::point("Staff", "badge_00000001", "holder")).unwrap();
    abandon(&store, 1, "00000000000000000000000002");

    let report = block_on(tables.verify::<Staff>().run()).unwrap();
    assert_eq!((report.count(), report.count_of(DifferenceKind::Missing)), (1, 1), "{report}");
    let report = block_on(tables.verify::<Staff>().repair().run()).unwrap();
    assert!(matches!(report.differences[0].repair, RepairStatus::Done), "{report}");
    assert_eq!(b.get(&Staff::by_badge(1)).unwrap().unwrap().id, 9);
    assert!(block_on(tables.verify::<Staff>().run()).unwrap().is_clean());
}

#[test]
fn a_sweep_takes_abandoned_reservations_away() {
    let store = OpenOptions::new().in_memory().unwrap();
    let now = || Timestamp::now().saturating_add(Duration::from_secs(2 * 60 * 60));
    let tables = Tables::from(store.clone()).with_clock(now);
    tables.blocking().insert(&staff("Sales", 1, 1)).unwrap();
    abandon(&store, 3, "00000000000000000000000003");
    assert_eq!(tables.blocking().sweep(tables.sweep()).unwrap().reservations, 1);
    assert!(badge_row(&tables, 3).is_none());
    assert!(tables.blocking().get(&Staff::by_badge(1)).unwrap().is_some());
}

/// A claimant whose response was lost reads the row and finds its own reservation.
#[test]
fn lost_answers_do_not_fail_a_claim() {
    let mut lost = 0;
    for seed in 0..40 {
        let store = OpenOptions::new().in_memory().unwrap();
        block_on(Tables::from(store.clone()).create::<Staff>()).unwrap();
        let faults = Faults { lost: 200, ..Faults::NONE };
        let service = Unreliable::new(store.clone(), Seed::new(seed), faults);
        let tables = Tables::new(service.clone()).with_queues(store.clone());
        tables.blocking().insert(&staff("Sales", 1, 1)).unwrap();
        service.calm();
        block_on(tables.catch_up()).unwrap();
        assert_eq!(tables.blocking().get(&Staff::by_badge(1)).unwrap().unwrap().id, 1, "seed {seed}");
        lost += service.befell().lost;
    }
    assert!(lost > 10, "{lost}");
}

#[test]
fn without_queues_nothing_is_claimed() {
    let tables = Tables::new(OpenOptions::new().in_memory().unwrap());
    let refused = tables.blocking().insert(&staff("Sales", 1, 1));
    assert!(matches!(refused, Err(Error::QueuesNotConfigured { .. })), "{refused:?}");
    assert!(badge_row(&tables, 1).is_none());
}

fn counted() -> (Tables, Counting<Store>) {
    let store = OpenOptions::new().in_memory().unwrap();
    let service = Counting::new(store.clone());
    let tables = Tables::new(service.clone()).with_queues(store);
    block_on(tables.create::<Staff>()).unwrap();
    service.take();
    (tables, service)
}

fn calls(finds: u64, writes: u64, transactions: u64) -> Calls {
    Calls { finds, writes, transactions, ..Calls::default() }
}

#[test]
fn each_call_asks_as_often_as_it_says() {
    let (tables, service) = counted();
    let b = tables.blocking();
    b.insert(&staff("Sales", 1, 1)).unwrap();
    // The row is reserved; after the commit its version and the entity are read, it is made live, and the record is
    // deleted.
    assert_eq!(service.take(), calls(2, 3, 1), "an insert");
    b.insert(&staff("Sales", 2, 1)).unwrap_err();
    assert_eq!(service.take(), calls(2, 1, 0), "a value that is taken: the row, and who has it");
    let mut stored = b.get(&Staff::point("Sales", 1)).unwrap().unwrap();
    service.take();
    stored.badge = 2;
    let written = b.replace(&stored).unwrap();
    assert_eq!(service.take(), calls(3, 4, 1), "another value: one row comes, one goes");
    let mut stored = stored.written(&written);
    stored.age = 31;
    b.replace(&stored).unwrap();
    assert_eq!(service.take(), calls(2, 2, 1), "the same value is not claimed anew");
    block_on(tables.with_deferred_updates().insert(&staff("IT", 7, 7))).unwrap();
    assert_eq!(service.take(), calls(0, 1, 1), "what is left to workers");
    b.get(&Staff::by_badge(2)).unwrap().unwrap();
    assert_eq!(service.take(), calls(1, 0, 0));
}
