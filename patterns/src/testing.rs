//! Parts of tests: a clock that the test moves, tokens from a seed, latency, and faults.
//!
//! ```
//! use std::time::Duration;
//!
//! use table_patterns::{prelude::*, testing::{Faults, TestClock, TestTables}};
//!
//! # #[derive(TableEntity, Clone, Debug)]
//! # #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}")]
//! # struct Employee { department: String, id: u32, age: i32 }
//! # fn employee(id: u32) -> Employee { Employee { department: "Sales".into(), id, age: 30 } }
//! # fn main() -> Result<()> {
//! # pollster::block_on(async {
//! let (clock, faults) = (TestClock::new("2030-01-01T00:00:00Z".parse()?), Faults::new());
//! let tables = TestTables::new().clock(&clock).faults(&faults).seed(7).open()?;
//!
//! tables.insert(&employee(1)).await?;
//! clock.advance(Duration::from_secs(60));
//! let written = tables.insert(&employee(2)).await?;
//! assert_eq!(written.timestamp.to_string(), "2030-01-01T00:01:00Z");
//!
//! // The next request is rejected.
//! faults.fail_nth(1, ErrorCode::ServerBusy);
//! let error = tables.insert(&employee(3)).await.unwrap_err();
//! assert_eq!(error.code(), Some(ErrorCode::ServerBusy));
//! # Ok(())
//! # })
//! # }
//! ```

mod blobs;
mod clock;
mod faults;
mod queues;
mod service;

pub use clock::TestClock;
pub use faults::Faults;

use std::{sync::Arc, time::Duration};

use table_store::OpenOptions;

use crate::{Error, Tables};
use service::Faulty;

/// Builder of a handle on a store in memory, for tests.
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is opened until `open`"]
pub struct TestTables {
    clock: Option<TestClock>,
    faults: Faults,
    queue_faults: Faults,
    blob_faults: Faults,
    latency: Duration,
    seed: Option<u64>,
    options: OpenOptions,
}

impl TestTables {
    /// Starts with the system clock, random tokens, no latency and no faults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the clock of the handle and of the store: timestamps, leases, the visibility of messages, and the time of
    /// periods go by it.
    pub fn clock(mut self, clock: &TestClock) -> Self {
        self.clock = Some(clock.clone());
        self
    }

    /// Sets the source of faults of requests to tables, which the test controls while the handle is used.
    pub fn faults(mut self, faults: &Faults) -> Self {
        self.faults = faults.clone();
        self
    }

    /// Sets the source of faults of requests to queues: sending and receiving of tasks, and the messages that wake up
    /// workers.
    ///
    /// ```
    /// # use serde::{Deserialize, Serialize};
    /// use table_patterns::{prelude::*, testing::{Faults, TestTables}};
    ///
    /// # #[derive(Task, Serialize, Deserialize)]
    /// # #[task(queue = "letters")]
    /// # struct Letter { to: String }
    /// # impl Run for Letter {
    /// #     async fn run(&self, _tables: &Tables) -> Result<Outcome> { Ok(Outcome::Done) }
    /// # }
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// let faults = Faults::new();
    /// let tables = TestTables::new().queue_faults(&faults).open()?;
    /// tables.send(&Letter { to: "Jo".into() }).await?;
    ///
    /// // The response is lost, so the message is put again: the task runs twice.
    /// faults.lose_nth(1);
    /// tables.send(&Letter { to: "Mo".into() }).await?;
    /// assert_eq!(tables.worker().on::<Letter>().pass().await?.done, 3);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn queue_faults(mut self, faults: &Faults) -> Self {
        self.queue_faults = faults.clone();
        self
    }

    /// Sets the source of faults of requests to blobs: large values, logs, and lists in blobs. A blob that is written in
    /// pieces is one request.
    pub fn blob_faults(mut self, faults: &Faults) -> Self {
        self.blob_faults = faults.clone();
        self
    }

    /// Delays each request, and its response, by half of `latency` each, in real time. Requests that a program
    /// sends concurrently overlap.
    pub const fn latency(mut self, latency: Duration) -> Self {
        self.latency = latency;
        self
    }

    /// Generates the ids that the library creates, such as the ids of tasks, from a seed, so that a test repeats them.
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets the options of the store.
    pub fn options(mut self, options: OpenOptions) -> Self {
        self.options = options;
        self
    }

    /// Creates the store in memory and returns a handle on its tables, queues and blobs.
    ///
    /// # Errors
    /// Returns [`Error::Open`] if the store cannot be created.
    pub fn open(self) -> Result<Tables, Error> {
        let Self { clock, faults, queue_faults, blob_faults, latency, seed, options } = self;
        let options = match &clock {
            Some(clock) => options.clock(clock.clone()),
            None => options,
        };
        let store = options.in_memory()?;
        let faulty = |faults| Arc::new(Faulty::new(store.clone(), faults, latency));
        let (queues, blobs) = (faulty(queue_faults), faulty(blob_faults));
        let mut tables = Tables::from_services(faulty(faults), Some(queues), Some(blobs));
        if let Some(clock) = clock {
            tables = tables.with_steady_clock(clock.clone()).with_clock(move || clock.now());
        }
        if let Some(seed) = seed {
            tables = tables.with_seeded_tokens(seed);
        }
        Ok(tables)
    }
}
