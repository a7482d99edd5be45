//! The thread that writes layers to the file.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, PoisonError, TryLockError},
    time::Duration,
};

use super::{
    Shared, lock,
    sync::{
        Condvar, Mutex, MutexGuard,
        thread::{self, JoinHandle},
    },
};
use crate::engine::Engine;

/// Time without a commit after which the store counts as idle, and time between two attempts.
const IDLE: Duration = Duration::from_secs(1);

/// Work for the thread.
#[derive(Debug, Default)]
pub(super) struct Wake {
    state: Mutex<Tasks>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Tasks {
    /// A layer was frozen.
    frozen: bool,
    /// The active layer contains rows.
    written: bool,
    ended: bool,
}

impl Wake {
    /// Reports that a layer was frozen.
    pub(super) fn frozen(&self) {
        lock(&self.state).frozen = true;
        self.changed.notify_all();
    }

    /// Reports the first frame of a layer.
    pub(super) fn written(&self) {
        lock(&self.state).written = true;
        self.changed.notify_all();
    }

    /// Waits for `time`, or until another task has precedence.
    fn pause<'w>(
        &'w self,
        state: MutexGuard<'w, Tasks>,
        busy: impl Fn(&Tasks) -> bool,
    ) -> MutexGuard<'w, Tasks> {
        let waited = self.changed.wait_timeout_while(state, IDLE, |state| !busy(state));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// Handle of the thread, which is started when it is first needed. Dropping it ends the thread.
#[derive(Debug, Default)]
pub(super) struct Worker(Mutex<Option<(Arc<Shared>, JoinHandle<()>)>>);

impl Worker {
    /// Starts the thread. If this fails, the writer writes layers itself when they are full.
    pub(super) fn start(&self, shared: &Arc<Shared>) {
        let mut running = lock(&self.0);
        if running.is_none() && shared.settings.threaded {
            let work = Arc::clone(shared);
            let thread = thread::Builder::new().name("table-store-log".to_owned()).spawn(move || run(&work));
            *running = thread.ok().map(|thread| (Arc::clone(shared), thread));
        }
    }

    /// Ends the thread after its current commit.
    pub(super) fn end(&self) {
        if let Some((shared, thread)) = lock(&self.0).take() {
            lock(&shared.wake.state).ended = true;
            shared.wake.changed.notify_all();
            // Panics are caught, and the panic hook has reported any other panic.
            let _ = thread.join();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

fn run(shared: &Shared) {
    let wake = &shared.wake;
    let mut last = 0;
    loop {
        let state = lock(&wake.state);
        let waited = wake.changed.wait_while(state, |state| !state.ended && !state.frozen && !state.written);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.ended {
            return;
        }
        if state.frozen {
            state.frozen = false;
            drop(state);
            if !write(shared) {
                let mut state = wake.pause(lock(&wake.state), |state| state.ended);
                state.frozen = true;
            }
            continue;
        }
        let state = wake.pause(state, |state| state.ended || state.frozen);
        if !state.ended && !state.frozen {
            drop(state);
            last = freeze_if_idle(shared, last);
        }
    }
}

/// Freezes the active layer if the last frame is still `last`. Returns the current last frame.
fn freeze_if_idle(shared: &Shared, last: u64) -> u64 {
    let mut writer = match shared.writer.try_lock() {
        Ok(writer) => writer,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return 0,
    };
    if writer.last.sequence == last {
        // Set again by the first frame of the next layer, for which the writer is locked.
        lock(&shared.wake.state).written = false;
        if shared.freeze(&mut writer).is_ok() {
            lock(&shared.wake.state).frozen = true;
        }
    }
    writer.last.sequence
}

/// Writes the frozen layer. Returns whether this succeeded.
fn write(shared: &Shared) -> bool {
    catch_unwind(AssertUnwindSafe(|| shared.write_frozen()))
        .unwrap_or_else(|_| {
            // The state of the engine is undefined after a panic. The next call reports a failure to reopen the file.
            let _ = catch_unwind(AssertUnwindSafe(|| shared.file.recover()));
            Ok(())
        })
        .is_ok()
        && shared.layers().is_ok_and(|layers| layers.frozen.is_none())
}
