//! Changes of a job: records to put and to remove.

use table_model::StorageFault;

use crate::{
    checksum,
    engine::{Read, Write},
    leftovers::Leftover,
};

/// Atomic set of changes. Each key occurs at most once.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    all: Vec<Edit>,
    leftovers: Option<Vec<u8>>,
    garbage: Option<Vec<u8>>,
}

#[derive(Debug)]
enum Edit {
    Put(Vec<u8>, Vec<u8>),
    Remove(Vec<u8>),
}

impl Edits {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Puts a record with this content. The checksum is added.
    pub(crate) fn put(&mut self, key: Vec<u8>, content: impl Into<Vec<u8>>) {
        let mut record = content.into();
        checksum::seal(&key, &mut record);
        self.put_sealed(key, record);
    }

    /// Puts a record that already contains its checksum.
    pub(crate) fn put_sealed(&mut self, key: Vec<u8>, record: Vec<u8>) {
        self.all.push(Edit::Put(key, record));
    }

    pub(crate) fn remove(&mut self, key: Vec<u8>) {
        self.all.push(Edit::Remove(key));
    }

    /// Schedules records for removal by the sweep, using one small record regardless of their number.
    pub(crate) fn leave(&mut self, leftover: &Leftover) {
        let key = leftover.key();
        lower(&mut self.leftovers, &key);
        self.put(key, leftover.content());
    }

    /// Wakes the sweep of blobs after the commit, for garbage that the record under a key of these edits describes.
    pub(crate) fn wake_sweep(&mut self, key: &[u8]) {
        lower(&mut self.garbage, key);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the lowest key of the leftovers that the edits describe.
    pub(crate) fn leftovers(&self) -> Option<&[u8]> {
        self.leftovers.as_deref()
    }

    /// Returns the lowest key of the garbage of blobs that the edits describe.
    pub(crate) fn garbage(&self) -> Option<&[u8]> {
        self.garbage.as_deref()
    }

    /// Writes all changes. After an error the transaction is incomplete and must be discarded.
    pub(crate) fn apply(&self, write: &mut dyn Write) -> Result<(), StorageFault> {
        self.all.iter().try_for_each(|edit| match edit {
            Edit::Put(key, record) => write.put(key, record),
            Edit::Remove(key) => write.remove(key),
        })
    }
}

/// Sets a key to another one, if that is lower or no key is set.
pub(crate) fn lower(lowest: &mut Option<Vec<u8>>, key: &[u8]) {
    if lowest.as_deref().is_none_or(|lowest| key < lowest) {
        *lowest = Some(key.to_vec());
    }
}

/// Reads a record and decodes its content, if the record exists.
pub(crate) fn find<T>(
    read: &dyn Read,
    key: &[u8],
    decode: impl FnOnce(&[u8]) -> Option<T>,
) -> Result<Option<T>, StorageFault> {
    let (mut decode, mut found) = (Some(decode), Ok(None));
    read.get_whole(key, &mut |record| {
        let Some(decode) = decode.take() else { return };
        found = checksum::unseal(key, record).and_then(|content| {
            decode(content).map(Some).ok_or_else(|| checksum::damaged(key, "its layout is invalid"))
        });
    })?;
    found
}
