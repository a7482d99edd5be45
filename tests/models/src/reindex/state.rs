//! What the store, the registry and the processes hold.

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
    /// Writers have copies removed, and make none.
    DeleteOnly,
    DualWrite,
    Backfill,
    Readable,
    WriteOnly,
    /// As delete-only, on the way out.
    Removing,
    /// Nobody keeps copies; those that are there are deleted.
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

    /// Whether workers may make a copy where none is.
    pub(super) fn makes(self) -> bool {
        matches!(self, Self::DualWrite | Self::Backfill | Self::Readable | Self::WriteOnly)
    }

    /// What a writer that knows this state names for each address; whether a copy may be made there.
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

/// How far a client has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    #[default]
    Unused,
    Open {
        /// The registry as it read it.
        knows: Registry,
    },
    Over,
}

/// One operation of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Attempt {
    pub(crate) client: Client,
    /// Its outbox row, by address: whether the copy may be made. None at all: no row.
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
    /// The cursor of the backfill, or of the deletion, is at the end.
    pub(crate) done: bool,
    /// While copies are dropped: the first address was gone through.
    pub(crate) dropped: bool,
    pub(crate) left: Budget,
}

impl State {
    /// The copy is what the primary says. A stub is as good as no copy.
    pub(super) fn is_right(&self, address: Address) -> bool {
        let live = match self.copies[address.number()].value {
            Derived::Live { value, .. } => Some(value),
            Derived::None | Derived::Stub => None,
        };
        live == Some(self.primary.value).filter(|value| value.address() == Some(address))
    }

    /// An outbox row names the address.
    pub(super) fn is_named(&self, address: Address) -> bool {
        self.attempts.iter().any(|attempt| attempt.row[address.number()].is_some())
    }
}
