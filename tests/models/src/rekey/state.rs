//! State of the two rows, the registry and the processes.

use crate::cell::{Cell, Tag};

use super::{process::Process, request::Request};

/// The state of the move in the registry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Registry {
    /// The old key only; a marker is rejected.
    #[default]
    Off,
    /// The old key, and the new one where a marker refers to it.
    Follow,
    /// The new key; an entity at the old key is moved first.
    Both,
    /// The new key only.
    New,
}

impl Registry {
    pub(super) const fn next(self) -> Option<Self> {
        match self {
            Self::Off => Some(Self::Follow),
            Self::Follow => Some(Self::Both),
            Self::Both => Some(Self::New),
            Self::New => None,
        }
    }
}

/// A version of the entity, numbered by the operation that wrote it. 0 means that it does not exist.
pub(crate) type Value = u8;

/// The row at the old key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum OldRow {
    #[default]
    None,
    Live(Value),
    /// With the `ETag` of the row that it replaced, or `NONE` for a claim.
    Marker(Tag),
}

/// The row at the new key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum NewRow {
    #[default]
    None,
    /// Reserves an `ETag` only.
    Stub,
    /// The entity as it was at the old key under this `ETag`.
    Pending(Tag, Value),
    Live(Value),
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) old: Cell<OldRow>,
    pub(crate) new: Cell<NewRow>,
    pub(crate) registry: Registry,
    pub(crate) clients: [Option<Process>; 2],
    pub(crate) mover: Option<Process>,
    pub(crate) sweeper: Option<Process>,
    /// A request without a response, with the registry state of its sender.
    pub(crate) late: Option<(Registry, Request)>,
    /// Result of the operations that took effect: the last value.
    pub(crate) truth: Value,
    /// An operation took effect on another value than it was meant for, or returned what was never true.
    pub(crate) broken: bool,
    /// `true` if the mover found no entity at the old key, after no program was in the previous state.
    pub(crate) done: bool,
    /// `true` after a step back to `both`, while entities may exist that have no marker.
    pub(crate) unmarked: bool,
    /// Number of operations begun.
    pub(crate) begun: u8,
    pub(crate) left: Left,
}

/// The remaining budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Left {
    pub(crate) ops: u8,
    /// Times that the mover loses its memory.
    pub(crate) crashes: u8,
    pub(crate) lost: u8,
    pub(crate) backs: u8,
    pub(crate) sweeps: u8,
}

impl State {
    /// Returns the value by the authority rule.
    pub(super) fn authority(&self) -> Value {
        match (self.old.value, self.new.value) {
            (_, NewRow::Live(value)) | (OldRow::Live(value), _) => value,
            (OldRow::Marker(marker), NewRow::Pending(replaced, value)) if marker == replaced => value,
            _ => 0,
        }
    }

    /// Returns whether the new key alone contains the entity, if it exists.
    pub(super) fn is_moved(&self) -> bool {
        match self.new.value {
            NewRow::Live(_) => !matches!(self.old.value, OldRow::Live(_)),
            _ => self.authority() == 0,
        }
    }

    pub(super) fn processes(&self) -> impl Iterator<Item = &Process> {
        self.clients.iter().chain([&self.mover, &self.sweeper]).flatten()
    }

    fn processes_mut(&mut self) -> impl Iterator<Item = &mut Process> {
        self.clients.iter_mut().chain([&mut self.mover, &mut self.sweeper]).flatten()
    }

    /// Changes the value, at the instant at which an operation takes effect.
    pub(super) fn set_truth(&mut self, base: Value, value: Value) {
        self.broken |= self.truth != base;
        self.truth = value;
        self.processes_mut().for_each(|process| process.observe(value));
    }

    /// Rows: the old and the new key.
    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(0, &mut self.old.tag);
        visit(1, &mut self.new.tag);
        self.old.value.tags(visit);
        self.new.value.tags(visit);
        self.processes_mut().for_each(|process| process.tags(visit));
        if let Some((_, request)) = &mut self.late {
            request.tags(visit);
        }
    }

    pub(super) fn forget(&mut self) {
        let new = self.new.tag;
        self.processes_mut().for_each(|process| process.forget(new));
    }
}

impl OldRow {
    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        if let Self::Marker(tag) = self {
            visit(0, tag);
        }
    }
}

impl NewRow {
    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        if let Self::Pending(tag, _) = self {
            visit(0, tag);
        }
    }
}
