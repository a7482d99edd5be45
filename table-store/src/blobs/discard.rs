//! Garbage created by changes of blobs and stages.

use super::{
    garbage::{Garbage, What},
    place::{self, Id},
    record::{Blob, Contents},
};
use crate::write_batch::Edits;

impl Edits {
    /// Records data that must be removed later.
    pub(super) fn discard(&mut self, garbage: &Garbage) {
        self.wake_sweep();
        self.put(garbage.key(), garbage.encode());
    }

    /// Records content that is not part of a blob yet. Its writer pins it.
    pub(super) fn note_unfinished(&mut self, id: Id, written: u64) {
        let unfinished = Garbage::unfinished(id, written);
        self.put(unfinished.key(), unfinished.encode());
    }

    /// Marks content as part of a blob, which is no longer garbage.
    pub(super) fn keep(&mut self, id: Id) {
        self.remove(Garbage::unfinished(id, 0).key());
    }

    /// Records the content of a blob and its stage as garbage.
    pub(super) fn discard_all_of(&mut self, blob: &Blob) {
        self.discard_contents_of(blob);
        self.discard_stage_of(blob);
    }

    pub(super) fn discard_contents_of(&mut self, blob: &Blob) {
        let (id, what) = match blob.contents {
            Contents::None => return,
            Contents::Chunks(id) => (id, What::Chunks { written: blob.length }),
            Contents::List(id) => (id, What::ListAndContents),
        };
        self.discard(&Garbage::new(id, what, blob.lineage));
    }

    pub(super) fn discard_stage_of(&mut self, blob: &Blob) {
        if let Some(stage) = blob.stage {
            // Blocks of a stage have no readers, so they are never pinned.
            self.discard(&Garbage::new(stage.id, What::Stage, stage.id));
            self.remove(place::stage(stage.id));
        }
    }
}
