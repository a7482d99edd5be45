use crate::Pass;

/// What a worker came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Worked {
    /// Tasks that are done.
    pub done: u64,
    /// Tasks that are to be run again: they asked for it, or the service was busy.
    pub put_off: u64,
    /// Runs that failed, of tasks that will be tried again; those of a type that the worker does not know among them.
    pub failed: u64,
    /// Messages that were given up: see [`Tables::poisoned`](crate::Tables::poisoned).
    pub poisoned: u64,
    /// What following commits came to, in all passes. Of those that are left the number and the reasons are of the last pass.
    pub commits: Pass,
}

/// What became of one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    PutOff,
    Failed,
    Poisoned,
}

impl Worked {
    pub(super) const fn count(&mut self, end: End) {
        match end {
            End::Done => self.done += 1,
            End::PutOff => self.put_off += 1,
            End::Failed => self.failed += 1,
            End::Poisoned => self.poisoned += 1,
        }
    }

    pub(super) fn add(&mut self, pass: Pass) {
        self.commits.followed += pass.followed;
        self.commits.parked += pass.parked;
        // Those that are left are there at the next pass, too.
        self.commits.left = pass.left;
        self.commits.reasons = pass.reasons;
    }

    /// How much was brought to an end: it grows with everything that is.
    pub(super) const fn moves(&self) -> (u64, usize) {
        (self.done + self.put_off + self.failed + self.poisoned, self.commits.followed + self.commits.parked)
    }
}
