use std::collections::{BTreeMap, BTreeSet};

use table_store::{
    BlockingStore, Bytes, TableError,
    blob::{BlobAddress, BlobItem, BlobType, ContainerName, ListBlobs, ReadBlob},
};

use crate::reliability::Violation;

/// Bytes of a chunk: `docs/format.md`.
const CHUNK: usize = 127 * 1024;

/// The contents of one write, with a unique number.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) number: u64,
    pub(super) content: Bytes,
}

/// The expected state of a blob.
#[derive(Clone, Debug, Default)]
pub(super) struct Blob {
    /// `None` while the blob has only uncommitted blocks.
    pub(super) there: Option<There>,
    /// Uncommitted blocks by ID.
    pub(super) staged: BTreeMap<u8, Piece>,
    /// Snapshots, from the oldest to the newest.
    pub(super) snapshots: Vec<There>,
}

/// The readable part of a blob.
#[derive(Clone, Debug)]
pub(super) struct There {
    pub(super) append: bool,
    /// The pieces, each with its block ID, if it is a block.
    pub(super) pieces: Vec<(Option<u8>, Piece)>,
}

/// The expected contents of the container; `None` if the container does not exist.
#[derive(Clone, Debug, Default)]
pub(super) struct State(pub(super) Option<BTreeMap<String, Blob>>);

/// The contents of the container as returned by the service.
pub(super) type Shown = Option<BTreeMap<String, ShownBlob>>;

/// The state of a blob as returned by the service.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ShownBlob {
    /// A hash of the contents, and their length; `None` while only uncommitted blocks exist.
    content: Option<(u32, usize)>,
    /// IDs and lengths of the uncommitted blocks.
    staged: Vec<(Vec<u8>, u64)>,
    /// Hashes and lengths of the snapshots, from the oldest to the newest.
    snapshots: Vec<(u32, usize)>,
}

fn mark(content: &[u8]) -> (u32, usize) {
    (crc32c::crc32c(content), content.len())
}

impl Blob {
    /// Returns all versions that can be read.
    fn versions(&self) -> impl Iterator<Item = &There> {
        self.there.iter().chain(&self.snapshots)
    }
}

impl There {
    fn mark(&self) -> (u32, usize) {
        let pieces: Vec<&[u8]> = self.pieces.iter().map(|(_, piece)| &piece.content[..]).collect();
        mark(&pieces.concat())
    }
}

impl State {
    pub(super) fn shows(&self) -> Shown {
        let blobs = self.0.as_ref()?.iter().map(|(name, blob)| {
            let content = blob.there.as_ref().map(There::mark);
            let snapshots = blob.snapshots.iter().map(There::mark).collect();
            let staged = blob.staged.iter().map(|(id, piece)| (vec![*id], piece.content.len() as u64));
            (name.clone(), ShownBlob { content, staged: staged.collect(), snapshots })
        });
        Some(blobs.collect())
    }

    /// Returns the number of chunks after the sweep has finished.
    pub(super) fn chunks(&self) -> u64 {
        let blobs = || self.0.iter().flat_map(BTreeMap::values);
        let committed =
            blobs().flat_map(Blob::versions).flat_map(|there| &there.pieces).map(|(_, piece)| piece);
        let staged = blobs().flat_map(|blob| blob.staged.values());
        let pieces: BTreeSet<(u64, usize)> =
            committed.chain(staged).map(|piece| (piece.number, piece.content.len())).collect();
        pieces.iter().map(|(_, length)| length.div_ceil(CHUNK) as u64).sum()
    }

    /// Returns the contents of a store.
    pub(super) fn of(store: &BlockingStore) -> Result<Shown, Violation> {
        let failed = |error: TableError| Violation::failed("reading after a crash")(error);
        let blobs = store.clone();
        let container = container().map_err(failed)?;
        let listed = match blobs.list_blobs(&container, ListBlobs::new().uncommitted().snapshots()) {
            Ok(listed) => listed.items,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let (mut shown, mut snapshots) = (BTreeMap::new(), Vec::new());
        for item in &listed {
            let BlobItem::Blob { properties, .. } = item else { continue };
            let at = address(item.name()).map_err(failed)?.at(properties.snapshot);
            let read = || blobs.get_blob(&at, ReadBlob::new()).map_err(failed);
            if properties.snapshot.is_some() {
                snapshots.push(mark(&read()?));
                continue;
            }
            let content = if properties.uncommitted { None } else { Some(mark(&read()?)) };
            let staged = match properties.blob_type {
                BlobType::Block => blobs.block_list(&at).map_err(failed)?.uncommitted,
                BlobType::Append => Vec::new(),
            };
            let staged = staged.iter().map(|block| (block.id.as_bytes().to_vec(), block.size)).collect();
            // The snapshots of a blob are listed before it.
            let snapshots = std::mem::take(&mut snapshots);
            shown.insert(item.name().to_owned(), ShownBlob { content, staged, snapshots });
        }
        Ok(Some(shown))
    }
}

pub(super) fn container() -> Result<ContainerName, TableError> {
    ContainerName::new("photos")
}

pub(super) fn address(name: &str) -> Result<BlobAddress, TableError> {
    BlobAddress::new("photos", name)
}
