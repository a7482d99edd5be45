use table_model::{
    ErrorCode, Result,
    blob::{AppendBlock, Appended, BlobAddress, BlobType, limits::BLOCKS},
};

use super::{
    super::{
        chunks::Listed,
        place::{self, Id},
        record::Contents,
    },
    Grounds, Sent, check_type,
};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Appends to an append blob.
#[derive(Debug)]
pub(in crate::blobs) struct Append {
    pub(in crate::blobs) at: BlobAddress,
    /// Content, not empty.
    pub(in crate::blobs) sent: Sent,
    pub(in crate::blobs) when: AppendBlock,
}

impl Work for Append {
    type Answer = Appended;

    fn weight(&self) -> (usize, usize) {
        self.sent.weight()
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, Appended)> {
        let grounds = &Grounds::new(read, turn)?;
        let (container, mut blob) = grounds.present(&self.at, &self.when.conditions)?;
        check_type(Some(&blob), BlobType::Append)?;
        let offset = blob.length;
        if self.when.position.is_some_and(|position| position != offset) {
            return Err(ErrorCode::AppendPositionConditionNotMet.into());
        }
        let end = offset.saturating_add(self.sent.length());
        if self.when.max_size.is_some_and(|most| end > most) {
            return Err(ErrorCode::MaxBlobSizeConditionNotMet.into());
        }
        if usize::try_from(blob.blocks).is_ok_and(|blocks| blocks >= BLOCKS) {
            return Err(ErrorCode::BlockCountExceedsLimit.into());
        }
        let mut edits = Edits::new();
        let contents = self.sent.store_to_stay(grounds, &mut edits)?;
        // The list of an append blob only grows, so readers limited to a length can share it.
        let list = match blob.contents {
            Contents::List(list) => list,
            Contents::None | Contents::Chunks(_) => Id::at(grounds.time),
        };
        let listed = Listed { start: offset, end, contents, id: None };
        edits.put(place::listed(list, end), listed.encode());
        blob.contents = Contents::List(list);
        blob.length = end;
        blob.blocks += 1;
        blob.touch(grounds.time, grounds.now);
        // A stored hash only covers the previous content.
        (blob.headers.content_md5, blob.headers.other_md5) = (None, None);
        edits.put(place::blob(container, &self.at.name), blob.encode());
        Ok((edits, Appended::new(grounds.time.into(), offset, blob.blocks)))
    }
}
