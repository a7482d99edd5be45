//! State of the store, the registry and the processes.

use crate::{
    budget::Budget,
    cell::Cell,
    copies::{Address, Derived, Value},
};

use super::{Process, Variant};

/// The state of the index in the registry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Registry {
    #[default]
    Unknown,
    /// Writers remove copies, and create none.
    DeleteOnly,
    DualWrite,
    Backfill,
    Readable,
    WriteOnly,
    /// As delete-only, during the removal.
    Removing,
    /// No process maintains copies; existing copies are deleted.
    Dropping,
    Gone,
}

impl Registry {
    pub(super) fn next(self, variant: Variant) -> Option<Self> {
        match self {
            Self::Unknown if variant == Variant::NoDeleteOnly => Some(Self::DualWrite),
            Self::Unknown => Some(Self::DeleteOnly),
            Self::DeleteOnly => Some(Self::DualWrite),
            Self::DualWrite => Some(Self::Backfill),
            Self::Backfill => Some(Self::Readable),
            Self::Readable if variant.leaves() => Some(Self::WriteOnly),
            Self::WriteOnly => Some(Self::Removing),
            Self::Removing => Some(Self::Dropping),
            Self::Dropping => Some(Self::Gone),
            Self::Readable | Self::Gone => None,
        }
    }

    /// Returns whether workers may create a missing copy.
    pub(super) fn makes(self) -> bool {
        matches!(self, Self::DualWrite | Self::Backfill | Self::Readable | Self::WriteOnly)
    }

    /// Returns the addresses that a writer in this state names, and whether a copy may be created there.
    pub(super) fn touches(self, before: Value, after: Value) -> [Option<bool>; 2] {
        [Address::A, Address::B].map(|address| {
            let (old, new) = (before.address() == Some(address), after.address() == Some(address));
            match self {
                Self::Unknown | Self::Dropping | Self::Gone => None,
                Self::DeleteOnly | Self::Removing => (old || new).then_some(false),
                _ => (old || new).then_some(new),
            }
        })
    }
}

/// The progress of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    #[default]
    Unused,
    Open {
        /// The registry state that it read.
        knows: Registry,
    },
    Over,
}

/// One operation of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Attempt {
    pub(crate) client: Client,
    /// Its outbox row, by address: whether the copy may be created. Without any address, no row exists.
    pub(crate) row: [Option<bool>; 2],
}

impl Attempt {
    pub(super) fn is_open(self) -> bool {
        matches!(self.client, Client::Open { .. })
    }
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) primary: Cell<Value>,
    pub(crate) copies: [Cell<Derived>; 2],
    pub(crate) registry: Registry,
    pub(crate) attempts: [Attempt; 4],
    pub(crate) workers: [Process; 2],
    pub(crate) backfill: Process,
    /// `true` if the cursor of the backfill, or of the deletion, is at the end.
    pub(crate) done: bool,
    /// While copies are dropped: whether the first address was processed.
    pub(crate) dropped: bool,
    pub(crate) left: Budget,
}

impl State {
    /// Returns whether the copy matches the primary. A placeholder counts as no copy.
    pub(super) fn is_right(&self, address: Address) -> bool {
        let live = match self.copies[address.number()].value {
            Derived::Live { value, .. } => Some(value),
            Derived::None | Derived::Stub => None,
        };
        live == Some(self.primary.value).filter(|value| value.address() == Some(address))
    }

    /// Returns whether an outbox row names the address.
    pub(super) fn is_named(&self, address: Address) -> bool {
        self.attempts.iter().any(|attempt| attempt.row[address.number()].is_some())
    }
}
