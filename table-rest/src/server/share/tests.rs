use std::{sync::mpsc, time::Duration};

use tokio::sync::oneshot::Receiver;

use super::{queues::State, *};

const SLICE: i64 = 4_000;

/// Returns the accounts in the order of their turns. `waiting` has the account of each wait.
fn order(state: &mut State, running: usize, mut waiting: Vec<(usize, Receiver<()>)>) -> Vec<usize> {
    let (mut running, mut order) = (running, Vec::new());
    while !waiting.is_empty() {
        state.end(running, SLICE);
        let granted = waiting.iter_mut().position(|(_, granted)| granted.try_recv().is_ok()).unwrap();
        running = waiting.remove(granted).0;
        order.push(running);
    }
    order
}

fn wait(state: &mut State, account: usize) -> (usize, Receiver<()>) {
    (account, state.enter(account).unwrap())
}

#[test]
fn another_account_is_served_after_the_turn_in_progress() {
    let mut state = State::new(1, 2);
    assert!(state.enter(0).is_none());
    let mut waiting: Vec<_> = (0..50).map(|_| wait(&mut state, 0)).collect();
    waiting.push(wait(&mut state, 1));
    let order = order(&mut state, 0, waiting);
    assert_eq!((order[0], order.len()), (1, 51));
}

#[test]
fn accounts_alternate_regardless_of_their_queues() {
    let mut state = State::new(1, 3);
    assert!(state.enter(2).is_none());
    let mut waiting: Vec<_> = (0..30).map(|_| wait(&mut state, 0)).collect();
    waiting.extend((0..10).map(|_| wait(&mut state, 1)));
    let order = order(&mut state, 2, waiting);
    let of_one = order[..20].iter().filter(|account| **account == 1).count();
    assert_eq!(of_one, 10, "{order:?}");
}

#[test]
fn time_is_shared_and_not_the_number_of_turns() {
    let mut state = State::new(1, 2);
    assert!(state.enter(0).is_none());
    let mut waiting: Vec<_> = (0..40).map(|_| wait(&mut state, 0)).collect();
    waiting.extend((0..400).map(|_| wait(&mut state, 1)));
    // The turns of account 0 take ten times as long.
    let (mut running, mut used) = (0, [0, 0]);
    for _ in 0..220 {
        let took = if running == 0 { 10_000 } else { 1_000 };
        used[running] += took;
        state.end(running, took);
        let next = waiting.iter_mut().position(|(_, granted)| granted.try_recv().is_ok()).unwrap();
        running = waiting.remove(next).0;
    }
    assert!(used[0].abs_diff(used[1]) <= 20_000, "{used:?}");
}

#[test]
fn a_turn_in_progress_is_charged_before_it_ends() {
    let mut state = State::new(2, 2);
    assert!(state.enter(0).is_none() && state.enter(0).is_none());
    let mut waiting: Vec<_> = (0..4).map(|_| wait(&mut state, 0)).collect();
    waiting.extend((0..4).map(|_| wait(&mut state, 1)));
    state.end(0, SLICE);
    state.end(0, SLICE);
    let granted: Vec<_> =
        waiting.iter_mut().map(|(account, turn)| (*account, turn.try_recv().is_ok())).collect();
    let granted: Vec<_> = granted.into_iter().filter(|(_, granted)| *granted).collect();
    assert_eq!(granted, [(1, true), (1, true)]);
}

#[test]
fn waits_that_were_given_up_take_no_turn() {
    let mut state = State::new(1, 1);
    assert!(state.enter(0).is_none());
    drop((wait(&mut state, 0), wait(&mut state, 0)));
    state.end(0, 1);
    assert!(state.enter(0).is_none());
}

fn share(limits: Limits) -> Arc<Share> {
    Share::of_accounts(&limits, 1).next().unwrap()
}

/// One worker thread: a task computes until another task has progressed.
#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn other_tasks_progress_during_long_work() {
    let share = Share::alone();
    let (tell, told) = mpsc::channel();
    let scan = async move { share.aside(async move { told.recv_timeout(Duration::from_secs(30)) }).await };
    let scan = tokio::spawn(scan);
    tokio::spawn(async move { tell.send(7) }).await.unwrap().unwrap();
    assert_eq!(scan.await.unwrap(), Ok(7));
}

#[test]
fn long_work_requires_no_runtime() {
    assert_eq!(pollster::block_on(Share::alone().aside(async { 7 })), 7);
}

/// The only turn is free while work waits, and after work was dropped.
#[tokio::test]
async fn waiting_and_dropped_work_has_no_turn() {
    let share = share(Limits { scans: 1, ..Limits::default() });
    let (tell, told) = tokio::sync::oneshot::channel();
    let waiting = share.aside(told);
    let other = async {
        tokio::task::yield_now().await;
        share.aside(async { tell.send(7) }).await
    };
    let (told, _) = tokio::join!(waiting, other);
    assert_eq!(told, Ok(7));
    let never = tokio::time::timeout(Duration::from_millis(1), share.aside(std::future::pending::<()>()));
    assert!(never.await.is_err());
    assert_eq!(share.aside(async { 8 }).await, 8);
}

#[tokio::test(start_paused = true)]
async fn memory_is_waited_for_and_then_refused() {
    let limits = Limits { memory: 10 << 20, account_bytes: 8 << 20, ..Limits::default() };
    let mut shares = Share::of_accounts(&limits, 2);
    let (one, two) = (shares.next().unwrap(), shares.next().unwrap());
    let first = one.reserve(6 << 20).await.unwrap();
    // The account has 2 MiB left, and the server 4 MiB.
    assert_eq!(one.reserve(3 << 20).await.unwrap_err().error.code(), ErrorCode::ServerBusy);
    let second = two.reserve(3 << 20).await.unwrap();
    assert_eq!(two.reserve(2 << 20).await.unwrap_err().error.code(), ErrorCode::ServerBusy);
    let waits = two.reserve(2 << 20);
    let release = async {
        tokio::task::yield_now().await;
        drop(first);
    };
    assert!(tokio::join!(waits, release).0.is_ok());
    drop(second);
    assert_eq!((one.budget.free(), two.budget.free()), (8 << 20, 8 << 20));
    // A request that exceeds the whole budget is served alone.
    let all = one.reserve(100 << 20).await.unwrap();
    assert_eq!(one.budget.free(), 0);
    drop(all);
}

#[test]
fn content_holds_its_reservation_until_it_is_dropped() {
    let share = share(Limits { memory: 1 << 20, account_bytes: 1 << 20, ..Limits::default() });
    let mut held = share.nothing();
    assert!(held.try_grow_to(1 << 20));
    let content = held.carry(vec![0; UNCOUNTED + 1].into());
    assert_eq!(share.budget.free(), (1 << 20) - UNCOUNTED - 1024);
    let part = content.slice(..10);
    drop(content);
    assert!(share.budget.free() < 1 << 20);
    drop(part);
    assert_eq!(share.budget.free(), 1 << 20);
    let large = share.carry(None, vec![0; 1 << 20].into());
    assert!(large.is_some() && share.carry(None, vec![0; UNCOUNTED + 1].into()).is_none());
    assert!(share.carry(None, vec![0; UNCOUNTED].into()).is_some(), "short content is not counted");
}

#[test]
fn listings_shrink_until_they_fit() {
    let share = share(Limits { page_bytes: 1000, ..Limits::default() });
    let fewer = |bytes: usize, results| share.fewer(&vec![0; bytes].into(), results);
    assert_eq!(
        (fewer(1000, 9), fewer(2000, 9), fewer(1001, 9), fewer(9000, 1)),
        (None, Some(4), Some(8), None)
    );
}
