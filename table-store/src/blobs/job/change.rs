use table_model::{
    Result,
    blob::{BlobAddress, BlobChange, BlobConditions, BlobVersion},
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
    pub(in crate::blobs) change: BlobChange,
}

impl Work for ChangeBlob {
    type Answer = BlobVersion;

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, BlobVersion)> {
        let grounds = &Grounds::new(read, turn)?;
        let (container, mut blob) = grounds.present(&self.at, &self.conditions)?;
        let mut edits = Edits::new();
        blob.change(self.change.clone(), grounds.time, grounds.now);
        edits.put(place::blob(container, &self.at.name), blob.encode());
        Ok((edits, blob.modified.into()))
    }
}
