//! Several clients on one thread, one step of one client at a time, in an order that a seed determines.

mod participants;
mod stepped;

pub use participants::Participants;
pub use stepped::Stepped;

use std::{
    fmt,
    future::{Future, poll_fn},
    pin::Pin,
    task::Poll,
};

use crate::seed::Seed;

/// The complete work of a client.
pub type Client<'c, T = ()> = Pin<Box<dyn Future<Output = T> + 'c>>;

/// Yields to the other participants once.
pub async fn pause() {
    let mut waited = false;
    poll_fn(|context| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        // Combinators for concurrent futures poll a future again only after a wake-up.
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Frequency of client crashes: the future of a client is dropped while it waits, and the client restarts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Crashes {
    /// Number of crashes per thousand steps.
    pub of_a_thousand: usize,
}

/// Result of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Number of steps of clients.
    pub steps: u64,
    /// Number of client crashes.
    pub crashes: u64,
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} steps, {} crashes", self.steps, self.crashes)
    }
}

/// Runs clients until they finish. `begin` creates the future of a client, also after a crash; `check` reads the stored
/// data after each step.
///
/// Each wait of a client is a step, so with [`Unreliable`](crate::unreliable::Unreliable) every request has one step
/// before its execution, and one after.
pub fn run<'c>(
    mut seed: Seed,
    clients: usize,
    crashes: Crashes,
    mut begin: impl FnMut(usize, u64) -> Client<'c>,
    mut check: impl FnMut(),
) -> Ran {
    let mut ran = Ran::default();
    let mut participants = Participants::new();
    for number in 0..clients {
        participants.client(begin(number, 0));
    }
    while participants.has_clients() {
        ran.steps += 1;
        let at = participants.select(seed.below(participants.weight()));
        if participants.advance(at).is_pending() && seed.chance(crashes.of_a_thousand, 1000) {
            ran.crashes += 1;
            participants.restart(at, |number| begin(number, ran.crashes));
        }
        check();
    }
    ran
}
