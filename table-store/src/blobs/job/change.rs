use table_model::{
    Metadata, Result,
    blob::{BlobAddress, BlobConditions, BlobHeaders, BlobTags, BlobVersion},
};

use super::{super::place, Grounds};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Changes headers, metadata or tags of a blob.
#[derive(Debug)]
pub(in crate::blobs) struct ChangeBlob {
    pub(in crate::blobs) at: BlobAddress,
    pub(in crate::blobs) conditions: BlobConditions,
    pub(in crate::blobs) change: Change,
}

/// New headers, metadata or tags.
#[derive(Debug)]
pub(in crate::blobs) enum Change {
    Metadata(Metadata),
    Headers(BlobHeaders),
    /// Tags are not part of the version, so the version does not change.
    Tags(BlobTags),
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
            Change::Headers(headers) => {
                blob.headers = headers.clone();
                // The headers are no longer those of the copy: REST reference, "Get Blob Properties".
                blob.copy = None;
            }
            Change::Tags(tags) => blob.tags = tags.clone(),
        }
        if !matches!(self.change, Change::Tags(_)) {
            blob.touch(grounds.time, grounds.now);
        }
        edits.put(key, blob.encode());
        Ok((edits, blob.modified.into()))
    }
}
