use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use pollster::block_on;
use table_reliability::Seed;
use table_store::{
    Operation, TableName, TableService,
    blob::{BlobAddress, BlobConditions, BlobService, PutBlob},
    embedded::Store,
};

use crate::Calendar;

/// How often what goes wrong, in a thousand calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// A write is done, and its answer is lost.
    pub lost: usize,
    /// A write is not done, and its answer is lost.
    pub undone: usize,
    /// A write's answer is lost, and it is done at any later time, or never.
    pub late: usize,
    /// Whoever made the call ends with it: before it is done, or after.
    pub crash: usize,
    /// Most faults of a run, crashes among them.
    pub most: usize,
}

/// What all who take part share.
#[derive(Clone, Debug)]
pub struct World(Arc<Mutex<Inside>>);

#[derive(Debug)]
struct Inside {
    dice: Seed,
    faults: Faults,
    left: usize,
    calm: bool,
    calls: u64,
    /// Who made the last call ends there.
    crashed: bool,
    late: Vec<Late>,
    /// What becomes of the next writes, whatever the dice say.
    planned: VecDeque<Fate>,
    /// The time, and how long a request may be on its way; none where time does not matter.
    time: Option<(Calendar, Duration)>,
    /// Whether others may go on while the answer of a read is on its way.
    slow_answers: bool,
}

/// A request that is still on its way.
#[derive(Clone, Debug)]
pub(crate) struct Late {
    pub(crate) request: Request,
    /// When it was sent.
    pub(crate) sent: Duration,
}

/// What changes something.
#[derive(Clone, Debug)]
pub(crate) enum Request {
    Transact {
        table: TableName,
        operations: Vec<Operation>,
    },
    PutBlob {
        blob: BlobAddress,
        content: Bytes,
        put: PutBlob,
    },
    DeleteBlob {
        blob: BlobAddress,
        conditions: BlobConditions,
    },
    /// Of the HTTP client.
    Other(Other),
}

/// A request that does itself.
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
    /// Does it; nobody waits for the answer.
    pub(crate) fn land(self, store: &Store) {
        match self {
            Self::Transact { table, operations } => drop(block_on(store.transact(&table, &operations))),
            Self::PutBlob { blob, content, put } => drop(block_on(store.put_blob(&blob, content, put))),
            Self::DeleteBlob { blob, conditions } => drop(block_on(store.delete_blob(&blob, &conditions))),
            Self::Other(Other(land)) => land(),
        }
    }
}

/// What becomes of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is done and answered.
    Well,
    /// It is done, and its answer is lost.
    Lost,
    /// It is not done, and its answer is lost.
    Undone,
    /// Its answer is lost, and it is done later, or never.
    Late,
    /// It is the end of whoever made it, and is not done.
    CrashBefore,
    /// It is the end of whoever made it, and is done.
    CrashAfter,
}

impl World {
    /// A world of its own for each seed.
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

    /// From now on, what was sent longer ago than `landing` is never done.
    pub fn keep_time(&self, calendar: Calendar, landing: Duration) {
        self.inside().time = Some((calendar, landing));
    }

    /// From now on others may go on between a read and its answer.
    pub fn slow_answers(&self) {
        self.inside().slow_answers = true;
    }

    pub(crate) fn has_slow_answers(&self) -> bool {
        self.inside().slow_answers
    }

    /// The time.
    pub(crate) fn now(&self) -> Duration {
        self.inside().time.as_ref().map_or(Duration::ZERO, |(calendar, _)| calendar.since(Duration::ZERO))
    }

    /// Whether what was sent then may still be done.
    pub(crate) fn may_land(&self, sent: Duration) -> bool {
        self.inside().time.as_ref().is_none_or(|(calendar, landing)| calendar.since(sent) < *landing)
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number below `end`.
    #[must_use]
    pub fn below(&self, end: usize) -> usize {
        self.inside().dice.below(end)
    }

    /// How many calls were made.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.inside().calls
    }

    /// What becomes of the next writes, one after the other.
    pub fn plan(&self, fates: impl IntoIterator<Item = Fate>) {
        self.inside().planned.extend(fates);
    }

    /// From now on nothing goes wrong.
    pub fn calm(&self) {
        let mut inside = self.inside();
        (inside.left, inside.calm) = (0, true);
    }

    /// Whether the time of a message that somebody has got is over, for another who asks.
    pub(crate) fn comes_back(&self) -> bool {
        let mut inside = self.inside();
        inside.calm || inside.dice.chance(100, 1_000)
    }

    /// Whether the next request reaches the server twice.
    pub(crate) fn doubles(&self) -> bool {
        let mut inside = self.inside();
        !inside.calm && inside.dice.chance(20, 1_000)
    }

    pub(crate) fn fate(&self, writes: bool) -> Fate {
        let mut inside = self.inside();
        inside.calls += 1;
        if let Some(fate) = writes.then(|| inside.planned.pop_front()).flatten() {
            inside.crashed |= matches!(fate, Fate::CrashBefore | Fate::CrashAfter);
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
        inside.crashed |= matches!(fate, Fate::CrashBefore | Fate::CrashAfter);
        fate
    }

    /// Whether the last call was somebody's last.
    pub(crate) fn take_crash(&self) -> bool {
        std::mem::take(&mut self.inside().crashed)
    }

    pub(crate) fn delay(&self, late: Late) {
        self.inside().late.push(late);
    }

    /// A request that lands now, if the dice say so.
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

    /// Requests that have not landed never will.
    pub fn forget_late(&self) {
        self.inside().late.clear();
    }
}
