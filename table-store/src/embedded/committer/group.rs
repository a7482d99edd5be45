use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{
    Result, StorageFault, Written,
    embedded::{
        apply::ends_transaction,
        catalog::TableRow,
        core::Core,
        decision::Decision,
        engine::{self, Persist, Verdict, Write},
        request::Change,
        stamps::Stamps,
    },
};

/// Changes that share one transaction. Each is decided on with those before it applied; a refused one leaves no trace.
pub(super) struct Group<'g> {
    core: &'g Core,
    stamps: &'g mut Stamps,
    /// For each change in order, what its caller is told if the commit goes well.
    pub(super) results: Vec<Result<Vec<Written>>>,
    /// Changes of the catalog, which hold if the commit goes well.
    pub(super) tables: Vec<TableRow>,
    changed: bool,
    reserved: bool,
}

impl<'g> Group<'g> {
    pub(super) fn new(core: &'g Core, stamps: &'g mut Stamps) -> Self {
        Self { core, stamps, results: Vec::new(), tables: Vec::new(), changed: false, reserved: false }
    }

    /// Runs all changes and commits. An error means that nothing of it may be acknowledged.
    pub(super) fn run(&mut self, changes: &mut [Change], persist: Persist) -> Result<Verdict, StorageFault> {
        engine::commit(&*self.core.engine, |write| {
            self.apply(changes, write)?;
            Ok(self.verdict(persist))
        })
    }

    fn verdict(&self, persist: Persist) -> Verdict {
        match (self.changed, self.reserved) {
            (false, _) => Verdict::Discard,
            // A time that was given out must never come back, so its reservation is not left in memory.
            (true, true) => Verdict::Commit(Persist::Now),
            (true, false) => Verdict::Commit(persist),
        }
    }

    /// An error ends the whole group: the engine can do no more, or a change is in it half.
    fn apply(&mut self, changes: &mut [Change], write: &mut dyn Write) -> Result<(), StorageFault> {
        for change in changes {
            let (stamps, core) = (*self.stamps, self.core);
            let decided =
                catch_unwind(AssertUnwindSafe(|| Decision::on(change, write, stamps, core, &self.tables)));
            let result = match decided {
                Ok(Ok(decision)) => {
                    decision.apply(change, write)?;
                    if let Some(stamp) = decision.stamp {
                        self.stamps.accept(stamp);
                        self.reserved |= stamp.reserve.is_some();
                    }
                    self.tables.extend(decision.table);
                    self.changed = true;
                    Ok(decision.written)
                }
                Ok(Err(error)) => match error.fault() {
                    Some(fault) if ends_transaction(fault) => return Err(fault.clone()),
                    _ => Err(error),
                },
                Err(panic) => Err(StorageFault::Bug { what: engine::panic_text(&*panic) }.into()),
            };
            self.results.push(result);
        }
        Ok(())
    }
}
