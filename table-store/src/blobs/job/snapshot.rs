use table_model::{
    ErrorCode, Result,
    blob::{self, BlobAccess, BlobAddress, BlobState, LeaseUse, Snapshotted},
};

use super::{
    super::{
        place::{self, Id},
        record::Blob,
        snapshots,
    },
    Grounds, Target,
};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Creates a snapshot of a blob, which shares its contents.
#[derive(Debug)]
pub(in crate::blobs) struct SnapshotBlob {
    pub(in crate::blobs) at: BlobAddress,
    pub(in crate::blobs) request: blob::SnapshotBlob,
}

impl Work for SnapshotBlob {
    type Answer = Snapshotted;

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, Snapshotted)> {
        let grounds = &Grounds::new(read, turn)?;
        let Target { container, found, .. } = grounds.target(&self.at)?;
        let conditions = &self.request.conditions;
        BlobState::check(found.as_deref(), conditions, BlobAccess::Write, LeaseUse::ReadBlob, grounds.now)?;
        let mut base = found.ok_or(ErrorCode::BlobNotFound)?;
        let was_shared = base.shared.is_some();
        let mut edits = Edits::new();
        edits.share(&mut base, Id::at(grounds.time));
        let snapshot = Blob {
            state: base.snapshot(&self.request, grounds.time),
            stage: None,
            shared: base.shared.map(|_| Id::at(grounds.time)),
            ..base.clone()
        };
        let time = grounds.time.into();
        edits.put(snapshots::key(container, &self.at.name, time), snapshot.encode());
        if base.shared.is_some() != was_shared {
            edits.put(place::blob(container, &self.at.name), base.encode());
        }
        Ok((edits, Snapshotted::new(time, snapshot.modified.into())))
    }
}
