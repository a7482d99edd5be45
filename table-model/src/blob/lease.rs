//! Leases: the exclusive right to write and delete a blob, or to delete a container.
//!
//! The rules follow the REST reference, "Lease Blob" and "Lease Container" with their tables of outcomes. They are
//! functions of the stored lease, the request and the current time.

mod action;
mod usage;

use std::{fmt, time::Duration};

use crate::{Timestamp, Uuid};

pub use action::{LeaseAction, LeaseDuration, Leased};
pub use usage::LeaseUse;

/// Lease as stored with a blob or a container. Without a stored lease, the state is [`LeaseState::Available`].
///
/// A lease that has ended is kept with its id until the blob is written or leased again, so that its owner can renew it
/// if nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Id that requests must specify. It is known to the owner of the lease only.
    pub id: Uuid,
    /// How long the lease lasts.
    pub term: LeaseTerm,
}

/// Term of a stored lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeaseTerm {
    /// The lease lasts until it is released or broken.
    Infinite,
    /// The lease ends at a time.
    Fixed {
        /// Duration in seconds, counted from each renewal.
        seconds: u8,
        /// End of the lease.
        until: Timestamp,
    },
    /// The lease was broken: it cannot be renewed.
    Breaking {
        /// Time until which no other lease can be acquired.
        until: Timestamp,
    },
}

/// State of the lease of a blob or a container, as every reader sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LeaseState {
    /// No lease exists.
    #[default]
    Available,
    /// The lease is active.
    Leased(LeaseKind),
    /// The lease was broken, and is still active.
    Breaking,
    /// The lease was broken and has ended.
    Broken,
    /// The lease has ended.
    Expired,
}

/// Kind of an active lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeaseKind {
    /// It lasts until it is released or broken.
    Infinite,
    /// It ends at a time.
    Fixed,
}

impl Lease {
    /// Returns the state at the time `now`.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> LeaseState {
        match self.term {
            LeaseTerm::Infinite => LeaseState::Leased(LeaseKind::Infinite),
            LeaseTerm::Fixed { until, .. } if now < until => LeaseState::Leased(LeaseKind::Fixed),
            LeaseTerm::Fixed { .. } => LeaseState::Expired,
            LeaseTerm::Breaking { until } if now < until => LeaseState::Breaking,
            LeaseTerm::Breaking { .. } => LeaseState::Broken,
        }
    }

    /// Returns the lease that remains when the blob or container is changed: an active lease. A lease that has ended is
    /// forgotten, so that its owner cannot renew it and miss the change.
    #[must_use]
    pub fn after_change(lease: Option<Self>, now: Timestamp) -> Option<Self> {
        lease.filter(|lease| lease.state(now).is_locked())
    }
}

impl LeaseState {
    /// Returns the state of a lease, or of no lease.
    #[must_use]
    pub fn of(lease: Option<&Lease>, now: Timestamp) -> Self {
        lease.map_or(Self::Available, |lease| lease.state(now))
    }

    /// Returns `true` if the lease is active.
    #[must_use]
    pub const fn is_locked(self) -> bool {
        matches!(self, Self::Leased(_) | Self::Breaking)
    }

    /// Returns the name used on the wire, in `x-ms-lease-state`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Available => "available",
            Self::Leased(_) => "leased",
            Self::Breaking => "breaking",
            Self::Broken => "broken",
            Self::Expired => "expired",
        }
    }

    /// Returns the lock status used on the wire, in `x-ms-lease-status`.
    #[must_use]
    pub const fn status(self) -> &'static str {
        if self.is_locked() { "locked" } else { "unlocked" }
    }

    /// Parses the wire form of a state and of its kind, which an active lease has.
    #[must_use]
    pub fn parse(state: &str, kind: Option<&str>) -> Option<Self> {
        Some(match state {
            "available" => Self::Available,
            "leased" => Self::Leased(LeaseKind::parse(kind?)?),
            "breaking" => Self::Breaking,
            "broken" => Self::Broken,
            "expired" => Self::Expired,
            _ => return None,
        })
    }
}

impl LeaseKind {
    /// Returns the name used on the wire, in `x-ms-lease-duration`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Infinite => "infinite",
            Self::Fixed => "fixed",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Infinite, Self::Fixed].into_iter().find(|kind| kind.as_str() == text)
    }
}

impl fmt::Display for LeaseState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

const fn seconds(count: u8) -> Duration {
    Duration::from_secs(count as u64)
}

#[cfg(test)]
mod tests;
