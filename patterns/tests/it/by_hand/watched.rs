//! The embedded store with an observer that records requests and runs actions between them.

use std::{
    sync::{Arc, Mutex},
    task::{Context, Waker},
};

use super::{Employee, company, employee, run};
use table_model::{Capabilities, Name, Operation, Pending, Rows, TableName, TableService, Written};
use table_patterns::{Error, prelude::*};
use table_store::Store;
use table_tests::forward;

/// Callback that runs before a write reaches the store.
type Before = Box<dyn Fn(&Store, &Operation) + Send + Sync>;

/// Callback that runs before a row is read, with its RowKey.
type BeforeFind = Box<dyn Fn(&Store, &str) + Send + Sync>;

#[derive(Clone)]
pub struct Watched {
    store: Store,
    capabilities: Capabilities,
    requests: Arc<Mutex<Vec<&'static str>>>,
    before: Arc<Before>,
    before_find: Arc<BeforeFind>,
}

impl std::fmt::Debug for Watched {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watched")
    }
}

impl Watched {
    pub fn new(before: impl Fn(&Store, &Operation) + Send + Sync + 'static) -> Self {
        let store = Store::in_memory().unwrap();
        // Behaves like a remote service.
        let mut capabilities = store.capabilities().clone();
        capabilities.keeps_order = false;
        let before: Arc<Before> = Arc::new(Box::new(before));
        Self {
            store,
            capabilities,
            requests: Arc::default(),
            before,
            before_find: Arc::new(Box::new(|_, _| {})),
        }
    }

    pub fn before_find(mut self, before: impl Fn(&Store, &str) + Send + Sync + 'static) -> Self {
        self.before_find = Arc::new(Box::new(before));
        self
    }

    /// Returns the requests since the last call.
    pub fn requests(&self) -> Vec<&'static str> {
        std::mem::take(&mut self.requests.lock().unwrap())
    }

    /// Records a request, and returns the store.
    fn noted(&self, request: &'static str) -> &Store {
        self.requests.lock().unwrap().push(request);
        &self.store
    }
}

impl TableService for Watched {
    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    forward!(self, to self.store => list_tables);
    forward!(self, to self.noted("create") => create_table);
    forward!(self, to self.noted("drop") => delete_table);
    forward!(self, to self.noted("query") => query);
    forward!(self, to self.noted("transact") => transact);

    fn find<'a>(
        &'a self,
        table: &'a TableName,
        partition_key: &'a str,
        row_key: &'a str,
        select: Option<&'a [Name]>,
    ) -> Pending<'a, Rows> {
        let store = self.noted("find");
        (self.before_find)(store, row_key);
        store.find(table, partition_key, row_key, select)
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        let store = self.noted("execute");
        (self.before)(store, operation);
        store.execute(table, operation)
    }
}

#[test]
fn requests_of_each_verb() {
    let watched = Watched::new(|_, _| {});
    let tables = Tables::new(watched.clone());
    run(tables.insert(&employee(1))).unwrap();
    assert_eq!(watched.requests(), ["execute", "create", "execute"], "the first write makes the table");
    run(tables.insert(&employee(2))).unwrap();
    run(tables.overwrite(&employee(2))).unwrap();
    run(tables.merge(Employee::patch("Sales", 2).age(3))).unwrap();
    assert_eq!(watched.requests(), ["execute"; 3]);
    for write in [tables.upsert(&employee(2)), tables.replace_any(&employee(2))] {
        run(write).unwrap();
        assert_eq!(watched.requests(), ["find", "transact"], "what the type does not declare is read first");
    }
    let mut stored = run(Employee::point("Sales", 2).get(&tables)).unwrap().unwrap();
    stored.id = 3;
    run(tables.rekey(&stored)).unwrap();
    assert_eq!(watched.requests(), ["find", "transact"]);
}

#[test]
fn a_bulk_keeps_the_order_of_each_partition_where_the_service_does_not() {
    let watched = Watched::new(|_, _| {});
    let tables = Tables::new(watched.clone());
    let mut bulk = tables.bulk();
    for age in 0..3 {
        for id in 0..150 {
            bulk = bulk.overwrite(&Employee { age, ..employee(id) });
        }
    }
    let report = run(bulk.run()).unwrap();
    assert_eq!(report.groups.iter().map(|group| group.indexes.len()).sum::<usize>(), 450);
    report.into_result().unwrap();
    let requests = watched.requests();
    assert_eq!(requests, ["transact", "create", "transact", "transact", "transact", "transact", "transact"]);
    let found = run(Employee::rows("Sales").all(&tables)).unwrap();
    assert!(found.len() == 150 && found.iter().all(|employee| employee.age == 2));
}

#[test]
fn bulk_upserts_of_a_partition_share_transactions() {
    let watched = Watched::new(|_, _| {});
    let tables = Tables::new(watched.clone());
    let all: Vec<Employee> = (0..150).map(employee).collect();
    let report =
        run(tables.bulk().upsert_all(&all).upsert(&Employee { age: 99, ..employee(0) }).run()).unwrap();
    assert_eq!(report.groups.iter().map(|group| group.indexes.len()).collect::<Vec<_>>(), [100, 51]);
    report.into_result().unwrap();
    let requests = watched.requests();
    let count = |verb: &str| requests.iter().filter(|request| **request == verb).count();
    assert_eq!((count("find"), count("transact"), count("create")), (151, 3, 1), "{requests:?}");
    assert_eq!(run(Employee::point("Sales", 0).get(&tables)).unwrap().unwrap().age, 99);
}

#[test]
fn a_range_that_can_hold_nothing_sends_nothing() {
    let watched = Watched::new(|_, _| {});
    let tables = Tables::new(watched.clone());
    assert!(run(Employee::rows("Sales").between(5_000_000..).all(&tables)).unwrap().is_empty());
    #[expect(clippy::reversed_empty_ranges, reason = "that is the case at hand")]
    let reversed = Employee::rows("Sales").between(9..=3);
    assert!(run(reversed.page(&tables)).unwrap().items.is_empty());
    assert!(run(Employee::rows("Sales").take(0).all(&tables)).unwrap().is_empty());
    assert!(watched.requests().is_empty());
    assert!(reversed.explain().unwrap().to_string().contains("no request is sent"));
}

#[test]
fn update_begins_again_when_another_was_faster() {
    let rounds = Mutex::new(0);
    let watched = Watched::new(move |store, operation| {
        let Operation::Replace(theirs, _) = operation else { return };
        let mut rounds = rounds.lock().unwrap();
        *rounds += 1;
        if *rounds <= 3 {
            // A concurrent writer raises the age by 100, regardless of the version.
            let mut theirs = theirs.clone();
            theirs.properties.set("age", 100 * *rounds);
            let theirs = Operation::InsertOrReplace(theirs);
            store.blocking().execute(&"Employees".parse().unwrap(), theirs).unwrap();
        }
    });
    let tables = Tables::new(watched.clone());
    run(tables.insert(&employee(1))).unwrap();
    watched.requests();
    let written = run(tables.update(Employee::point("Sales", 1), |employee| employee.age += 1)).unwrap();
    assert_eq!(written.age, 301, "three lost rounds, then on top of the last of them");
    assert_eq!(watched.requests(), ["find", "execute"].repeat(4));
    let mut written = written;
    written.age = 5;
    run(tables.replace(&written)).unwrap();
}

#[test]
fn update_gives_up_at_last_and_says_when_there_is_nothing() {
    let watched = Watched::new(|store, operation| {
        if let Operation::Replace(theirs, _) = operation {
            let theirs = Operation::InsertOrReplace(theirs.clone());
            store.blocking().execute(&"Employees".parse().unwrap(), theirs).unwrap();
        }
    });
    let tables = Tables::new(watched);
    run(tables.insert(&employee(1))).unwrap();
    let error = run(tables.update(Employee::point("Sales", 1), |employee| employee.age += 1)).unwrap_err();
    assert!(matches!(error, Error::Contended { attempts: 64, .. }), "{error}");
    assert!(error.is_conflict());
    let error = run(tables.update(Employee::point("Sales", 2), |employee| employee.age += 1)).unwrap_err();
    assert!(matches!(error, Error::NotFound(_)) && error.is_not_found(), "{error}");
    let error = run(tables.update(Employee::point("Sales", 1), |employee| employee.id += 1)).unwrap_err();
    assert!(matches!(error, Error::KeyChanged { .. }), "{error}");
}

#[test]
fn a_future_that_is_never_polled_does_nothing() {
    let watched = Watched::new(|_, _| {});
    let tables = Tables::new(watched.clone());
    drop(tables.insert(&employee(1)));
    drop(tables.transact().insert(&employee(2)).commit());
    drop(tables.bulk().insert(&employee(3)).run());
    drop(Employee::rows("Sales").all(&tables));
    assert!(watched.requests().is_empty());
}

#[test]
fn a_write_that_is_dropped_on_its_way_is_done_whole_or_not_at_all() {
    let tables = company([]);
    run(tables.create::<Employee>()).unwrap();
    let mut context = Context::from_waker(Waker::noop());
    for id in 0..50 {
        let mut write = tables.transact().insert(&employee(2 * id)).insert(&employee(2 * id + 1)).commit();
        let _ = write.as_mut().poll(&mut context);
    }
    // A write that is awaited comes after all of them.
    run(tables.insert(&employee(1000))).unwrap();
    let found = super::ids(&run(Employee::rows("Sales").between(..1000).all(&tables)).unwrap());
    assert!(found.chunks(2).all(|pair| pair.len() == 2 && pair[0] + 1 == pair[1]), "{found:?}");
}
