//! Turns of the accounts: deficit round robin by the time that each turn took.

use std::{
    collections::VecDeque,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Instant,
};

use tokio::sync::oneshot;

/// Time in microseconds that an account receives in each round.
const QUANTUM: i64 = 1_000;

/// Maximum time that an account owes after a long turn, so that it waits for a limited number of rounds.
const MOST_OWED: i64 = 100 * QUANTUM;

/// The queues of all accounts of a server. A limited number of turns is in progress; the others wait, and the accounts
/// that wait are served in rounds.
///
/// An account that did not wait before is served next, unless it owes time for its last turn. Thus a scan of one account
/// waits for the turns in progress, and not for the queued scans of another account.
#[derive(Debug)]
pub(in crate::server) struct Queues(Mutex<State>);

#[derive(Debug)]
pub(super) struct State {
    /// Number of turns that can start. If it is positive, no account waits.
    free: usize,
    /// The accounts that wait, in the order of the round.
    round: VecDeque<usize>,
    accounts: Vec<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    waiting: VecDeque<oneshot::Sender<()>>,
    /// Received time minus used time in microseconds. A turn in progress counts as a quantum.
    credit: i64,
}

impl Queues {
    pub(in crate::server) fn new(turns: usize, accounts: usize) -> Self {
        Self(Mutex::new(State::new(turns, accounts)))
    }

    /// Waits for a turn of the account.
    pub(super) async fn turn(self: &Arc<Self>, account: usize) -> Turn {
        let granted = self.state().enter(account);
        let queues = Arc::clone(self);
        if let Some(granted) = granted {
            Waiting { granted, queues: Arc::clone(self), account, received: false }.await;
        }
        Turn { queues, account, begun: Instant::now() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    pub(super) fn new(turns: usize, accounts: usize) -> Self {
        let accounts = (0..accounts).map(|_| Queue::default()).collect();
        Self { free: turns.max(1), round: VecDeque::new(), accounts }
    }

    /// Requests a turn. Returns `None` if it starts immediately.
    pub(super) fn enter(&mut self, account: usize) -> Option<oneshot::Receiver<()>> {
        let queue = self.accounts.get_mut(account)?;
        if self.free > 0 {
            // No account waits, so this one owes nothing to others.
            queue.credit = -QUANTUM;
            self.free -= 1;
            return None;
        }
        let (grant, granted) = oneshot::channel();
        if queue.waiting.is_empty() {
            if queue.credit < 0 {
                self.round.push_back(account);
            } else {
                self.round.push_front(account);
            }
        }
        queue.waiting.push_back(grant);
        Some(granted)
    }

    /// Ends a turn that took a time in microseconds, and starts the next one.
    pub(super) fn end(&mut self, account: usize, took: i64) {
        if let Some(queue) = self.accounts.get_mut(account) {
            queue.credit = (queue.credit + QUANTUM).saturating_sub(took.max(1)).max(-MOST_OWED);
        }
        self.free += 1;
        while self.free > 0
            && let Some(account) = self.round.pop_front()
        {
            let Some(queue) = self.accounts.get_mut(account) else { continue };
            if queue.credit < 0 {
                queue.credit += QUANTUM;
            }
            if queue.credit < 0 {
                self.round.push_back(account);
                continue;
            }
            let Some(waiter) = queue.waiting.pop_front() else { continue };
            if !queue.waiting.is_empty() {
                self.round.push_back(account);
            }
            // A request that was given up receives no turn.
            if waiter.send(()).is_ok() {
                queue.credit -= QUANTUM;
                self.free -= 1;
            }
        }
    }
}

/// A turn of an account. Its time is charged on drop.
#[derive(Debug)]
pub(super) struct Turn {
    queues: Arc<Queues>,
    account: usize,
    begun: Instant,
}

impl Drop for Turn {
    fn drop(&mut self) {
        let took = i64::try_from(self.begun.elapsed().as_micros()).unwrap_or(i64::MAX);
        self.queues.state().end(self.account, took);
    }
}

/// The wait for a turn. If it is dropped after the turn was granted, the turn ends.
struct Waiting {
    granted: oneshot::Receiver<()>,
    queues: Arc<Queues>,
    account: usize,
    received: bool,
}

impl Future for Waiting {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.granted).poll(context).map(|_| self.received = true)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.granted.close();
        if !self.received && self.granted.try_recv().is_ok() {
            self.queues.state().end(self.account, 0);
        }
    }
}
