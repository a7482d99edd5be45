use super::{Lease, LeaseState, LeaseTerm, seconds};
use crate::{ErrorCode, Result, TableError, Timestamp, Uuid, blob::BlobVersion};

/// Operation on the lease of a blob or a container.
///
/// ```
/// use table_model::{Timestamp, Uuid, blob::{LeaseAction, LeaseDuration, LeaseState}};
///
/// let (id, now) = (Uuid::from_u128(7), Timestamp::UNIX_EPOCH);
/// let acquired = LeaseAction::Acquire { id, duration: LeaseDuration::Seconds(15) }.apply(None, now)?;
/// assert!(LeaseState::of(acquired.as_ref(), now).is_locked());
/// let later = now.saturating_add(std::time::Duration::from_secs(15));
/// assert_eq!(LeaseState::of(acquired.as_ref(), later), LeaseState::Expired);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaseAction {
    /// Acquires a lease. The owner of an active lease acquires it again with another duration.
    Acquire {
        /// Id of the new lease.
        id: Uuid,
        /// Duration of the lease.
        duration: LeaseDuration,
    },
    /// Restarts the duration of a lease, also if it has expired and the blob has not been changed since.
    Renew {
        /// Id of the lease.
        id: Uuid,
    },
    /// Changes the id of an active lease. A repeated request succeeds.
    Change {
        /// Id of the lease.
        id: Uuid,
        /// New id of the lease.
        to: Uuid,
    },
    /// Ends a lease. Another one can be acquired immediately.
    Release {
        /// Id of the lease.
        id: Uuid,
    },
    /// Ends a lease without its id. It remains active for a period, but cannot be renewed.
    Break {
        /// Period in seconds, at most 60. The remaining time of the lease is an upper limit, and the default. The
        /// default for an infinite lease is 0.
        seconds: Option<u8>,
    },
}

/// Duration of a new lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseDuration {
    /// Until it is released or broken.
    Infinite,
    /// A number of seconds from 15 to 60.
    Seconds(u8),
}

/// Result of an operation on a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Leased {
    /// Version of the blob or container, which an operation on its lease does not change.
    pub version: BlobVersion,
    /// Id of the active lease, if the request acquired, renewed or changed it.
    pub id: Option<Uuid>,
    /// Remaining seconds until another lease can be acquired, if the request broke the lease.
    pub remaining: Option<u64>,
}

impl Leased {
    /// Creates the result for a version of a blob or a container.
    #[must_use]
    pub fn new(version: BlobVersion, id: Option<Uuid>, remaining: Option<u64>) -> Self {
        Self { version, id, remaining }
    }
}

impl LeaseAction {
    /// Returns the lease after the operation; `None` if no lease remains.
    ///
    /// # Errors
    /// `InvalidHeaderValue` for a duration or period out of range; the errors of the service with status 409 if the
    /// state of the lease or its id does not permit the operation.
    pub fn apply(&self, lease: Option<&Lease>, now: Timestamp) -> Result<Option<Lease>> {
        use LeaseState::{Available, Breaking, Broken, Expired, Leased};
        self.check()?;
        let state = LeaseState::of(lease, now);
        let is_id = |id: &Uuid| lease.is_some_and(|lease| lease.id == *id);
        let code = match (self, state) {
            (Self::Acquire { id, .. }, Leased(_)) if !is_id(id) => ErrorCode::LeaseAlreadyPresent,
            (Self::Acquire { id, .. }, Breaking) if !is_id(id) => ErrorCode::LeaseAlreadyPresent,
            (Self::Acquire { .. }, Breaking) => ErrorCode::LeaseIsBreakingAndCannotBeAcquired,
            (Self::Acquire { id, duration }, _) => return Ok(Some(duration.lease(*id, now))),

            (Self::Break { .. } | Self::Change { .. }, Available)
            | (Self::Change { .. }, Broken | Expired) => ErrorCode::LeaseNotPresentWithLeaseOperation,
            (Self::Break { seconds }, _) => return Ok(lease.map(|lease| broken(lease, *seconds, now))),

            // The new id identifies the lease too: the response to an earlier request may have been lost.
            (Self::Change { id, to }, Leased(_)) if is_id(id) || is_id(to) => {
                return Ok(lease.map(|lease| Lease { id: *to, term: lease.term }));
            }
            (Self::Change { id, .. }, Breaking) if is_id(id) => ErrorCode::LeaseIsBreakingAndCannotBeChanged,
            (Self::Change { .. }, Leased(_) | Breaking) => ErrorCode::LeaseIdMismatchWithLeaseOperation,

            (Self::Renew { id } | Self::Release { id }, _) if !is_id(id) => {
                ErrorCode::LeaseIdMismatchWithLeaseOperation
            }
            (Self::Renew { .. }, Breaking | Broken) => ErrorCode::LeaseIsBrokenAndCannotBeRenewed,
            (Self::Renew { .. }, _) => return Ok(lease.map(|lease| renewed(lease, now))),
            (Self::Release { .. }, _) => return Ok(None),
        };
        Err(code.into())
    }

    /// Replaces the lease of a blob or a container with this version by the result of the operation.
    ///
    /// # Errors
    /// As [`apply`](Self::apply).
    pub fn replace(&self, lease: &mut Option<Lease>, version: BlobVersion, now: Timestamp) -> Result<Leased> {
        *lease = self.apply(lease.as_ref(), now)?;
        Ok(self.answer(version, lease.as_ref(), now))
    }

    /// Returns the result of the operation that led to `lease`.
    #[must_use]
    pub fn answer(&self, version: BlobVersion, lease: Option<&Lease>, now: Timestamp) -> Leased {
        let (mut id, mut remaining) = (None, None);
        match (self, lease) {
            (Self::Acquire { .. } | Self::Renew { .. } | Self::Change { .. }, Some(lease)) => {
                id = Some(lease.id);
            }
            (Self::Break { .. }, Some(Lease { term: LeaseTerm::Breaking { until }, .. })) => {
                remaining =
                    Some(until.duration_since(now).as_millis().div_ceil(1000).try_into().unwrap_or(0));
            }
            _ => {}
        }
        Leased::new(version, id, remaining)
    }

    fn check(&self) -> Result<()> {
        let problem = match self {
            Self::Acquire { duration: LeaseDuration::Seconds(0..15 | 61..), .. } => {
                "A lease lasts 15 to 60 seconds, or is infinite."
            }
            Self::Break { seconds: Some(61..) } => "A break period has at most 60 seconds.",
            _ => return Ok(()),
        };
        let code = ErrorCode::InvalidHeaderValue;
        Err(TableError::with_message(code, format!("{} {problem}", code.message())))
    }
}

impl LeaseDuration {
    fn lease(self, id: Uuid, now: Timestamp) -> Lease {
        let term = match self {
            Self::Infinite => LeaseTerm::Infinite,
            Self::Seconds(count) => {
                LeaseTerm::Fixed { seconds: count, until: now.saturating_add(seconds(count)) }
            }
        };
        Lease { id, term }
    }
}

fn renewed(lease: &Lease, now: Timestamp) -> Lease {
    let duration = match lease.term {
        LeaseTerm::Fixed { seconds, .. } => LeaseDuration::Seconds(seconds),
        LeaseTerm::Infinite | LeaseTerm::Breaking { .. } => LeaseDuration::Infinite,
    };
    duration.lease(lease.id, now)
}

/// Breaks a lease. A lease that has ended is broken at once, and an earlier end is never delayed.
fn broken(lease: &Lease, period: Option<u8>, now: Timestamp) -> Lease {
    let asked = period.map(|count| now.saturating_add(seconds(count)));
    let until = match lease.term {
        LeaseTerm::Infinite => asked.unwrap_or(now),
        LeaseTerm::Fixed { until, .. } | LeaseTerm::Breaking { until } => {
            asked.map_or(until, |asked| asked.min(until))
        }
    };
    Lease { id: lease.id, term: LeaseTerm::Breaking { until } }
}
