use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use table_model::Timestamp;

/// Use of the names of deleted resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeletedNames {
    /// They are available immediately.
    Available,
    /// They are reserved for a time.
    Reserved,
}

/// Kind of a resource with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Resource {
    Table,
    Queue,
    Container,
}

impl Resource {
    /// Returns how long the service reserves the name of a deleted resource: the minimum times of the REST pages
    /// "Delete Table", "Delete Queue" and "Delete Container".
    const fn reservation(self) -> Duration {
        match self {
            Self::Table | Self::Queue => Duration::from_secs(40),
            Self::Container => Duration::from_secs(30),
        }
    }
}

/// Names of resources that were deleted a short time ago, for strict deletes. They are in memory only: all names are
/// available after a restart.
///
/// A name is reserved when its deletion is decided, before the commit. If the commit fails, the resource still exists,
/// so the reservation has no effect.
#[derive(Debug, Default)]
pub(crate) struct ReservedNames(Mutex<BTreeMap<(Resource, String), Timestamp>>);

impl ReservedNames {
    /// Reserves the name of a resource that is deleted now, and forgets the names that are available again.
    pub(crate) fn reserve(&self, resource: Resource, name: &str, now: Timestamp) {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.retain(|_, until| *until > now);
        names.insert((resource, name.to_owned()), now.saturating_add(resource.reservation()));
    }

    /// Returns whether a name cannot be used yet.
    pub(crate) fn is_reserved(&self, resource: Resource, name: &str, now: Timestamp) -> bool {
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.get(&(resource, name.to_owned())).is_some_and(|until| *until > now)
    }
}
