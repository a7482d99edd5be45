//! Writers: groups, dropped futures, closing and panics.

use std::{
    future::Future,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use table_store::{
    Clock, Condition, Durability, ErrorCode, OpenOptions, Operation, Query, StorageFault, Store,
    TableService, Timestamp, Written, service::ListTables,
};

use crate::embedded::{
    support::{TestDisk, age, code, entity, on_disk, put, store, table},
    tables::futures,
};

fn on(disk: &TestDisk) -> Store {
    let store = on_disk(disk.clone());
    store.create_table(&table()).unwrap();
    store.store().clone()
}

fn upsert(row: &str, age: i32) -> Operation {
    Operation::InsertOrReplace(entity(row, age))
}

/// Runs `together` while the writer is blocked in the sync of an earlier write, so that all requests are pending
/// together.
fn behind_a_held_sync<T>(store: &Store, disk: &TestDisk, together: impl FnOnce() -> T) -> T {
    disk.hold();
    let (name, first) = (table(), store.clone());
    let thread =
        std::thread::spawn(move || pollster::block_on(first.execute(&name, &upsert("held", 0))).unwrap());
    disk.until_waiting();
    let result = together();
    disk.release();
    thread.join().unwrap();
    result
}

type Begun<T> = Pin<Box<dyn Future<Output = table_store::Result<T>> + Send>>;

/// Starts a write that owns its operation.
fn begin(store: &Store, operation: Operation) -> Begun<Written> {
    let store = store.clone();
    Box::pin(async move { store.execute(&table(), &operation).await })
}

fn begin_all(store: &Store, operations: Vec<Operation>) -> Begun<Vec<Written>> {
    let store = store.clone();
    Box::pin(async move { store.transact(&table(), &operations).await })
}

fn poll_once<T>(future: &mut (impl Future<Output = T> + Unpin)) -> Poll<T> {
    Pin::new(future).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn writers_that_wait_together_share_one_commit() {
    let disk = TestDisk::new();
    let store = on(&disk);
    let mut pending: Vec<_> = Vec::new();
    let before = store.stats();
    behind_a_held_sync(&store, &disk, || {
        for n in 0..64 {
            let mut write = begin(&store, upsert(&format!("{n:02}"), n));
            assert!(poll_once(&mut write).is_pending());
            pending.push(write);
        }
        assert_eq!(store.stats().waiting, 64);
    });
    let results = pollster::block_on(futures(pending));
    assert_eq!(store.stats().waiting, 0);
    assert!(results.iter().all(Result::is_ok));
    let after = store.stats();
    assert_eq!(after.requests - before.requests, 65);
    assert_eq!(after.commits - before.commits, 2, "the held write, and all others together");
    let timestamps: std::collections::HashSet<_> =
        results.iter().map(|written| written.as_ref().unwrap().timestamp()).collect();
    assert_eq!(timestamps.len(), 64, "each request has a time of its own");
}

#[test]
fn later_writes_of_a_group_see_earlier_ones_and_a_refused_one_harms_none() {
    let disk = TestDisk::new();
    let store = on(&disk);
    let mut pending = Vec::new();
    let ask = |operation: Operation| begin(&store, operation);
    behind_a_held_sync(&store, &disk, || {
        for operation in [
            Operation::Insert(entity("a", 1)),
            Operation::Insert(entity("a", 2)),
            Operation::Merge(entity("a", 3), Condition::Exists),
            Operation::Merge(entity("b", 4), Condition::Exists),
            Operation::Insert(entity("c", 5)),
        ] {
            let mut write = ask(operation);
            assert!(poll_once(&mut write).is_pending());
            pending.push(write);
        }
        let both = vec![upsert("d", 6), Operation::Insert(entity("c", 7))];
        let mut write = begin_all(&store, both);
        assert!(poll_once(&mut write).is_pending());
        let all = Box::pin(async move { write.await.map(|mut written| written.remove(0)) });
        pending.push(all);
    });
    let codes: Vec<_> = pollster::block_on(futures(pending))
        .into_iter()
        .map(|result| result.err().map(|e| e.code()))
        .collect();
    let exists = Some(ErrorCode::EntityAlreadyExists);
    assert_eq!(codes, [None, exists, None, Some(ErrorCode::ResourceNotFound), None, exists]);
    let blocking = store.blocking();
    assert_eq!(["a", "b", "c", "d"].map(|row| age(&blocking, row)), [Some(3), None, Some(5), None]);
}

#[test]
fn nothing_is_answered_before_the_sync() {
    let disk = TestDisk::new();
    let store = on(&disk);
    let mut write = begin(&store, upsert("a", 1));
    disk.hold();
    assert!(poll_once(&mut write).is_pending());
    disk.until_waiting();
    assert!(poll_once(&mut write).is_pending());
    assert_eq!(age(&store.blocking(), "a"), None, "readers see only what is committed");
    disk.release();
    pollster::block_on(write).unwrap();
    assert_eq!(age(&store.blocking(), "a"), Some(1));
}

#[test]
fn a_future_that_is_never_polled_does_nothing() {
    let store = store();
    let before = store.stats().requests;
    drop(begin(store.store(), upsert("a", 1)));
    put(&store, "b", 2);
    assert_eq!((age(&store, "a"), store.stats().requests - before), (None, 1));
}

#[test]
fn a_write_whose_future_is_dropped_after_its_first_poll_is_still_made_whole() {
    let store = store();
    let mut write = begin_all(store.store(), vec![upsert("a", 1), upsert("b", 2)]);
    let _ = poll_once(&mut write);
    drop(write);
    // The next write is executed after it.
    put(&store, "c", 3);
    assert_eq!((age(&store, "a"), age(&store, "b")), (Some(1), Some(2)));
}

#[test]
fn many_threads_lose_no_update() {
    let store = store();
    put(&store, "counter", 0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            let store = store.clone();
            scope.spawn(move || {
                let mut done = 0;
                while done < 25 {
                    let row = store.get(&table(), "Sales", "counter", None).unwrap().unwrap();
                    let Some(table_store::Value::Int32(count)) = row.properties.get("Age") else {
                        panic!("{row:?}")
                    };
                    let replace = Operation::Replace(entity("counter", count + 1), row.etag.into());
                    match store.execute(&table(), replace) {
                        Ok(_) => done += 1,
                        Err(error) => assert_eq!(error.code(), ErrorCode::UpdateConditionNotSatisfied),
                    }
                }
            });
        }
    });
    assert_eq!(age(&store, "counter"), Some(200));
}

#[test]
fn a_closed_store_refuses_everything_and_keeps_what_it_was_given() {
    let disk = TestDisk::new();
    let store = on(&disk).blocking();
    put(&store, "a", 1);
    let clone = store.clone();
    store.close().unwrap();
    let closed = |fault: Option<&StorageFault>| matches!(fault, Some(StorageFault::Closed));
    assert!(closed(clone.get(&table(), "Sales", "a", None).unwrap_err().fault()));
    assert!(closed(clone.query(&table(), Query::new()).unwrap_err().fault()));
    assert!(closed(clone.list_tables(ListTables::new()).unwrap_err().fault()));
    assert!(closed(clone.execute(&table(), upsert("b", 1)).unwrap_err().fault()));
    assert!(closed(clone.close().unwrap_err().fault()));
    assert_eq!(age(&on_disk(disk), "a"), Some(1));
}

#[test]
fn the_last_handle_that_goes_closes_the_store_after_what_was_sent() {
    let disk = TestDisk::new();
    let store = on(&disk);
    let mut write = begin(&store, upsert("a", 1));
    let _ = poll_once(&mut write);
    drop(write);
    drop(store);
    assert_eq!(age(&on_disk(disk), "a"), Some(1));
}

/// A clock that panics on demand.
#[derive(Clone, Debug, Default)]
struct Bomb(Arc<AtomicBool>);

impl Clock for Bomb {
    fn now(&self) -> Timestamp {
        assert!(!self.0.load(Ordering::SeqCst), "the clock has stopped");
        Timestamp::now()
    }
}

#[test]
fn a_panic_inside_a_request_is_a_fault_of_that_request_only() {
    let bomb = Bomb::default();
    let store = crate::embedded::support::with_table(&OpenOptions::new().clock(bomb.clone()));
    put(&store, "a", 1);
    bomb.0.store(true, Ordering::SeqCst);
    let error = store.execute(&table(), upsert("b", 2)).unwrap_err();
    assert!(
        matches!(error.fault(), Some(StorageFault::Bug { what }) if what == "the clock has stopped"),
        "{error}"
    );
    // A rejected request does not use the clock.
    assert_eq!(
        code(store.execute(&table(), Operation::Insert(entity("a", 2)))),
        ErrorCode::EntityAlreadyExists
    );
    bomb.0.store(false, Ordering::SeqCst);
    put(&store, "c", 3);
    assert_eq!(["a", "b", "c"].map(|row| age(&store, row)), [Some(1), None, Some(3)]);
}

/// A waker that panics.
struct Trap;

impl Wake for Trap {
    fn wake(self: Arc<Self>) {
        panic!("this waker does not wake");
    }
}

#[test]
fn a_waker_that_panics_does_not_stop_the_writer() {
    let disk = TestDisk::new();
    let store = on(&disk);
    let mut write = begin(&store, upsert("a", 1));
    disk.hold();
    let waker = Waker::from(Arc::new(Trap));
    assert!(Pin::new(&mut write).poll(&mut Context::from_waker(&waker)).is_pending());
    disk.release();
    let blocking = store.blocking();
    put(&blocking, "b", 2);
    assert_eq!((age(&blocking, "a"), age(&blocking, "b")), (Some(1), Some(2)));
}

#[test]
fn relaxed_writes_are_visible_at_once_and_synced_by_flush_and_close() {
    let hour = std::time::Duration::from_secs(3600);
    let options = OpenOptions::new().durability(Durability::Relaxed { at_most: hour });
    let disk = TestDisk::new();
    let store = options.open_disk(disk.clone()).unwrap().blocking();
    store.create_table(&table()).unwrap();
    // The first write includes a time reservation, which is synced.
    put(&store, "a", 1);
    let (before, _) = disk.counts();
    for n in 0..50 {
        put(&store, "b", n);
    }
    assert_eq!(disk.counts().0, before);
    assert_eq!(age(&store, "b"), Some(49));
    let crashed = on_disk(TestDisk::with_bytes(disk.bytes.bytes()));
    assert_eq!((age(&crashed, "a"), age(&crashed, "b")), (Some(1), None));

    store.flush().unwrap();
    assert!(disk.counts().0 > before);
    let crashed = on_disk(TestDisk::with_bytes(disk.bytes.bytes()));
    assert_eq!(age(&crashed, "b"), Some(49));

    put(&store, "c", 3);
    store.close().unwrap();
    assert_eq!(age(&on_disk(disk), "c"), Some(3));
}

#[test]
fn relaxed_writes_are_synced_when_their_time_is_over() {
    let options = OpenOptions::new().durability(Durability::Relaxed { at_most: std::time::Duration::ZERO });
    let disk = TestDisk::new();
    let store = options.open_disk(disk.clone()).unwrap().blocking();
    store.create_table(&table()).unwrap();
    put(&store, "a", 1);
    let (before, _) = disk.counts();
    put(&store, "b", 2);
    // The writer syncs automatically before the next request.
    store.swept().unwrap();
    while disk.counts().0 == before {
        std::thread::yield_now();
    }
}
