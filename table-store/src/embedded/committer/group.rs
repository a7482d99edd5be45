use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{
    Result, StorageFault, Written,
    embedded::{
        apply::ends_transaction,
        catalog::TableRow,
        core::Core,
        decision::Decision,
        engine::{self, Persist, Verdict, Write},
        job::{Job, Turn},
        meta,
        request::{Change, Member},
        stamps::{Stamp, Stamps},
    },
};

/// Requests that share one transaction. Each is decided on with those before it applied; a refused one leaves no trace.
pub(super) struct Group<'g> {
    core: &'g Core,
    stamps: &'g mut Stamps,
    /// For each in order, what its caller is told if the commit goes well. A job keeps its own answer.
    pub(super) results: Vec<Result<Vec<Written>>>,
    /// Changes of the catalog, which hold if the commit goes well.
    pub(super) tables: Vec<TableRow>,
    /// Whether there are leftovers if the commit goes well.
    pub(super) leaves: bool,
    changed: bool,
    reserved: bool,
}

impl<'g> Group<'g> {
    pub(super) fn new(core: &'g Core, stamps: &'g mut Stamps) -> Self {
        let (results, tables) = (Vec::new(), Vec::new());
        Self { core, stamps, results, tables, leaves: false, changed: false, reserved: false }
    }

    /// Runs all of them and commits. An error means that nothing of it may be acknowledged.
    pub(super) fn run(&mut self, members: &mut [Member], persist: Persist) -> Result<Verdict, StorageFault> {
        engine::commit(&*self.core.engine, |write| {
            self.apply(members, write)?;
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
    fn apply(&mut self, members: &mut [Member], write: &mut dyn Write) -> Result<(), StorageFault> {
        for member in members {
            let result = match member {
                Member::Change(change, _) => self.change(change, write)?,
                Member::Job(job) => self.job(&mut **job, write)?.map(|()| Vec::new()),
            };
            self.results.push(result);
        }
        Ok(())
    }

    fn change(
        &mut self,
        change: &mut Change,
        write: &mut dyn Write,
    ) -> Result<Result<Vec<Written>>, StorageFault> {
        let (stamps, core) = (*self.stamps, self.core);
        let decision = match caught(|| Decision::on(change, write, stamps, core, &self.tables))? {
            Ok(decision) => decision,
            Err(error) => return Ok(Err(error)),
        };
        decision.apply(change, write)?;
        self.accept(decision.stamp);
        self.tables.extend(decision.table);
        Ok(Ok(decision.written))
    }

    fn job(&mut self, job: &mut dyn Job, write: &mut dyn Write) -> Result<Result<()>, StorageFault> {
        let mut turn = Turn::new(self.core, *self.stamps);
        let edits = match caught(|| job.decide(write, &mut turn))? {
            Ok(edits) if edits.is_empty() => return Ok(Ok(())),
            Ok(edits) => edits,
            Err(error) => return Ok(Err(error)),
        };
        edits.apply(write)?;
        if let Some(reserve) = turn.used().and_then(|stamp| stamp.reserve) {
            meta::put_clock(write, reserve)?;
        }
        self.accept(turn.used());
        self.leaves |= edits.leaves();
        Ok(Ok(()))
    }

    /// Something is in the transaction, with the time that it used up.
    fn accept(&mut self, stamp: Option<Stamp>) {
        if let Some(stamp) = stamp {
            self.stamps.accept(stamp);
            self.reserved |= stamp.reserve.is_some();
        }
        self.changed = true;
    }
}

/// Decides. A refusal, and a panic, is a matter of one request; the outer error is one that ends the transaction.
fn caught<T>(decide: impl FnOnce() -> Result<T>) -> Result<Result<T>, StorageFault> {
    match catch_unwind(AssertUnwindSafe(decide)) {
        Ok(Err(error)) => match error.fault() {
            Some(fault) if ends_transaction(fault) => Err(fault.clone()),
            _ => Ok(Err(error)),
        },
        Ok(decided) => Ok(decided),
        Err(panic) => Ok(Err(StorageFault::Bug { what: engine::panic_text(&*panic) }.into())),
    }
}
