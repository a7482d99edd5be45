//! Snapshots and copies.

use table_store::{
    ErrorCode, Uuid,
    blob::{BlobSnapshot, CopyBlob, DeleteSnapshots, SnapshotBlob},
};

use super::{BTreeMap, Blob, There, Trial, always, at};

impl Trial {
    pub(super) fn snapshots_of(&self, name: &str) -> Vec<(BlobSnapshot, There)> {
        self.snapshots.get(name).cloned().unwrap_or_default()
    }

    pub(super) fn snapshot(&mut self, name: &'static str) {
        let answer = self.blobs.snapshot_blob(&at(name), SnapshotBlob::new());
        match self.blob(name).there {
            Some(there) => {
                let taken = answer.unwrap();
                assert_eq!(taken.version.etag, there.etag);
                self.snapshots.entry(name).or_default().push((taken.snapshot, there));
            }
            None => assert_eq!(answer.unwrap_err().code(), ErrorCode::BlobNotFound),
        }
    }

    pub(super) fn delete_snapshot(&mut self, name: &'static str, which: usize) {
        let snapshots = self.snapshots.entry(name).or_default();
        if which < snapshots.len() {
            let (snapshot, _) = snapshots.remove(which);
            self.blobs.delete_blob(&at(name).at(snapshot), &always()).unwrap();
        }
    }

    pub(super) fn delete_snapshots(&mut self, name: &'static str, which: DeleteSnapshots) {
        let expected = self.blob(name).there.is_none().then_some(ErrorCode::BlobNotFound);
        if expected.is_none() {
            self.snapshots.remove(name);
        }
        let answer = self.blobs.delete_snapshots(&at(name), which, &always());
        self.check(name, expected, answer, |blob, ()| {
            if which == DeleteSnapshots::Include {
                *blob = Blob::default();
            }
        });
    }

    pub(super) fn copy(&mut self, from: &'static str, which: Option<usize>, to: &'static str) {
        let snapshots = self.snapshots_of(from);
        let chosen = which.and_then(|which| snapshots.get(which));
        let (address, source) = match chosen {
            Some((snapshot, there)) => (at(from).at(*snapshot), Some(there.clone())),
            None => (at(from), self.blob(from).there),
        };
        let is_append = |there: &Option<There>| there.as_ref().map(|there| there.append);
        let expected = match (is_append(&source), is_append(&self.blob(to).there)) {
            (None, _) => Some(ErrorCode::BlobNotFound),
            (Some(source), Some(target)) if source != target => Some(ErrorCode::InvalidBlobType),
            _ => None,
        };
        let answer = self.blobs.copy_blob(&at(to), &address, CopyBlob::new(Uuid::from_u128(7)));
        self.check(to, expected, answer, |blob, copied| {
            let there = source.map(|there| There { etag: copied.version.etag, ..there });
            *blob = Blob { there, staged: BTreeMap::new() };
        });
    }
}
