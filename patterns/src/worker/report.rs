use crate::CatchUpReport;

/// Result of the work of a worker.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkReport {
    /// Number of tasks completed.
    pub done: u64,
    /// Number of tasks postponed, because they requested it or because the service was busy.
    pub put_off: u64,
    /// Number of failed runs of tasks that will be retried, including tasks of unregistered types.
    pub failed: u64,
    /// Number of messages that were dead-lettered: see [`Tables::poisoned`](crate::Tables::poisoned).
    pub poisoned: u64,
    /// Results of applying commits in all passes. The number of remaining commits and the reasons are those of the last
    /// pass.
    pub commits: CatchUpReport,
}

/// Outcome of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Done,
    PutOff,
    Failed,
    Poisoned,
}

impl WorkReport {
    pub(super) const fn count(&mut self, end: End) {
        match end {
            End::Done => self.done += 1,
            End::PutOff => self.put_off += 1,
            End::Failed => self.failed += 1,
            End::Poisoned => self.poisoned += 1,
        }
    }

    pub(super) fn add(&mut self, pass: CatchUpReport) {
        self.commits.followed += pass.followed;
        self.commits.dead_lettered += pass.dead_lettered;
        // Remaining commits appear again in the next pass.
        self.commits.left = pass.left;
        self.commits.reasons = pass.reasons;
    }

    /// Returns the amount of finished work, which increases with each finished item.
    pub(super) const fn moves(&self) -> (u64, usize) {
        (
            self.done + self.put_off + self.failed + self.poisoned,
            self.commits.followed + self.commits.dead_lettered,
        )
    }
}
