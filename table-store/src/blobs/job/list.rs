use std::collections::{BTreeMap, BTreeSet};

use table_model::{
    Result, StorageFault,
    blob::{BlobAddress, BlobState, BlobType, BlobWritten, BlockId, BlockSource, PutBlob},
};

use super::{
    super::{
        chunks::{self, Listed},
        garbage::{Garbage, What},
        place::{self, Id},
        record::{Blob, Contents, Stage},
        shares::Shared,
        stages::Staged,
    },
    Grounds, Target,
};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Assembles a blob from blocks and replaces an existing blob.
#[derive(Debug)]
pub(in crate::blobs) struct PutList {
    pub(in crate::blobs) at: BlobAddress,
    pub(in crate::blobs) blocks: Vec<BlockSource>,
    pub(in crate::blobs) put: PutBlob,
}

/// Available blocks.
struct Choice<'c> {
    grounds: &'c Grounds<'c>,
    stage: Option<Stage>,
    committed: BTreeMap<BlockId, Staged>,
    /// Blocks of the stage that are used.
    taken: BTreeSet<BlockId>,
}

impl Work for PutList {
    type Answer = BlobWritten;

    fn weight(&self) -> (usize, usize) {
        // Each block is read, listed and removed from the stage.
        (1 + 2 * self.blocks.len(), 64 * self.blocks.len())
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, BlobWritten)> {
        let grounds = &Grounds::new(read, turn)?;
        let Target { container, found, .. } = grounds.target(&self.at)?;
        BlobState::check_create(found.as_deref(), &self.put.conditions, grounds.now)?;
        BlobState::check_type(found.as_deref(), BlobType::Block)?;
        let count = self.blocks.len();
        let state = BlobState::assembled(count, &self.put, found.as_deref(), grounds.time, grounds.now);
        let old = found.unwrap_or_else(|| Blob::staged(grounds.time));
        let old_blocks = match old.contents {
            Contents::List(list) => chunks::blocks(grounds.read, list)?,
            Contents::None | Contents::Chunks(_) => Vec::new(),
        };
        let mut choice = Choice::new(grounds, old.stage_at(grounds.time), &old_blocks);
        let mut edits = Edits::new();
        let mut blob = Blob::new(state, grounds.time);
        let mut kept = BTreeSet::new();
        let list = Id::at(grounds.time);
        for source in &self.blocks {
            let block = choice.take(source)?;
            kept.insert(block.contents);
            let start = blob.length;
            blob.length = start.saturating_add(block.length);
            let id = Some(source.id().clone());
            let listed = Listed { start, end: blob.length, contents: block.contents, id };
            edits.put(place::listed(list, listed.end), listed.encode());
        }
        if !self.blocks.is_empty() {
            blob.contents = Contents::List(list);
        }
        choice.clear_stage(&old, &mut edits);
        let rest = Rest { old: &old, blocks: &old_blocks, kept: &kept, list };
        (blob.lineage, blob.shared) = rest.discard(grounds.read, &mut edits)?;
        edits.put(place::blob(container, &self.at.name), blob.encode());
        Ok((edits, BlobWritten::new(grounds.time.into(), None)))
    }
}

impl<'c> Choice<'c> {
    fn new(grounds: &'c Grounds<'c>, stage: Option<Stage>, blocks: &[Listed]) -> Self {
        let committed = blocks.iter().filter_map(|block| {
            let staged = Staged { contents: block.contents, length: block.end - block.start };
            Some((block.id.clone()?, staged))
        });
        Self { grounds, stage, committed: committed.collect(), taken: BTreeSet::new() }
    }

    fn take(&mut self, source: &BlockSource) -> Result<Staged> {
        let Self { grounds, stage, committed, taken } = self;
        source.choose(
            |id| committed.get(id).cloned(),
            |id| {
                let Some(stage) = stage else { return Ok(None) };
                let found = Staged::find(grounds.read, stage.id, id)?;
                if found.is_some() {
                    taken.insert(id.clone());
                }
                Ok(found)
            },
        )
    }

    /// Removes the used blocks from the stage and discards the rest of it.
    fn clear_stage(&self, old: &Blob, edits: &mut Edits) {
        if let Some(stage) = self.stage {
            for id in &self.taken {
                edits.remove(place::staged(stage.id, id));
            }
        }
        edits.discard_stage_of(old);
    }
}

/// Content of the replaced blob, of which the new list keeps some blocks.
struct Rest<'r> {
    old: &'r Blob,
    /// Blocks of the old list.
    blocks: &'r [Listed],
    kept: &'r BTreeSet<Id>,
    list: Id,
}

impl Rest<'_> {
    /// Discards the content that is no longer used. Returns the lineage of the new version, which is that of the old
    /// one if both can have blocks in common, and the owner of its list if kept blocks have shares.
    fn discard(&self, read: &dyn Read, edits: &mut Edits) -> Result<(Id, Option<Id>), StorageFault> {
        let Contents::List(old_list) = self.old.contents else {
            edits.discard_contents_of(read, [self.old])?;
            return Ok((self.list, None));
        };
        // A block can occur more than once.
        let blocks: BTreeMap<Id, u64> =
            self.blocks.iter().map(|block| (block.contents, block.end - block.start)).collect();
        if let Some(owner) = self.old.shared {
            let is_shared = self.discard_shared(read, old_list, owner, &blocks, edits)?;
            return Ok((self.old.lineage, is_shared.then_some(self.list)));
        }
        for (contents, length) in blocks.into_iter().filter(|(id, _)| !self.kept.contains(id)) {
            edits.discard(&self.garbage(contents, length));
        }
        edits.discard(&Garbage::new(old_list, What::List, self.old.lineage));
        Ok((self.old.lineage, None))
    }

    /// Discards the content of a list that may have other owners, or whose blocks may have. Returns whether kept blocks
    /// have shares.
    fn discard_shared(
        &self,
        read: &dyn Read,
        old_list: Id,
        owner: Id,
        blocks: &BTreeMap<Id, u64>,
        edits: &mut Edits,
    ) -> Result<bool, StorageFault> {
        edits.remove(Shared::List(old_list).key(owner));
        let stays = Shared::List(old_list).has_owner(read, &BTreeSet::from([owner]))?;
        let mut is_shared = false;
        for (contents, length) in blocks {
            let shared = Shared::Chunks(*contents);
            let is_kept = self.kept.contains(contents);
            if stays {
                // The old list remains an owner of its blocks.
                if is_kept {
                    edits.put(shared.key(old_list), Vec::new());
                }
            } else if shared.has_owner(read, &BTreeSet::new())? {
                edits.remove(shared.key(old_list));
                if !is_kept && !shared.has_owner(read, &BTreeSet::from([old_list]))? {
                    edits.discard(&self.garbage(*contents, *length));
                }
            } else {
                if !is_kept {
                    edits.discard(&self.garbage(*contents, *length));
                }
                continue;
            }
            if is_kept {
                edits.put(shared.key(self.list), Vec::new());
                is_shared = true;
            }
        }
        if !stays {
            edits.discard(&Garbage::new(old_list, What::List, self.old.lineage));
        }
        Ok(is_shared)
    }

    fn garbage(&self, contents: Id, length: u64) -> Garbage {
        Garbage::new(contents, What::Chunks { written: length }, self.old.lineage)
    }
}
