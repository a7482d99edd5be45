//! Writes with lost responses, in all orders.

use std::{sync::Arc, time::Duration};

use azure_core::http::{ClientOptions, Transport};
use table_model::{
    Condition, ETag, Entity, ErrorCode, Operation, Properties, Result, Row, TableName, TableService, Written,
};
use table_rest::client::{Account, Backend, Lost, Retry, Settings, TableClient};

use super::{
    flaky::{Fate, Flaky, Hasty},
    served,
};
use crate::lines::Lines;

const FATES: [Fate; 6] =
    [Fate::Answered, Fate::LostBefore, Fate::LostAfter, Fate::Late, Fate::Busy, Fate::Unreached];

struct Case {
    name: &'static str,
    /// `true` if the entity exists before the write.
    is_there: bool,
    write: fn(ETag) -> Operation,
}

const CASES: [Case; 8] = [
    Case { name: "insert", is_there: false, write: |_| Operation::Insert(entity(2)) },
    Case { name: "replace", is_there: true, write: |etag| Operation::Replace(entity(2), etag.into()) },
    Case { name: "merge", is_there: true, write: |etag| Operation::Merge(entity(2), etag.into()) },
    Case { name: "delete", is_there: true, write: |etag| delete(etag.into()) },
    Case { name: "delete any", is_there: true, write: |_| delete(Condition::Exists) },
    Case { name: "merge any", is_there: true, write: |_| Operation::Merge(entity(2), Condition::Exists) },
    Case { name: "upsert", is_there: false, write: |_| Operation::InsertOrReplace(entity(2)) },
    Case { name: "upsert over", is_there: true, write: |_| Operation::InsertOrMerge(entity(2)) },
];

fn entity(age: i32) -> Entity {
    Entity::new("p", "r").with("Age", age)
}

fn delete(condition: Condition) -> Operation {
    Operation::Delete { partition_key: "p".into(), row_key: "r".into(), condition }
}

fn flaky(account: &Account, network: &Arc<Flaky>, lost: Lost) -> (TableClient, Hasty) {
    let (account, clock) = through(account, network, lost);
    (account.tables().unwrap(), clock)
}

/// Returns the account behind a faulty network.
pub(crate) fn through(account: &Account, network: &Arc<Flaky>, lost: Lost) -> (Account, Hasty) {
    let clock = Hasty::default();
    let transport = Transport::new(network.clone());
    let options = ClientOptions { transport: Some(transport), ..ClientOptions::default() };
    let settings = Settings::new().backend(Backend::Server).lost(lost).clock(clock.clone()).pipeline(options);
    let settings = settings.retry(Retry::default().through_restarts());
    (account.clone().with_settings(settings), clock)
}

/// Creates the entity as the case requires, sends the write through the network, and returns the stored state.
async fn run(
    account: &Account,
    case: &Case,
    fates: &[Fate],
    batch: bool,
    lost: Lost,
) -> (Result<Written>, State) {
    let steady = account.tables().unwrap();
    let table: TableName = super::fresh("t").parse().unwrap();
    steady.create_table(&table).await.unwrap();
    let before = if case.is_there {
        steady.execute(&table, &Operation::Insert(entity(1))).await.unwrap().etag().cloned()
    } else {
        None
    };
    let network = Flaky::new(fates);
    let (tables, _) = flaky(account, &network, lost);
    let operation = (case.write)(before.clone().unwrap_or_else(|| "W/\"none\"".parse().unwrap()));
    let answer = if batch {
        tables.transact(&table, &[operation]).await.map(|mut written| written.remove(0))
    } else {
        tables.execute(&table, &operation).await
    };
    // A delayed request arrives with the next request.
    let _ = tables.find(&table, "p", "other", None).await;
    let row = steady.get(&table, "p", "r", None).await.unwrap();
    let done = network.done.lock().unwrap().len();
    (answer, State { before, row, done })
}

struct State {
    before: Option<ETag>,
    row: Option<Row>,
    /// Number of writes that the server executed.
    done: usize,
}

impl State {
    fn is_as_before(&self) -> bool {
        self.row.as_ref().map(|row| &row.etag) == self.before.as_ref()
    }
}

fn as_wished(case: &Case, row: Option<&Row>) -> bool {
    let age = |row: &Row| row.properties == Properties::from_iter([("Age", 2)]);
    if case.name.starts_with("delete") { row.is_none() } else { row.is_some_and(age) }
}

#[tokio::test]
async fn no_answer_is_wrong_whatever_the_network_does() {
    let (server, account) = served().await;
    let mut settled = 0;
    for case in &CASES {
        let pairs = FATES.into_iter().flat_map(|one| FATES.map(|two| (one, two, false)));
        let alone = FATES.map(|fate| (fate, Fate::Answered, true));
        for (first, second, batch) in pairs.chain(alone) {
            let (answer, state) = run(&account, case, &[first, second], batch, Lost::Settle).await;
            let what = format!("{}, in a batch: {batch}, {first:?} then {second:?}: {answer:?}", case.name);
            match answer {
                Ok(written) => {
                    assert!(as_wished(case, state.row.as_ref()), "{what}");
                    let etag = state.row.as_ref().map(|row| &row.etag);
                    assert_eq!(written.etag(), etag, "{what}");
                    settled += usize::from(first == Fate::LostBefore);
                }
                Err(error) if error.is_outcome_unknown() => {
                    let is_told = [Fate::Answered, Fate::Busy, Fate::Unreached].contains(&first);
                    let ends = [Fate::Answered, Fate::Busy, Fate::Unreached].contains(&second);
                    assert!(!is_told || !ends, "{what}");
                }
                Err(error) => assert!(state.is_as_before(), "{what}: {error}"),
            }
            assert!(state.done <= 1, "{what}: done {} times", state.done);
        }
    }
    assert_eq!(settled, 15, "three writes with a version, alone and in batches");
    server.shutdown().await;
}

#[tokio::test]
async fn who_wants_to_look_himself_is_told_at_once() {
    let (server, account) = served().await;
    for case in &CASES {
        for fate in [Fate::LostBefore, Fate::LostAfter, Fate::Late] {
            let (answer, state) = run(&account, case, &[fate], false, Lost::Tell).await;
            assert!(answer.unwrap_err().is_outcome_unknown(), "{} {fate:?}", case.name);
            assert!(state.done <= 1);
        }
    }
    server.shutdown().await;
}

#[tokio::test]
async fn an_insert_that_is_not_there_is_not_sent_again() {
    let (server, account) = served().await;
    let (answer, state) = run(&account, &CASES[0], &[Fate::LostBefore], false, Lost::Settle).await;
    assert!(answer.unwrap_err().is_outcome_unknown());
    assert_eq!((state.row, state.done), (None, 0));
    server.shutdown().await;
}

#[tokio::test]
async fn one_who_counts_to_the_same_number_is_not_taken_for_oneself() {
    let (server, account) = served().await;
    let steady = account.tables().unwrap();
    let table: TableName = super::fresh("t").parse().unwrap();
    steady.create_table(&table).await.unwrap();
    let read = steady.execute(&table, &Operation::Insert(entity(1))).await.unwrap();
    let condition = Condition::from(read.etag().unwrap().clone());
    // Another client writes first, with equal values; the error response to our write is lost.
    steady.execute(&table, &Operation::Replace(entity(2), condition.clone())).await.unwrap();
    let (tables, _) = flaky(&account, &Flaky::new(&[Fate::LostAfter]), Lost::Settle);
    let answer = tables.execute(&table, &Operation::Replace(entity(2), condition)).await;
    assert!(answer.unwrap_err().is_outcome_unknown());
    server.shutdown().await;
}

#[tokio::test]
async fn a_busy_server_is_given_the_time_it_asks_for_and_no_more_than_there_is() {
    let (server, account) = served().await;
    let table: TableName = super::fresh("t").parse().unwrap();
    account.tables().unwrap().create_table(&table).await.unwrap();
    let (tables, clock) = flaky(&account, &Flaky::new(&[Fate::Busy; 2]), Lost::Settle);
    let (lines, guard) = Lines::capture();
    tables.execute(&table, &Operation::Insert(entity(1))).await.unwrap();
    drop(guard);
    assert_eq!(*clock.0.lock().unwrap(), Duration::from_secs(6));
    let retries = lines.with_message("request is retried");
    let reasons: Vec<_> = retries.iter().map(|line| (&line["reason"], &line["tries"])).collect();
    assert_eq!(reasons, [(&"ServerBusy".into(), &1.into()), (&"ServerBusy".into(), &2.into())]);
    let (tables, clock) = flaky(&account, &Flaky::new(&[Fate::Busy; 20]), Lost::Settle);
    let answer = tables.execute(&table, &Operation::Insert(entity(1))).await;
    assert_eq!(answer.unwrap_err().code(), ErrorCode::ServerBusy);
    assert_eq!(*clock.0.lock().unwrap(), Duration::from_secs(13));
    server.shutdown().await;
}

#[tokio::test]
async fn writes_without_a_version_are_sent_once() {
    let (server, account) = served().await;
    for case in CASES.iter().filter(|case| !["replace", "merge", "delete"].contains(&case.name)) {
        for fate in [Fate::LostBefore, Fate::LostAfter, Fate::Late] {
            let (answer, state) = run(&account, case, &[fate], false, Lost::Settle).await;
            assert!(answer.unwrap_err().is_outcome_unknown(), "{} {fate:?}", case.name);
            assert_eq!(state.done, usize::from(fate != Fate::LostBefore), "{} {fate:?}", case.name);
        }
    }
    server.shutdown().await;
}

#[tokio::test]
async fn lost_answers_to_table_requests_are_unknown() {
    let (server, account) = served().await;
    for fate in [Fate::LostBefore, Fate::LostAfter, Fate::Late] {
        let table: TableName = super::fresh("t").parse().unwrap();
        let network = Flaky::new(&[fate, Fate::Answered, fate]);
        let (tables, _) = flaky(&account, &network, Lost::Settle);
        assert!(tables.create_table(&table).await.unwrap_err().is_outcome_unknown(), "{fate:?}");
        let _ = tables.create_table(&table).await;
        assert!(tables.delete_table(&table).await.unwrap_err().is_outcome_unknown(), "{fate:?}");
    }
    server.shutdown().await;
}
