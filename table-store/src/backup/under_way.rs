use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Number of backups in progress.
#[derive(Debug, Default)]
pub(crate) struct UnderWay {
    count: Mutex<usize>,
    ended: Condvar,
}

/// Guard of a backup in progress, until it is dropped.
#[derive(Debug)]
pub(super) struct Making(Arc<UnderWay>);

impl UnderWay {
    pub(super) fn begin(self: &Arc<Self>) -> Making {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Making(Arc::clone(self))
    }

    /// Waits until no backup is in progress.
    pub(crate) fn wait(&self) {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.ended.wait_while(count, |count| *count > 0).unwrap_or_else(PoisonError::into_inner));
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        *self.0.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.ended.notify_all();
    }
}
