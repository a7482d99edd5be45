use bytes::Bytes;
use table_model::{Result, StorageFault, blob::BlobAddress};

use super::{
    super::{
        chunks::CHUNK_BYTES,
        container::Container,
        garbage::Garbage,
        pins::Pin,
        place::{self, Id},
    },
    Grounds,
};
use crate::{
    checksum::{SUM_BYTES, seal},
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Received content: the part that is already stored, and the remaining bytes.
#[derive(Debug, Default)]
pub(in crate::blobs) struct Sent {
    /// Pin of the stored part, if it exists.
    pub(in crate::blobs) pin: Option<Pin>,
    /// Length of the stored part in bytes.
    pub(in crate::blobs) stored: u64,
    /// Remaining bytes, in any segmentation.
    pub(in crate::blobs) rest: Bytes,
}

impl Sent {
    /// Returns the total length in bytes.
    pub(in crate::blobs) fn length(&self) -> u64 {
        self.stored + self.rest.len() as u64
    }

    pub(in crate::blobs) fn weight(&self) -> (usize, usize) {
        (1 + self.rest.len().div_ceil(CHUNK_BYTES), self.rest.len())
    }

    /// Stores the remaining bytes. Returns the id of the whole content.
    fn store(&self, grounds: &Grounds<'_>, edits: &mut Edits) -> Result<Id, StorageFault> {
        let id = match &self.pin {
            Some(pin) => {
                self.check_stored(grounds.read, pin.id())?;
                pin.id()
            }
            None => Id::at(grounds.time),
        };
        let mut end = self.stored;
        for chunk in self.rest.chunks(CHUNK_BYTES) {
            end += chunk.len() as u64;
            let key = place::chunk(id, end);
            let record = sealed(&key, chunk);
            edits.put_sealed(key, record);
        }
        Ok(id)
    }

    /// Stores the remaining bytes of content that becomes part of a blob.
    pub(super) fn store_to_stay(&self, grounds: &Grounds<'_>, edits: &mut Edits) -> Result<Id, StorageFault> {
        let id = self.store(grounds, edits)?;
        if self.pin.is_some() {
            edits.keep(id);
        }
        Ok(id)
    }

    /// Checks that the stored part exists: a commit that did not wait for the disk may have been lost.
    fn check_stored(&self, read: &dyn Read, id: Id) -> Result<(), StorageFault> {
        if Garbage::written(read, id)? == Some(self.stored) {
            return Ok(());
        }
        let what = "a part of the content that was written earlier is missing";
        Err(StorageFault::Corrupt { what: what.to_owned() })
    }
}

/// Creates the record of a chunk, with capacity for the checksum to avoid a copy.
fn sealed(key: &[u8], chunk: &[u8]) -> Vec<u8> {
    let mut record = Vec::with_capacity(chunk.len() + SUM_BYTES);
    record.extend_from_slice(chunk);
    seal(key, &mut record);
    record
}

/// Stores a part of content that does not belong to a blob yet. The result is a pin on it.
#[derive(Debug)]
pub(in crate::blobs) struct Extend {
    /// Address of the future blob. Its container must exist.
    pub(in crate::blobs) at: BlobAddress,
    pub(in crate::blobs) sent: Sent,
}

impl Work for Extend {
    type Answer = Pin;

    fn weight(&self) -> (usize, usize) {
        self.sent.weight()
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, Pin)> {
        let grounds = &Grounds::new(read, turn)?;
        Container::live(grounds.read, &self.at.container)?;
        let mut edits = Edits::new();
        let id = self.sent.store(grounds, &mut edits)?;
        edits.note_unfinished(id, self.sent.length());
        // Pinned before the garbage becomes visible to the sweep.
        Ok((edits, grounds.pins.pin_unfinished(id)))
    }
}
