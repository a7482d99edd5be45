//! Execution of one transaction: one loop over its stages, with one policy for repetitions.

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{ETag, ErrorCode, TableError};
use tracing::Span;

use super::attempt::Tried;
use crate::{
    Address, Error, Pending, WriteResult,
    apply::{self, wakeup::WakeupGuard},
    core::error::may_pass,
    design::Index,
    handle::{Tables, span},
    pattern::large::Uploads,
    write::{
        Intent, Patterns, Recovered, Sending, Write,
        bulk::SentTogether,
        regulate::Lease,
        transaction::{TransactionPlan, check},
    },
};

/// Maximum number of times that each stage runs after a repetition of an earlier stage. Each failure means that a
/// concurrent writer succeeded.
pub(super) const ATTEMPTS: u32 = 64;

/// Number of entities that are read concurrently.
const READS_AT_ONCE: usize = 16;

/// A stage of a transaction. A failure because of a concurrent writer repeats the transaction from one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Reads the entities of writes that do not specify the previous state.
    Read,
    /// Reads the lists and aggregates that the writes change, and uploads values.
    Prepare,
    /// Sends the operations under a new token.
    Send,
}

/// Result of a stage.
enum Next {
    /// Continue with this stage.
    Stage(Stage),
    /// Repeat the transaction from this stage, because of a concurrent writer.
    Again(Stage),
    /// The transaction was executed.
    Done(Vec<Option<WriteResult>>),
}

/// Number of repetitions from each stage. A repetition from an earlier stage resets the counts of the later stages.
#[derive(Clone, Copy, Debug, Default)]
struct Retries {
    reads: u32,
    prepares: u32,
    sends: u32,
}

impl Retries {
    /// Counts a repetition. Returns whether it is allowed.
    fn again(&mut self, stage: Stage) -> bool {
        let Self { reads, prepares, sends } = *self;
        let count;
        (*self, count) = match stage {
            Stage::Read => (Self { reads: reads + 1, ..Self::default() }, reads + 1),
            Stage::Prepare => (Self { reads, prepares: prepares + 1, sends: 0 }, prepares + 1),
            Stage::Send => (Self { reads, prepares, sends: sends + 1 }, sends + 1),
        };
        count < ATTEMPTS
    }
}

/// A transaction in progress.
pub(super) struct Run<'t> {
    tables: &'t Tables,
    intents: Vec<Intent>,
    /// For writes of a bulk, those whose rows could not be read, by their number. Otherwise, such a row ends the run.
    rejected: Option<Rejected>,
    /// Entity that the first write reads, if any does.
    contended: Option<Address>,
    retries: Retries,
    /// Uploads of all attempts.
    pub(super) uploads: Uploads,
    /// Span in which the number of attempts is recorded.
    pub(super) span: Span,
    read: Read,
    prepared: Prepared,
}

/// Writes of a bulk that are not sent.
#[derive(Default)]
struct Rejected {
    /// Numbers of the remaining writes.
    left: Vec<usize>,
    errors: Vec<(usize, Error)>,
}

/// Result of the first stage.
#[derive(Default)]
struct Read {
    writes: Vec<Write>,
    /// For each write, whether it found a row. `None` if it does not read.
    found: Vec<Option<bool>>,
    /// Versions that the writes require.
    versions: Vec<ETag>,
    /// Versions of the previous repetition, if a row was missing then.
    missed: Option<Vec<ETag>>,
    /// Row that concurrent writers change as well. `None` if the second stage reads and uploads nothing.
    contended: Option<Address>,
}

/// Result of the second stage.
struct Prepared {
    batch: Sending,
    lease: Lease,
    /// Wake-up message of the previous attempt.
    relied: WakeupGuard,
}

impl Rejected {
    /// Removes the writes that could not be resolved, and returns the others.
    fn take(
        &mut self,
        intents: &mut Vec<Intent>,
        resolved: Vec<Result<(Write, Option<bool>), Error>>,
    ) -> Vec<(Write, Option<bool>)> {
        let all = std::mem::take(&mut self.left).into_iter().zip(std::mem::take(intents)).zip(resolved);
        let mut left = Vec::with_capacity(all.len());
        for ((number, intent), resolved) in all {
            match resolved {
                Ok(write) => {
                    self.left.push(number);
                    intents.push(intent);
                    left.push(write);
                }
                Err(error) => self.errors.push((number, error.alone())),
            }
        }
        left
    }
}

impl<'t> Run<'t> {
    pub(super) fn of(tables: &'t Tables, intents: Vec<Intent>) -> Self {
        let contended = intents.iter().find_map(Intent::reads).cloned();
        let prepared = Prepared {
            batch: Sending::of(Vec::new()),
            lease: Lease::default(),
            relied: WakeupGuard::default(),
        };
        Self {
            tables,
            intents,
            rejected: None,
            contended,
            retries: Retries::default(),
            uploads: Uploads::default(),
            span: Span::none(),
            read: Read::default(),
            prepared,
        }
    }

    /// Creates a run of writes of a bulk. A write whose row cannot be read does not prevent the others.
    pub(super) fn of_bulk(tables: &'t Tables, intents: Vec<Intent>) -> Self {
        let left = (0..intents.len()).collect();
        Self { rejected: Some(Rejected { left, errors: Vec::new() }), ..Self::of(tables, intents) }
    }

    /// Returns the error of a run with one write, which has no index and names an entity that exists.
    pub(super) fn alone(&self, error: Error) -> Error {
        error.alone().naming(|| self.prepared.batch.first())
    }

    /// Returns the error of a transaction, which names the operation and its entity.
    pub(super) fn of_operation(&self, error: Error) -> Error {
        error.of_operation(|write| self.prepared.batch.entity(write))
    }

    /// Returns the writes of a failed run, if each of them is a single operation.
    pub(super) fn into_writes(self) -> Vec<Write> {
        self.prepared.batch.into_alone()
    }

    /// Returns the result of a run of writes of a bulk.
    pub(super) fn into_sent(self, outcome: Result<Vec<Option<WriteResult>>, Error>) -> SentTogether {
        let Rejected { left, errors } = self.rejected.unwrap_or_default();
        SentTogether { outcome, sent: left.into_iter().zip(self.intents).collect(), rejected: errors }
    }

    /// Runs the stages in a span.
    pub(super) async fn result(&mut self) -> Result<Vec<Option<WriteResult>>, Error> {
        self.span = span::write(|| Intent::describe(&self.intents));
        if self.span.is_disabled() {
            return self.stages().await;
        }
        let span = self.span.clone();
        span::within(&span, Box::pin(self.stages())).await
    }

    /// Runs the stages until the transaction is executed or rejected.
    pub(super) async fn stages(&mut self) -> Result<Vec<Option<WriteResult>>, Error> {
        let mut attempts = 0;
        let done = self.run(&mut attempts).await;
        span::attempts(&self.span, attempts);
        done
    }

    async fn run(&mut self, attempts: &mut u32) -> Result<Vec<Option<WriteResult>>, Error> {
        let mut stage = Stage::Read;
        loop {
            *attempts += u32::from(stage == Stage::Send);
            let next = match stage {
                Stage::Read => Ok(self.read().await?),
                Stage::Prepare => self.prepare().await,
                Stage::Send => self.send().await,
            };
            stage = match next {
                Ok(Next::Done(results)) => return Ok(results),
                Ok(Next::Stage(stage)) => stage,
                Ok(Next::Again(stage)) if self.retries.again(stage) => stage,
                Ok(Next::Again(stage)) => self.read_again(contended(self.address(stage)))?,
                Err(error) => self.read_again(error)?,
            };
        }
    }

    /// Runs the stages before the operations are sent, once.
    pub(super) async fn plan(&mut self) -> Result<TransactionPlan, Error> {
        self.read().await?;
        self.prepare().await?;
        let batch = &mut self.prepared.batch;
        batch.stamp(self.tables.tokens(), None)?;
        let touches = batch.commit().map_or_else(Vec::new, |commit| commit.touches);
        let later = touches.into_iter().map(|touch| touch.address).collect();
        Ok(TransactionPlan { operations: batch.operations().to_vec(), later })
    }

    /// Returns the stage that follows an error: the first stage, if a concurrent writer changed what a write read.
    fn read_again(&mut self, error: Error) -> Result<Stage, Error> {
        let Read { found, versions, missed, .. } = &mut self.read;
        let is_missing = error.is_not_found();
        // If the versions are unchanged since the previous failure, the missing row is an orphaned index row.
        if !is_lost_race(&error, found) || is_missing && missed.as_ref() == Some(versions) {
            return Err(error);
        }
        *missed = is_missing.then(|| std::mem::take(versions));
        if self.retries.again(Stage::Read) {
            return Ok(Stage::Read);
        }
        Err(contended(self.contended.clone()))
    }

    async fn read(&mut self) -> Result<Next, Error> {
        let read = &mut self.read;
        if self.contended.is_none() {
            let ready = |intent| if let Intent::Ready(write) = intent { Some(write) } else { None };
            read.writes = std::mem::take(&mut self.intents).into_iter().filter_map(ready).collect();
        } else {
            let reads: Vec<_> =
                self.intents.iter().enumerate().map(|read| resolve(self.tables, read)).collect();
            let reads = stream::iter(reads).buffered(READS_AT_ONCE);
            let resolved = if let Some(rejected) = &mut self.rejected {
                let resolved = reads.collect().await;
                rejected.take(&mut self.intents, resolved)
            } else {
                reads.try_collect().await?
            };
            (read.writes, read.found) = resolved.into_iter().unzip();
            read.versions = read.writes.iter().flat_map(Write::versions).collect();
        }
        let designs = read.writes.iter().filter_map(|write| write.design);
        for design in designs.filter(|design| design.has_rules()) {
            self.tables.kinds().admit(design)?;
        }
        let is_open = self.tables.registry().is_some() || read.writes.iter().any(Write::is_open);
        let address = || read.writes.iter().find_map(Write::contended).or_else(|| first(&read.writes));
        read.contended = is_open.then(address).flatten();
        Ok(Next::Stage(Stage::Prepare))
    }

    async fn prepare(&mut self) -> Result<Next, Error> {
        let (tables, lease) = (self.tables, &mut self.prepared.lease);
        let mut writes = std::mem::take(&mut self.read.writes);
        if self.read.contended.is_some() {
            self.read.writes.clone_from(&writes);
            if tables.registry().is_some() {
                *lease = Box::pin(tables.regulate(&mut writes)).await?;
            }
            for pattern in Patterns::all() {
                if let Some(settled) = pattern.settle(tables, &mut writes, self.retries.prepares) {
                    settled.await?;
                }
            }
            lease.mark(&mut writes);
        }
        for (index, write) in writes.iter_mut().enumerate() {
            tables.seal(write).map_err(|error| error.at(index))?;
        }
        let planned = self.uploads.plan(tables, &mut writes)?;
        let mut writes = check(writes)?;
        self.uploads.send(tables, planned, &mut writes).await?;
        let batch = Sending::of(writes);
        if batch.table.is_none() {
            return Ok(Next::Done(Vec::new()));
        }
        for kind in batch.kinds() {
            if kind.versions().any(|design| design.indexes.iter().any(Index::in_blobs)) {
                tables.blobs()?;
            }
            tables.kinds().learn(kind)?;
        }
        (self.prepared.batch, self.prepared.relied) = (batch, WakeupGuard::default());
        Ok(Next::Stage(Stage::Send))
    }

    async fn send(&mut self) -> Result<Next, Error> {
        let (tables, Prepared { batch, lease, relied }) = (self.tables, &mut self.prepared);
        batch.stamp(tables.tokens(), self.uploads.token())?;
        span::committed(&self.span, batch.receipt.as_ref());
        let Some(table) = batch.table.clone() else { return Ok(Next::Done(Vec::new())) };
        // The wake-up message of the uploads also covers the commit.
        let is_hinted = self.uploads.is_hinted();
        let recovered = match tables.attempt(&table, batch, (&mut *relied, is_hinted), lease).await {
            Ok(Tried::Done(answers)) => return Ok(Next::Done(self.follow(answers).await)),
            Ok(Tried::Stale) => Ok(Recovered::Stale),
            // Another attempt cannot refer to the uploads of this attempt.
            Ok(Tried::Aborted) if is_hinted => {
                *relied = WakeupGuard::default();
                self.uploads.begin_anew(tables).await;
                return self.prepare_again();
            }
            // The attempt left nothing behind, and another attempt may succeed.
            Ok(Tried::Aborted) => return Ok(Next::Again(Stage::Send)),
            Ok(Tried::Refused(error)) => match batch.check_in_the_way(tables, &error).await {
                Ok(()) => batch.recover(error),
                Err(conflict) => Err(conflict),
            },
            Err(error) => Err(error),
        };
        match recovered {
            Ok(Recovered::Again) => Ok(Next::Stage(Stage::Send)),
            Ok(Recovered::Stale) => {
                std::mem::take(relied).take_back(tables).await;
                self.prepare_again()
            }
            Err(error) => {
                let relied = std::mem::take(relied);
                // If the operations may have been executed, the wake-up message remains for workers.
                if !may_pass(&error) {
                    relied.take_back(tables).await;
                }
                Err(error)
            }
        }
    }

    fn prepare_again(&self) -> Result<Next, Error> {
        if self.read.contended.is_none() {
            return Err(no_list());
        }
        Ok(Next::Again(Stage::Prepare))
    }

    /// Applies the commit record, unless this is left to workers. Returns the results of the writes.
    async fn follow(&mut self, answers: Vec<table_model::Written>) -> Vec<Option<WriteResult>> {
        let (tables, Prepared { batch, relied, .. }) = (self.tables, &mut self.prepared);
        if let Some(commit) = batch.commit().filter(|_| !tables.leaves_to_workers()) {
            // The write is complete. Workers apply the updates that fail here.
            if apply::conclude_of(tables, &commit, Some(&self.span)).await.is_ok() {
                std::mem::take(relied).take_back(tables).await;
                self.uploads.set_followed();
            }
        }
        std::mem::replace(batch, Sending::of(Vec::new())).results(answers)
    }

    /// Returns the row for the error after too many repetitions from a stage.
    fn address(&self, stage: Stage) -> Option<Address> {
        match stage {
            Stage::Read => self.contended.clone(),
            Stage::Prepare => self.read.contended.clone(),
            Stage::Send => self.prepared.batch.first(),
        }
    }
}

fn resolve<'a>(
    tables: &'a Tables,
    (index, intent): (usize, &'a Intent),
) -> Pending<'a, (Write, Option<bool>)> {
    Box::pin(async move { intent.resolve(tables).await.map_err(|error| error.at(index)) })
}

/// Returns `true` if a write that reads first failed because of a concurrent writer. `found` contains one entry per
/// write: `None` if it does not read, otherwise whether it found a row.
fn is_lost_race(error: &Error, found: &[Option<bool>]) -> bool {
    let at_fault = error.index().unwrap_or_default();
    match found.get(at_fault) {
        Some(Some(found)) => error.is_conflict() || *found && error.is_not_found(),
        Some(None) | None => false,
    }
}

fn first(writes: &[Write]) -> Option<Address> {
    writes.first().map(Write::address)
}

fn contended(address: Option<Address>) -> Error {
    match address {
        Some(address) => Error::Contended { address: Box::new(address), attempts: ATTEMPTS },
        None => no_list(),
    }
}

fn no_list() -> Error {
    let message = "The service reported a conflict on a list or target row for a write without such rows.";
    TableError::with_message(ErrorCode::InternalError, message).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_stage_resets_the_later_counts() {
        let mut retries = Retries::default();
        for _ in 1..ATTEMPTS {
            assert!(retries.again(Stage::Send));
        }
        assert!(!retries.again(Stage::Send));
        assert!(retries.again(Stage::Prepare));
        assert!(retries.again(Stage::Send));
        assert!((2..ATTEMPTS).all(|_| retries.again(Stage::Prepare)));
        assert!(!retries.again(Stage::Prepare));
        assert!(retries.again(Stage::Read));
        assert!(retries.again(Stage::Prepare));
    }
}
