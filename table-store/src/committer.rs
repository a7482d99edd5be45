//! The single writer: a thread that drains all pending requests, commits them in one transaction, syncs once, and then
//! acknowledges all of them (group commit).

mod group;
mod handle;
mod measure;
mod sweep;

pub(crate) use handle::Committer;

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, TryRecvError},
    },
    time::{Duration, Instant},
};

use table_model::{Result, StorageFault, Written};
use tracing::Span;

use self::{group::Group, measure::Measurement, sweep::Sweep};
use crate::{
    Durability, blobs,
    catalog::{self, TableState},
    core::{Core, count},
    engine::{self, Persist, Verdict},
    leftovers, meta,
    request::{Member, Reply, Request},
    spans,
    timestamps::Stamps,
};

/// Maximum number of operations and bytes of a group: large enough to share a sync, small enough to bound the latency.
const GROUP_OPERATIONS: usize = 10_000;
const GROUP_BYTES: usize = 4 << 20;

/// State of the writer thread.
struct Writer {
    core: Arc<Core>,
    requests: Receiver<Request>,
    stamps: Stamps,
    sweep: Sweep,
    /// Number of times the engine had reopened the file at the last check.
    reopenings: u64,
    /// The file was reopened: a commit that returned an error may be durable, and a commit that was acknowledged before
    /// its sync may be lost.
    catalog_unsure: bool,
    /// Time since which acknowledged writes are not on stable storage.
    relaxed_since: Option<Instant>,
    /// Writes acknowledged before their sync may be lost, which was not reported yet.
    lost: bool,
}

/// Next action of the writer.
enum Next {
    Serve(Request),
    /// No request is pending: time for a sweep or a sync.
    Idle,
    End,
}

impl Writer {
    /// Runs until the store is closed or all senders are dropped.
    fn run(mut self) {
        loop {
            match self.next() {
                Next::Serve(Request::Member(member)) => {
                    let after = self.commit_with(member);
                    // A small sweep step after each group ensures that sweeps also complete under load.
                    self.sweep.step(&self.core, sweep::STEP_BETWEEN_GROUPS);
                    if after.is_some_and(|request| self.control(request)) {
                        break;
                    }
                }
                Next::Serve(request) => {
                    if self.control(request) {
                        break;
                    }
                }
                Next::Idle if self.sweep.has_work() => self.sweep.step(&self.core, sweep::STEP_WHEN_IDLE),
                // The next request reports a failure. The flush is retried after the same interval.
                Next::Idle => drop(self.flush()),
                Next::End => {
                    drop(self.close(false));
                    break;
                }
            }
        }
    }

    /// Waits for the next request, or until a background task is due.
    fn next(&self) -> Next {
        if self.sweep.has_work() {
            return match self.requests.try_recv() {
                Ok(request) => Next::Serve(request),
                Err(TryRecvError::Empty) => Next::Idle,
                Err(TryRecvError::Disconnected) => Next::End,
            };
        }
        let waited = match self.until_flush() {
            Some(wait) => self.requests.recv_timeout(wait),
            None => self.requests.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match waited {
            Ok(request) => Next::Serve(request),
            Err(RecvTimeoutError::Timeout) => Next::Idle,
            Err(RecvTimeoutError::Disconnected) => Next::End,
        }
    }

    /// Returns the time until the next flush is due; `None` if everything is flushed.
    fn until_flush(&self) -> Option<Duration> {
        match (self.relaxed_since, self.core.options.durability) {
            (Some(since), Durability::Relaxed { at_most }) => Some(at_most.saturating_sub(since.elapsed())),
            _ => None,
        }
    }

    /// Handles a control request. Returns whether the store has ended.
    fn control(&mut self, request: Request) -> bool {
        match request {
            Request::Member(member) => {
                // A change only ends a group by becoming the first member of the next group.
                self.commit_with(member).is_some_and(|next| self.control(next))
            }
            Request::Flush(reply) => {
                let flushed = self.flush();
                self.note_reopenings();
                answer(reply, flushed.and(self.report_loss()).map_err(Into::into));
                false
            }
            Request::Swept(reply) => {
                match self.reread_catalog() {
                    Ok(()) if self.core.options.read_only => answer(reply, self.find_nothing_to_sweep()),
                    Ok(()) => self.sweep.wait(reply),
                    Err(fault) => answer(reply, Err(fault.into())),
                }
                false
            }
            Request::Close(reply) => {
                answer(reply, self.close(false).map_err(Into::into));
                true
            }
            Request::Compact(reply) => {
                answer(reply, self.close(true).map_err(Into::into));
                true
            }
        }
    }

    /// Commits a request together with all pending requests, up to the first control request. Returns that request.
    fn commit_with(&mut self, first: Member) -> Option<Request> {
        let (mut operations, mut bytes) = first.weight();
        let mut members = vec![first];
        let mut after = None;
        while operations < GROUP_OPERATIONS && bytes < GROUP_BYTES {
            match self.requests.try_recv() {
                Ok(Request::Member(member)) => {
                    let (more, size) = member.weight();
                    operations += more;
                    bytes += size;
                    members.push(member);
                }
                Ok(other) => {
                    after = Some(other);
                    break;
                }
                Err(_) => break,
            }
        }
        let results = self.commit(&mut members);
        for (member, result) in members.into_iter().zip(results) {
            member.answer(result);
        }
        after
    }

    /// Commits a group in one transaction. Returns the result of each request.
    fn commit(&mut self, members: &mut [Member]) -> Vec<Result<Vec<Written>>> {
        count(&self.core.counters.requests, members.len());
        count(&self.core.counters.groups, 1);
        let before = self.stamps;
        let span = spans::commit(&self.core, members);
        match span.in_scope(|| self.reread_catalog().and_then(|()| self.run_group(members, &span))) {
            Ok(results) => results,
            Err(fault) => {
                spans::settled(&span, Err(&fault));
                self.stamps.roll_back(before);
                members.iter().map(|_| Err(fault.clone().into())).collect()
            }
        }
    }

    fn run_group(
        &mut self,
        members: &mut [Member],
        span: &Span,
    ) -> Result<Vec<Result<Vec<Written>>>, StorageFault> {
        let persist = self.persist();
        let before = self.stamps;
        let measurement = Measurement::start(&self.core, members);
        let mut group = Group::new(&self.core, &mut self.stamps);
        let ended = group.run(members, persist);
        let Group { results, tables, leftovers, garbage, executed, .. } = group;
        self.note_reopenings();
        let ended = ended?;
        spans::settled(span, Ok(outcome(ended)));
        match ended {
            Verdict::Discard => self.stamps.roll_back(before),
            Verdict::Commit(persist) => {
                if let Some(measurement) = measurement {
                    measurement.end(executed);
                }
                count(&self.core.counters.commits, 1);
                self.relaxed_since = match persist {
                    Persist::Now => None,
                    Persist::Later => self.relaxed_since.or_else(|| Some(Instant::now())),
                };
                for row in tables {
                    self.core.names.publish(&row);
                    self.sweep.take_up(row);
                }
                if let Some(key) = leftovers {
                    self.sweep.take_up_leftovers(&key);
                }
                if let Some(key) = garbage {
                    self.sweep.take_up_garbage(&key);
                }
                self.sweep.resume();
            }
        }
        Ok(results)
    }

    /// Records whether the engine had to reopen the file.
    fn note_reopenings(&mut self) {
        let now = self.core.engine.reopenings();
        if now != self.reopenings {
            self.reopenings = now;
            self.catalog_unsure = true;
            if self.core.engine.loses_unsynced() {
                self.lost |= self.relaxed_since.take().is_some();
            }
        }
    }

    /// Returns an error, once, if writes acknowledged before their sync may be lost.
    fn report_loss(&mut self) -> Result<(), StorageFault> {
        if !std::mem::take(&mut self.lost) {
            return Ok(());
        }
        let what = "the disk failed; writes that were acknowledged since the last flush may be lost";
        Err(StorageFault::Io(Arc::new(io::Error::other(what))))
    }

    /// Reads the catalog again after the file was reopened.
    fn reread_catalog(&mut self) -> Result<(), StorageFault> {
        self.note_reopenings();
        if !self.catalog_unsure {
            return Ok(());
        }
        let known = engine::view(&*self.core.engine, |read| {
            Ok((catalog::all(read)?, leftovers::any(read)? || blobs::leave(read)?))
        });
        let (rows, leftovers) = known.map_err(|error| {
            let bug = || StorageFault::Bug { what: error.to_string() };
            error.fault().cloned().unwrap_or_else(bug)
        })?;
        self.core.names.replace(&rows);
        self.sweep.replace(rows, leftovers);
        self.catalog_unsure = false;
        Ok(())
    }

    /// Returns an error if a store that is only read contains deleted data.
    fn find_nothing_to_sweep(&self) -> Result<()> {
        let deleted = engine::view(&*self.core.engine, |read| {
            let tables = catalog::all(read)?.iter().any(|row| row.state == TableState::Deleted);
            Ok(tables || leftovers::any(read)? || blobs::has_garbage(read)?)
        })?;
        if deleted { Err(StorageFault::ReadOnly.into()) } else { Ok(()) }
    }

    /// Returns the durability of the next commit.
    fn persist(&self) -> Persist {
        match self.core.options.durability {
            Durability::Full => Persist::Now,
            Durability::Relaxed { .. } if self.until_flush() == Some(Duration::ZERO) => Persist::Now,
            Durability::Relaxed { .. } => Persist::Later,
        }
    }

    /// Syncs writes that were acknowledged before their sync.
    fn flush(&mut self) -> Result<(), StorageFault> {
        self.note_reopenings();
        if self.relaxed_since.is_none() {
            return Ok(());
        }
        // Restarts the interval, so that a failing disk is not retried continuously.
        self.relaxed_since = Some(Instant::now());
        engine::commit(&*self.core.engine, |_| Ok(Verdict::Commit(Persist::Now)))?;
        count(&self.core.counters.commits, 1);
        self.note_reopenings();
        self.relaxed_since = None;
        Ok(())
    }

    /// Stores the last timestamp in the file, from which the next opening continues regardless of the clock, and closes
    /// the engine. Compaction happens between both, because a later commit would extend the file again.
    fn close(&mut self, compact: bool) -> Result<(), StorageFault> {
        self.note_reopenings();
        let last = self.stamps.last().max(self.core.now().ticks());
        let committed = if self.core.options.read_only {
            Ok(())
        } else {
            engine::commit(&*self.core.engine, |write| {
                meta::put_clock(write, last)?;
                Ok(Verdict::Commit(Persist::Now))
            })
            .map(drop)
        };
        self.note_reopenings();
        let compacted = if compact { caught(|| self.core.engine.compact()) } else { Ok(()) };
        let closed = caught(|| self.core.engine.close());
        committed.and(compacted).and(closed).and(self.report_loss())
    }
}

/// Returns the outcome of a transaction in a span.
const fn outcome(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Commit(_) => "committed",
        Verdict::Discard => "unchanged",
    }
}

/// Converts a panic of the engine during close to a fault.
fn caught(end: impl FnOnce() -> Result<(), StorageFault>) -> Result<(), StorageFault> {
    catch_unwind(AssertUnwindSafe(end))
        .unwrap_or_else(|panic| Err(StorageFault::Bug { what: engine::panic_text(&*panic) }))
}

/// Sends a result to the caller. Ignores callers that no longer wait, and panics of their wakers.
pub(crate) fn answer<T>(reply: Reply<T>, result: Result<T>) {
    let _ = catch_unwind(AssertUnwindSafe(|| reply.send(result)));
}
