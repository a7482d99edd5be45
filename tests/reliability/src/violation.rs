//! What must never happen.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use table_store::{TableError, Timestamp, embedded::OpenError};

use crate::model::Refused;

/// A promise of the store that was broken.
#[derive(Debug, thiserror::Error)]
pub enum Violation {
    /// What a crash left could not be opened.
    #[error("what the crash left cannot be opened: {0}")]
    Unopenable(#[from] OpenError),
    /// The store panicked.
    #[error("a panic reached the caller while {during}: {text}")]
    Panic {
        /// What was done.
        during: &'static str,
        /// What the panic said.
        text: String,
    },
    /// A sound disk, and yet a request failed.
    #[error("{during} failed: {error}")]
    Failed {
        /// What was done.
        during: &'static str,
        /// The error.
        error: TableError,
    },
    /// An answer other than the semantics ask for.
    #[error("`{asked}` should be answered with {expected:?} (none: accepted) and was answered with {given}")]
    Answer {
        /// The request.
        asked: String,
        /// The error code and the index of the operation, or none.
        expected: Option<Refused>,
        /// The answer.
        given: String,
    },
    /// The contents are none of those that are allowed.
    #[error(
        "after {guaranteed} requests that must hold and {begun} begun, the contents are those of none of them; \
         against the earliest: {difference}"
    )]
    Contents {
        /// Requests that must hold.
        guaranteed: usize,
        /// Requests that were begun.
        begun: usize,
        /// Where the contents differ from the earliest that are allowed.
        difference: String,
    },
    /// A time was given out that is not above all earlier ones.
    #[error("the time {given:?} was given out after {before:?}")]
    Time {
        /// The time.
        given: Option<Timestamp>,
        /// The latest before.
        before: Timestamp,
    },
    /// A change that was acknowledged is not to be seen by the same store.
    #[error("the store does not show what it should: {what}")]
    Visible {
        /// What is wrong.
        what: String,
    },
}

impl Violation {
    /// For `map_err`: the request `during` failed.
    pub fn failed(during: &'static str) -> impl Fn(TableError) -> Self {
        move |error| Self::Failed { during, error }
    }
}

/// Runs `work`; a panic in it is a violation.
pub fn without_panic<T>(
    during: &'static str,
    work: impl FnOnce() -> Result<T, Violation>,
) -> Result<T, Violation> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Violation::Panic { during, text: panic_text(&*panic) }))
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
