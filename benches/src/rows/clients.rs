use std::{
    sync::Barrier,
    time::{Duration, Instant},
};

use super::Sample;
use crate::contender::Outcome;

/// The work of one thread: returns after the given duration, with the time of each operation.
pub type Work<'w> = dyn Fn(u32, &Clock) -> Outcome<Vec<Duration>> + Sync + 'w;

/// The common start and the duration of all threads.
pub struct Clock {
    barrier: Barrier,
    window: Duration,
}

impl Clock {
    /// Waits for all threads to be ready, then times `each` until the duration is over.
    pub fn repeat(&self, mut each: impl FnMut() -> Outcome) -> Outcome<Vec<Duration>> {
        let mut times = Vec::with_capacity(1 << 16);
        self.barrier.wait();
        let begun = Instant::now();
        let mut last = Duration::ZERO;
        while last < self.window {
            each()?;
            let now = begun.elapsed();
            times.push(now.saturating_sub(last));
            last = now;
        }
        Ok(times)
    }
}

/// Runs concurrent clients and returns the total number of operations per second.
pub fn run(clients: u32, window: Duration, work: &Work<'_>) -> Outcome<Sample> {
    let clock = Clock { barrier: Barrier::new(clients as usize), window };
    let of_all: Vec<Vec<Duration>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..clients)
            .map(|client| {
                let clock = &clock;
                scope.spawn(move || work(client, clock))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "a client panicked")?)
            .collect::<Outcome<_>>()
    })?;
    // The rate of each client is computed separately, since the last operations end at different times.
    let rate = |times: &Vec<Duration>| times.len() as f64 / times.iter().sum::<Duration>().as_secs_f64();
    let value = of_all.iter().map(rate).sum();
    Ok(Sample { value, latency: percentiles(of_all.concat()) })
}

/// Returns the median and the 99th percentile.
pub fn percentiles(mut times: Vec<Duration>) -> Option<[Duration; 2]> {
    times.sort_unstable();
    let at = |hundredth: usize| times.get(times.len() * hundredth / 100).copied();
    Some([at(50)?, at(99)?])
}
