//! The resources that the requests to one account share: processing time, memory, and places for requests.

mod aside;
mod memory;
mod queues;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bytes::Bytes;
use table_model::ErrorCode;
use tokio::sync::{Semaphore, SemaphorePermit};

pub(super) use self::{
    memory::{Budget, Memory, Reservation, UNCOUNTED},
    queues::Queues,
};
use super::{Limits, Probe, Refusal, ReplyBody};

/// Work on at most this number of bytes takes less time than moving it to another thread, so it is done immediately.
const SHORT_BYTES: usize = 16 << 10;

/// The share of one account in the resources of a server.
#[derive(Debug)]
pub(crate) struct Share {
    limits: Limits,
    requests: Semaphore,
    budget: Arc<Budget>,
    queues: Arc<Queues>,
    /// The number of the account in `queues`.
    account: usize,
}

impl Share {
    /// Creates the shares of the accounts of a server.
    pub(super) fn of_accounts(limits: &Limits, accounts: usize) -> impl Iterator<Item = Arc<Self>> + use<> {
        let (limits, memory) = (*limits, Memory::new(limits.memory, limits.memory_wait));
        let queues = Arc::new(Queues::new(limits.scans, accounts));
        (0..accounts).map(move |account| Self::new(limits, &memory, Arc::clone(&queues), account))
    }

    fn new(limits: Limits, memory: &Memory, queues: Arc<Queues>, account: usize) -> Arc<Self> {
        Arc::new(Self {
            limits,
            requests: Semaphore::new(limits.requests.clamp(1, Semaphore::MAX_PERMITS)),
            budget: Arc::new(memory.budget(limits.account_bytes)),
            queues,
            account,
        })
    }

    /// Creates the share of the only account of a server, with the default limits.
    pub(super) fn alone() -> Arc<Self> {
        let limits = Limits::default();
        let memory = Memory::new(limits.memory, limits.memory_wait);
        Self::new(limits, &memory, Arc::new(Queues::new(limits.scans, 1)), 0)
    }

    pub(super) const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Takes a place for a request.
    ///
    /// # Errors
    ///
    /// Returns `ServerBusy` if the account has no free place.
    pub(super) fn enter(&self) -> Result<SemaphorePermit<'_>, Refusal> {
        self.requests.try_acquire().map_err(|_| {
            let cause = format!("{} requests to the account are in progress", self.limits.requests);
            Refusal::from(ErrorCode::ServerBusy).because(cause)
        })
    }

    /// Returns the memory budget of the account.
    pub(super) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Creates a reservation of no memory.
    pub(super) fn nothing(&self) -> Reservation {
        Reservation::new(Arc::clone(&self.budget))
    }

    /// Reserves memory; see [`Reservation::grow_to`].
    ///
    /// # Errors
    ///
    /// Returns `ServerBusy` if the memory does not become free in time.
    pub(super) async fn reserve(&self, bytes: usize) -> Result<Reservation, Refusal> {
        let mut reservation = self.nothing();
        reservation.grow_to(bytes).await?;
        Ok(reservation)
    }

    /// Executes work on `bytes` bytes: immediately if they are few, otherwise [`aside`](Self::aside).
    /// Its wait for a turn is measured.
    pub(super) async fn weigh<F: Future>(&self, probe: &Probe, bytes: usize, work: F) -> F::Output {
        if bytes <= SHORT_BYTES { work.await } else { self.aside(probe.queued(work)).await }
    }

    /// Counts the body of a response until it is sent, in addition to `held`. The result is `None` if the memory is
    /// exhausted.
    pub(super) fn carry(&self, held: Option<Reservation>, body: Bytes) -> Option<Bytes> {
        if body.len() <= UNCOUNTED {
            return Some(body);
        }
        let mut held = held.unwrap_or_else(|| self.nothing());
        held.try_grow_to(body.len()).then(|| held.carry(body))
    }

    /// Returns a smaller number of results for a listing whose response is too large, or `None` if it is not.
    pub(super) fn fewer(&self, body: &Bytes, results: usize) -> Option<u32> {
        let page = self.limits.page_bytes;
        if body.len() <= page || results <= 1 {
            return None;
        }
        let fewer = (page / body.len().div_ceil(results)).clamp(1, results - 1);
        Some(u32::try_from(fewer).unwrap_or(u32::MAX))
    }
}

/// Counts the body of a reply until it is sent. A response to a write is sent also if the memory is exhausted, because
/// the write has taken effect.
pub(super) fn count_reply(share: &Share, reply: &mut super::Reply, is_read: bool) -> Result<(), Refusal> {
    let held = reply.held.take();
    let ReplyBody::Whole(body) = &mut reply.body else { return Ok(()) };
    match share.carry(held, body.clone()) {
        Some(counted) => *body = counted,
        None if is_read => return Err(memory::exhausted()),
        None => {}
    }
    Ok(())
}
