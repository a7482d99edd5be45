//! Several clients on one thread, one step of one of them at a time, in an order that a seed decides.

use std::{
    fmt,
    future::Future,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use crate::seed::Seed;

/// What a client does, from its beginning to its end.
pub type Client<'c> = Pin<Box<dyn Future<Output = ()> + 'c>>;

/// How often clients crash: their future is dropped where it waits, and they begin anew.
#[derive(Clone, Copy, Debug, Default)]
pub struct Crashes {
    /// In so many of a thousand steps.
    pub of_a_thousand: usize,
}

/// What came of a schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Steps of clients.
    pub steps: u64,
    /// Clients that crashed.
    pub crashes: u64,
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} steps, {} crashes", self.steps, self.crashes)
    }
}

/// Runs clients to their ends. `begin` makes the future of a client, also after a crash; `check` sees what is stored
/// after each step.
///
/// Each time that a client waits is a step, so with [`Unreliable`](crate::unreliable::Unreliable) under it every request is
/// one before it is done, and one after.
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
