//! The memory of a worker, and its conclusions from the rows that it read.

use crate::cell::{Cell, Tag};

use super::{Address, Derived, Model, Touch, Value, Variant};

/// The next step of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Next {
    #[default]
    TakeMessage,
    Look,
    /// F1, the new or the old address.
    GetCopy(Role),
    InsertStub,
    /// F2
    GetPrimary,
    /// F3
    Write(Role),
    DropRow,
    DeleteMessage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Role {
    New,
    Old,
}

/// The memory of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Worker {
    pub(super) next: Next,
    pub(super) message: usize,
    /// `true` if the message's deadline had passed when the pass started.
    pub(super) late: bool,
    pub(super) row: usize,
    pub(super) touch: Touch,
    /// The copies that were read, new and old.
    pub(super) seen: [Cell<Derived>; 2],
    /// The values to write: `None` for no write.
    pub(super) write: [Option<Derived>; 2],
    /// For `OrderWrong`: the primary, read before the copies.
    pub(super) primary: Cell<Value>,
}

impl Worker {
    pub(super) fn is_idle(&self) -> bool {
        self.next == Next::TakeMessage
    }

    pub(super) fn tags(
        &mut self,
        visit: &mut dyn FnMut(usize, &mut Tag),
        shown: &mut impl FnMut(&mut Derived, &mut dyn FnMut(usize, &mut Tag)),
    ) {
        visit(0, &mut self.primary.tag);
        for (address, (seen, write)) in
            self.addresses().into_iter().zip(self.seen.iter_mut().zip(&mut self.write))
        {
            if let Some(address) = address {
                visit(address.number() + 1, &mut seen.tag);
            }
            shown(&mut seen.value, visit);
            if let Some(write) = write {
                shown(write, visit);
            }
        }
    }

    pub(super) fn forget(&mut self, rows: [Tag; 2]) {
        for (address, seen) in self.addresses().into_iter().zip(&mut self.seen) {
            if let Some(address) = address {
                seen.tag.only_compared_with(rows[address.number()]);
            }
        }
    }

    fn addresses(&self) -> [Option<Address>; 2] {
        [self.touch.new, self.touch.old]
    }

    pub(super) fn address(&self, role: Role) -> Option<Address> {
        self.addresses()[role as usize]
    }

    /// Continues after the outbox row was processed.
    pub(super) fn finished(self, model: Model) -> Self {
        let Self { message, late, row, .. } = self;
        let own = row == message;
        let next = match model.variant {
            Variant::Shared | Variant::SharedOwnRow => Next::Look,
            Variant::SharedDropAtOnce if !own => Next::Look,
            _ if own => Next::DeleteMessage,
            _ => return Self::default(),
        };
        Self { next, message, late: late && next == Next::Look, ..Self::default() }
    }

    /// Restarts at F1.
    pub(super) fn reconcile(self, model: Model) -> Self {
        let Self { message, row, touch, .. } = self;
        let late = self.late && model.variant.shares_hints();
        let fresh = Self { message, late, row, touch, ..Self::default() };
        match model.variant {
            Variant::OpQueueFirst => fresh.to_write(Role::New),
            Variant::Blind | Variant::OrderWrong => Self { next: Next::GetPrimary, ..fresh },
            _ => fresh.to_get(Role::New),
        }
    }

    /// Continues with the next copy to read from this role on, or the primary.
    pub(super) fn to_get(self, role: Role) -> Self {
        let next = match role {
            _ if self.address(role).is_some() => Next::GetCopy(role),
            Role::New => return self.to_get(Role::Old),
            Role::Old => Next::GetPrimary,
        };
        Self { next, ..self }
    }

    /// Continues with the next copy to write from this role on, or the end of the row.
    pub(super) fn to_write(mut self, role: Role) -> Self {
        self.next = match role {
            _ if self.write[role as usize].is_some() => Next::Write(role),
            Role::New => return self.to_write(Role::Old),
            Role::Old => Next::DropRow,
        };
        self.primary = Cell::default();
        for seen in &mut self.seen {
            seen.value = Derived::None;
        }
        self
    }

    /// F4: determines the values to write from the copies that were read and the primary.
    pub(super) fn decide(mut self, model: Model, primary: Cell<Value>) -> Self {
        for role in [Role::New, Role::Old] {
            let Some(address) = self.address(role) else { continue };
            let seen = self.seen[role as usize];
            let wanted = primary.value.copy_at(address, primary.tag);
            let done = match (model.variant, seen.value, wanted) {
                (Variant::Blind, ..) => false,
                (_, Derived::None, Derived::None) => true,
                (Variant::NoStub, Derived::None, _) => role == Role::Old,
                (_, Derived::None, _) => true,
                (Variant::ContentNoop, Derived::Live { value, .. }, Derived::Live { value: wanted, .. }) => {
                    value == wanted
                }
                (_, Derived::Live { shows, .. }, Derived::Live { .. }) => shows == primary.tag,
                (_, Derived::Stub | Derived::Live { .. }, _) => false,
            };
            self.write[role as usize] = Some(wanted).filter(|_| !done);
        }
        self.to_write(Role::New)
    }

    /// Continues after a copy was read.
    pub(super) fn saw(mut self, model: Model, role: Role, seen: Cell<Derived>) -> Self {
        if role == Role::New && !seen.exists() && model.variant != Variant::NoStub {
            return Self { next: Next::InsertStub, ..self };
        }
        self.seen[role as usize] = seen;
        let then = match role {
            Role::New => self.to_get(Role::Old),
            Role::Old => Self { next: Next::GetPrimary, ..self },
        };
        if then.next == Next::GetPrimary && model.variant == Variant::OrderWrong {
            return then.decide(model, then.primary);
        }
        then
    }
}

/// For `OpQueueFirst`: returns a worker that applies the contents of the message.
pub(super) fn apply(message: usize, value: Value, touch: Touch) -> Worker {
    let new = touch.new.map(|_| Derived::Live { value, shows: Tag::NONE });
    let write = [new, touch.old.map(|_| Derived::None)];
    Worker { message, row: message, touch, write, ..Worker::default() }.to_write(Role::New)
}
