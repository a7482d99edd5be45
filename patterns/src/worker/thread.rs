use std::{
    future::pending,
    io, panic,
    thread::{Builder, JoinHandle},
};

use futures_util::future::{AbortHandle, abortable};

use super::{Worked, Worker};
use crate::Error;

/// A worker on a thread of its own. It stops when this is dropped: what it has in hand it ends first, and the drop waits
/// for that.
#[derive(Debug)]
#[must_use = "the worker stops when this is dropped"]
pub struct WorkerThread {
    stop: AbortHandle,
    thread: Option<JoinHandle<Result<Worked, Error>>>,
}

impl Worker {
    /// Works on a thread of its own until the handle is dropped.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn spawn(self) -> io::Result<WorkerThread> {
        // What is to be aborted never ends by itself: it is the sign to stop.
        let (stopped, stop) = abortable(pending::<()>());
        let stopped = async move { stopped.await.unwrap_or_default() };
        let work = move || pollster::block_on(self.run_until(stopped));
        let thread = Builder::new().name("table worker".to_owned()).spawn(work)?;
        Ok(WorkerThread { stop, thread: Some(thread) })
    }
}

impl WorkerThread {
    /// Stops it, and waits for its end: what it came to.
    ///
    /// # Errors
    /// What it ended with before.
    ///
    /// # Panics
    /// If a task did.
    pub fn stop(mut self) -> Result<Worked, Error> {
        self.stop.abort();
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(Worked::default()),
            Some(Ok(worked)) => worked,
            Some(Err(panicked)) => panic::resume_unwind(panicked),
        }
    }

    /// Whether it has ended by itself, by an error that will not pass; [`stop`](Self::stop) says which.
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
