//! Several clients on one thread, one step of one client at a time, in an order that a seed determines.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use crate::seed::Seed;

/// The complete work of a client.
pub type Client<'c> = Pin<Box<dyn Future<Output = ()> + 'c>>;

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
    let mut alive: Vec<(usize, Client<'c>)> = (0..clients).map(|number| (number, begin(number, 0))).collect();
    let mut context = Context::from_waker(Waker::noop());
    while !alive.is_empty() {
        let at = seed.below(alive.len());
        let Some((number, client)) = alive.get_mut(at) else { break };
        ran.steps += 1;
        let ended = match client.as_mut().poll(&mut context) {
            Poll::Ready(()) => true,
            Poll::Pending => {
                if seed.chance(crashes.of_a_thousand, 1000) {
                    ran.crashes += 1;
                    *client = begin(*number, ran.crashes);
                }
                false
            }
        };
        if ended {
            drop(alive.swap_remove(at));
        }
        check();
    }
    ran
}
