//! The one writer: a thread that takes all requests that wait, commits them in one transaction, syncs once, and then
//! answers them all.

mod group;
mod handle;
mod sweep;

pub(super) use handle::Committer;

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, TryRecvError},
    },
    time::{Duration, Instant},
};

use self::{group::Group, sweep::Sweep};
use super::{
    Durability, blobs, catalog,
    core::{Core, count},
    engine::{self, Persist, Verdict},
    leftovers, meta,
    request::{Member, Reply, Request},
    stamps::Stamps,
};
use crate::{Result, StorageFault, Written};

/// Most operations and bytes of a group: enough to share a sync widely, few enough to bound the wait for it.
const GROUP_OPERATIONS: usize = 10_000;
const GROUP_BYTES: usize = 4 << 20;

/// The writer's own state.
struct Writer {
    core: Arc<Core>,
    requests: Receiver<Request>,
    stamps: Stamps,
    sweep: Sweep,
    /// How often the engine had opened the file again when that was last looked at.
    reopenings: u64,
    /// The file was opened again: a commit that seemed to fail may hold, and one that was acknowledged early may not.
    catalog_unsure: bool,
    /// Since when something is acknowledged that is not on stable storage.
    relaxed_since: Option<Instant>,
    /// Something that was acknowledged early may be lost, and nobody was told yet.
    lost: bool,
}

/// What the writer does next.
enum Next {
    Serve(Request),
    /// Nobody asks for anything: time for a sweep or a sync.
    Idle,
    End,
}

impl Writer {
    /// Works until the store is closed, or nobody can ask any more.
    fn run(mut self) {
        loop {
            match self.next() {
                Next::Serve(Request::Member(member)) => {
                    let after = self.commit_with(member);
                    // A small step of a sweep after each group: it comes to an end under load too.
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
                // A failure shows in the next request; this one is tried again after the same time.
                Next::Idle => drop(self.flush()),
                Next::End => {
                    drop(self.close(false));
                    break;
                }
            }
        }
    }

    /// Waits for the next request, or for the time of a chore.
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

    /// How long what is acknowledged may still stay in memory; none if nothing does.
    fn until_flush(&self) -> Option<Duration> {
        match (self.relaxed_since, self.core.options.durability) {
            (Some(since), Durability::Relaxed { at_most }) => Some(at_most.saturating_sub(since.elapsed())),
            _ => None,
        }
    }

    /// Does what is no change. Says whether the store has ended.
    fn control(&mut self, request: Request) -> bool {
        match request {
            Request::Member(member) => {
                // Changes end a group only by being the first of the next one.
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

    /// Commits a member of a group together with all that wait behind it, up to the first request that is none: that
    /// one is returned.
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

    /// Commits a group in one transaction, and says what to answer to each.
    fn commit(&mut self, members: &mut [Member]) -> Vec<Result<Vec<Written>>> {
        count(&self.core.counters.requests, members.len());
        count(&self.core.counters.groups, 1);
        let before = self.stamps;
        match self.reread_catalog().and_then(|()| self.run_group(members)) {
            Ok(results) => results,
            Err(fault) => {
                self.stamps.roll_back(before);
                members.iter().map(|_| Err(fault.clone().into())).collect()
            }
        }
    }

    fn run_group(&mut self, members: &mut [Member]) -> Result<Vec<Result<Vec<Written>>>, StorageFault> {
        let persist = self.persist();
        let before = self.stamps;
        let mut group = Group::new(&self.core, &mut self.stamps);
        let ended = group.run(members, persist);
        let Group { results, tables, leaves, .. } = group;
        self.note_reopenings();
        match ended? {
            Verdict::Discard => self.stamps.roll_back(before),
            Verdict::Commit(persist) => {
                count(&self.core.counters.commits, 1);
                self.relaxed_since = match persist {
                    Persist::Now => None,
                    Persist::Later => self.relaxed_since.or_else(|| Some(Instant::now())),
                };
                for row in tables {
                    self.core.names.publish(&row);
                    self.sweep.take_up(row);
                }
                if leaves {
                    self.sweep.take_up_leftovers();
                }
                self.sweep.resume();
            }
        }
        Ok(results)
    }

    /// Looks whether the engine had to open the file again.
    fn note_reopenings(&mut self) {
        let now = self.core.engine.reopenings();
        if now != self.reopenings {
            self.reopenings = now;
            self.catalog_unsure = true;
            self.lost |= self.relaxed_since.take().is_some();
        }
    }

    /// An error, once, if something that was acknowledged early may be lost.
    fn report_loss(&mut self) -> Result<(), StorageFault> {
        if !std::mem::take(&mut self.lost) {
            return Ok(());
        }
        let what = "the disk failed; what was acknowledged since the last flush may be lost";
        Err(StorageFault::Io(Arc::new(io::Error::other(what))))
    }

    /// Makes sure, after the file was opened again, which tables there are.
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

    /// How the next group is committed.
    fn persist(&self) -> Persist {
        match self.core.options.durability {
            Durability::Full => Persist::Now,
            Durability::Relaxed { .. } if self.until_flush() == Some(Duration::ZERO) => Persist::Now,
            Durability::Relaxed { .. } => Persist::Later,
        }
    }

    /// Brings what was acknowledged early to stable storage.
    fn flush(&mut self) -> Result<(), StorageFault> {
        self.note_reopenings();
        if self.relaxed_since.is_none() {
            return Ok(());
        }
        // From now on counted anew, so that a disk that fails is not asked all the time.
        self.relaxed_since = Some(Instant::now());
        engine::commit(&*self.core.engine, |_| Ok(Verdict::Commit(Persist::Now)))?;
        count(&self.core.counters.commits, 1);
        self.note_reopenings();
        self.relaxed_since = None;
        Ok(())
    }

    /// Leaves the time in the file, at which it goes on wherever the clock is then, and ends the engine. Compacted is between
    /// the two: a commit after it would make the file longer again.
    fn close(&mut self, compact: bool) -> Result<(), StorageFault> {
        self.note_reopenings();
        let last = self.stamps.last().max(self.core.now().ticks());
        let committed = engine::commit(&*self.core.engine, |write| {
            meta::put_clock(write, last)?;
            Ok(Verdict::Commit(Persist::Now))
        });
        self.note_reopenings();
        let compacted = if compact { caught(|| self.core.engine.compact()) } else { Ok(()) };
        let closed = caught(|| self.core.engine.close());
        committed.and(compacted).and(closed).and(self.report_loss())
    }
}

/// A panic of the engine on its way out is a fault like others.
fn caught(end: impl FnOnce() -> Result<(), StorageFault>) -> Result<(), StorageFault> {
    catch_unwind(AssertUnwindSafe(end))
        .unwrap_or_else(|panic| Err(StorageFault::Bug { what: engine::panic_text(&*panic) }))
}

/// Answers a caller. One that has gone away does not matter, nor does one whose waking panics.
pub(super) fn answer<T>(reply: Reply<T>, result: Result<T>) {
    let _ = catch_unwind(AssertUnwindSafe(|| reply.send(result)));
}
