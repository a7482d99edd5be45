use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use pollster::block_on;
use table_store::{
    Operation, TableName,
    blob::{BlobAddress, BlobConditions, PutBlob},
};
use table_tests::{fate::Fate, seed::Seed};

use crate::simulation::{Below, Calendar};

/// Fault rates per thousand calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// A write takes effect, but its response is lost.
    pub lost: usize,
    /// A write does not take effect, and its response is lost.
    pub undone: usize,
    /// The response to a write is lost, and the write takes effect at any later time, or never.
    pub late: usize,
    /// The caller crashes, before or after the call takes effect.
    pub crash: usize,
    /// Maximum number of faults in a run, including crashes.
    pub most: usize,
}

/// The state that all participants of a run share.
#[derive(Clone, Debug)]
pub struct World(Arc<Mutex<Inside>>);

#[derive(Debug)]
struct Inside {
    dice: Seed,
    faults: Faults,
    left: usize,
    calm: bool,
    calls: u64,
    /// The participant that made the last call crashes.
    crashed: bool,
    late: Vec<Late>,
    /// The outcomes of the next writes, which override random outcomes.
    planned: VecDeque<Fate>,
    /// The calendar and the maximum age of a request. `None` if the test does not depend on time.
    time: Option<(Calendar, Duration)>,
    /// Other participants may run between a call and its response.
    slow_answers: bool,
}

/// A request that is still in flight.
#[derive(Clone, Debug)]
pub(crate) struct Late {
    pub(crate) request: Request,
    /// The time at which it was sent.
    pub(crate) sent: Duration,
}

/// A request that changes data.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    Transact {
        table: TableName,
        operations: Vec<Operation>,
    },
    PutBlob {
        blob: BlobAddress,
        content: Bytes,
        put: Box<PutBlob>,
    },
    DeleteBlob {
        blob: BlobAddress,
        conditions: BlobConditions,
    },
    /// A request of the HTTP client.
    Other(Other),
}

/// A request as a closure that executes it.
#[derive(Clone)]
pub(crate) struct Other(Arc<dyn Fn() + Send + Sync>);

impl fmt::Debug for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Other")
    }
}

impl Late {
    pub(crate) fn other(sent: Duration, land: impl Fn() + Send + Sync + 'static) -> Self {
        Self { request: Request::Other(Other(Arc::new(land))), sent }
    }
}

impl Request {
    /// Executes the request and discards the response.
    pub(crate) fn land(self, store: &impl Below) {
        match self {
            Self::Transact { table, operations } => drop(block_on(store.transact(&table, &operations))),
            Self::PutBlob { blob, content, put } => drop(block_on(store.put_blob(&blob, content, *put))),
            Self::DeleteBlob { blob, conditions } => drop(block_on(store.delete_blob(&blob, &conditions))),
            Self::Other(Other(land)) => land(),
        }
    }
}

impl World {
    /// Creates the state of a run. The same seed produces the same run.
    #[must_use]
    pub fn new(seed: u64, faults: Faults) -> Self {
        let (dice, left) = (Seed::new(seed), faults.most);
        let inside = Inside {
            dice,
            faults,
            left,
            calm: false,
            calls: 0,
            crashed: false,
            late: Vec::new(),
            planned: VecDeque::new(),
            time: None,
            slow_answers: false,
        };
        Self(Arc::new(Mutex::new(inside)))
    }

    /// Sets a calendar and a maximum age. Requests older than `landing` no longer take effect.
    pub fn keep_time(&self, calendar: Calendar, landing: Duration) {
        self.inside().time = Some((calendar, landing));
    }

    /// Allows other participants to run between a call and its response.
    pub fn slow_answers(&self) {
        self.inside().slow_answers = true;
    }

    pub(crate) fn has_slow_answers(&self) -> bool {
        self.inside().slow_answers
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> Duration {
        self.inside().time.as_ref().map_or(Duration::ZERO, |(calendar, _)| calendar.since(Duration::ZERO))
    }

    /// Returns whether a request that was sent at `sent` may still take effect.
    pub(crate) fn may_land(&self, sent: Duration) -> bool {
        self.inside().time.as_ref().is_none_or(|(calendar, landing)| calendar.since(sent) < *landing)
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a random number below `end`.
    #[must_use]
    pub fn below(&self, end: usize) -> usize {
        self.inside().dice.below(end)
    }

    /// Returns the number of calls so far.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.inside().calls
    }

    /// Sets the outcomes of the next writes, in order.
    pub fn plan(&self, fates: impl IntoIterator<Item = Fate>) {
        self.inside().planned.extend(fates);
    }

    /// Disables faults for the rest of the run.
    pub fn calm(&self) {
        let mut inside = self.inside();
        (inside.left, inside.calm) = (0, true);
    }

    /// Returns whether an invisible message becomes visible to the next reader.
    pub(crate) fn comes_back(&self) -> bool {
        let mut inside = self.inside();
        inside.calm || inside.dice.chance(100, 1_000)
    }

    /// Returns whether the next request reaches the server twice.
    pub(crate) fn doubles(&self) -> bool {
        let mut inside = self.inside();
        !inside.calm && inside.dice.chance(20, 1_000)
    }

    pub(crate) fn fate(&self, writes: bool) -> Fate {
        let mut inside = self.inside();
        inside.calls += 1;
        if let Some(fate) = writes.then(|| inside.planned.pop_front()).flatten() {
            inside.crashed |= fate.is_crash();
            return fate;
        }
        if inside.left == 0 {
            return Fate::Well;
        }
        let Faults { lost, undone, late, crash, .. } = inside.faults;
        let drawn = inside.dice.below(1_000);
        let mut below = 0;
        let mut is = |times: usize| {
            below += times;
            drawn < below
        };
        let fate = if is(crash) {
            if inside.dice.chance(500, 1_000) { Fate::CrashBefore } else { Fate::CrashAfter }
        } else if writes && is(lost) {
            Fate::Lost
        } else if writes && is(undone) {
            Fate::Undone
        } else if writes && is(late) {
            Fate::Late
        } else {
            return Fate::Well;
        };
        inside.left -= 1;
        inside.crashed |= fate.is_crash();
        fate
    }

    /// Returns whether the participant that made the last call crashed, and resets the flag.
    pub(crate) fn take_crash(&self) -> bool {
        std::mem::take(&mut self.inside().crashed)
    }

    pub(crate) fn delay(&self, late: Late) {
        self.inside().late.push(late);
    }

    /// Removes and returns a request that takes effect now. The choice is random unless `always` is set.
    pub(crate) fn landing(&self, always: bool) -> Option<Late> {
        let mut inside = self.inside();
        if let Some((calendar, landing)) = inside.time.clone() {
            inside.late.retain(|late| calendar.since(late.sent) < landing);
        }
        if inside.late.is_empty() || !always && !inside.dice.chance(30, 1_000) {
            return None;
        }
        let count = inside.late.len();
        let at = inside.dice.below(count);
        Some(inside.late.swap_remove(at))
    }

    /// Discards the requests in flight; they never take effect.
    pub fn forget_late(&self) {
        self.inside().late.clear();
    }
}
