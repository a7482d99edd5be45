use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Instant,
};

use table_model::{Result, StorageFault, Written};

use crate::{
    apply::ends_transaction,
    catalog::TableRow,
    core::Core,
    decision::Decision,
    engine::{self, Persist, Verdict, Write},
    job::{Job, Turn},
    meta,
    request::{Change, Member},
    timestamps::{Stamp, Stamps},
    write_batch::lower,
};

/// Requests that share one transaction. Each request is decided on the state after the previous requests. A rejected
/// request changes nothing.
pub(super) struct Group<'g> {
    core: &'g Core,
    stamps: &'g mut Stamps,
    /// Result of each request, in order, if the commit succeeds. A job stores its result itself.
    pub(super) results: Vec<Result<Vec<Written>>>,
    /// Changes of the catalog, valid if the commit succeeds.
    pub(super) tables: Vec<TableRow>,
    /// Lowest key of the leftovers that the commit describes.
    pub(super) leftovers: Option<Vec<u8>>,
    /// Lowest key of the garbage of blobs that the commit describes.
    pub(super) garbage: Option<Vec<u8>>,
    changed: bool,
    reserved: bool,
    /// The time at which all requests were executed, if there is an observer.
    pub(super) executed: Option<Instant>,
}

impl<'g> Group<'g> {
    pub(super) fn new(core: &'g Core, stamps: &'g mut Stamps) -> Self {
        let (results, tables) = (Vec::new(), Vec::new());
        Self {
            core,
            stamps,
            results,
            tables,
            leftovers: None,
            garbage: None,
            changed: false,
            reserved: false,
            executed: None,
        }
    }

    /// Executes all requests and commits. After an error none of them may be acknowledged.
    pub(super) fn run(&mut self, members: &mut [Member], persist: Persist) -> Result<Verdict, StorageFault> {
        engine::commit(&*self.core.engine, |write| {
            self.apply(members, write)?;
            self.executed = self.core.options.observer.is_some().then(Instant::now);
            Ok(self.verdict(persist))
        })
    }

    fn verdict(&self, persist: Persist) -> Verdict {
        match (self.changed, self.reserved) {
            (false, _) => Verdict::Discard,
            // A used timestamp must never be reused, so its reservation must be durable.
            (true, true) => Verdict::Commit(Persist::Now),
            (true, false) => Verdict::Commit(persist),
        }
    }

    /// Executes all requests. An error ends the whole group, because the engine cannot continue or a change is
    /// incomplete.
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
        self.tables.extend(decision.tables);
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
        if let Some(key) = edits.leftovers() {
            lower(&mut self.leftovers, key);
        }
        if let Some(key) = edits.garbage() {
            lower(&mut self.garbage, key);
        }
        Ok(Ok(()))
    }

    /// Records that the transaction contains a change and a used timestamp.
    fn accept(&mut self, stamp: Option<Stamp>) {
        if let Some(stamp) = stamp {
            self.stamps.accept(stamp);
            self.reserved |= stamp.reserve.is_some();
        }
        self.changed = true;
    }
}

/// Runs a decision. A rejection or a panic only affects one request; the outer error ends the transaction.
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
