//! Memory of bodies and responses: a budget of the server, and one for each account.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use table_model::ErrorCode;
use tokio::{
    runtime::Handle,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use crate::server::Refusal;

/// Unit of a reservation. A semaphore takes a number of 32 bits at a time.
const UNIT: usize = 1 << 10;

/// Size up to which a body or a response is not counted: 64 KiB. Counting costs an allocation, and the connections limit
/// their number.
pub(in crate::server) const UNCOUNTED: usize = 64 << 10;

/// The memory of a server for bodies and responses.
#[derive(Clone, Debug)]
pub(in crate::server) struct Memory {
    free: Arc<Semaphore>,
    units: u32,
    wait: Duration,
}

/// The part of the memory that one account may use.
#[derive(Debug)]
pub(in crate::server) struct Budget {
    account: Arc<Semaphore>,
    server: Arc<Semaphore>,
    /// The largest possible reservation.
    most: u32,
    wait: Duration,
}

/// Reserved memory. It is released on drop.
#[derive(Debug)]
pub(in crate::server) struct Reservation {
    budget: Arc<Budget>,
    permits: Option<[OwnedSemaphorePermit; 2]>,
}

impl Memory {
    pub(in crate::server) fn new(bytes: usize, wait: Duration) -> Self {
        let units = units(bytes).max(1);
        Self { free: Arc::new(Semaphore::new(units as usize)), units, wait }
    }

    /// Creates the budget of an account.
    pub(in crate::server) fn budget(&self, bytes: usize) -> Budget {
        let most = units(bytes).clamp(1, self.units);
        let account = Arc::new(Semaphore::new(most as usize));
        Budget { account, server: Arc::clone(&self.free), most, wait: self.wait }
    }
}

impl Budget {
    /// Returns the number of free bytes of the account.
    #[cfg(test)]
    pub(in crate::server) fn free(&self) -> usize {
        self.account.available_permits() * UNIT
    }
}

impl Reservation {
    pub(in crate::server) fn new(budget: Arc<Budget>) -> Self {
        Self { budget, permits: None }
    }

    /// Returns the number of units that are missing for `bytes`. More than the whole budget is never required: a single
    /// request can always be served.
    fn missing(&self, bytes: usize) -> u32 {
        units(bytes).min(self.budget.most).saturating_sub(self.units())
    }

    fn units(&self) -> u32 {
        let held = self.permits.as_ref().map_or(0, |[account, _]| account.num_permits());
        u32::try_from(held).unwrap_or(u32::MAX)
    }

    /// Reserves `bytes` in total, if they are free.
    pub(in crate::server) fn try_grow_to(&mut self, bytes: usize) -> bool {
        let missing = self.missing(bytes);
        if missing == 0 {
            return true;
        }
        let of = |semaphore: &Arc<Semaphore>| Arc::clone(semaphore).try_acquire_many_owned(missing).ok();
        let Some(account) = of(&self.budget.account) else { return false };
        let Some(server) = of(&self.budget.server) else { return false };
        self.add([account, server]);
        true
    }

    /// Reserves `bytes` in total, and waits a moment until they are free.
    ///
    /// # Errors
    ///
    /// Returns `ServerBusy` if they do not become free in time.
    pub(in crate::server) async fn grow_to(&mut self, bytes: usize) -> Result<(), Refusal> {
        if self.try_grow_to(bytes) {
            return Ok(());
        }
        // Waiting requires the timer of a runtime.
        if Handle::try_current().is_err() {
            return Err(exhausted());
        }
        let missing = self.missing(bytes);
        let (account, server) = (Arc::clone(&self.budget.account), Arc::clone(&self.budget.server));
        let both = async {
            let account = account.acquire_many_owned(missing).await.ok()?;
            Some([account, server.acquire_many_owned(missing).await.ok()?])
        };
        let permits = timeout(self.budget.wait, both).await.ok().flatten();
        self.add(permits.ok_or_else(exhausted)?);
        Ok(())
    }

    /// Releases all but `bytes`.
    pub(in crate::server) fn shrink_to(&mut self, bytes: usize) {
        let kept = units(bytes) as usize;
        for permit in self.permits.iter_mut().flatten() {
            drop(permit.split(permit.num_permits().saturating_sub(kept)));
        }
    }

    fn add(&mut self, more: [OwnedSemaphorePermit; 2]) {
        match &mut self.permits {
            None => self.permits = Some(more),
            Some(held) => {
                for (held, more) in held.iter_mut().zip(more) {
                    held.merge(more);
                }
            }
        }
    }

    /// Returns the content, which holds the reservation until its last copy is dropped. Short content is not counted.
    pub(in crate::server) fn carry(mut self, content: Bytes) -> Bytes {
        if content.len() <= UNCOUNTED {
            return content;
        }
        self.shrink_to(content.len());
        Bytes::from_owner(Counted { content, _reservation: self })
    }
}

struct Counted {
    content: Bytes,
    _reservation: Reservation,
}

impl AsRef<[u8]> for Counted {
    fn as_ref(&self) -> &[u8] {
        &self.content
    }
}

fn units(bytes: usize) -> u32 {
    // A semaphore has at least 2^61 permits on 64 bits, and 2^29 on 32 bits.
    u32::try_from(bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(1 << 28)
}

/// Returns the error for a request that requires more memory than is free.
pub(in crate::server) fn exhausted() -> Refusal {
    Refusal::from(ErrorCode::ServerBusy).because("the memory for bodies and responses is in use")
}
