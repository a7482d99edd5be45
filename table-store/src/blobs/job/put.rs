use table_model::{
    Result,
    blob::{BlobAddress, BlobState, BlobType, BlobWritten, PutBlob},
};

use super::{
    super::{
        place,
        record::{Blob, Contents},
    },
    Grounds, Sent, Target,
};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Replaces a blob by the given content.
#[derive(Debug)]
pub(in crate::blobs) struct Put {
    pub(in crate::blobs) at: BlobAddress,
    pub(in crate::blobs) blob_type: BlobType,
    pub(in crate::blobs) sent: Sent,
    /// Headers, metadata and conditions, including the hash of the content.
    pub(in crate::blobs) with: PutBlob,
}

impl Work for Put {
    type Answer = BlobWritten;

    fn weight(&self) -> (usize, usize) {
        self.sent.weight()
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, BlobWritten)> {
        let grounds = &Grounds::new(read, turn)?;
        let Target { container, found, .. } = grounds.target_to_replace(&self.at, &self.with.conditions)?;
        BlobState::check_create(found.as_deref(), &self.with.conditions, grounds.now)?;
        BlobState::check_type(found.as_deref(), self.blob_type)?;
        let mut edits = Edits::new();
        let state =
            BlobState::written(self.blob_type, &self.with, found.as_deref(), grounds.time, grounds.now);
        let mut blob = Blob::new(state, grounds.time);
        blob.length = self.sent.length();
        if blob.length > 0 {
            let id = self.sent.store_to_stay(grounds, &mut edits)?;
            (blob.contents, blob.lineage) = (Contents::Chunks(id), id);
        }
        if let Some(old) = found {
            edits.discard_all_of(grounds.read, &old)?;
            grounds.discard_tail(container, &self.at.name, &old, None, &mut edits)?;
        }
        edits.put(place::blob(container, &self.at.name), blob.encode());
        Ok((edits, BlobWritten::new(grounds.time.into(), self.with.headers.content_md5)))
    }
}
