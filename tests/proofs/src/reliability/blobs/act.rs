use std::collections::BTreeMap;

use table_store::{
    BlockingStore, Bytes, Metadata, Result, Uuid,
    blob::{
        AppendBlock, BlobAddress, BlobConditions, BlobItem, BlockId, BlockSource, CopyBlob, DeleteSnapshots,
        ListBlobs, PutBlob, PutBlock, SnapshotBlob,
    },
};

use super::state::{Blob, Piece, State, There, address, container};
use crate::reliability::Seed;

const NAMES: [&str; 3] = ["a", "b/1", "b/2"];
/// More bytes than one commit stores.
const LARGE: usize = 1_100_000;

/// One change of the blobs. The last of its commits makes it visible.
#[derive(Clone, Debug)]
pub(super) enum Act {
    CreateContainer,
    DeleteContainer,
    Put(String, Piece),
    /// A writer that is dropped before it finishes.
    GiveUp(String, Piece),
    Block(String, u8, Piece),
    /// All uncommitted blocks, then the blocks of the blob in `kept`.
    List(String, Vec<u8>),
    CreateLog(String),
    Append(String, Piece),
    /// Of the blob with all its snapshots.
    Delete(String),
    Snapshot(String),
    /// Of all snapshots, but not of the blob.
    DeleteSnapshots(String),
    /// Of the oldest snapshot.
    DeleteSnapshot(String),
    /// To the first name, from the second one or its oldest snapshot.
    Copy(String, String, bool),
}

impl Act {
    /// Returns the next act, which is accepted in this state.
    pub(super) fn next(seed: &mut Seed, state: &State, number: u64) -> Self {
        let Some(blobs) = &state.0 else { return Self::CreateContainer };
        let name = seed.pick(&NAMES).copied().unwrap_or_default().to_owned();
        let blob = blobs.get(&name).cloned().unwrap_or_default();
        let is_log = blob.there.as_ref().is_some_and(|there| there.append);
        let piece = Piece { number, content: content(seed) };
        match (seed.below(18), &blob.there) {
            (0, _) => Self::DeleteContainer,
            (1 | 2, Some(_)) => Self::Delete(name),
            (12..=14, Some(_)) => Self::Snapshot(name),
            (15, Some(_)) if !blob.snapshots.is_empty() && seed.chance(1, 2) => Self::DeleteSnapshots(name),
            (15, Some(_)) if !blob.snapshots.is_empty() => Self::DeleteSnapshot(name),
            (16 | 17, Some(_)) => {
                let to = seed.pick(&NAMES).copied().unwrap_or_default().to_owned();
                let is_other =
                    blobs.get(&to).and_then(|to| to.there.as_ref()).is_some_and(|to| to.append != is_log);
                let to = if is_other { name.clone() } else { to };
                Self::Copy(to, name, !blob.snapshots.is_empty() && seed.chance(2, 3))
            }
            (_, Some(_)) if is_log => Self::Append(name, piece),
            (3, None) => Self::CreateLog(name),
            (4, _) => Self::GiveUp(name, Piece { number, content: vec![7; LARGE].into() }),
            (5..=7, _) => Self::Block(name, u8::try_from(seed.below(3)).unwrap_or(0), piece),
            (8 | 9, _) if !blob.staged.is_empty() => {
                let pieces = blob.there.iter().flat_map(|there| &there.pieces);
                let kept = pieces.filter_map(|(id, _)| *id).filter(|id| !blob.staged.contains_key(id));
                Self::List(name, kept.filter(|_| seed.chance(1, 2)).collect())
            }
            _ => Self::Put(name, piece),
        }
    }

    /// Executes the act on a store.
    pub(super) fn perform(&self, blobs: &BlockingStore, state: &State) -> Result<()> {
        match self {
            Self::CreateContainer => blobs.create_container(&container()?, Metadata::new()).map(drop),
            Self::DeleteContainer => blobs.delete_container(&container()?, &BlobConditions::none()),
            Self::Put(name, piece) => {
                blobs.put_blob(&address(name)?, piece.content.clone(), PutBlob::new()).map(drop)
            }
            Self::GiveUp(name, piece) => {
                blobs.write_blob(&address(name)?, PutBlob::new())?.write(&piece.content)
            }
            Self::Block(name, id, piece) => blobs.put_block(
                &address(name)?,
                &BlockId::new([*id])?,
                piece.content.clone(),
                PutBlock::new(),
            ),
            Self::List(name, kept) => {
                let staged = state
                    .blob(name)
                    .staged
                    .into_keys()
                    .map(|id| Ok(BlockSource::Latest(BlockId::new([id])?)));
                let kept = kept.iter().map(|id| Ok(BlockSource::Committed(BlockId::new([*id])?)));
                let list = staged.chain(kept).collect::<Result<Vec<_>>>()?;
                blobs.put_block_list(&address(name)?, &list, PutBlob::new()).map(drop)
            }
            Self::CreateLog(name) => blobs.create_append_blob(&address(name)?, PutBlob::new()).map(drop),
            Self::Append(name, piece) => {
                blobs.append_block(&address(name)?, piece.content.clone(), AppendBlock::new()).map(drop)
            }
            Self::Delete(name) => {
                let all = DeleteSnapshots::Include;
                blobs.delete_snapshots(&address(name)?, all, &BlobConditions::none())
            }
            Self::Snapshot(name) => blobs.snapshot_blob(&address(name)?, SnapshotBlob::new()).map(drop),
            Self::DeleteSnapshots(name) => {
                blobs.delete_snapshots(&address(name)?, DeleteSnapshots::Only, &BlobConditions::none())
            }
            Self::DeleteSnapshot(name) => blobs.delete_blob(&oldest(blobs, name)?, &BlobConditions::none()),
            Self::Copy(to, from, of_snapshot) => {
                let from = if *of_snapshot { oldest(blobs, from)? } else { address(from)? };
                blobs.copy_blob(&address(to)?, &from, CopyBlob::new(Uuid::from_u128(1))).map(drop)
            }
        }
    }
}

/// Returns the address of the oldest snapshot of a blob.
fn oldest(blobs: &BlockingStore, name: &str) -> Result<BlobAddress> {
    let listed = blobs.list_blobs(&container()?, ListBlobs::new().prefix(name).snapshots())?;
    let oldest = listed.items.iter().find_map(|item| match item {
        BlobItem::Blob { properties, .. } if item.name() == name => properties.snapshot,
        _ => None,
    });
    Ok(address(name)?.at(oldest))
}

impl State {
    fn blob(&self, name: &str) -> Blob {
        self.0.as_ref().and_then(|blobs| blobs.get(name)).cloned().unwrap_or_default()
    }

    /// Returns the state after an act.
    pub(super) fn after(&self, act: &Act) -> Self {
        let mut blobs = match act {
            Act::CreateContainer => return Self(Some(BTreeMap::new())),
            Act::DeleteContainer => return Self(None),
            _ => self.0.clone().unwrap_or_default(),
        };
        let mut replace = |name: &String, there: There| {
            let blob = blobs.entry(name.clone()).or_default();
            (blob.there, blob.staged) = (Some(there), BTreeMap::new());
        };
        match act {
            Act::CreateContainer | Act::DeleteContainer | Act::GiveUp(..) => {}
            Act::Put(name, piece) => {
                replace(name, There { append: false, pieces: vec![(None, piece.clone())] });
            }
            Act::Block(name, id, piece) => {
                blobs.entry(name.clone()).or_default().staged.insert(*id, piece.clone());
            }
            Act::List(name, kept) => {
                let blob = self.blob(name);
                let old = blob.there.map(|there| there.pieces).unwrap_or_default();
                let kept =
                    kept.iter().filter_map(|id| old.iter().find(|(known, _)| *known == Some(*id)).cloned());
                let staged = blob.staged.into_iter().map(|(id, piece)| (Some(id), piece));
                replace(name, There { append: false, pieces: staged.chain(kept).collect() });
            }
            Act::CreateLog(name) => replace(name, There { append: true, pieces: Vec::new() }),
            Act::Copy(to, from, of_snapshot) => {
                let from = self.blob(from);
                let source = if *of_snapshot { from.snapshots.into_iter().next() } else { from.there };
                if let Some(source) = source {
                    replace(to, source);
                }
            }
            Act::Snapshot(name) => {
                let blob = blobs.entry(name.clone()).or_default();
                blob.snapshots.extend(blob.there.clone());
            }
            Act::DeleteSnapshots(name) => blobs.entry(name.clone()).or_default().snapshots.clear(),
            Act::DeleteSnapshot(name) => drop(blobs.entry(name.clone()).or_default().snapshots.remove(0)),
            Act::Append(name, piece) => {
                if let Some(there) = &mut blobs.entry(name.clone()).or_default().there {
                    there.pieces.push((None, piece.clone()));
                }
            }
            Act::Delete(name) => drop(blobs.remove(name)),
        }
        Self(Some(blobs))
    }
}

/// Returns mostly short contents, sometimes more than one commit stores.
fn content(seed: &mut Seed) -> Bytes {
    let length = match seed.below(6) {
        0 => LARGE + seed.below(10),
        1 => 130_000 + seed.below(100),
        _ => 1 + seed.below(3_000),
    };
    let drawn = seed.draw();
    let word = |at: usize| (at as u64).wrapping_mul(drawn | 1).to_be_bytes();
    (0..length.div_ceil(8)).flat_map(word).take(length).collect()
}
