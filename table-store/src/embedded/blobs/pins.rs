use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use super::place::Id;

/// Who holds on to what, so that it is not removed: readers to what they read, writers to what is not visible yet.
///
/// A reader looks a blob up, holds on to its lineage, and looks again. If the blob is still made of the same, nothing
/// of it was garbage when the second view was taken, so the step that could remove it comes later and finds the hold.
#[derive(Debug, Default)]
pub(in crate::embedded) struct Pins {
    held: Mutex<BTreeMap<Id, Held>>,
    /// How often something was let go that is to be swept.
    released: AtomicU64,
}

#[derive(Debug, Default)]
struct Held {
    holders: usize,
    /// It is to be swept then.
    awaited: bool,
}

/// A hold on a lineage, until it is dropped.
#[derive(Debug)]
pub(super) struct Pin {
    pins: Arc<Pins>,
    id: Id,
}

impl Pins {
    /// Holds on to a lineage.
    pub(super) fn pin(self: &Arc<Self>, id: Id) -> Pin {
        self.held().entry(id).or_default().holders += 1;
        Pin { pins: Arc::clone(self), id }
    }

    /// Holds on to what is garbage as soon as it is let go: its release counts, whether or not a sweep has passed.
    pub(super) fn pin_unfinished(self: &Arc<Self>, id: Id) -> Pin {
        let pin = self.pin(id);
        self.awaits(id);
        pin
    }

    /// Whether somebody holds on to it. If so, its release will count.
    pub(super) fn awaits(&self, id: Id) -> bool {
        self.held().get_mut(&id).map(|held| held.awaited = true).is_some()
    }

    /// How often something was let go that is to be swept.
    pub(super) fn released(&self) -> u64 {
        self.released.load(Ordering::Acquire)
    }

    fn held(&self) -> MutexGuard<'_, BTreeMap<Id, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pin {
    /// What it holds on to.
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
