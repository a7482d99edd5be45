use std::{
    future::pending,
    io, panic,
    thread::{Builder, JoinHandle},
};

use futures_util::future::{AbortHandle, abortable};

use super::{WorkReport, Worker};
use crate::Error;

/// A worker running on a dedicated thread. It stops when this handle is dropped. The drop waits until the work in
/// progress is finished.
#[derive(Debug)]
#[must_use = "the worker stops when this handle is dropped"]
pub struct WorkerThread {
    stop: AbortHandle,
    thread: Option<JoinHandle<Result<WorkReport, Error>>>,
}

impl<S: Send + Sync + 'static> Worker<S> {
    /// Runs the worker on a dedicated thread until the handle is dropped.
    ///
    /// # Errors
    /// Fails if the system cannot create a thread.
    pub fn spawn(self) -> io::Result<WorkerThread> {
        // This future never completes. Aborting it is the signal to stop.
        let (stopped, stop) = abortable(pending::<()>());
        let stopped = async move { stopped.await.unwrap_or_default() };
        let work = move || pollster::block_on(self.run_until(stopped));
        let thread = Builder::new().name("table worker".to_owned()).spawn(work)?;
        Ok(WorkerThread { stop, thread: Some(thread) })
    }
}

impl WorkerThread {
    /// Stops the worker and waits for its end. Returns the result of its work.
    ///
    /// # Errors
    /// Returns the error that ended the worker earlier.
    ///
    /// # Panics
    /// Panics if a task panicked.
    pub fn stop(mut self) -> Result<WorkReport, Error> {
        self.stop.abort();
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(WorkReport::default()),
            Some(Ok(worked)) => worked,
            Some(Err(panicked)) => panic::resume_unwind(panicked),
        }
    }

    /// Returns `true` if the worker has ended because of a permanent error, which [`stop`](Self::stop) returns.
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for WorkerThread {
    fn drop(&mut self) {
        self.stop.abort();
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
