use table_store::StorageFault;

use crate::{error::CommandError, location::Location};

/// Damage that was found by reading the store.
#[derive(Debug, Default)]
pub(super) struct Damage {
    /// Number of damaged pages; `None` if the store is not a file.
    pub(super) pages: Option<usize>,
    /// What could not be read, each with the reason.
    pub(super) unread: Vec<String>,
}

impl Damage {
    /// Returns `None` for a result that is missing because of damage, which is noted.
    pub(super) fn note<T>(
        &mut self,
        what: &str,
        result: Result<T, CommandError>,
    ) -> Result<Option<T>, CommandError> {
        let fault = match &result {
            Err(CommandError::Service(error)) => error.fault(),
            _ => None,
        };
        if let Some(fault @ StorageFault::Corrupt { .. }) = fault {
            self.unread.push(format!("{what}: {fault}"));
            return Ok(None);
        }
        result.map(Some)
    }

    /// Sets the number of damaged pages that were found up to now.
    pub(super) fn count(&mut self, place: &Location) {
        self.pages = place.store.as_ref().map(|store| store.stats().damaged_pages);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.unread.is_empty() && self.pages.unwrap_or(0) == 0
    }
}
