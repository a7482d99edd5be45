//! What blobs and stages leave behind.

use super::{
    garbage::{Garbage, What},
    place::{self, Id},
    record::{Blob, Contents},
};
use crate::embedded::edits::Edits;

impl Edits {
    /// Notes something that is to be removed later.
    pub(super) fn discard(&mut self, garbage: &Garbage) {
        self.wake_sweep();
        self.put(garbage.key(), garbage.encode());
    }

    /// Notes contents that are not known yet to stay. Their writer holds them.
    pub(super) fn note_unfinished(&mut self, id: Id, written: u64) {
        let unfinished = Garbage::unfinished(id, written);
        self.put(unfinished.key(), unfinished.encode());
    }

    /// Contents are part of a blob from now on.
    pub(super) fn keep(&mut self, id: Id) {
        self.remove(Garbage::unfinished(id, 0).key());
    }

    /// Notes what a blob is made of, and its stage.
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
            // Nobody reads blocks of a stage, so nobody holds them.
            self.discard(&Garbage::new(stage.id, What::Stage, stage.id));
            self.remove(place::stage(stage.id));
        }
    }
}
