//! A table service that fails before a write is executed, after it is executed, or long before it is executed. A seed
//! selects the failures. Every request waits once before its execution and once after, so that a scheduler determines
//! the order ([`schedule`](crate::schedule)).

use std::sync::{Arc, Mutex, PoisonError};

use table_store::{
    ErrorCode, Operation, Query, Segment, TableName, TableService, Written,
    service::{Capabilities, Pending},
};

use crate::{fate::Fate, forward, schedule::pause, seed::Seed};

/// Rates of faults, in requests per thousand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
    /// Rejected without execution: writes and reads.
    pub refused: usize,
    /// A write is executed, and its response is lost.
    pub lost: usize,
    /// A write times out, and is executed later, or never.
    pub late: usize,
    /// A query returns one to three rows, regardless of the requested number: other clients write between the following
    /// pages.
    pub short: usize,
}

impl Faults {
    /// No faults.
    pub const NONE: Self = Self { refused: 0, lost: 0, late: 0, short: 0 };

    /// Some faults of each kind.
    pub const SOME: Self = Self { refused: 30, lost: 30, late: 20, short: 0 };
}

/// Number of injected faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Befell {
    /// Requests that were not executed.
    pub refused: u64,
    /// Writes that were executed, with a lost response.
    pub lost: u64,
    /// Writes that were executed after their time-out.
    pub landed_late: u64,
}

/// A service with faults that a seed selects. Clones share the service.
#[derive(Debug)]
pub struct Unreliable<S> {
    below: Arc<S>,
    state: Arc<Mutex<State>>,
}

// Implemented manually, because the wrapped service need not be `Clone`.
impl<S> Clone for Unreliable<S> {
    fn clone(&self) -> Self {
        Self { below: Arc::clone(&self.below), state: Arc::clone(&self.state) }
    }
}

#[derive(Debug)]
struct State {
    seed: Seed,
    faults: Faults,
    befell: Befell,
    late: Vec<(TableName, Vec<Operation>)>,
    doubles_deletes: bool,
}

impl State {
    /// Returns the number of rows of a shortened segment. Draws from the seed only if segments can be shortened.
    fn short_segment(&mut self) -> Option<u32> {
        let is_short = self.faults.short > 0 && self.seed.below(1000) < self.faults.short;
        is_short.then(|| u32::try_from(self.seed.below(3) + 1).unwrap_or(1))
    }
}

impl<S: TableService> Unreliable<S> {
    /// Wraps a service, which receives one request at a time.
    pub fn new(below: S, seed: Seed, faults: Faults) -> Self {
        let (befell, late) = (Befell::default(), Vec::new());
        let state = State { seed, faults, befell, late, doubles_deletes: false };
        Self { below: Arc::new(below), state: Arc::new(Mutex::new(state)) }
    }

    /// Sends each single delete twice and returns the second response, as a proxy may do.
    #[must_use]
    pub fn doubling_deletes(self) -> Self {
        self.with(|state| state.doubles_deletes = true);
        self
    }

    /// Returns the wrapped service, which never fails.
    #[must_use]
    pub fn below(&self) -> &S {
        &self.below
    }

    /// Returns the number of faults so far.
    #[must_use]
    pub fn befell(&self) -> Befell {
        self.with(|state| state.befell)
    }

    /// Stops all faults: late writes are executed now, or never.
    pub fn calm(&self) {
        while self.with(|state| !state.late.is_empty()) {
            self.land();
        }
        self.with(|state| state.faults = Faults::NONE);
    }

    fn with<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the outcome of a request, and the error of a caller that receives no response.
    fn fate(&self, is_write: bool) -> (Fate, ErrorCode) {
        let fate = self.with(|state| {
            let Faults { refused, lost, late, short: _ } = state.faults;
            let drawn = state.seed.below(1000);
            if drawn < refused {
                state.befell.refused += 1;
                return None;
            }
            Some(if !is_write || drawn >= refused + lost + late {
                Fate::Well
            } else if drawn < refused + lost {
                state.befell.lost += 1;
                Fate::Lost
            } else {
                Fate::Late
            })
        });
        fate.map_or((Fate::Undone, ErrorCode::ServerBusy), |fate| (fate, ErrorCode::OperationTimedOut))
    }

    /// Executes one of the late writes, or drops it.
    fn land(&self) {
        let landing = self.with(|state| {
            let (at, is_done) = (state.seed.below(state.late.len()), state.seed.chance(1, 2));
            let late = (!state.late.is_empty()).then(|| state.late.swap_remove(at));
            late.filter(|_| is_done)
        });
        if let Some((table, operations)) = landing
            && pollster::block_on(self.below.transact(&table, &operations)).is_ok()
        {
            self.with(|state| state.befell.landed_late += 1);
        }
    }

    fn write<'a, T: Send + 'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
        write: impl Fn(&'a S) -> Pending<'a, T> + Send + 'a,
    ) -> Pending<'a, T> {
        Box::pin(async move {
            pause().await;
            if self.with(|state| state.seed.chance(1, 4)) {
                self.land();
            }
            let (fate, error) = self.fate(true);
            let is_delete = matches!(operations, [Operation::Delete { .. }]);
            if fate == Fate::Well && is_delete && self.with(|state| state.doubles_deletes) {
                drop(pollster::block_on(write(&self.below)));
            }
            let delay = || self.with(|state| state.late.push((table.clone(), operations.to_vec())));
            let answer =
                fate.apply(move || pollster::block_on(write(&self.below)), delay, error.into()).await;
            pause().await;
            answer
        })
    }

    fn read<'a, T: Send + 'a>(
        &'a self,
        read: impl FnOnce(&'a S) -> Pending<'a, T> + Send + 'a,
    ) -> Pending<'a, T> {
        Box::pin(async move {
            pause().await;
            let (fate, error) = self.fate(false);
            let answer = fate.apply(move || pollster::block_on(read(&self.below)), || {}, error.into()).await;
            pause().await;
            answer
        })
    }
}

impl<S: TableService> TableService for Unreliable<S> {
    fn capabilities(&self) -> &Capabilities {
        self.below.capabilities()
    }

    forward!(self, by read => create_table delete_table list_tables find list_outbox);

    fn query<'a>(&'a self, table: &'a TableName, mut query: Query) -> Pending<'a, Segment> {
        if let Some(most) = self.with(State::short_segment) {
            query.top = Some(query.top.map_or(most, |top| top.min(most)));
        }
        self.read(move |below| below.query(table, query))
    }

    fn execute<'a>(&'a self, table: &'a TableName, operation: &'a Operation) -> Pending<'a, Written> {
        self.write(table, std::slice::from_ref(operation), move |below| below.execute(table, operation))
    }

    fn transact<'a>(
        &'a self,
        table: &'a TableName,
        operations: &'a [Operation],
    ) -> Pending<'a, Vec<Written>> {
        self.write(table, operations, move |below| below.transact(table, operations))
    }
}
