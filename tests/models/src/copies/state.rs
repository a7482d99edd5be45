//! What the store, the queue and the processes hold.

use crate::{
    budget::Budget,
    cell::{Cell, Tag},
};

use super::{Model, Variant, Worker};

/// What a user writes. Two values with one address, one with another, and none.
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

    /// Where the copy belongs.
    pub(crate) fn address(self) -> Option<Address> {
        match self {
            Self::None => None,
            Self::A | Self::OtherA => Some(Address::A),
            Self::B => Some(Address::B),
        }
    }

    /// The copy that belongs at an address while the primary has this value and ETag.
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
    /// Its place in [`State::copies`].
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
    /// Invisible: it only has an ETag.
    Stub,
    Live {
        value: Value,
        /// The primary's ETag (`_se`).
        shows: Tag,
    },
}

/// What an outbox row names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Touch {
    pub(crate) new: Option<Address>,
    pub(crate) old: Option<Address>,
}

impl Touch {
    /// What a write of `new` over `old` makes doubtful.
    pub(crate) fn between(old: Value, new: Value) -> Self {
        let old = old.address().filter(|old| new.address() != Some(*old));
        Self { new: new.address(), old }
    }
}

/// How far a client has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    #[default]
    Unused,
    /// The hint is put.
    Open,
    /// Committed, given up, or the reply was lost.
    Over,
}

/// One operation of a client, with a token of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Attempt {
    pub(crate) phase: Phase,
    /// Its message is in the queue.
    pub(crate) hint: bool,
    /// The message it relies on: its own, or where hints are shared that of another.
    pub(crate) relies_on: usize,
    /// Where hints are shared: the deadline of its message has passed.
    pub(crate) passed: bool,
    /// Its outbox row.
    pub(crate) row: Option<Touch>,
    /// For `OpQueueFirst`: what the message says.
    pub(crate) effect: Option<(Value, Touch)>,
    /// For `OpQueueFirst`: the primary's ETag when the effect was computed.
    pub(crate) guard: Tag,
}

/// A request whose reply is lost.
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
    /// The copy is what the primary says. A stub is as good as no copy.
    pub(crate) fn is_right(&self, address: Address) -> bool {
        let live = match self.copies[address.number()].value {
            Derived::Live { value, .. } => Some(value),
            Derived::None | Derived::Stub => None,
        };
        live == Some(self.primary.value).filter(|value| value.address() == Some(address))
    }

    /// Somebody who looks for it finds that the address may be wrong.
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

    /// No commit that relies on the message can take effect any more.
    pub(crate) fn is_over(&self, message: usize) -> bool {
        let under_way = matches!(self.lost, Lost::Commit { attempt, .. }
            if self.attempts[attempt].relies_on == message);
        let open = |attempt: &Attempt| attempt.phase == Phase::Open && attempt.relies_on == message;
        !under_way && !self.attempts.iter().any(open)
    }

    /// The message's deadline may be seen to have passed.
    pub(crate) fn may_be_late(&self, model: Model, message: usize) -> bool {
        if model.variant.shares_hints() { self.attempts[message].passed } else { self.is_over(message) }
    }

    /// One reply at a time may be lost.
    pub(crate) fn may_lose(&self) -> bool {
        self.left.lost > 0 && self.lost == Lost::Nothing
    }

    /// What the store does with a request. Whether it was accepted.
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
