//! The ownership of partitions: leases of blobs, renewed long before they end, and released to balance the workers.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use pollster::block_on;
use table_store::{
    Bytes, ErrorCode, TableError, Uuid,
    blob::{BlobConditions, LeaseAction, LeaseDuration, PutBlob},
};

use crate::durable::{
    hub::PARTITIONS,
    journal::Ownership,
    worker::{Halt, Worker, insist},
};

/// Duration of a lease: the shortest that the service offers.
const LEASE: Duration = Duration::from_secs(15);

/// A lease of this worker.
#[derive(Clone, Copy, Debug)]
struct Owned {
    id: Uuid,
    /// Its number in the journal.
    number: usize,
    renewed: Instant,
    until: Instant,
    /// Whether a copy of the request can still arrive, and acquire it again.
    may_return: bool,
}

/// The leases of a worker, by partition.
#[derive(Debug, Default)]
pub struct Leases(BTreeMap<usize, Owned>);

impl Leases {
    /// Returns the owned partitions.
    pub(crate) fn partitions(&self) -> Vec<usize> {
        self.0.keys().copied().collect()
    }

    /// Returns whether a partition is still owned for certain.
    pub(crate) fn is_owned(&self, partition: usize) -> bool {
        self.0.get(&partition).is_some_and(|owned| Instant::now() < owned.until)
    }
}

impl Worker {
    /// Renews leases, acquires one, or releases one.
    pub(crate) fn balance(&mut self) -> Result<(), Halt> {
        for partition in self.leases.partitions() {
            let Some(owned) = self.leases.0.get(&partition).copied() else { continue };
            if Instant::now() >= owned.until {
                self.leases.0.remove(&partition);
                self.shared.journal.count("leases that ended before they were renewed");
            } else if owned.renewed.elapsed() > LEASE / 3 || self.seed.chance(1, 50) {
                self.renew(partition, owned)?;
            }
        }
        let owned = self.leases.partitions();
        let drawn = self.seed.below(PARTITIONS);
        if owned.contains(&drawn) {
            // Now and then a worker gives a partition away, as when another worker has started.
            if !self.shared.two_owners && self.seed.chance(1, 20) {
                self.release(drawn)?;
            }
        } else if owned.len() < 2 {
            self.acquire(drawn)?;
        }
        Ok(())
    }

    fn acquire(&mut self, partition: usize) -> Result<(), Halt> {
        let Some(blob) = self.hub.partitions.get(partition).cloned() else { return Ok(()) };
        self.point()?;
        let id = Uuid::from_u64_pair(self.seed.draw(), self.seed.draw());
        let asked = Instant::now();
        let action = LeaseAction::Acquire { id, duration: LeaseDuration::Seconds(LEASE.as_secs() as u8) };
        let blobs = &self.hub.services.blobs;
        let mut tries = 0;
        let acquired = insist(&self.shared, || {
            tries += 1;
            block_on(blobs.lease_blob(&blob, &action, &BlobConditions::none()))
        });
        match acquired {
            Ok(_) => self.shared.journal.count("leases acquired"),
            Err(error) if is_leased(&error) && self.shared.two_owners => {}
            Err(error) if is_leased(&error) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        let (from, until) = (Instant::now(), asked + LEASE);
        let ownership = Ownership { partition, worker: self.number, from, until };
        let number = self.shared.journal.acquired(ownership);
        self.leases.0.insert(partition, Owned { id, number, renewed: asked, until, may_return: tries > 1 });
        self.point()
    }

    /// Renews a lease, and writes the blob under it.
    fn renew(&mut self, partition: usize, owned: Owned) -> Result<(), Halt> {
        let Some(blob) = self.hub.partitions.get(partition).cloned() else { return Ok(()) };
        self.point()?;
        let asked = Instant::now();
        let blobs = Arc::clone(&self.hub.services.blobs);
        let action = LeaseAction::Renew { id: owned.id };
        let renewed =
            insist(&self.shared, || block_on(blobs.lease_blob(&blob, &action, &BlobConditions::none())));
        if let Err(error) = renewed {
            return self.refused(partition, owned, "renewal", error);
        }
        self.shared.journal.count("leases renewed");
        let owned = Owned { renewed: asked, until: asked + LEASE, ..owned };
        self.shared.journal.owned_until(owned.number, owned.until);
        self.leases.0.insert(partition, owned);
        self.point()?;
        let put = PutBlob::new().conditions(BlobConditions::none().lease(owned.id));
        let content = Bytes::from(format!("worker {}", self.number));
        let written = insist(&self.shared, || block_on(blobs.put_blob(&blob, content.clone(), put.clone())));
        match written {
            Ok(_) => self.shared.journal.count("writes under a lease"),
            Err(error) => return self.refused(partition, owned, "write", error),
        }
        Ok(())
    }

    /// Ends an ownership after a refused request. A refusal before the end of the lease is a violation.
    fn refused(&mut self, partition: usize, owned: Owned, what: &str, error: TableError) -> Result<(), Halt> {
        if is_of_lease(&error) {
            if Instant::now() < owned.until && !self.shared.two_owners {
                let what = format!("partition {partition}: {what} refused during its lease: {error}");
                self.shared.journal.entries().violations.push(what);
            }
            self.leases.0.remove(&partition);
            return Ok(());
        }
        Err(error.into())
    }

    /// Releases a lease, and verifies that its id is worth nothing afterwards.
    fn release(&mut self, partition: usize) -> Result<(), Halt> {
        let Some(blob) = self.hub.partitions.get(partition).cloned() else { return Ok(()) };
        let Some(owned) = self.leases.0.remove(&partition) else { return Ok(()) };
        self.shared.journal.owned_until(owned.number, owned.until.min(Instant::now()));
        self.point()?;
        let blobs = &self.hub.services.blobs;
        let action = LeaseAction::Release { id: owned.id };
        let mut tries = 0;
        let released = insist(&self.shared, || {
            tries += 1;
            block_on(blobs.lease_blob(&blob, &action, &BlobConditions::none()))
        });
        match released {
            Ok(_) => self.shared.journal.count("leases released"),
            Err(error) if !is_of_lease(&error) => return Err(error.into()),
            // An earlier try has released it, or it has ended.
            Err(_) if tries > 1 || Instant::now() >= owned.until || self.shared.two_owners => {}
            Err(error) => {
                let what = format!("partition {partition}: release refused during its lease: {error}");
                self.shared.journal.entries().violations.push(what);
            }
        }
        if owned.may_return {
            return Ok(());
        }
        let put = PutBlob::new().conditions(BlobConditions::none().lease(owned.id));
        let late = block_on(blobs.put_blob(&blob, Bytes::from_static(b"late"), put));
        match late {
            Ok(_) => {
                let what = format!("partition {partition}: a write with a released lease was accepted");
                self.shared.journal.entries().violations.push(what);
            }
            Err(error) if is_of_lease(&error) => {
                self.shared.journal.count("writes refused after a release");
            }
            Err(_) => {}
        }
        Ok(())
    }

    /// Releases all leases at the end of the run.
    pub(crate) fn release_all(&mut self) {
        for partition in self.leases.partitions() {
            // The checks need no lease; a failed release ends by itself.
            let _ = self.release(partition);
        }
    }
}

/// Returns whether a request was refused for the lease of the blob.
fn is_of_lease(error: &TableError) -> bool {
    error.code().as_str().starts_with("Lease")
}

fn is_leased(error: &TableError) -> bool {
    error.code() == ErrorCode::LeaseAlreadyPresent
}
