//! State between two requests. It ends with the process.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::Basket;

/// State of changes: baskets, confirmed accounts, and the report of the last change.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    baskets: Mutex<Vec<Basket>>,
    /// The places whose name a person has typed.
    confirmed: Mutex<HashSet<String>>,
    /// Report for the next page.
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

    /// Records that a person has typed the name of a place.
    pub(crate) fn confirm(&self, place: &str) {
        locked(&self.confirmed).insert(place.to_owned());
    }

    /// Sets the report for the next page.
    pub(crate) fn report(&self, text: impl Into<String>) {
        *locked(&self.report) = Some(text.into());
    }

    /// Takes the report for this page.
    pub(crate) fn take_report(&self) -> Option<String> {
        locked(&self.report).take()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
