//! Garbage created by changes of blobs and stages, and shares of contents.

use std::collections::{BTreeMap, BTreeSet};

use table_model::StorageFault;

use super::{
    garbage::{Garbage, What},
    place::{self, Id},
    record::{Blob, Contents},
    shares::Shared,
};
use crate::{engine::Read, write_batch::Edits};

impl Edits {
    /// Records data that must be removed later.
    pub(super) fn discard(&mut self, garbage: &Garbage) {
        let key = garbage.key();
        self.wake_sweep(&key);
        self.put(key, garbage.encode());
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

    /// Makes `owner` another owner of the contents of a blob. If they were not shared before, the blob becomes their
    /// first recorded owner, and its record must be written.
    pub(super) fn share(&mut self, blob: &mut Blob, owner: Id) {
        let Some(shared) = Shared::of(blob.contents) else { return };
        let first = *blob.shared.get_or_insert(shared.id());
        for owner in [first, owner] {
            self.put(shared.key(owner), Vec::new());
        }
    }

    /// Records the stage of a blob as garbage, and its content unless it has other owners.
    pub(super) fn discard_all_of(&mut self, read: &dyn Read, blob: &Blob) -> Result<(), StorageFault> {
        self.discard_stage_of(blob);
        self.discard_contents_of(read, [blob])
    }

    /// Records the contents of blobs as garbage, except those with owners other than these blobs.
    pub(super) fn discard_contents_of<'b>(
        &mut self,
        read: &dyn Read,
        blobs: impl IntoIterator<Item = &'b Blob>,
    ) -> Result<(), StorageFault> {
        let mut released: BTreeMap<Shared, (BTreeSet<Id>, Garbage)> = BTreeMap::new();
        for blob in blobs {
            let Some(shared) = Shared::of(blob.contents) else { continue };
            let what = match (blob.contents, blob.shared) {
                (Contents::List(_), None) => What::ListAndContents,
                (Contents::List(_), Some(_)) => What::SharingList,
                (Contents::None | Contents::Chunks(_), _) => What::Chunks { written: blob.length },
            };
            let garbage = Garbage::new(shared.id(), what, blob.lineage);
            match blob.shared {
                None => self.discard(&garbage),
                Some(owner) => {
                    self.remove(shared.key(owner));
                    released.entry(shared).or_insert_with(|| (BTreeSet::new(), garbage)).0.insert(owner);
                }
            }
        }
        for (shared, (gone, garbage)) in released {
            if !shared.has_owner(read, &gone)? {
                self.discard(&garbage);
            }
        }
        Ok(())
    }

    pub(super) fn discard_stage_of(&mut self, blob: &Blob) {
        if let Some(stage) = blob.stage {
            // Blocks of a stage have no readers, so they are never pinned.
            self.discard(&Garbage::new(stage.id, What::Stage, stage.id));
            self.remove(place::stage(stage.id));
        }
    }
}
