//! What a job changes: records to put and to remove.

use super::{
    engine::{Read, Write},
    leftovers::Leftover,
    seal,
};
use crate::StorageFault;

/// Changes that hold together. No key stands in them twice.
#[derive(Debug, Default)]
pub(super) struct Edits {
    edits: Vec<Edit>,
    leaves: bool,
}

#[derive(Debug)]
enum Edit {
    Put(Vec<u8>, Vec<u8>),
    Remove(Vec<u8>),
}

impl Edits {
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Puts a record of this content; its checksum is added.
    pub(super) fn put(&mut self, key: Vec<u8>, content: impl Into<Vec<u8>>) {
        let mut record = content.into();
        seal::seal(&key, &mut record);
        self.put_sealed(key, record);
    }

    /// Puts a record that has its checksum.
    pub(super) fn put_sealed(&mut self, key: Vec<u8>, record: Vec<u8>) {
        self.edits.push(Edit::Put(key, record));
    }

    pub(super) fn remove(&mut self, key: Vec<u8>) {
        self.edits.push(Edit::Remove(key));
    }

    /// Leaves records to the sweep: one small record, however many they are.
    pub(super) fn leave(&mut self, leftover: &Leftover) {
        self.leaves = true;
        self.put(leftover.key(), leftover.content());
    }

    /// The sweep has something to do then, of which the edits put a record.
    pub(super) fn wake_sweep(&mut self) {
        self.leaves = true;
    }

    pub(super) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Whether the sweep has something to do then.
    pub(super) fn leaves(&self) -> bool {
        self.leaves
    }

    /// Writes it all. An error leaves the transaction half-way: then none of it may be kept.
    pub(super) fn apply(&self, write: &mut dyn Write) -> Result<(), StorageFault> {
        self.edits.iter().try_for_each(|edit| match edit {
            Edit::Put(key, record) => write.put(key, record),
            Edit::Remove(key) => write.remove(key),
        })
    }
}

/// The content of a record as `decode` understands it, if there is one.
pub(super) fn find<T>(
    read: &dyn Read,
    key: &[u8],
    decode: impl FnOnce(&[u8]) -> Option<T>,
) -> Result<Option<T>, StorageFault> {
    let (mut decode, mut found) = (Some(decode), Ok(None));
    read.get_whole(key, &mut |record| {
        let Some(decode) = decode.take() else { return };
        found = seal::unseal(key, record).and_then(|content| {
            decode(content).map(Some).ok_or_else(|| seal::damaged(key, "its layout cannot be read"))
        });
    })?;
    found
}
