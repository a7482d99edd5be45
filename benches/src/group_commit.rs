//! Group commit for engines without it: one thread collects all waiting work, commits it in one transaction, and
//! notifies the waiting clients. The limits equal those of the store.

use std::{
    sync::mpsc::{Receiver, Sender, channel},
    thread::JoinHandle,
};

use crate::contender::Outcome;

const OPERATIONS: usize = 10_000;
const BYTES: usize = 4 << 20;

type Answer = Result<(), String>;

struct Request<W> {
    work: W,
    operations: usize,
    bytes: usize,
    done: Sender<Answer>,
}

/// The committing thread. It ends when this handle and all clients are dropped.
pub struct GroupCommit<W> {
    requests: Option<Sender<Request<W>>>,
    thread: Option<JoinHandle<()>>,
}

impl<W: Send + 'static> GroupCommit<W> {
    /// Starts a thread in which `commit` makes groups durable.
    pub fn start(commit: impl FnMut(Vec<W>) -> Outcome + Send + 'static) -> Self {
        let (requests, received) = channel();
        Self { requests: Some(requests), thread: Some(std::thread::spawn(move || run(&received, commit))) }
    }

    pub fn client(&self) -> Outcome<Client<W>> {
        let (done, answers) = channel();
        let requests = self.requests.clone().ok_or("the writer has ended")?;
        Ok(Client { requests, done, answers })
    }
}

impl<W> Drop for GroupCommit<W> {
    fn drop(&mut self) {
        drop(self.requests.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn run<W>(requests: &Receiver<Request<W>>, mut commit: impl FnMut(Vec<W>) -> Outcome) {
    while let Ok(first) = requests.recv() {
        let (mut operations, mut bytes) = (first.operations, first.bytes);
        let (mut works, mut waiting) = (vec![first.work], vec![first.done]);
        while operations < OPERATIONS && bytes < BYTES {
            let Ok(request) = requests.try_recv() else { break };
            operations += request.operations;
            bytes += request.bytes;
            works.push(request.work);
            waiting.push(request.done);
        }
        let answer = commit(works).map_err(|error| error.to_string());
        for done in waiting {
            // A closed client is not an error.
            let _ = done.send(answer.clone());
        }
    }
}

/// A client of one thread that submits writes.
pub struct Client<W> {
    requests: Sender<Request<W>>,
    done: Sender<Answer>,
    answers: Receiver<Answer>,
}

impl<W> Client<W> {
    /// Sends work and waits until it is durable.
    pub fn send(&self, work: W, operations: usize, bytes: usize) -> Outcome {
        self.begin(work, operations, bytes)?;
        self.finish()
    }

    /// Sends work. Each call requires one [`finish`](Self::finish).
    pub fn begin(&self, work: W, operations: usize, bytes: usize) -> Outcome {
        let request = Request { work, operations, bytes, done: self.done.clone() };
        self.requests.send(request).map_err(|_| "the writer has ended".into())
    }

    /// Waits for the next result.
    pub fn finish(&self) -> Outcome {
        Ok(self.answers.recv()??)
    }
}
