//! What the explorer remembers between two requests. It ends with the process.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::Basket;

/// What the explorer remembers of changes.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    baskets: Mutex<Vec<Basket>>,
    /// The places whose name a person has typed.
    confirmed: Mutex<HashSet<String>>,
    /// What the next page reports.
    report: Mutex<Option<String>>,
}

impl Edits {
    /// Returns the baskets, locked.
    pub(super) fn baskets(&self) -> MutexGuard<'_, Vec<Basket>> {
        locked(&self.baskets)
    }

    /// Returns whether a person has typed the name of a place.
    pub(crate) fn is_confirmed(&self, place: &str) -> bool {
        locked(&self.confirmed).contains(place)
    }

    /// Notes that a person has typed the name of a place.
    pub(crate) fn confirm(&self, place: &str) {
        locked(&self.confirmed).insert(place.to_owned());
    }

    /// Sets what the next page reports.
    pub(crate) fn report(&self, text: impl Into<String>) {
        *locked(&self.report) = Some(text.into());
    }

    /// Returns what the page reports, once.
    pub(crate) fn take_report(&self) -> Option<String> {
        locked(&self.report).take()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
