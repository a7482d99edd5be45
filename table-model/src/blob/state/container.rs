use crate::{
    Metadata, Result, Timestamp,
    blob::{
        BlobAccess, BlobConditions, BlobETag, BlobTags, ContainerName, ContainerProperties, Lease,
        LeaseState, LeaseUse,
    },
};

/// State of a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContainerState {
    /// Time of the last change, from which the ETag is derived.
    pub modified: Timestamp,
    /// User-defined metadata.
    pub metadata: Metadata,
    /// Lease, also one that has ended.
    pub lease: Option<Lease>,
}

impl ContainerState {
    /// Creates the state of a container that is created at `time`.
    #[must_use]
    pub const fn new(time: Timestamp, metadata: Metadata) -> Self {
        Self { modified: time, metadata, lease: None }
    }

    /// Checks the conditions of a request, including the lease for a use of the container.
    ///
    /// # Errors
    /// `ConditionNotMet`, and the errors of [`LeaseUse::check`].
    pub fn check(
        &self,
        conditions: &BlobConditions,
        access: BlobAccess,
        usage: LeaseUse,
        now: Timestamp,
    ) -> Result<()> {
        self.check_version(conditions, access)?;
        usage.check(self.lease.as_ref(), conditions.lease, now)
    }

    /// Checks the conditions of a request, except the lease. A container has no tags.
    ///
    /// # Errors
    /// `ConditionNotMet`.
    pub fn check_version(&self, conditions: &BlobConditions, access: BlobAccess) -> Result<()> {
        conditions.check(Some((&BlobETag::from(self.modified), self.modified)), access)?;
        conditions.check_tags(Some(&BlobTags::new()), access)
    }

    /// Records a change of the container, which ends the right to renew a lease that has expired at `now`.
    pub fn touch(&mut self, time: Timestamp, now: Timestamp) {
        self.modified = time;
        self.lease = Lease::after_change(self.lease.take(), now);
    }

    /// Returns the properties at the time `now`, on which the state of the lease depends.
    #[must_use]
    pub fn properties(self, name: ContainerName, now: Timestamp) -> ContainerProperties {
        let mut properties = ContainerProperties::new(name, self.modified.into(), self.metadata);
        properties.lease = LeaseState::of(self.lease.as_ref(), now);
        properties
    }
}
