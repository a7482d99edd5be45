//! State of the store, the queue and the processes.

use crate::{
    budget::Budget,
    cell::{Cell, Tag},
};

use super::{Model, Variant, Worker};

/// The value that a user writes. Two values with one address, one value with another address, and no value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Value {
    #[default]
    None,
    A,
    OtherA,
    B,
}

impl Value {
    /// All values.
    pub(crate) const ALL: [Self; 4] = [Self::None, Self::A, Self::OtherA, Self::B];

    /// Returns the address of the copy.
    pub(crate) fn address(self) -> Option<Address> {
        match self {
            Self::None => None,
            Self::A | Self::OtherA => Some(Address::A),
            Self::B => Some(Address::B),
        }
    }

    /// Returns the copy at an address while the primary has this value and ETag.
    pub(crate) fn copy_at(self, address: Address, shows: Tag) -> Derived {
        if self.address() == Some(address) { Derived::Live { value: self, shows } } else { Derived::None }
    }
}

/// A key of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Address {
    A,
    B,
}

impl Address {
    /// Returns its position in [`State::copies`].
    pub(crate) fn number(self) -> usize {
        match self {
            Self::A => 0,
            Self::B => 1,
        }
    }
}

/// A derived row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Derived {
    #[default]
    None,
    /// An invisible row with only an ETag.
    Stub,
    Live {
        value: Value,
        /// The primary's ETag (`_se`).
        shows: Tag,
    },
}

/// The addresses in an outbox row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Touch {
    pub(crate) new: Option<Address>,
    pub(crate) old: Option<Address>,
}

impl Touch {
    /// Returns the addresses that a write of `new` over `old` affects.
    pub(crate) fn between(old: Value, new: Value) -> Self {
        let old = old.address().filter(|old| new.address() != Some(*old));
        Self { new: new.address(), old }
    }
}

/// The progress of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    #[default]
    Unused,
    /// The message was put.
    Open,
    /// Committed, abandoned, or the response was lost.
    Over,
}

/// One operation of a client, with a separate token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Attempt {
    pub(crate) phase: Phase,
    /// `true` if its message is in the queue.
    pub(crate) hint: bool,
    /// The message on which it relies: its own, or a shared message of another operation.
    pub(crate) relies_on: usize,
    /// With shared messages: whether the deadline of its message has passed.
    pub(crate) passed: bool,
    /// Its outbox row.
    pub(crate) row: Option<Touch>,
    /// For `OpQueueFirst`: the contents of the message.
    pub(crate) effect: Option<(Value, Touch)>,
    /// For `OpQueueFirst`: the primary's ETag when the effect was computed.
    pub(crate) guard: Tag,
}

/// A request whose response is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Lost {
    #[default]
    Nothing,
    /// A client's transaction.
    Commit { attempt: usize, guard: Tag, value: Value, touch: Touch },
    /// A worker's replace, or delete for `Derived::None`.
    Write { address: Address, guard: Tag, copy: Derived },
    /// A worker's insert of a stub.
    Stub { address: Address },
    /// A worker's delete of an outbox row.
    DropRow { attempt: usize },
}

/// A state of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) primary: Cell<Value>,
    pub(crate) copies: [Cell<Derived>; 2],
    pub(crate) attempts: [Attempt; 4],
    pub(crate) workers: [Worker; 2],
    pub(crate) lost: Lost,
    pub(crate) left: Budget,
}

impl State {
    /// Returns whether the copy matches the primary. A placeholder counts as no copy.
    pub(crate) fn is_right(&self, address: Address) -> bool {
        let live = match self.copies[address.number()].value {
            Derived::Live { value, .. } => Some(value),
            Derived::None | Derived::Stub => None,
        };
        live == Some(self.primary.value).filter(|value| value.address() == Some(address))
    }

    /// Returns whether a process that searches finds that the address may be stale.
    pub(crate) fn is_named(&self, model: Model, address: Address) -> bool {
        self.attempts.iter().any(|attempt| {
            let by_message = attempt.effect.map(|(_, touch)| touch);
            let by_message = by_message.filter(|_| attempt.hint && model.variant == Variant::OpQueueFirst);
            [attempt.row, by_message]
                .into_iter()
                .flatten()
                .any(|touch| touch.new == Some(address) || touch.old == Some(address))
        })
    }

    /// Returns whether no commit that relies on the message can take effect.
    pub(crate) fn is_over(&self, message: usize) -> bool {
        let under_way = matches!(self.lost, Lost::Commit { attempt, .. }
            if self.attempts[attempt].relies_on == message);
        let open = |attempt: &Attempt| attempt.phase == Phase::Open && attempt.relies_on == message;
        !under_way && !self.attempts.iter().any(open)
    }

    /// Returns whether a worker may observe that the message's deadline has passed.
    pub(crate) fn may_be_late(&self, model: Model, message: usize) -> bool {
        if model.variant.shares_hints() { self.attempts[message].passed } else { self.is_over(message) }
    }

    /// Returns whether a response can be lost; at most one is in flight.
    pub(crate) fn may_lose(&self) -> bool {
        self.left.lost > 0 && self.lost == Lost::Nothing
    }

    /// Applies a request to the store. Returns whether it was accepted.
    pub(crate) fn take_effect(&mut self, model: Model, request: Lost) -> bool {
        match request {
            Lost::Nothing => true,
            Lost::Commit { attempt, guard, value, touch } => {
                let accepted = self.primary.tag == guard;
                if accepted {
                    self.primary = if value == Value::None { Cell::default() } else { Cell::new(value) };
                    let old = touch.old.filter(|_| model.variant != Variant::NoOldKeys);
                    let row = Touch { old, ..touch };
                    self.attempts[attempt].row = Some(row).filter(|_| model.variant != Variant::OpQueueFirst);
                }
                accepted
            }
            Lost::Write { address, guard, copy } => {
                let copy = Some(copy).filter(|copy| *copy != Derived::None);
                self.copies[address.number()].replace(guard, copy)
            }
            Lost::Stub { address } => self.copies[address.number()].insert(Derived::Stub),
            Lost::DropRow { attempt } => self.attempts[attempt].row.take().is_some(),
        }
    }
}
