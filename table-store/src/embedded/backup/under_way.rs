use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// How many copies of a store are being made.
#[derive(Debug, Default)]
pub(in crate::embedded) struct UnderWay {
    count: Mutex<usize>,
    ended: Condvar,
}

/// A copy that is being made, until this is dropped.
#[derive(Debug)]
pub(super) struct Making(Arc<UnderWay>);

impl UnderWay {
    pub(super) fn begin(self: &Arc<Self>) -> Making {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        Making(Arc::clone(self))
    }

    /// Returns when none is being made.
    pub(in crate::embedded) fn wait(&self) {
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
