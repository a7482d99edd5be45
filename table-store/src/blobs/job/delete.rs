use table_model::{
    Result,
    blob::{BlobAccess, BlobAddress, BlobConditions, DeleteSnapshots},
};

use super::{
    super::{
        place::{self, Id},
        record::Blob,
        snapshots::{self, Found},
    },
    Grounds, Target, present,
};
use crate::{
    engine::Read,
    job::{Turn, Work},
    write_batch::Edits,
};

/// Deletes a blob, its snapshots, both, or a single snapshot.
#[derive(Debug)]
pub(in crate::blobs) struct DeleteBlob {
    pub(in crate::blobs) at: BlobAddress,
    pub(in crate::blobs) conditions: BlobConditions,
    pub(in crate::blobs) snapshots: Option<DeleteSnapshots>,
}

impl Work for DeleteBlob {
    type Answer = ();

    fn weight(&self) -> (usize, usize) {
        (1, 0)
    }

    fn decide(&mut self, read: &dyn Read, turn: &mut Turn<'_>) -> Result<(Edits, ())> {
        let grounds = &Grounds::new(read, turn)?;
        DeleteSnapshots::check(self.snapshots, self.at.snapshot.is_some(), false)?;
        let Target { container, found, damaged } = grounds.target_to_delete(&self.at, &self.conditions)?;
        let found = if damaged {
            None
        } else {
            Some(present(found, &self.conditions, BlobAccess::Write, grounds.now)?)
        };
        let mut edits = Edits::new();
        if let Some(snapshot) = self.at.snapshot {
            edits.remove(snapshots::key(container, &self.at.name, snapshot));
            edits.discard_contents_of(grounds.read, &found)?;
            if let Some(found) = &found {
                grounds.discard_tail(container, &self.at.name, found, Some(snapshot), &mut edits)?;
            }
        } else {
            self.delete_blob(grounds, container, found, &mut edits)?;
        }
        Ok((edits, ()))
    }
}

impl DeleteBlob {
    /// Deletes the chosen ones of a blob and its snapshots. The data that a damaged record refers to remains.
    fn delete_blob(
        &self,
        grounds: &Grounds<'_>,
        container: Id,
        found: Option<Blob>,
        edits: &mut Edits,
    ) -> Result<()> {
        let snapshots = snapshots::all(grounds.read, container, &self.at.name)?;
        DeleteSnapshots::check(self.snapshots, false, !snapshots.is_empty())?;
        let mut gone = Vec::with_capacity(1 + snapshots.len());
        if self.snapshots != Some(DeleteSnapshots::Only) {
            edits.remove(place::blob(container, &self.at.name));
            gone.extend(found);
        }
        for Found { key, blob, .. } in snapshots {
            edits.remove(key);
            gone.extend(blob);
        }
        for blob in &gone {
            edits.discard_stage_of(blob);
        }
        edits.discard_contents_of(grounds.read, &gone)?;
        Ok(())
    }
}
