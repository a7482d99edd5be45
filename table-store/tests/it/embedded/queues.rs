//! Queues: effects and errors of each request.

use std::{
    io,
    sync::atomic::{AtomicU64, Ordering},
    task::{Context, Waker},
    time::Duration,
};

use table_store::{
    BlockingStore, ErrorCode, MapStorage, MemoryDisk, Metadata, OpenOptions, Operation, Pending,
    QueueService, Random, TableService, Timestamp, Uuid,
    queue::{
        GetMessages, ListQueues, PopReceipt, PutMessage, QueueCreated, QueueName, TimeToLive, UpdateMessage,
    },
};

use crate::embedded::support::{HandClock, TestDisk, code, entity, on_disk, table};

const DAY: u64 = 24 * 60 * 60;

pub(crate) fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn queue(name: &str) -> QueueName {
    name.parse().unwrap()
}

fn work() -> QueueName {
    queue("work")
}

fn metadata(value: &str) -> Metadata {
    Metadata::new().with("owner", value).unwrap()
}

/// Creates a store with a manual clock and one queue.
fn store() -> (BlockingStore, HandClock) {
    let clock = HandClock::at("2026-11-21T12:00:00Z");
    let store = OpenOptions::new().clock(clock.clone()).in_memory().unwrap().blocking();
    store.create_queue(&work(), Metadata::new()).unwrap();
    (store, clock)
}

/// Sends a request, which does not complete yet.
fn sent<T>(request: &mut Pending<'_, T>) -> bool {
    request.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending()
}

fn put(store: &BlockingStore, text: &str) {
    store.put_message(&work(), PutMessage::new(text)).unwrap();
}

fn get(store: &BlockingStore, count: u32, visibility: u64) -> Vec<String> {
    let get = GetMessages::new().count(count).visibility(seconds(visibility));
    store.get_messages(&work(), get).unwrap().into_iter().map(|message| message.text).collect()
}

fn peek(store: &BlockingStore, count: u32) -> Vec<String> {
    store.peek_messages(&work(), count).unwrap().into_iter().map(|message| message.text).collect()
}

fn count(store: &BlockingStore) -> u64 {
    store.queue_properties(&work()).unwrap().approximate_messages
}

#[test]
fn a_queue_is_made_once_and_again_only_with_the_same_metadata() {
    let (store, _) = store();
    let staff = queue("staff");
    assert_eq!(store.create_queue(&staff, metadata("Jo")).unwrap(), QueueCreated::New);
    assert_eq!(store.create_queue(&staff, metadata("Jo")).unwrap(), QueueCreated::Existing);
    assert_eq!(code(store.create_queue(&staff, metadata("Al"))), ErrorCode::QueueAlreadyExists);
    assert_eq!(store.queue_properties(&staff).unwrap().metadata, metadata("Jo"));
    store.set_queue_metadata(&staff, metadata("Al")).unwrap();
    assert_eq!(store.create_queue(&staff, metadata("Al")).unwrap(), QueueCreated::Existing);
}

#[test]
fn a_queue_that_is_not_there_is_not_found_by_any_request() {
    let (store, _) = store();
    let none = queue("none");
    let (id, receipt) = (Uuid::nil(), PopReceipt::new("x"));
    let answers = [
        store.delete_queue(&none),
        store.queue_properties(&none).map(drop),
        store.set_queue_metadata(&none, Metadata::new()),
        store.put_message(&none, PutMessage::new("")).map(drop),
        store.get_messages(&none, GetMessages::new()).map(drop),
        store.peek_messages(&none, 1).map(drop),
        store.update_message(&none, id, &receipt, UpdateMessage::new(seconds(0))).map(drop),
        store.delete_message(&none, id, &receipt),
        store.clear_messages(&none),
    ];
    for answer in answers {
        assert_eq!(code(answer), ErrorCode::QueueNotFound);
    }
}

#[test]
fn what_a_request_sends_is_checked_before_its_queue_is_looked_for() {
    let (store, _) = store();
    let (none, id, receipt) = (queue("none"), Uuid::nil(), PopReceipt::new("x"));
    let long = UpdateMessage::new(seconds(7 * DAY + 1));
    let zero = GetMessages::new().visibility(seconds(0));
    assert_eq!(code(store.put_message(&none, PutMessage::new("\0"))), ErrorCode::InvalidXmlDocument);
    let large = PutMessage::new("x".repeat((64 << 10) + 1));
    assert_eq!(code(store.put_message(&none, large)), ErrorCode::RequestBodyTooLarge);
    let wrong = ErrorCode::OutOfRangeQueryParameterValue;
    assert_eq!(code(store.get_messages(&none, zero)), wrong);
    assert_eq!(code(store.peek_messages(&none, 0)), wrong);
    assert_eq!(code(store.peek_messages(&none, 33)), wrong);
    assert_eq!(code(store.update_message(&none, id, &receipt, long)), wrong);
    assert_eq!(code(store.list_queues(ListQueues::new().max_results(0))), wrong);
}

#[test]
fn messages_come_in_the_order_in_which_they_become_visible() {
    let (store, clock) = store();
    store.put_message(&work(), PutMessage::new("later").visibility(seconds(10))).unwrap();
    for text in ["1", "2", "3"] {
        put(&store, text);
    }
    assert_eq!(peek(&store, 32), ["1", "2", "3"]);
    assert_eq!(get(&store, 2, 60), ["1", "2"]);
    assert_eq!(get(&store, 32, 60), ["3"]);
    assert!(get(&store, 1, 60).is_empty());
    clock.forward(10);
    assert_eq!(get(&store, 1, 60), ["later"]);
    clock.forward(50);
    assert_eq!(get(&store, 32, 60), ["1", "2", "3"]);
    assert_eq!(count(&store), 4);
}

#[test]
fn what_is_told_of_a_message_is_what_was_asked_for() {
    let (store, clock) = store();
    let start: Timestamp = "2026-11-21T12:00:00Z".parse().unwrap();
    let message =
        PutMessage::new("Größe\t<&>").visibility(seconds(5)).time_to_live(TimeToLive::Of(seconds(90)));
    let put = store.put_message(&work(), message).unwrap();
    assert_eq!(put.inserted, start);
    assert_eq!(put.expires, Some(start.saturating_add(seconds(90))));
    assert_eq!(put.next_visible, start.saturating_add(seconds(5)));
    clock.forward(5);
    let peeked = store.peek_messages(&work(), 1).unwrap().remove(0);
    assert_eq!(
        (peeked.id, peeked.inserted, peeked.expires, peeked.dequeue_count),
        (put.id, put.inserted, put.expires, 0)
    );
    let got = store.get_messages(&work(), GetMessages::new()).unwrap().remove(0);
    assert_eq!(
        (got.id, got.inserted, got.expires, got.dequeue_count),
        (put.id, put.inserted, put.expires, 1)
    );
    assert_eq!((got.text.as_str(), got.next_visible), ("Größe\t<&>", start.saturating_add(seconds(35))));
    assert_ne!(got.pop_receipt, put.pop_receipt);
    let forever = PutMessage::new("").time_to_live(TimeToLive::Forever);
    assert_eq!(store.put_message(&work(), forever).unwrap().expires, None);
}

#[test]
fn a_message_is_deleted_by_its_last_receipt_only() {
    let (store, clock) = store();
    let put = store.put_message(&work(), PutMessage::new("a")).unwrap();
    let other = store.put_message(&work(), PutMessage::new("b")).unwrap();
    let first = store.get_messages(&work(), GetMessages::new()).unwrap().remove(0);
    let delete = |id, receipt: &PopReceipt| store.delete_message(&work(), id, receipt);
    assert_eq!(code(delete(put.id, &put.pop_receipt)), ErrorCode::PopReceiptMismatch);
    assert_eq!(code(delete(put.id, &other.pop_receipt)), ErrorCode::PopReceiptMismatch);
    assert_eq!(code(delete(put.id, &PopReceipt::new("no receipt"))), ErrorCode::PopReceiptMismatch);
    assert_eq!(code(delete(Uuid::nil(), &first.pop_receipt)), ErrorCode::MessageNotFound);
    // After the visibility timeout the receipt remains valid until another consumer receives the message.
    clock.forward(31);
    let second = store.get_messages(&work(), GetMessages::new().count(2)).unwrap().remove(1);
    assert_eq!((second.id, second.dequeue_count), (put.id, 2));
    assert_eq!(code(delete(put.id, &first.pop_receipt)), ErrorCode::PopReceiptMismatch);
    clock.forward(31);
    delete(put.id, &second.pop_receipt).unwrap();
    assert_eq!(code(delete(put.id, &second.pop_receipt)), ErrorCode::MessageNotFound);
    assert_eq!((peek(&store, 32), count(&store)), (vec!["b".to_owned()], 1));
    // The receipt of a message that was never received is valid too.
    let third = store.put_message(&work(), PutMessage::new("c")).unwrap();
    delete(third.id, &third.pop_receipt).unwrap();
}

#[test]
fn an_update_gives_another_receipt_and_a_new_time_and_text() {
    let (store, clock) = store();
    put(&store, "photo");
    let got = store.get_messages(&work(), GetMessages::new()).unwrap().remove(0);
    let update = UpdateMessage::new(seconds(100)).text("photo, half done");
    let updated = store.update_message(&work(), got.id, &got.pop_receipt, update.clone()).unwrap();
    assert_eq!(updated.next_visible, got.inserted.saturating_add(seconds(100)));
    assert_eq!(
        code(store.update_message(&work(), got.id, &got.pop_receipt, update)),
        ErrorCode::PopReceiptMismatch
    );
    clock.forward(99);
    assert!(peek(&store, 1).is_empty());
    clock.forward(1);
    let again = store.get_messages(&work(), GetMessages::new()).unwrap().remove(0);
    assert_eq!((again.text.as_str(), again.dequeue_count), ("photo, half done", 2));
    // Without a new text the old one is kept, and a timeout of zero makes the message visible immediately.
    store.update_message(&work(), again.id, &again.pop_receipt, UpdateMessage::new(seconds(0))).unwrap();
    assert_eq!(peek(&store, 1), ["photo, half done"]);
}

#[test]
fn an_update_does_not_outlast_the_message() {
    let (store, clock) = store();
    let life = PutMessage::new("short").time_to_live(TimeToLive::Of(seconds(60)));
    let put = store.put_message(&work(), life).unwrap();
    let update = |visibility, receipt: &PopReceipt| {
        store.update_message(&work(), put.id, receipt, UpdateMessage::new(seconds(visibility)))
    };
    assert_eq!(code(update(61, &put.pop_receipt)), ErrorCode::OutOfRangeQueryParameterValue);
    let updated = update(60, &put.pop_receipt).unwrap();
    clock.forward(60);
    assert_eq!(code(update(0, &updated.pop_receipt)), ErrorCode::MessageNotFound);
    assert_eq!(code(update(0, &put.pop_receipt)), ErrorCode::MessageNotFound);
    assert_eq!(code(store.delete_message(&work(), put.id, &updated.pop_receipt)), ErrorCode::MessageNotFound);
    assert!(get(&store, 1, 1).is_empty() && count(&store) == 0);
}

#[test]
fn expired_messages_are_never_shown_however_many_they_are_and_their_space_comes_back() {
    let (store, clock) = store();
    for number in 0..2_100 {
        let message = PutMessage::new(format!("{number}")).time_to_live(TimeToLive::Of(seconds(1)));
        store.put_message(&work(), message).unwrap();
    }
    put(&store, "after them");
    clock.forward(1);
    // One step removes at most a thousand expired messages, and both requests continue until they find a message.
    assert_eq!(peek(&store, 1), ["after them"]);
    assert!(count(&store) < 200);
    assert_eq!(get(&store, 32, 5), ["after them"]);
    assert_eq!(count(&store), 1);
    let report = store.scrub().unwrap();
    assert!(report.is_sound() && report.messages == 1, "{report}");
}

#[test]
fn expired_messages_go_also_where_nobody_gets_any() {
    let (store, clock) = store();
    for round in 0..50 {
        for _ in 0..20 {
            let message = PutMessage::new("note").time_to_live(TimeToLive::Of(seconds(10)));
            store.put_message(&work(), message).unwrap();
        }
        put(&store, "stays");
        assert!(count(&store) <= 60 + round, "{} in round {round}", count(&store));
        clock.forward(10);
    }
}

#[test]
fn clearing_and_deleting_are_one_small_write_each_and_leave_nothing() {
    let disk = TestDisk::new();
    let store = on_disk(disk.clone());
    store.create_queue(&work(), Metadata::new()).unwrap();
    let fill = || {
        (0..700).fold(None, |_, _| Some(store.put_message(&work(), PutMessage::new("x")).unwrap())).unwrap()
    };
    let old = fill();
    store.clear_messages(&work()).unwrap();
    assert!(count(&store) == 0 && peek(&store, 1).is_empty());
    assert_eq!(code(store.delete_message(&work(), old.id, &old.pop_receipt)), ErrorCode::MessageNotFound);
    fill();
    store.delete_queue(&work()).unwrap();
    assert_eq!(code(store.queue_properties(&work())), ErrorCode::QueueNotFound);
    assert_eq!(code(store.delete_queue(&work())), ErrorCode::QueueNotFound);
    assert!(store.list_queues(ListQueues::new()).unwrap().queues.is_empty());
    store.swept().unwrap();
    let report = store.scrub().unwrap();
    assert!(report.is_sound(), "{report}");
    assert_eq!((report.queues, report.messages, report.deleted), (0, 0, 0));
    assert_eq!(store.create_queue(&work(), Metadata::new()).unwrap(), QueueCreated::New);
    assert_eq!(count(&store), 0);
}

#[test]
fn the_name_of_a_deleted_queue_is_free_at_once_and_its_messages_never_come_back() {
    let disk = TestDisk::new();
    let store = on_disk(disk.clone());
    store.create_queue(&work(), Metadata::new()).unwrap();
    // More records than one sweep step between two groups removes.
    (0..150).for_each(|_| put(&store, "x"));
    disk.hold();
    let (queue, service) = (work(), store.store().clone());
    let mut deleting = service.delete_queue(&queue);
    assert!(sent(&mut deleting));
    disk.until_waiting();
    // This request is sent before the sweep can start, and completes before the sweep can end.
    let mut creating = service.create_queue(&queue, Metadata::new());
    assert!(sent(&mut creating));
    disk.release();
    pollster::block_on(deleting).unwrap();
    assert_eq!(pollster::block_on(creating).unwrap(), QueueCreated::New);
    put(&store, "new");
    let bytes = disk.bytes.bytes();
    store.swept().unwrap();
    assert_eq!(peek(&store, 32), ["new"]);
    store.close().unwrap();
    // The other store continues from a time at which the sweep may not have ended.
    for bytes in [bytes, disk.bytes.bytes()] {
        let store = on_disk(TestDisk::with_bytes(bytes));
        store.swept().unwrap();
        assert_eq!(peek(&store, 32), ["new"]);
        let report = store.scrub().unwrap();
        assert_eq!((report.is_sound(), report.messages), (true, 1));
    }
}

#[test]
fn strict_deletes_reserve_the_name_of_a_queue() {
    let clock = HandClock::at("2026-11-21T12:00:00Z");
    let store = OpenOptions::new().clock(clock.clone()).strict_deletes(true).in_memory().unwrap().blocking();
    store.create_queue(&work(), Metadata::new()).unwrap();
    store.delete_queue(&work()).unwrap();
    store.swept().unwrap();
    clock.forward(39);
    assert_eq!(code(store.create_queue(&work(), Metadata::new())), ErrorCode::QueueBeingDeleted);
    clock.forward(2);
    assert_eq!(store.create_queue(&work(), Metadata::new()).unwrap(), QueueCreated::New);
}

#[test]
fn queues_are_listed_by_name_in_segments_that_go_on_where_they_ended() {
    let (store, _) = store();
    for name in ["abc", "abc-1", "abc-2", "abd", "zzz"] {
        store.create_queue(&queue(name), metadata(name)).unwrap();
    }
    store.delete_queue(&queue("abc-1")).unwrap();
    let list = |request: ListQueues| {
        let segment = store.list_queues(request).unwrap();
        (segment.queues.iter().map(|item| item.name.to_string()).collect::<Vec<_>>(), segment.next_marker)
    };
    assert_eq!(list(ListQueues::new()).0, ["abc", "abc-2", "abd", "work", "zzz"]);
    assert_eq!(list(ListQueues::new().prefix("abc")), (vec!["abc".into(), "abc-2".into()], None));
    let (first, marker) = list(ListQueues::new().prefix("ab").max_results(2));
    assert_eq!((first, marker.as_deref()), (vec!["abc".into(), "abc-2".into()], Some("abd")));
    assert_eq!(list(ListQueues::new().prefix("ab").marker(marker.unwrap())), (vec!["abd".into()], None));
    assert_eq!(list(ListQueues::new().marker("zzzz")).0.len(), 0);
    let items = store.list_queues(ListQueues::new().prefix("abd").with_metadata()).unwrap().queues;
    assert_eq!(items[0].metadata, Some(metadata("abd")));
}

#[test]
fn a_clock_that_steps_back_makes_no_message_visible_twice_or_never() {
    let (store, clock) = store();
    put(&store, "a");
    assert_eq!(get(&store, 1, 30), ["a"]);
    clock.forward(20);
    assert!(peek(&store, 1).is_empty());
    // The clock moves back by a year: nothing becomes visible immediately, but everything becomes visible on time ten
    // seconds later.
    clock.back(365 * DAY);
    assert!(peek(&store, 1).is_empty());
    put(&store, "b");
    assert_eq!(peek(&store, 32), ["b"]);
    clock.forward(9);
    assert_eq!(peek(&store, 32), ["b"]);
    clock.forward(1);
    assert_eq!(get(&store, 32, 30), ["b", "a"]);
    clock.back(3 * DAY);
    assert!(get(&store, 32, 30).is_empty());
    clock.forward(30);
    assert_eq!(get(&store, 32, 30), ["b", "a"]);
}

#[test]
fn a_restart_keeps_all_of_it_also_the_time_when_the_clock_is_behind() {
    let clock = HandClock::at("2026-11-21T12:00:00Z");
    let options = OpenOptions::new().clock(clock.clone());
    let disk = MemoryDisk::new();
    let open = || options.open_disk(disk.clone()).unwrap().blocking();
    let store = open();
    store.create_queue(&work(), metadata("Jo")).unwrap();
    put(&store, "1");
    put(&store, "2");
    let got = store.get_messages(&work(), GetMessages::new()).unwrap().remove(0);
    store.close().unwrap();
    clock.back(400 * DAY);
    let store = open();
    assert_eq!(store.queue_properties(&work()).unwrap().metadata, metadata("Jo"));
    assert_eq!(count(&store), 2);
    clock.forward(1);
    assert_eq!(peek(&store, 32), ["2"]);
    clock.forward(30);
    assert_eq!(peek(&store, 32), ["2", "1"]);
    store.delete_message(&work(), got.id, &got.pop_receipt).unwrap();
    store.close().unwrap();
    let store = open();
    clock.forward(1);
    assert_eq!(peek(&store, 32), ["2"]);
}

#[test]
fn a_store_has_tables_and_queues_in_one_group_and_a_refusal_disturbs_neither() {
    let disk = TestDisk::new();
    let store = on_disk(disk.clone());
    store.create_table(&table()).unwrap();
    store.create_queue(&work(), Metadata::new()).unwrap();
    disk.hold();
    let (service, there, none) = (store.store().clone(), work(), queue("none"));
    let mut first = service.put_message(&there, PutMessage::new("first"));
    assert!(sent(&mut first));
    disk.until_waiting();
    let before = store.stats();
    let insert = Operation::Insert(entity("1", 1));
    let table = table();
    let mut puts = [&there, &none, &there].map(|queue| service.put_message(queue, PutMessage::new("behind")));
    let mut inserts = [(); 2].map(|()| service.execute(&table, &insert));
    assert!(puts.iter_mut().all(sent) && inserts.iter_mut().all(sent));
    disk.release();
    pollster::block_on(first).unwrap();
    let puts = puts.map(|put| pollster::block_on(put).map_err(|error| error.code()).map(drop));
    assert_eq!(puts, [Ok(()), Err(ErrorCode::QueueNotFound), Ok(())]);
    let inserts = inserts.map(|insert| pollster::block_on(insert).map_err(|error| error.code()).map(drop));
    assert_eq!(inserts, [Ok(()), Err(ErrorCode::EntityAlreadyExists)]);
    let after = store.stats();
    assert_eq!((after.groups - before.groups, after.commits - before.commits), (1, 2));
    assert_eq!(count(&store), 3);
    assert!(store.scrub().unwrap().is_sound());
}

#[test]
fn a_damaged_record_is_reported_by_requests_and_by_a_scrub_and_clearing_heals_it() {
    let storage = MapStorage::default();
    let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
    store.create_queue(&work(), Metadata::new()).unwrap();
    put(&store, "a");
    store.close().unwrap();
    let own = storage.entries().into_iter().filter(|(key, _)| key[3] == 3 || key[3] == 4);
    let mut places = Vec::new();
    for (key, record) in own {
        let mut damaged = record.clone();
        damaged[0] ^= 1;
        storage.put(key.clone(), damaged);
        let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
        let report = store.scrub().unwrap();
        assert!(!report.is_sound());
        places.push(report.damage[0].place.to_string());
        let error =
            store.get_messages(&work(), GetMessages::new()).and_then(|_| store.queue_properties(&work()));
        let error = error.unwrap_err();
        assert!(matches!(error.fault(), Some(table_store::StorageFault::Corrupt { .. })), "{error}");
        storage.put(key, record);
    }
    assert_eq!(places.len(), 4);
    assert_eq!(places[0], "the record of queue `work`");
    assert!(places[1..].iter().all(|place| place.starts_with("queue work, ")), "{places:?}");
    let store = OpenOptions::new().open_map(storage.clone()).unwrap().blocking();
    let body = storage.entries().into_iter().rfind(|(key, _)| key[3] == 4).unwrap();
    storage.put(body.0, vec![0; 40]);
    let error = store.get_messages(&work(), GetMessages::new()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::InternalError);
    store.clear_messages(&work()).unwrap();
    store.swept().unwrap();
    assert!(get(&store, 1, 1).is_empty() && store.scrub().unwrap().is_sound());
}

/// Returns each number twice.
#[derive(Debug, Default)]
struct Stutter(AtomicU64);

impl Random for Stutter {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        let number = self.0.fetch_add(1, Ordering::SeqCst) / 2;
        bytes.fill(u8::try_from(number).unwrap());
        Ok(())
    }
}

#[test]
fn randomness_that_repeats_itself_overwrites_no_message() {
    let store = OpenOptions::new().random(Stutter::default()).in_memory().unwrap().blocking();
    store.create_queue(&work(), Metadata::new()).unwrap();
    let mut accepted = 0;
    for number in 0..10 {
        match store.put_message(&work(), PutMessage::new(format!("{number}"))) {
            Ok(_) => accepted += 1,
            Err(error) => assert!(error.to_string().contains("duplicate id"), "{error}"),
        }
    }
    assert!((1..10).contains(&accepted));
    assert_eq!((count(&store), peek(&store, 32).len()), (accepted, usize::try_from(accepted).unwrap()));
}
