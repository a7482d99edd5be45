//! Reconciliation of one address under the fence rule.

use crate::{
    cell::{Cell, Tag},
    copies::{Address, Derived, Value},
};

use super::{Registry, State, Variant};

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Next {
    GetCopy,
    AskRegistry,
    InsertStub,
    GetPrimary,
    Write,
    /// For `BackfillNoReread`.
    Upsert,
}

/// The work at one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Job {
    next: Next,
    address: Address,
    /// `true` if the copy may be created.
    create: bool,
    seen: Cell<Derived>,
    write: Derived,
    /// The registry, between the check and the insert.
    knows: Option<Registry>,
}

impl Job {
    pub(super) fn new(address: Address, create: bool) -> Self {
        Self {
            next: Next::GetCopy,
            address,
            create,
            seen: Cell::default(),
            write: Derived::None,
            knows: None,
        }
    }

    /// Creates a job that writes the scanned value.
    pub(super) fn upsert(address: Address, scanned: Cell<Value>) -> Self {
        let write = scanned.value.copy_at(address, scanned.tag);
        Self { next: Next::Upsert, write, ..Self::new(address, true) }
    }

    pub(super) const fn knows(self) -> Option<Registry> {
        self.knows
    }

    /// Returns the description of the next step.
    pub(super) fn what(self) -> &'static str {
        match self.next {
            Next::GetCopy => "reads a copy",
            Next::AskRegistry => "reads the registry",
            Next::InsertStub => "inserts a stub",
            Next::GetPrimary => "reads the primary",
            Next::Write => "writes a copy",
            Next::Upsert => "upserts a copy",
        }
    }

    /// Executes the next step; returns `None` when the address is complete.
    pub(super) fn step(self, variant: Variant, state: &mut State) -> Option<Self> {
        let again = Self::new(self.address, self.create);
        let row = &mut state.copies[self.address.number()];
        match self.next {
            Next::GetCopy if row.exists() => Some(Self { next: Next::GetPrimary, seen: *row, ..self }),
            // While the index is added, nothing depends on the registry: the smaller models omit no intermediate state.
            Next::GetCopy if !variant.leaves() || variant == Variant::DropUnasked => {
                self.create.then_some(Self { next: Next::InsertStub, ..self })
            }
            Next::GetCopy => self.create.then_some(Self { next: Next::AskRegistry, ..self }),
            Next::AskRegistry => {
                let knows = state.registry;
                knows.makes().then_some(Self { next: Next::InsertStub, knows: Some(knows), ..self })
            }
            Next::InsertStub if row.insert(Derived::Stub) => {
                Some(Self { next: Next::GetPrimary, seen: *row, knows: None, ..self })
            }
            Next::InsertStub => Some(again),
            Next::GetPrimary => {
                let write = state.primary.value.copy_at(self.address, state.primary.tag);
                let seen = Cell { tag: self.seen.tag, value: Derived::None };
                (self.seen.value != write).then_some(Self { next: Next::Write, seen, write, ..self })
            }
            Next::Write => {
                let copy = Some(self.write).filter(|copy| *copy != Derived::None);
                if row.replace(self.seen.tag, copy) { None } else { Some(again) }
            }
            Next::Upsert => {
                row.put(self.write);
                None
            }
        }
    }

    pub(super) fn tags(&mut self, visit: &mut dyn FnMut(usize, &mut Tag)) {
        visit(1 + self.address.number(), &mut self.seen.tag);
        for copy in [&mut self.seen.value, &mut self.write] {
            if let Derived::Live { shows, .. } = copy {
                visit(0, shows);
            }
        }
    }

    pub(super) fn forget(&mut self, rows: [Tag; 2]) {
        self.seen.tag.only_compared_with(rows[self.address.number()]);
    }
}
