//! Tables: names, listings, deletion and the following sweep.

use table_store::{
    BlockingStore, Continuation, Entity, ErrorCode, MemoryDisk, OpenOptions, Operation, Query, TableName,
    service::ListTables,
};

use crate::embedded::{
    queries::{fill, filter},
    support::{HandClock, TestDisk, age, code, entity, on_disk, put, store, table, with_table},
};

fn name(text: &str) -> TableName {
    text.parse().unwrap()
}

fn list(store: &BlockingStore, request: &ListTables) -> (Vec<String>, Option<Continuation>) {
    let segment = store.list_tables(request.clone()).unwrap();
    (segment.tables.iter().map(ToString::to_string).collect(), segment.continuation)
}

fn request() -> ListTables {
    ListTables::new()
}

#[test]
fn names_are_one_without_regard_to_case_and_keep_theirs() {
    let store = store();
    assert_eq!(code(store.create_table(&name("EMPLOYEES"))), ErrorCode::TableAlreadyExists);
    put(&store, "1", 1);
    assert!(store.get(&name("employees"), "Sales", "1", None).unwrap().is_some());
    assert_eq!(list(&store, &request()).0, ["Employees"]);
}

#[test]
fn tables_are_listed_in_order_in_segments_and_by_filter() {
    let store = on_disk(MemoryDisk::new());
    for text in ["delta", "Alpha", "charlie", "Bravo"] {
        store.create_table(&name(text)).unwrap();
    }
    assert_eq!(list(&store, &request()).0, ["Alpha", "Bravo", "charlie", "delta"]);
    let mut seen = Vec::new();
    let mut page = request().top(1);
    loop {
        let (tables, next) = list(&store, &page);
        seen.extend(tables);
        page.continuation = next;
        if page.continuation.is_none() {
            break;
        }
    }
    assert_eq!(seen, ["Alpha", "Bravo", "charlie", "delta"]);

    let by = |text: &str| list(&store, &request().filter(filter(text))).0;
    assert_eq!(by("TableName ge 'B' and TableName lt 'd'"), ["Bravo", "charlie"]);
    assert_eq!(by("Other eq 'x'"), [""; 0]);
    assert_eq!(list(&store, &request().top(0)), (vec![], None));
    assert_eq!(code(store.list_tables(request().top(1001))), ErrorCode::InvalidInput);
    let foreign: Continuation = "AAAA".parse().unwrap();
    assert_eq!(code(store.list_tables(request().continuation(foreign))), ErrorCode::InvalidInput);
}

#[test]
fn more_than_a_thousand_tables_are_listed_in_two_segments() {
    let store = on_disk(MemoryDisk::new());
    let names: Vec<_> = (0..1003).map(|n| format!("t{n:05}")).collect();
    let async_store = store.store();
    // Concurrently, so that they share commits.
    pollster::block_on(futures(names.iter().map(|text| {
        let name = name(text);
        async move { table_store::TableService::create_table(async_store, &name).await.unwrap() }
    })));
    let (first, next) = list(&store, &request());
    let (second, end) = list(&store, &request().continuation(next.unwrap()));
    assert_eq!((first.len(), second.len(), end), (1000, 3, None));
    assert_eq!([first, second].concat(), names);
}

/// Polls all futures until all are ready.
pub(crate) async fn futures<T>(all: impl IntoIterator<Item = impl Future<Output = T>>) -> Vec<T> {
    let mut pending: Vec<_> = all.into_iter().map(|future| Ok(Box::pin(future))).collect();
    std::future::poll_fn(|context| {
        let mut ready = true;
        for slot in &mut pending {
            if let Ok(future) = slot {
                match future.as_mut().poll(context) {
                    std::task::Poll::Ready(value) => *slot = Err(value),
                    std::task::Poll::Pending => ready = false,
                }
            }
        }
        if ready { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    pending.into_iter().filter_map(Result::err).collect()
}

#[test]
fn a_deleted_table_is_gone_at_once_and_its_name_free_after_the_sweep() {
    let disk = TestDisk::new();
    let store = on_disk(disk.clone());
    store.create_table(&table()).unwrap();
    fill(&store, 300);
    // The sweep does not start until the sync of the delete returns.
    disk.hold();
    let handle = store.clone();
    let deletion = std::thread::spawn(move || handle.delete_table(&table()));
    disk.until_waiting();
    disk.release();
    deletion.join().unwrap().unwrap();

    assert_eq!(code(store.get(&table(), "Sales", "00001", None)), ErrorCode::TableNotFound);
    assert_eq!(code(store.query(&table(), Query::new())), ErrorCode::TableNotFound);
    assert_eq!(code(store.execute(&table(), Operation::Insert(entity("new", 1)))), ErrorCode::TableNotFound);
    assert_eq!(code(store.delete_table(&table())), ErrorCode::ResourceNotFound);
    assert_eq!(list(&store, &request()).0, [""; 0]);
    store.swept().unwrap();
    store.create_table(&name("employees")).unwrap();
    assert_eq!(list(&store, &request()).0, ["employees"]);
    assert_eq!(store.query(&table(), Query::new()).unwrap().rows.len(), 0);
}

#[test]
fn the_name_of_a_deleted_table_is_free_at_once_and_its_rows_never_come_back() {
    let disk = TestDisk::new();
    let store = on_disk(disk.clone());
    store.create_table(&table()).unwrap();
    let kept = name("Kept");
    store.create_table(&kept).unwrap();
    store.execute(&kept, Operation::Insert(Entity::new("p", "r"))).unwrap();
    fill(&store, 5000);
    // Deletions and creations are in one group, before any step of the sweep.
    let (service, one, other) = (store.store(), table(), name("EMPLOYEES"));
    disk.hold();
    let blocker = name("Blocker");
    let mut all = vec![table_store::TableService::create_table(service, &blocker)];
    for _ in 0..3 {
        all.push(table_store::TableService::delete_table(service, &one));
        all.push(table_store::TableService::create_table(service, &other));
    }
    all.push(Box::pin(async {
        disk.release();
        Ok(())
    }));
    for (place, result) in pollster::block_on(futures(all)).into_iter().enumerate() {
        assert!(result.is_ok(), "{place}: {result:?}");
    }
    let rows =
        |store: &BlockingStore, table: &TableName| store.query(table, Query::new()).unwrap().rows.len();
    assert_eq!((rows(&store, &table()), rows(&store, &kept)), (0, 1));
    put(&store, "new", 7);

    // Simulates the end of the process: another store opens the current content of the disk.
    let bytes = disk.bytes.bytes();
    store.close().unwrap();
    let again = on_disk(TestDisk::with_bytes(bytes));
    assert_eq!((rows(&again, &table()), rows(&again, &kept)), (1, 1));
    again.swept().unwrap();
    assert_eq!((rows(&again, &table()), rows(&again, &kept)), (1, 1));
    assert_eq!(list(&again, &request()).0, ["Blocker", "EMPLOYEES", "Kept"]);
    let report = again.scrub().unwrap();
    assert_eq!((report.is_sound(), report.tables, report.entities, report.deleted), (true, 3, 2, 0));
}

#[test]
fn a_table_may_have_the_name_under_which_a_deleted_one_is_swept() {
    let disk = TestDisk::new();
    let store = on_disk(disk.clone());
    store.create_table(&table()).unwrap();
    fill(&store, 5000);
    // The record of table 16 is moved to the first of these names that is free, and moved again when it is created.
    let names = ["Employees", "Deleted16", "Deleted16x1"].map(name);
    let service = store.store();
    disk.hold();
    let blocker = name("Blocker");
    let mut all = vec![
        table_store::TableService::create_table(service, &blocker),
        table_store::TableService::delete_table(service, &names[0]),
    ];
    all.extend(names.iter().map(|name| table_store::TableService::create_table(service, name)));
    all.push(Box::pin(async {
        disk.release();
        Ok(())
    }));
    assert!(pollster::block_on(futures(all)).iter().all(Result::is_ok));
    store.swept().unwrap();
    assert_eq!(list(&store, &request()).0, ["Blocker", "Deleted16", "Deleted16x1", "Employees"]);
    let report = store.scrub().unwrap();
    assert_eq!((report.is_sound(), report.tables, report.entities, report.deleted), (true, 4, 0, 0));
}

#[test]
fn strict_deletes_reserve_a_name_for_forty_seconds() {
    let clock = HandClock::at("2026-11-21T12:00:00Z");
    let options = OpenOptions::new().clock(clock.clone()).strict_deletes(true);
    let store = with_table(&options);
    store.delete_table(&table()).unwrap();
    store.swept().unwrap();
    clock.forward(39);
    assert_eq!(code(store.create_table(&name("employees"))), ErrorCode::TableBeingDeleted);
    store.create_table(&name("Other")).unwrap();
    clock.forward(2);
    store.create_table(&table()).unwrap();
    assert_eq!(code(store.create_table(&table())), ErrorCode::TableAlreadyExists);
}

#[test]
fn a_sweep_goes_on_in_small_commits_and_hinders_no_writer() {
    let store = store();
    fill(&store, 5000);
    let other = name("Other");
    store.create_table(&other).unwrap();
    let before = store.stats().commits;
    store.delete_table(&table()).unwrap();
    store.execute(&other, Operation::Insert(Entity::new("p", "r"))).unwrap();
    store.swept().unwrap();
    assert!(store.stats().commits >= before + 4, "{} commits", store.stats().commits - before);
    store.create_table(&table()).unwrap();
    put(&store, "1", 5);
    assert_eq!(age(&store, "1"), Some(5));
    assert_eq!(store.query(&other, Query::new()).unwrap().rows.len(), 1);
}

#[test]
fn with_nothing_to_sweep_there_is_nothing_to_wait_for() {
    let store = store();
    store.swept().unwrap();
    store.delete_table(&table()).unwrap();
    store.swept().unwrap();
    assert_eq!(store.stats().tables, 0);
}
