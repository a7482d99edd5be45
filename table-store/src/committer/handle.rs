use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
};

use futures_channel::oneshot;
use table_model::{Result, StorageFault, Written};

use super::{Sweep, Writer};
use crate::{
    catalog::TableRow,
    core::{Core, count},
    job::{self, Work},
    request::{Change, Member, Reply, Request},
    timestamps::Stamps,
};

/// Handle of the writer thread. Dropping it closes the store.
#[derive(Debug)]
pub(crate) struct Committer {
    core: Arc<Core>,
    requests: Sender<Request>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Committer {
    /// Starts the writer. Timestamps continue above `clock`. Deleted tables in `tables` are swept, and other deleted
    /// data if `leftovers` is true.
    pub(crate) fn start(
        core: Arc<Core>,
        clock: i64,
        tables: Vec<TableRow>,
        leftovers: bool,
    ) -> io::Result<Self> {
        let (requests, received) = mpsc::channel();
        let mut sweep = Sweep::new(&core);
        sweep.replace(tables, leftovers);
        let writer = Writer {
            reopenings: core.engine.reopenings(),
            core: Arc::clone(&core),
            requests: received,
            stamps: Stamps::above(clock),
            sweep,
            catalog_unsure: false,
            relaxed_since: None,
            lost: false,
        };
        let thread = thread::Builder::new().name("table-store".to_owned()).spawn(move || writer.run())?;
        Ok(Self { core, requests, thread: Mutex::new(Some(thread)) })
    }

    /// Executes a change. The change is atomic, even if the future is dropped after its first poll.
    pub(crate) async fn change(&self, change: Change) -> Result<Vec<Written>> {
        self.ask(|reply| Request::Member(Member::Change(change, reply))).await
    }

    /// Executes a request of another service. It is atomic, even if the future is dropped after its first poll.
    pub(crate) async fn work<W: Work>(&self, work: W) -> Result<W::Answer> {
        let (request, answer) = job::request(work);
        self.send(request)?;
        answer.await.unwrap_or_else(|_| Err(StorageFault::Closed.into()))
    }

    /// Sends a request and waits for the result.
    pub(crate) async fn ask<T>(&self, request: impl FnOnce(Reply<T>) -> Request) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        self.send(request(reply))?;
        answer.await.unwrap_or_else(|_| Err(StorageFault::Closed.into()))
    }

    fn send(&self, request: Request) -> Result<()> {
        if matches!(request, Request::Member(_)) {
            count(&self.core.counters.sent, 1);
        }
        self.requests.send(request).map_err(|_| StorageFault::Closed.into())
    }

    /// Waits for the end of the thread after it was requested to end.
    pub(crate) fn join(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // The last handle may be dropped in a waker that the writer thread calls. The thread cannot join itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != thread::current().id()) {
            // The writer catches panics. The panic hook has reported any other panic.
            let _ = thread.join();
        }
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        let (reply, _) = oneshot::channel();
        // An error means that the writer has already ended.
        let _ = self.requests.send(Request::Close(reply));
        self.join();
    }
}
