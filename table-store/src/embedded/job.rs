//! Work for the one writer that is no write of entities. It takes part in the same groups and commits.

use std::fmt::Debug;

use futures_channel::oneshot;

use super::{
    core::Core,
    edits::Edits,
    engine::Read,
    request::{Member, Reply, Request},
    stamps::{Stamp, Stamps},
};
use crate::{Result, StorageFault, Timestamp};

/// What a service has the writer do, with an answer of its own type.
pub(super) trait Work: Debug + Send + 'static {
    type Answer: Debug + Send + 'static;

    /// Operations and bytes that it adds to a group.
    fn weight(&self) -> (usize, usize);

    /// Decides on it: what is to be changed, and what its caller is told once that holds. Called once, at its turn:
    /// `read` sees the earlier work of the group. As it only reads, a refusal leaves no trace.
    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, Self::Answer)>;
}

/// A [`Work`] as the writer sees it.
pub(super) trait Job: Debug + Send {
    fn weight(&self) -> (usize, usize);

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<Edits>;

    /// Tells the caller how it ended: what was decided, if that holds.
    fn answer(self: Box<Self>, ended: Result<()>);
}

/// What a job has at its turn besides the records.
pub(super) struct Turn<'t> {
    core: &'t Core,
    stamps: Stamps,
    stamp: Option<Stamp>,
}

impl<'t> Turn<'t> {
    pub(super) fn new(core: &'t Core, stamps: Stamps) -> Self {
        Self { core, stamps, stamp: None }
    }

    pub(super) fn core(&self) -> &'t Core {
        self.core
    }

    /// The time now, which never steps back.
    pub(super) fn now(&self) -> Timestamp {
        self.core.now()
    }

    /// The time that the job uses up, above all that were given out before it: the same at each call. It is of the clock
    /// that never steps back, so that one goes on from there after a restart.
    pub(super) fn stamp(&mut self) -> Result<Timestamp, StorageFault> {
        let stamp = match self.stamp {
            Some(stamp) => stamp,
            None => self.stamps.next(self.core.now())?,
        };
        self.stamp = Some(stamp);
        Ok(stamp.time)
    }

    /// The time that was used up, if one was.
    pub(super) fn used(&self) -> Option<Stamp> {
        self.stamp
    }
}

/// A request that brings some work, and where its answer goes.
pub(super) fn request<W: Work>(work: W) -> (Request, oneshot::Receiver<Result<W::Answer>>) {
    let (reply, answer) = oneshot::channel();
    let task = Task { work, answer: None, reply };
    (Request::Member(Member::Job(Box::new(task))), answer)
}

#[derive(Debug)]
struct Task<W: Work> {
    work: W,
    /// What the caller is told if the commit goes well.
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
        let missing = || StorageFault::Bug { what: "a job had no answer".to_owned() }.into();
        let Self { answer, reply, .. } = *self;
        super::committer::answer(reply, ended.and_then(|()| answer.ok_or_else(missing)));
    }
}
