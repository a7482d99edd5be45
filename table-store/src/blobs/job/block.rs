use table_model::{
    ErrorCode, Result, TableError, Uuid,
    blob::{BlobAddress, BlobType, BlockId, LeaseUse, limits::UNCOMMITTED_BLOCKS},
};

use super::{
    super::{
        garbage::{Garbage, What},
        place::{self, Id},
        record::{Blob, Kind, Stage},
        stages::{StageOf, Staged},
    },
    Grounds, Sent, Target, check_type,
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
        check_type(found.as_ref(), BlobType::Block)?;
        let lease = found.as_ref().and_then(|blob| blob.lease.as_ref());
        LeaseUse::WriteBlob.check(lease, self.lease, grounds.now)?;
        let mut edits = Edits::new();
        let mut blob = found.unwrap_or_else(|| Blob::new(Kind::Staged, grounds.time));
        let mut stage = if let Some(stage) = blob.stage_at(grounds.time) {
            stage
        } else {
            edits.discard_stage_of(&blob);
            self.new_stage(&mut blob, container, grounds, &mut edits)
        };
        let bytes = u8::try_from(self.id.as_bytes().len()).unwrap_or(u8::MAX);
        if stage.count == 0 && blob.blocks == 0 {
            blob.block_id_bytes = bytes;
        } else if blob.block_id_bytes != bytes {
            return Err(ErrorCode::InvalidBlobOrBlock.into());
        }
        match Staged::find(grounds.read, stage.id, &self.id)? {
            Some(old) => {
                edits.discard(&Garbage::new(
                    old.contents,
                    What::Chunks { written: old.length },
                    old.contents,
                ));
            }
            None => stage.count = stage.count.saturating_add(1),
        }
        if usize::try_from(stage.count).is_ok_and(|count| count > UNCOMMITTED_BLOCKS) {
            return Err(TableError::with_message(
                ErrorCode::BlockCountExceedsLimit,
                "The uncommitted block count cannot exceed the maximum limit of 100,000 blocks.",
            ));
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
