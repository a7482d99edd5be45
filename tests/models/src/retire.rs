//! The retirement of a version: the registry rejects its writers, a job waits for their leases and requests, upgrades the
//! rows, reads all of them, and then says that the version is retired.
//!
//! Two rows. Two programs of the older version read the registry and then insert; an insert can take effect late.
//! Programs of the newer version write and delete at any time. Two processes perform the job: each reads the registry,
//! processes one row, and stores the next state. The retirement can be cancelled at any time before its end.

use std::array;

use crate::protocol::{Protocol, Steps};

/// The correct protocol, or a variant with one rule disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// The correct protocol.
    Final,
    /// The rows are upgraded and read, and the floor is raised, while programs use what they read before.
    FloorEarly,
    /// The rows are upgraded and read before the writers are rejected; the wait follows.
    ScanFirst,
    /// The registry is written without the condition that it is unchanged since it was read.
    BlindState,
}

/// The model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// The variant to check.
    pub(crate) variant: Variant,
}

/// A row of the entity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Row {
    #[default]
    None,
    Old,
    New,
}

const ROWS: usize = 2;

/// The state in the registry. The number is that of the next row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Phase {
    #[default]
    Off,
    Rejecting,
    Upgrading(usize),
    Scanning(usize),
    Retired,
}

/// A process that performs the job.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Job {
    #[default]
    Idle,
    /// Has read the state.
    Read { phase: Phase, is_current: bool },
    /// Has processed a row, and stores the next state.
    Stores { next: Phase, is_current: bool },
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    rows: [Row; ROWS],
    phase: Phase,
    jobs: [Job; 2],
    /// Programs of the older version that have read the registry before it rejected them.
    writers: [bool; 2],
    /// An insert of an older row that takes effect late.
    late: Option<usize>,
}

impl State {
    fn insert(&mut self, row: usize) {
        if self.rows[row] == Row::None {
            self.rows[row] = Row::Old;
        }
    }

    /// Writes the registry. What other processes have read is no longer current.
    fn store(&mut self, next: Phase) {
        self.phase = next;
        for job in &mut self.jobs {
            if let Job::Read { is_current, .. } | Job::Stores { is_current, .. } = job {
                *is_current = false;
            }
        }
    }

    /// Returns whether every lease and every request under an earlier state is over.
    fn is_waited_for(&self) -> bool {
        self.writers == [false; 2] && self.late.is_none()
    }
}

impl Model {
    /// Returns whether the registry rejects programs of the older version.
    fn rejects(self, phase: Phase) -> bool {
        match phase {
            Phase::Off => false,
            Phase::Upgrading(_) | Phase::Scanning(_) => self.variant != Variant::ScanFirst,
            Phase::Rejecting | Phase::Retired => true,
        }
    }

    /// Returns the state after a state that processes no row, or `None` while it is kept.
    fn after(self, state: &State, phase: Phase) -> Option<Phase> {
        let first = Phase::Upgrading(0);
        match (phase, self.variant) {
            (Phase::Off, Variant::ScanFirst) | (Phase::Rejecting, Variant::FloorEarly) => Some(first),
            (Phase::Off, _) => Some(Phase::Rejecting),
            (Phase::Rejecting, Variant::ScanFirst) => state.is_waited_for().then_some(Phase::Retired),
            (Phase::Rejecting, _) => state.is_waited_for().then_some(first),
            (Phase::Upgrading(_) | Phase::Scanning(_) | Phase::Retired, _) => None,
        }
    }

    fn job(self, state: &State, number: usize, steps: &mut Steps<State>) {
        let actor = ('J', number);
        match state.jobs[number] {
            Job::Idle => {
                if state.phase != Phase::Retired {
                    steps.add(actor, "reads the registry", |state| {
                        state.jobs[number] = Job::Read { phase: state.phase, is_current: true };
                    });
                }
                return;
            }
            Job::Read { phase: Phase::Upgrading(row), is_current } => {
                steps.add(actor, "upgrades a row", |state| {
                    if state.rows[row] == Row::Old {
                        state.rows[row] = Row::New;
                    }
                    let next = if row + 1 < ROWS { Phase::Upgrading(row + 1) } else { Phase::Scanning(0) };
                    state.jobs[number] = Job::Stores { next, is_current };
                });
            }
            Job::Read { phase: Phase::Scanning(row), is_current } => {
                steps.add(actor, "reads a row", |state| {
                    let next = match state.rows[row] {
                        Row::Old => Phase::Upgrading(0),
                        _ if row + 1 < ROWS => Phase::Scanning(row + 1),
                        _ if self.variant == Variant::ScanFirst => Phase::Rejecting,
                        _ => Phase::Retired,
                    };
                    state.jobs[number] = Job::Stores { next, is_current };
                });
            }
            Job::Read { phase, is_current } => {
                if let Some(next) = self.after(state, phase) {
                    steps.add(actor, "decides", |state| {
                        state.jobs[number] = Job::Stores { next, is_current };
                    });
                }
            }
            Job::Stores { next, is_current } => {
                steps.add(actor, "stores the state", |state| {
                    state.jobs[number] = Job::Idle;
                    let is_over = state.phase == Phase::Retired;
                    if is_current || (self.variant == Variant::BlindState && !is_over) {
                        state.store(next);
                    }
                });
            }
        }
        steps.add(actor, "stops", |state| state.jobs[number] = Job::Idle);
    }

    fn writer(self, state: &State, number: usize, steps: &mut Steps<State>) {
        let actor = ('O', number);
        if !state.writers[number] {
            if !self.rejects(state.phase) {
                steps.add(actor, "reads the registry", |state| state.writers[number] = true);
            }
            return;
        }
        steps.add(actor, "its lease ends", |state| state.writers[number] = false);
        for row in 0..ROWS {
            steps.add(actor, "inserts an older row", |state| state.insert(row));
            if state.late.is_none() {
                steps.add(actor, "inserts an older row, late", |state| state.late = Some(row));
            }
        }
    }
}

impl Protocol for Model {
    type State = State;

    /// With an older row, or without rows.
    fn first(&self) -> Vec<State> {
        vec![State::default(), State { rows: [Row::Old, Row::None], ..State::default() }]
    }

    fn steps(&self, state: &State, steps: &mut Steps<State>) {
        for number in 0..2 {
            self.job(state, number, steps);
            self.writer(state, number, steps);
        }
        for row in 0..ROWS {
            if state.rows[row] != Row::New {
                steps.add(('N', 0), "writes a newer row", |state| state.rows[row] = Row::New);
            }
            if state.rows[row] != Row::None {
                steps.add(('N', 0), "deletes a row", |state| state.rows[row] = Row::None);
            }
        }
        if let Some(row) = state.late {
            steps.add(('L', 0), "takes effect late", |state| {
                state.late = None;
                state.insert(row);
            });
            steps.add(('L', 0), "never takes effect", |state| state.late = None);
        }
        if !matches!(state.phase, Phase::Off | Phase::Retired) {
            steps.add(('C', 0), "cancels the retirement", |state| state.store(Phase::Off));
        }
    }

    fn canonical(&self, state: &mut State) {
        state.jobs.sort_unstable();
        state.writers.sort_unstable();
    }

    /// A retired version has no row.
    fn safe(&self, state: &State) -> bool {
        state.phase != Phase::Retired || state.rows.iter().all(|row| *row != Row::Old)
    }

    fn quiet(&self, state: &State) -> bool {
        state.phase == Phase::Retired && state.is_waited_for() && state.jobs == array::from_fn(|_| Job::Idle)
    }

    fn good(&self, state: &State) -> bool {
        self.safe(state)
    }

    fn witness(&self, state: &State) -> bool {
        self.quiet(state) && state.rows == [Row::New, Row::None]
    }
}
