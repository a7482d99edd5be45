//! Positions in ranges of keys that are removed in steps.

#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, ops::ControlFlow};

use table_model::StorageFault;

use crate::engine::Read;

/// Positions from which the removal of ranges continues, by the first key of the range.
///
/// A removal that is still in the log is read again by each scan over it. A scan that starts at the beginning of the range
/// for each step would therefore read all earlier removals. Nothing is ever added to a range that is being removed, so
/// the part before the position stays empty. The positions are only in memory: after a failed commit or a restart, the
/// removal starts at the beginning again.
#[derive(Debug, Default)]
pub(crate) struct SweptRanges(BTreeMap<Vec<u8>, Vec<u8>>);

impl SweptRanges {
    /// Returns the key from which the removal of a range continues.
    pub(crate) fn position(&self, from: &[u8]) -> Vec<u8> {
        self.0.get(from).map_or(from, Vec::as_slice).to_vec()
    }

    /// Continues the removal of a range after a key.
    pub(crate) fn advance(&mut self, from: &[u8], removed: &[u8]) {
        self.0.insert(from.to_vec(), after(removed));
    }

    /// Forgets a range, because it is empty or must be searched from its beginning.
    pub(crate) fn forget(&mut self, from: &[u8]) {
        self.0.remove(from);
    }

    /// Forgets all ranges, because removed records may exist again.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// Returns the first key after a key.
pub(crate) fn after(key: &[u8]) -> Vec<u8> {
    [key, &[0]].concat()
}

/// A key and its record.
pub(crate) type Record = (Vec<u8>, Vec<u8>);

/// Returns the first `most` records of a range.
pub(crate) fn records(
    read: &dyn Read,
    from: &[u8],
    to: &[u8],
    most: usize,
) -> Result<Vec<Record>, StorageFault> {
    first(read, from, to, most, |key, record| (key.to_vec(), record.to_vec()))
}

/// Returns the first `most` keys of a range.
pub(crate) fn keys(
    read: &dyn Read,
    from: &[u8],
    to: &[u8],
    most: usize,
) -> Result<Vec<Vec<u8>>, StorageFault> {
    first(read, from, to, most, |key, _| key.to_vec())
}

/// Reads at least one record, if the range is not empty.
fn first<T>(
    read: &dyn Read,
    from: &[u8],
    to: &[u8],
    most: usize,
    take: impl Fn(&[u8], &[u8]) -> T,
) -> Result<Vec<T>, StorageFault> {
    let mut found = Vec::new();
    read.scan(from, to, &mut |key, record| {
        found.push(take(key, record));
        if found.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(found)
}
