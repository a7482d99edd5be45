use std::{
    collections::BTreeMap,
    ops::Bound::{Excluded, Included},
};

use super::frame::change_len;

/// New value of a key, or `None` for a removal.
pub(super) type Change<'c> = Option<&'c [u8]>;

/// Changes of one transaction, in key order.
#[derive(Debug, Default)]
pub(super) struct Changes {
    rows: BTreeMap<Box<[u8]>, Option<Box<[u8]>>>,
    bytes: usize,
}

impl Changes {
    pub(super) fn set(&mut self, key: &[u8], value: Change<'_>) {
        self.bytes += change_len(key, value);
        if let Some(old) = self.rows.insert(key.into(), value.map(Into::into)) {
            self.bytes -= change_len(key, old.as_deref());
        }
    }

    pub(super) fn get(&self, key: &[u8]) -> Option<Change<'_>> {
        // Most transactions read before they write.
        if self.rows.is_empty() { None } else { self.rows.get(key).map(Option::as_deref) }
    }

    pub(super) fn range<'c>(
        &'c self,
        from: &[u8],
        to: &[u8],
    ) -> impl Iterator<Item = (&'c [u8], Change<'c>)> + 'c {
        let range = self.rows.range::<[u8], _>((Included(from), Excluded(to)));
        range.map(|(key, value)| (&**key, value.as_deref()))
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&[u8], Change<'_>)> {
        self.rows.iter().map(|(key, value)| (&**key, value.as_deref()))
    }

    pub(super) fn into_rows(self) -> impl Iterator<Item = (Box<[u8]>, Option<Box<[u8]>>)> {
        self.rows.into_iter()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the number of bytes of the changes in a frame.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}
