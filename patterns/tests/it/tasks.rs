//! Tasks (P3): a sent task is run, even if responses, messages and workers are lost.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod queues;
mod time;

use std::{
    future::{pending, poll_fn, ready},
    task::Poll,
    time::Duration,
};

use queues::Watched;
use serde::{Deserialize, Serialize};
use table_model::{
    Metadata, QueueService,
    queue::{GetMessages, PutMessage},
};
use table_patterns::{OpenOptions, Store, TaskError, WorkReport, prelude::*};
use time::ByHand;

/// Counts the runs of each task.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Runs", partition = "{task}", row = "runs")]
struct Runs {
    task: String,
    times: i32,
    id: String,
}

/// Behavior of a task, run by run: `d` done, `f` fail, `r` retry, `b` the service is busy, `p` poison.
#[derive(Task, Serialize, Deserialize, Debug)]
#[task(queue = "work", poison_after = 3)]
struct Work {
    name: String,
    ends: String,
}

impl Run for Work {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        let times = count(tables, &self.name).await?;
        let ends: Vec<char> = self.ends.chars().collect();
        match ends[usize::try_from(times - 1).unwrap().min(ends.len() - 1)] {
            'f' => Err(table_patterns::TableError::new(ErrorCode::EntityAlreadyExists).into()),
            'b' => Err(table_patterns::TableError::new(ErrorCode::ServerBusy).into()),
            'r' => Ok(Outcome::Retry(Duration::from_millis(1_500))),
            'p' => Ok(Outcome::Poison("it is Monday".into())),
            _ => Ok(Outcome::Done),
        }
    }
}

async fn count(tables: &Tables, task: &str) -> Result<i32> {
    let before = Runs::point(task).get(tables).await?;
    let times = before.map_or(0, |runs| runs.times) + 1;
    let id = tables.task_id().unwrap_or_default().to_owned();
    tables.upsert(&Runs { task: task.into(), times, id }).await?;
    Ok(times)
}

fn work(name: &str, ends: &str) -> Work {
    Work { name: name.into(), ends: ends.into() }
}

fn store() -> (Store, ByHand) {
    let clock = ByHand::default();
    (OpenOptions::new().clock(clock.clone()).in_memory().unwrap(), clock)
}

fn runs(tables: &Tables, task: &str) -> i32 {
    tables.blocking().get(&Runs::point(task)).unwrap().map_or(0, |runs| runs.times)
}

/// Runs passes until nothing is left to do, with time between them.
fn work_off(tables: &Tables, clock: &ByHand) -> WorkReport {
    let worker = tables.worker().on::<Work>();
    let mut all = WorkReport::default();
    for _ in 0..40 {
        let pass = pollster::block_on(worker.pass()).unwrap();
        all.done += pass.done;
        all.put_off += pass.put_off;
        all.failed += pass.failed;
        all.poisoned += pass.poisoned;
        clock.forward(Duration::from_secs(600));
    }
    all
}

fn sums(worked: &WorkReport) -> [u64; 4] {
    [worked.done, worked.put_off, worked.failed, worked.poisoned]
}

#[test]
fn what_was_sent_is_done_by_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("company.tables");
    let sent = pollster::block_on(Tables::open(&file).unwrap().send(&work("a", "d"))).unwrap();
    let tables = Tables::open(&file).unwrap();
    assert_eq!(runs(&tables, "a"), 0);
    let worker = tables.worker().on::<Work>();
    assert_eq!(sums(&pollster::block_on(worker.pass()).unwrap()), [1, 0, 0, 0]);
    let runs = tables.blocking().get(&Runs::point("a")).unwrap().unwrap();
    assert_eq!((runs.times, &runs.id), (1, &sent.id));
    assert_eq!(sums(&pollster::block_on(worker.pass()).unwrap()), [0; 4]);
}

#[test]
fn one_pass_does_all_tasks_that_wait() {
    let (store, clock) = store();
    let tables = Tables::from(store);
    for number in 0..100 {
        pollster::block_on(tables.send(&work(&number.to_string(), "d"))).unwrap();
    }
    assert_eq!(pollster::block_on(tables.worker().on::<Work>().pass()).unwrap().done, 100);
    assert!((0..100).all(|number| runs(&tables, &number.to_string()) == 1));
    assert_eq!(sums(&work_off(&tables, &clock)), [0; 4]);
}

#[test]
fn a_handle_without_queues_says_so() {
    let tables = Tables::new(Store::in_memory().unwrap());
    let error = pollster::block_on(tables.send(&work("a", "d"))).unwrap_err();
    assert!(matches!(error, Error::Task(TaskError::NoQueues)));
    let error = pollster::block_on(tables.worker().on::<Work>().pass()).unwrap_err();
    assert!(matches!(error, Error::Task(TaskError::NoQueues)));
    // Without tasks, a worker requires no queues.
    assert_eq!(
        pollster::block_on(tables.worker().register_entity::<Runs>().pass()).unwrap(),
        WorkReport::default()
    );
}

#[test]
fn a_task_that_fails_is_tried_again_then_put_aside_and_hinders_no_other() {
    let (store, clock) = store();
    let tables = Tables::from(store);
    for (name, ends) in [("bad", "f"), ("twice", "ffd"), ("good", "d"), ("told", "p")] {
        pollster::block_on(tables.send(&work(name, ends))).unwrap();
    }
    assert_eq!(sums(&work_off(&tables, &clock)), [2, 0, 4, 2]);
    assert_eq!(["bad", "twice", "good", "told"].map(|name| runs(&tables, name)), [3, 3, 1, 1]);
    let mut aside = pollster::block_on(tables.poisoned::<Work>()).unwrap();
    aside.sort_by(|one, other| one.reason.cmp(&other.reason));
    assert_eq!(aside.len(), 2);
    assert_eq!((aside[0].queue.as_str(), aside[0].dequeued), ("work", 3));
    assert!(aside[0].reason.contains("EntityAlreadyExists"), "{}", aside[0].reason);
    assert_eq!((aside[1].reason.as_str(), aside[1].dequeued), ("it is Monday", 1));
    // After the cause is removed, they are sent again, with their counts reset.
    assert_eq!(pollster::block_on(tables.retry_poisoned::<Work>()).unwrap(), 2);
    assert_eq!(sums(&work_off(&tables, &clock)), [0, 0, 2, 2]);
    assert_eq!(runs(&tables, "bad"), 6);
}

#[test]
fn being_put_off_is_no_failure() {
    let (store, clock) = store();
    let tables = Tables::from(store);
    pollster::block_on(tables.send(&work("patient", "rrrbbbrrrffd"))).unwrap();
    assert_eq!(sums(&work_off(&tables, &clock)), [1, 9, 2, 0]);
    assert_eq!(runs(&tables, "patient"), 12);
}

#[test]
fn a_worker_that_died_is_taken_over_from_but_not_for_ever() {
    let (store, clock) = store();
    let tables = Tables::from(store.clone());
    let queue = "work".parse().unwrap();
    let die = || {
        let got = pollster::block_on(store.get_messages(&queue, GetMessages::new())).unwrap();
        clock.forward(Duration::from_secs(31));
        got.len()
    };
    pollster::block_on(tables.send(&work("a", "d"))).unwrap();
    assert_eq!(die(), 1);
    assert_eq!(sums(&work_off(&tables, &clock)), [1, 0, 0, 0]);
    pollster::block_on(tables.send(&work("b", "d"))).unwrap();
    assert_eq!([die(), die(), die()], [1, 1, 1]);
    assert_eq!(sums(&work_off(&tables, &clock)), [0, 0, 0, 1]);
    assert_eq!(runs(&tables, "b"), 0);
    let reason = pollster::block_on(tables.poisoned::<Work>()).unwrap().remove(0).reason;
    assert_eq!(reason, "it was started 3 times and never completed");
}

#[test]
fn what_is_no_task_is_put_aside_and_what_others_know_is_left_a_while() {
    let (store, clock) = store();
    let tables = Tables::from(store.clone());
    let queue = "work".parse().unwrap();
    pollster::block_on(store.create_queue(&queue, Metadata::new())).unwrap();
    let full = "x".repeat(64 * 1024);
    for text in [
        "hello",
        &full,
        r#"{"version":1,"type":"Work","id":"1","made":"","args":{"name":7}}"#,
        r#"{"version":1,"type":"Newer","id":"2","made":"","args":null}"#,
    ] {
        pollster::block_on(store.put_message(&queue, PutMessage::new(text))).unwrap();
    }
    pollster::block_on(tables.send(&work("good", "d"))).unwrap();
    let pass = pollster::block_on(tables.worker().on::<Work>().pass()).unwrap();
    assert_eq!(sums(&pass), [1, 0, 1, 3]);
    assert_eq!(sums(&work_off(&tables, &clock)), [0, 0, 3, 1]);
    let aside = pollster::block_on(tables.poisoned::<Work>()).unwrap();
    assert_eq!(aside.len(), 4);
    assert!(aside.iter().any(|poisoned| poisoned.message == full && poisoned.reason.is_empty()));
    assert!(
        aside
            .iter()
            .any(|poisoned| poisoned.message == "hello" && poisoned.reason.contains("invalid task message"))
    );
    assert!(aside.iter().any(
        |poisoned| poisoned.reason.contains("missing field") || poisoned.reason.contains("invalid type")
    ));
    assert!(aside.iter().any(|poisoned| poisoned.reason.contains("has a handler for the task `Newer`")));
}

#[test]
fn a_put_whose_answer_is_lost_is_put_again_under_the_same_id() {
    let (store, _) = store();
    let queues = Watched::of(store.clone());
    let tables = Tables::new(store.clone()).with_queues(queues.clone());
    queues.lose_answers(2);
    let sent = pollster::block_on(tables.send(&work("a", "d"))).unwrap();
    // Each of the three puts was executed.
    assert_eq!(pollster::block_on(tables.worker().on::<Work>().pass()).unwrap().done, 3);
    let runs = tables.blocking().get(&Runs::point("a")).unwrap().unwrap();
    assert_eq!(runs.id, sent.id);
    queues.lose_answers(3);
    let error = pollster::block_on(tables.send(&work("b", "d"))).unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::OperationTimedOut));
}

/// Waits until its message was renewed.
#[derive(Task, Serialize, Deserialize)]
#[task(queue = "long")]
struct Long;

impl Run for Long {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        poll_fn(|context| {
            context.waker().wake_by_ref();
            if queues::renewals() > 1 { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        count(tables, "long").await?;
        Ok(Outcome::Done)
    }
}

#[test]
fn a_long_run_keeps_its_message_and_deletes_it_by_the_newest_receipt() {
    let (store, clock) = store();
    let tables = Tables::new(store.clone()).with_queues(Watched::of(store.clone()));
    pollster::block_on(tables.send(&Long)).unwrap();
    let worker = tables.worker().on::<Long>().visibility(Duration::from_millis(10));
    assert_eq!(pollster::block_on(worker.pass()).unwrap().done, 1);
    clock.forward(Duration::from_secs(10));
    assert_eq!(pollster::block_on(worker.pass()).unwrap(), WorkReport::default());
    assert_eq!(runs(&tables, "long"), 1);
}

/// So slow that another worker receives its message and finishes first.
#[derive(Task, Serialize, Deserialize)]
#[task(queue = "slow")]
struct Slow;

impl Run for Slow {
    async fn run(&self, tables: &Tables) -> Result<Outcome> {
        if count(tables, "slow").await? == 1 {
            time::forward_all(Duration::from_secs(31));
            let other = tables.worker().on::<Self>();
            assert_eq!(Box::pin(other.pass()).await?.done, 1);
        }
        Ok(Outcome::Done)
    }
}

#[test]
fn a_message_that_is_in_other_hands_is_no_error() {
    let (store, clock) = store();
    let tables = Tables::from(store);
    clock.forwarded_by_all();
    pollster::block_on(tables.send(&Slow)).unwrap();
    assert_eq!(pollster::block_on(tables.worker().on::<Slow>().pass()).unwrap().done, 1);
    assert_eq!(runs(&tables, "slow"), 2);
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
#[table(index(by_badge, partition = "badge_{department}", row = "{badge:08}_{id:06}"))]
struct Employee {
    department: String,
    id: u32,
    badge: u32,
}

#[test]
fn one_worker_does_tasks_of_several_queues_and_follows_commits_until_it_is_told_to_stop() {
    let tables = Tables::in_memory().unwrap();
    let later = tables.with_deferred_updates();
    later.blocking().insert(&Employee { department: "Sales".into(), id: 1, badge: 7 }).unwrap();
    pollster::block_on(tables.send(&work("a", "d"))).unwrap();
    pollster::block_on(tables.send(&Slow)).unwrap();
    tables.blocking().insert(&Runs { task: "slow".into(), times: 1, id: String::new() }).unwrap();

    let worker = tables.worker().on::<Work>().on::<Slow>().register_entity::<Employee>();
    let thread = worker.clone().spawn().unwrap();
    let seen = || tables.blocking().get(&Employee::by_badge("Sales", 7, 1)).unwrap().is_some();
    while !(seen() && runs(&tables, "a") == 1 && runs(&tables, "slow") == 2) {
        std::thread::yield_now();
    }
    assert!(!thread.has_ended());
    let report = thread.stop().unwrap();
    assert_eq!((report.done, report.commits.followed), (2, 1));

    // A worker that is stopped before it starts does nothing.
    pollster::block_on(tables.send(&work("b", "d"))).unwrap();
    assert_eq!(pollster::block_on(worker.run_until(ready(()))).unwrap(), WorkReport::default());
    drop(worker.spawn().unwrap());
}

#[test]
fn a_worker_without_queues_ends_by_itself() {
    let tables = Tables::new(Store::in_memory().unwrap());
    let worker = tables.worker().on::<Work>();
    let error = pollster::block_on(worker.run_until(pending())).unwrap_err();
    assert!(matches!(error, Error::Task(TaskError::NoQueues)));
}

/// A client of another service.
#[derive(Default)]
struct Mailer(std::sync::Mutex<Vec<String>>);

#[derive(Task, Serialize, Deserialize)]
#[task(queue = "letters")]
struct Letter {
    to: String,
}

impl RunWith<std::sync::Arc<Mailer>> for Letter {
    async fn run_with(&self, tables: &Tables, mailer: &std::sync::Arc<Mailer>) -> Result<Outcome> {
        assert!(tables.task_id().is_some());
        mailer.0.lock().unwrap().push(self.to.clone());
        Ok(Outcome::Done)
    }
}

#[derive(Task, Serialize, Deserialize)]
#[task(queue = "letters")]
struct Scale {
    by: u64,
}

impl RunWith<std::sync::atomic::AtomicU64> for Scale {
    async fn run_with(&self, _tables: &Tables, factor: &std::sync::atomic::AtomicU64) -> Result<Outcome> {
        factor.fetch_add(self.by, std::sync::atomic::Ordering::Relaxed);
        Ok(Outcome::Done)
    }
}

#[test]
fn tasks_of_one_worker_run_with_their_own_states() {
    let tables = Tables::in_memory().unwrap();
    let mailer = std::sync::Arc::new(Mailer::default());
    let worker = tables.worker().on::<Work>().with(std::sync::Arc::clone(&mailer)).on_with::<Letter>();
    let worker = worker.with(std::sync::atomic::AtomicU64::new(0)).on_with::<Scale>();
    pollster::block_on(async {
        tables.send(&Letter { to: "jo".into() }).await.unwrap();
        tables.send(&Scale { by: 3 }).await.unwrap();
        tables.send(&work("plain", "d")).await.unwrap();
        assert_eq!(worker.clone().pass().await.unwrap().done, 3);
    });
    assert_eq!(*mailer.0.lock().unwrap(), ["jo"]);
    assert_eq!(runs(&tables, "plain"), 1);
}
