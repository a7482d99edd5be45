//! Requests to the writer other than entity writes. They share groups and commits with entity writes.

use std::fmt::Debug;

use futures_channel::oneshot;
use table_model::{Result, StorageFault, Timestamp};

use crate::{
    core::Core,
    engine::Read,
    request::{Member, Reply, Request},
    timestamps::{Stamp, Stamps},
    write_batch::Edits,
};

/// Request of a service to the writer, with its result type.
pub(crate) trait Work: Debug + Send + 'static {
    type Answer: Debug + Send + 'static;

    /// Returns the number of operations and bytes that it adds to a group.
    fn weight(&self) -> (usize, usize);

    /// Decides the request: returns the changes, and the result for the caller after their commit. Called once. `read`
    /// includes the earlier changes of the group. A decision only reads, so a rejected request changes nothing.
    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, Self::Answer)>;
}

/// A [`Work`] without its result type, as stored by the writer.
pub(crate) trait Job: Debug + Send {
    fn weight(&self) -> (usize, usize);

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<Edits>;

    /// Sends the result to the caller: the decided result if the commit succeeded.
    fn answer(self: Box<Self>, ended: Result<()>);
}

/// Context of a job's decision besides the records.
pub(crate) struct Turn<'t> {
    core: &'t Core,
    stamps: Stamps,
    stamp: Option<Stamp>,
}

impl<'t> Turn<'t> {
    pub(crate) fn new(core: &'t Core, stamps: Stamps) -> Self {
        Self { core, stamps, stamp: None }
    }

    pub(crate) fn core(&self) -> &'t Core {
        self.core
    }

    /// Returns the current monotonic time.
    pub(crate) fn now(&self) -> Timestamp {
        self.core.now()
    }

    /// Returns the timestamp used by the job, above all previous timestamps. Repeated calls return the same value. It
    /// is based on the monotonic clock, which continues from it after a restart.
    pub(crate) fn stamp(&mut self) -> Result<Timestamp, StorageFault> {
        let stamp = match self.stamp {
            Some(stamp) => stamp,
            None => self.stamps.next(self.core.now())?,
        };
        self.stamp = Some(stamp);
        Ok(stamp.time)
    }

    /// Returns the used timestamp, if there is one.
    pub(crate) fn used(&self) -> Option<Stamp> {
        self.stamp
    }
}

/// Creates the request for some work, and the receiver of its result.
pub(crate) fn request<W: Work>(work: W) -> (Request, oneshot::Receiver<Result<W::Answer>>) {
    let (reply, answer) = oneshot::channel();
    let task = Task { work, answer: None, reply };
    (Request::Member(Member::Job(Box::new(task))), answer)
}

#[derive(Debug)]
struct Task<W: Work> {
    work: W,
    /// Result for the caller if the commit succeeds.
    answer: Option<W::Answer>,
    reply: Reply<W::Answer>,
}

impl<W: Work> Job for Task<W> {
    fn weight(&self) -> (usize, usize) {
        self.work.weight()
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<Edits> {
        let (edits, answer) = self.work.decide(read, turn)?;
        self.answer = Some(answer);
        Ok(edits)
    }

    fn answer(self: Box<Self>, ended: Result<()>) {
        let missing = || StorageFault::Bug { what: "a job returned no result".to_owned() }.into();
        let Self { answer, reply, .. } = *self;
        crate::committer::answer(reply, ended.and_then(|()| answer.ok_or_else(missing)));
    }
}
