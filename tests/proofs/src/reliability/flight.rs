//! Requests in flight, and the exact disk step of each response.

use std::{
    sync::{Arc, OnceLock},
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use table_store::{Result, Store, Written};

use crate::reliability::{Request, SimDisk, request::Underway};

/// A waker that the store's writer calls on its thread when it responds.
#[derive(Debug)]
struct Answered {
    disk: SimDisk,
    at: OnceLock<usize>,
    waiting: Thread,
}

impl Wake for Answered {
    fn wake(self: Arc<Self>) {
        self.at.get_or_init(|| self.disk.steps_done());
        self.waiting.unpark();
    }
}

/// A response and its time.
#[derive(Debug)]
pub struct Landed {
    /// The response.
    pub answer: Result<Vec<Written>>,
    /// Number of disk steps before it.
    pub at: usize,
}

/// A sent request.
struct Flight {
    underway: Underway,
    answered: Arc<Answered>,
    early: Option<Result<Vec<Written>>>,
}

impl Flight {
    /// Sends a request.
    fn depart(store: &Store, disk: &SimDisk, request: &Request) -> Self {
        let answered = Answered { disk: disk.clone(), at: OnceLock::new(), waiting: thread::current() };
        let answered = Arc::new(answered);
        let mut flight = Self { underway: request.begin(store), answered, early: None };
        if let Poll::Ready(answer) = flight.poll() {
            flight.answered.at.get_or_init(|| disk.steps_done());
            flight.early = Some(answer);
        }
        flight
    }

    fn poll(&mut self) -> Poll<Result<Vec<Written>>> {
        let waker = Waker::from(Arc::clone(&self.answered));
        self.underway.as_mut().poll(&mut Context::from_waker(&waker))
    }

    /// Waits for the response.
    fn land(mut self) -> Landed {
        let answer = loop {
            if let Some(answer) = self.early.take() {
                break answer;
            }
            if self.answered.at.get().is_none() {
                thread::park();
                continue;
            }
            match self.poll() {
                Poll::Ready(answer) => break answer,
                Poll::Pending => thread::park(),
            }
        };
        let at = *self.answered.at.get_or_init(|| self.answered.disk.steps_done());
        Landed { answer, at }
    }
}

/// Sends requests and waits for all responses. While the disk is blocked, only the queue changes, so that runs are
/// reproducible: the first request is blocked at the disk, and the following requests share the next group. Of several
/// requests, the first must change the disk.
#[must_use]
pub fn fly(store: &Store, disk: &SimDisk, requests: &[Request]) -> Vec<Landed> {
    disk.hold();
    let mut flights = Vec::with_capacity(requests.len());
    for (index, request) in requests.iter().enumerate() {
        flights.push(Flight::depart(store, disk, request));
        if index == 0 && requests.len() > 1 {
            disk.wait_until_held();
        }
    }
    disk.release();
    flights.into_iter().map(Flight::land).collect()
}
