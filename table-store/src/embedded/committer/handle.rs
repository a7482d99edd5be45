use std::{
    io,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
};

use futures_channel::oneshot;

use super::{Sweep, Writer};
use crate::{
    Result, StorageFault, Written,
    embedded::{
        catalog::TableRow,
        core::Core,
        job::{self, Work},
        request::{Change, Member, Reply, Request},
        stamps::Stamps,
    },
};

/// The writer's thread as callers see it. The store is closed when this is dropped.
#[derive(Debug)]
pub(in crate::embedded) struct Committer {
    requests: Sender<Request>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Committer {
    /// Starts the writer. Times go on above `clock`; the deleted ones among `tables` are swept, and
    /// the leftovers if there are any.
    pub(in crate::embedded) fn start(
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
            core,
            requests: received,
            stamps: Stamps::above(clock),
            sweep,
            catalog_unsure: false,
            relaxed_since: None,
            lost: false,
        };
        let thread = thread::Builder::new().name("table-store".to_owned()).spawn(move || writer.run())?;
        Ok(Self { requests, thread: Mutex::new(Some(thread)) })
    }

    /// Makes a change. It is made whole or not at all, also if the future is dropped after its first poll.
    pub(in crate::embedded) async fn change(&self, change: Change) -> Result<Vec<Written>> {
        self.ask(|reply| Request::Member(Member::Change(change, reply))).await
    }

    /// Has some work done. It is done whole or not at all, also if the future is dropped after its first poll.
    pub(in crate::embedded) async fn work<W: Work>(&self, work: W) -> Result<W::Answer> {
        let (request, answer) = job::request(work);
        self.send(request)?;
        answer.await.unwrap_or_else(|_| Err(StorageFault::Closed.into()))
    }

    /// Sends a request and waits for its answer.
    pub(in crate::embedded) async fn ask<T>(&self, request: impl FnOnce(Reply<T>) -> Request) -> Result<T> {
        let (reply, answer) = oneshot::channel();
        self.send(request(reply))?;
        answer.await.unwrap_or_else(|_| Err(StorageFault::Closed.into()))
    }

    fn send(&self, request: Request) -> Result<()> {
        self.requests.send(request).map_err(|_| StorageFault::Closed.into())
    }

    /// Waits for the thread to end, once it was told to.
    pub(in crate::embedded) fn join(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // The last handle may go in a waker that the writer itself calls; it cannot wait for itself.
        if let Some(thread) = thread.filter(|thread| thread.thread().id() != thread::current().id()) {
            // The writer catches panics; one that got through was reported by the panic hook.
            let _ = thread.join();
        }
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        let (reply, _) = oneshot::channel();
        // An error means that the writer has ended already.
        let _ = self.requests.send(Request::Close(reply));
        self.join();
    }
}
