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

mod clock;
mod faults;
mod service;

pub use clock::TestClock;
pub use faults::Faults;

use std::{sync::Arc, time::Duration};

use table_store::{OpenOptions, Store};

use crate::{Error, Tables};
use service::Faulty;

/// Builder of a handle on a store in memory, for tests.
#[derive(Clone, Debug, Default)]
#[must_use = "nothing is opened until `open`"]
pub struct TestTables {
    clock: Option<TestClock>,
    faults: Faults,
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

    /// Sets the source of faults, which the test controls while the handle is used.
    pub fn faults(mut self, faults: &Faults) -> Self {
        self.faults = faults.clone();
        self
    }

    /// Delays each request to a table, and its response, by half of `latency` each, in real time. Requests that a program
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

    /// Creates the store in memory and returns a handle on its tables, queues and blobs. Faults and latency apply to
    /// requests to tables.
    ///
    /// # Errors
    /// Returns [`Error::Open`] if the store cannot be created.
    pub fn open(self) -> Result<Tables, Error> {
        let Self { clock, faults, latency, seed, options } = self;
        let options = match &clock {
            Some(clock) => options.clock(clock.clone()),
            None => options,
        };
        let store = options.in_memory()?;
        let (queues, blobs): (Arc<Store>, Arc<Store>) = (Arc::new(store.clone()), Arc::new(store.clone()));
        let faulty = Arc::new(Faulty::new(store, faults, latency));
        let mut tables = Tables::from_services(faulty, Some(queues), Some(blobs));
        if let Some(clock) = clock {
            tables = tables.with_steady_clock(clock.clone()).with_clock(move || clock.now());
        }
        if let Some(seed) = seed {
            tables = tables.with_seeded_tokens(seed);
        }
        Ok(tables)
    }
}
