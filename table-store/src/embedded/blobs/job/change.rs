use super::{super::place, Grounds};
use crate::{
    Metadata, Result,
    blob::{BlobAddress, BlobConditions, BlobHeaders, BlobVersion},
    embedded::{
        edits::Edits,
        engine::Read,
        job::{Turn, Work},
    },
};

/// Changes a blob besides its contents, or deletes it.
#[derive(Debug)]
pub(in crate::embedded::blobs) struct ChangeBlob {
    pub(in crate::embedded::blobs) at: BlobAddress,
    pub(in crate::embedded::blobs) conditions: BlobConditions,
    pub(in crate::embedded::blobs) change: Change,
}

/// What is done to it.
#[derive(Debug)]
pub(in crate::embedded::blobs) enum Change {
    Metadata(Metadata),
    Headers(BlobHeaders),
    Delete,
}

impl Work for ChangeBlob {
    type Answer = BlobVersion;

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, BlobVersion)> {
        let grounds = &Grounds::new(read, turn)?;
        let (container, mut blob) = grounds.present(&self.at, &self.conditions)?;
        let key = place::blob(container, &self.at.name);
        let mut edits = Edits::new();
        match &self.change {
            Change::Metadata(metadata) => blob.metadata = metadata.clone(),
            Change::Headers(headers) => blob.headers = headers.clone(),
            Change::Delete => {
                edits.discard_all_of(&blob);
                edits.remove(key);
                return Ok((edits, blob.modified.into()));
            }
        }
        blob.modified = grounds.time;
        edits.put(key, blob.encode());
        Ok((edits, grounds.time.into()))
    }
}
