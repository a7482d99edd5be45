use table_model::{
    Result, Uuid,
    blob::{BlobAddress, BlobState, BlockId},
};

use super::{
    super::{
        garbage::{Garbage, What},
        place::{self, Id},
        record::{Blob, Stage},
        stages::{StageOf, Staged},
    },
    Grounds, Sent, Target,
};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Uploads a block of a new or existing blob.
#[derive(Debug)]
pub(in crate::blobs) struct PutBlock {
    pub(in crate::blobs) at: BlobAddress,
    pub(in crate::blobs) id: BlockId,
    /// Required lease of the blob.
    pub(in crate::blobs) lease: Option<Uuid>,
    /// Content, not empty.
    pub(in crate::blobs) sent: Sent,
}

impl Work for PutBlock {
    type Answer = ();

    fn weight(&self) -> (usize, usize) {
        self.sent.weight()
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, ())> {
        let grounds = &Grounds::new(read, turn)?;
        let Target { container, found, .. } = grounds.target(&self.at)?;
        BlobState::check_block(found.as_deref(), self.lease, grounds.now)?;
        let mut edits = Edits::new();
        let mut blob = found.unwrap_or_else(|| Blob::staged(grounds.time));
        let mut stage = if let Some(stage) = blob.stage_at(grounds.time) {
            stage
        } else {
            edits.discard_stage_of(&blob);
            self.new_stage(&mut blob, container, grounds, &mut edits)
        };
        let old = Staged::find(grounds.read, stage.id, &self.id)?;
        stage.count = blob.add_block(&self.id, stage.count, old.is_some())?;
        if let Some(old) = old {
            edits.discard(&Garbage::new(old.contents, What::Chunks { written: old.length }, old.contents));
        }
        let contents = self.sent.store_to_stay(grounds, &mut edits)?;
        let staged = Staged { contents, length: self.sent.length() };
        edits.put(place::staged(stage.id, &self.id), staged.encode());
        stage.last = grounds.time;
        blob.stage = Some(stage);
        edits.put(place::blob(container, &self.at.name), blob.encode());
        Ok((edits, ()))
    }
}

impl PutBlock {
    fn new_stage(&self, blob: &mut Blob, container: Id, grounds: &Grounds<'_>, edits: &mut Edits) -> Stage {
        blob.stage = None;
        let stage = Stage { id: Id::at(grounds.time), count: 0, last: grounds.time };
        let of = StageOf { container, name: self.at.name.clone() };
        edits.put(place::stage(stage.id), of.encode());
        stage
    }
}
