use std::{collections::BTreeMap, fmt};

use crate::{Address, Error};

/// Maximum number of failures in the report.
const MOST_LISTED: usize = 1_000;

/// Result of [`Tables::reencrypt`](crate::Tables::reencrypt) and [`Tables::reencrypt_all`](crate::Tables::reencrypt_all).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
#[must_use]
pub struct ReencryptReport {
    /// Number of entities with values that were encrypted again, also in archives.
    pub written: u64,
    /// Number of other rows with values that were encrypted again: rows of indexes, and records of change feeds.
    pub other_rows: u64,
    /// Number of values that were found under each key other than the current one, before they were encrypted again, and
    /// including those that failed. Empty if no row that was read needs an older key.
    pub older_keys: BTreeMap<u32, u64>,
    /// Rows with a value of the type that remains under another key, at most 1,000, because it cannot be decrypted or its row
    /// cannot be written. One entry for each value or row.
    pub failed: Vec<(Address, Error)>,
    /// Number of values in rows of other types with the form of a value under an older key of the ring that this key does
    /// not decrypt: bytes of another program, values of another ring, or damaged values. They do not need a key of this ring.
    pub unreadable: u64,
}

impl ReencryptReport {
    /// Returns whether the run found no value that needs an older key. After a run of
    /// [`reencrypt_all`](crate::Tables::reencrypt_all) from the first row on, while all programs have the current key, the
    /// older keys can be removed.
    pub fn is_complete(&self) -> bool {
        self.written == 0 && self.other_rows == 0 && self.older_keys.is_empty() && self.failed.is_empty()
    }

    pub(super) fn add(&mut self, page: Self) {
        self.written += page.written;
        self.other_rows += page.other_rows;
        self.unreadable += page.unreadable;
        for (id, values) in page.older_keys {
            *self.older_keys.entry(id).or_default() += values;
        }
        let room = MOST_LISTED.saturating_sub(self.failed.len());
        self.failed.extend(page.failed.into_iter().take(room));
    }
}

impl fmt::Display for ReencryptReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_complete() {
            f.write_str("no value needs an older key")?;
        } else {
            let Self { written, other_rows, failed, .. } = self;
            write!(
                f,
                "{written} entities and {other_rows} other rows encrypted again, {} failed",
                failed.len()
            )?;
        }
        for (id, values) in &self.older_keys {
            write!(f, "; {values} values of key {id} found")?;
        }
        if !self.is_complete() {
            f.write_str("; keep the older keys, and run the job again until it finds no value")?;
        }
        if let Some((address, error)) = self.failed.first() {
            write!(f, "; the first failure is {address}: {error}")?;
        }
        if self.unreadable > 0 {
            write!(f, "; {} values that no key of this ring decrypts", self.unreadable)?;
        }
        Ok(())
    }
}
