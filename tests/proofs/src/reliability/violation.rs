//! Violations of guarantees.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use table_store::{OpenError, TableError, Timestamp};

use crate::reliability::model::Refused;

/// A violated guarantee of the store.
#[derive(Debug, thiserror::Error)]
pub enum Violation {
    /// The image after a crash could not be opened.
    #[error("what the crash left cannot be opened: {0}")]
    Unopenable(#[from] OpenError),
    /// The store panicked.
    #[error("a panic reached the caller while {during}: {text}")]
    Panic {
        /// The current operation.
        during: &'static str,
        /// The message of the panic.
        text: String,
    },
    /// A request failed on an intact disk.
    #[error("{during} failed: {error}")]
    Failed {
        /// The current operation.
        during: &'static str,
        /// The error.
        error: TableError,
    },
    /// A response that does not match the semantics.
    #[error("`{asked}` should be answered with {expected:?} (none: accepted) and was answered with {given}")]
    Answer {
        /// The request.
        asked: String,
        /// The error code and the index of the operation; `None` if the request must be accepted.
        expected: Option<Refused>,
        /// The response.
        given: String,
    },
    /// The contents match no allowed contents.
    #[error(
        "after {guaranteed} requests that must hold and {begun} begun, the contents are those of none of them; \
         against the earliest: {difference}"
    )]
    Contents {
        /// Number of guaranteed requests.
        guaranteed: usize,
        /// Number of started requests.
        begun: usize,
        /// The difference from the earliest allowed contents.
        difference: String,
    },
    /// An assigned time is not above all earlier times.
    #[error("the time {given:?} was given out after {before:?}")]
    Time {
        /// The time.
        given: Option<Timestamp>,
        /// The latest earlier time.
        before: Timestamp,
    },
    /// An acknowledged change is not visible in the same store.
    #[error("the store does not show what it should: {what}")]
    Visible {
        /// The difference.
        what: String,
    },
}

impl Violation {
    /// Returns a function for `map_err`: the request `during` failed.
    pub fn failed(during: &'static str) -> impl Fn(TableError) -> Self {
        move |error| Self::Failed { during, error }
    }
}

/// Runs `work`; a panic in it is a violation.
///
/// # Errors
/// Returns the violation of `work`, or [`Violation::Panic`].
pub fn without_panic<T>(
    during: &'static str,
    work: impl FnOnce() -> Result<T, Violation>,
) -> Result<T, Violation> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Violation::Panic { during, text: panic_text(&*panic) }))
}

/// Returns the message of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
