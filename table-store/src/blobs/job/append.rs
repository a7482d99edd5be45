use table_model::{
    Result,
    blob::{AppendBlock, Appended, BlobAddress},
};

use super::{
    super::{
        chunks::Listed,
        place::{self, Id},
        record::Contents,
    },
    Grounds, Sent,
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
        let appended = blob.append(&self.when, self.sent.length(), grounds.time, grounds.now)?;
        let end = blob.length;
        let mut edits = Edits::new();
        let contents = self.sent.store_to_stay(grounds, &mut edits)?;
        // The list of an append blob only grows, so readers limited to a length can share it.
        let list = match blob.contents {
            Contents::List(list) => list,
            Contents::None | Contents::Chunks(_) => Id::at(grounds.time),
        };
        let listed = Listed { start: appended.offset, end, contents, id: None };
        edits.put(place::listed(list, end), listed.encode());
        blob.contents = Contents::List(list);
        edits.put(place::blob(container, &self.at.name), blob.encode());
        Ok((edits, appended))
    }
}
