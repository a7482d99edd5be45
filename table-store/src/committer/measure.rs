use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Instant,
};

use crate::{
    GroupCommit, StoreObserver,
    core::Core,
    request::{self, Member},
};

/// The measurement of a group in progress.
pub(super) struct Measurement {
    observer: Arc<dyn StoreObserver>,
    begun: Instant,
    requests: usize,
    operations: usize,
    bytes: usize,
}

impl Measurement {
    /// Starts a measurement, if there is an observer.
    pub(super) fn start(core: &Core, members: &[Member]) -> Option<Self> {
        let observer = Arc::clone(core.options.observer.as_ref()?);
        let (operations, bytes) = request::weight(members);
        Some(Self { observer, begun: Instant::now(), requests: members.len(), operations, bytes })
    }

    /// Reports the commit of the group. A panic of the observer does not end the writer.
    pub(super) fn end(self, executed: Option<Instant>) {
        let executed = executed.unwrap_or(self.begun);
        let commit = GroupCommit {
            requests: self.requests,
            operations: self.operations,
            bytes: self.bytes,
            execute: executed.duration_since(self.begun),
            persist: executed.elapsed(),
        };
        let _ = catch_unwind(AssertUnwindSafe(|| self.observer.committed(&commit)));
    }
}
