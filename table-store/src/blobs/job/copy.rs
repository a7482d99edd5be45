use table_model::{
    ErrorCode, Result,
    blob::{self, BlobAddress, BlobCopied, BlobState, BlobType},
};

use super::{
    super::{
        chunks::{self, Listed},
        container::Container,
        place::{self, Id},
        record::{Blob, Contents},
        shares::Shared,
        snapshots,
    },
    Grounds, Target,
};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Replaces a blob by a copy of a blob or snapshot, which shares its contents.
#[derive(Debug)]
pub(in crate::blobs) struct CopyBlob {
    pub(in crate::blobs) to: BlobAddress,
    pub(in crate::blobs) from: BlobAddress,
    pub(in crate::blobs) request: blob::CopyBlob,
}

impl Work for CopyBlob {
    type Answer = BlobCopied;

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, BlobCopied)> {
        let grounds = &Grounds::new(read, turn)?;
        let (source_container, mut source) = self.source(grounds)?;
        let Target { container, found, .. } =
            grounds.target_to_replace(&self.to, &self.request.conditions)?;
        BlobState::check_create(found.as_deref(), &self.request.conditions, grounds.now)?;
        if let Some(blob_type) = source.blob_type {
            BlobState::check_type(found.as_deref(), blob_type)?;
        }
        let state = source.copied(&self.request, found.as_deref(), grounds.time, grounds.now);
        let mut blob = Blob { state, stage: None, ..source.clone() };
        let mut edits = Edits::new();
        if self.from == self.to {
            // The contents stay where they are.
            edits.discard_stage_of(&source);
        } else {
            let was_shared = source.shared.is_some();
            share_contents(grounds, &mut source, &mut blob, &mut edits)?;
            if source.shared.is_some() != was_shared {
                edits.put(self.source_key(source_container), source.encode());
            }
            if let Some(old) = found {
                // If these are the contents of the source, the source remains their owner.
                edits.discard_all_of(grounds.read, &old)?;
                grounds.discard_tail(container, &self.to.name, &old, None, &mut edits)?;
            }
        }
        edits.put(place::blob(container, &self.to.name), blob.encode());
        Ok((edits, BlobCopied::new(grounds.time.into(), self.request.id)))
    }
}

impl CopyBlob {
    /// Returns the source with its container, if it satisfies the conditions.
    fn source(&self, grounds: &Grounds<'_>) -> Result<(Id, Blob)> {
        let container = Container::live(grounds.read, &self.from.container)?.id;
        let found = Blob::find_at(grounds.read, container, &self.from)?;
        BlobState::check_source(found.as_deref(), &self.request, grounds.now)?;
        Ok((container, found.ok_or(ErrorCode::BlobNotFound)?))
    }

    fn source_key(&self, container: Id) -> Vec<u8> {
        match self.from.snapshot {
            Some(snapshot) => snapshots::key(container, &self.from.name, snapshot),
            None => place::blob(container, &self.from.name),
        }
    }
}

/// Makes a copy share the contents of its source. The list of an append blob grows, and belongs to that blob and its
/// snapshots alone: the copy has a list of its own with the same blocks.
fn share_contents(
    grounds: &Grounds<'_>,
    source: &mut Blob,
    copy: &mut Blob,
    edits: &mut Edits,
) -> Result<()> {
    let owner = Id::at(grounds.time);
    let (Contents::List(list), Some(BlobType::Append)) = (source.contents, source.blob_type) else {
        edits.share(source, owner);
        copy.shared = source.shared.map(|_| owner);
        return Ok(());
    };
    let blocks = chunks::blocks(grounds.read, list)?;
    for block in blocks.into_iter().filter(|block| block.end <= source.length) {
        let shared = Shared::Chunks(block.contents);
        for list in [list, owner] {
            edits.put(shared.key(list), Vec::new());
        }
        let listed = Listed { id: None, ..block };
        edits.put(place::listed(owner, listed.end), listed.encode());
    }
    source.shared.get_or_insert(list);
    (copy.contents, copy.shared) = (Contents::List(owner), Some(owner));
    Ok(())
}
