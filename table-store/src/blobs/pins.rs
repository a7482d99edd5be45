use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use super::place::Id;

/// Pins that prevent the removal of data: readers pin the data they read, writers pin data that is not visible yet.
///
/// A reader reads the record of a blob, pins its lineage, and reads the record again. If the blob still has the same
/// content, none of it was garbage in the second snapshot. A step that could remove it therefore runs later and finds
/// the pin.
#[derive(Debug, Default)]
pub(crate) struct Pins {
    held: Mutex<BTreeMap<Id, Held>>,
    /// Number of released pins on garbage that must be swept.
    released: AtomicU64,
}

#[derive(Debug, Default)]
struct Held {
    holders: usize,
    /// The data must be swept after the release.
    awaited: bool,
}

/// A pin on a lineage, until it is dropped.
#[derive(Debug)]
pub(super) struct Pin {
    pins: Arc<Pins>,
    id: Id,
}

impl Pins {
    /// Pins a lineage.
    pub(super) fn pin(self: &Arc<Self>, id: Id) -> Pin {
        self.held().entry(id).or_default().holders += 1;
        Pin { pins: Arc::clone(self), id }
    }

    /// Pins data that becomes garbage when it is released. Its release is counted even if no sweep has seen the pin.
    pub(super) fn pin_unfinished(self: &Arc<Self>, id: Id) -> Pin {
        let pin = self.pin(id);
        self.awaits(id);
        pin
    }

    /// Returns whether a lineage is pinned. If so, its release will be counted.
    pub(super) fn awaits(&self, id: Id) -> bool {
        self.held().get_mut(&id).map(|held| held.awaited = true).is_some()
    }

    /// Returns the number of released pins on garbage that must be swept.
    pub(super) fn released(&self) -> u64 {
        self.released.load(Ordering::Acquire)
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<Id, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pin {
    /// Returns the pinned lineage.
    pub(super) fn id(&self) -> Id {
        self.id
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        let mut all = self.pins.held();
        let Some(held) = all.get_mut(&self.id) else { return };
        held.holders -= 1;
        if held.holders == 0 {
            let awaited = held.awaited;
            all.remove(&self.id);
            if awaited {
                self.pins.released.fetch_add(1, Ordering::AcqRel);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_anybody_holds_is_awaited_until_the_last_lets_go() {
        let pins = Arc::new(Pins::default());
        let (one, two) = (pins.pin(Id(1)), pins.pin(Id(1)));
        assert!(pins.awaits(Id(1)) && !pins.awaits(Id(2)));
        drop(one);
        assert!(pins.awaits(Id(1)) && pins.released() == 0);
        drop(two);
        assert!(!pins.awaits(Id(1)) && pins.released() == 1);
    }

    #[test]
    fn only_what_is_to_be_swept_is_told_when_it_is_let_go() {
        let pins = Arc::new(Pins::default());
        drop(pins.pin(Id(1)));
        assert_eq!(pins.released(), 0);
        drop(pins.pin_unfinished(Id(1)));
        assert_eq!(pins.released(), 1);
    }
}
