//! Removal of credentials from errors.

use std::borrow::Cow;

use table_model::TableError;

/// Returns the error with its message changed by `hide`, or unchanged if `hide` finds nothing.
pub(super) fn hidden(error: TableError, hide: impl FnOnce(&str) -> Cow<'_, str>) -> TableError {
    let changed = match hide(error.message()) {
        Cow::Owned(message) => Some(message),
        Cow::Borrowed(_) => None,
    };
    match changed {
        Some(message) => error.saying(message),
        None => error,
    }
}
