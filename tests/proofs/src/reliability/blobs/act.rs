use std::collections::BTreeMap;

use table_store::{
    BlockingStore, Bytes, Metadata, Result,
    blob::{AppendBlock, BlobConditions, BlockId, BlockSource, PutBlob, PutBlock},
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
    Delete(String),
}

impl Act {
    /// Returns the next act, which is accepted in this state.
    pub(super) fn next(seed: &mut Seed, state: &State, number: u64) -> Self {
        let Some(blobs) = &state.0 else { return Self::CreateContainer };
        let name = seed.pick(&NAMES).copied().unwrap_or_default().to_owned();
        let blob = blobs.get(&name).cloned().unwrap_or_default();
        let is_log = blob.there.as_ref().is_some_and(|there| there.append);
        let piece = Piece { number, content: content(seed) };
        match (seed.below(12), &blob.there) {
            (0, _) => Self::DeleteContainer,
            (1 | 2, Some(_)) => Self::Delete(name),
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
            Self::Delete(name) => blobs.delete_blob(&address(name)?, &BlobConditions::none()),
        }
    }
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
        match act {
            Act::CreateContainer | Act::DeleteContainer | Act::GiveUp(..) => {}
            Act::Put(name, piece) => {
                let there = There { append: false, pieces: vec![(None, piece.clone())] };
                blobs.insert(name.clone(), Blob { there: Some(there), staged: BTreeMap::new() });
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
                let there = There { append: false, pieces: staged.chain(kept).collect() };
                blobs.insert(name.clone(), Blob { there: Some(there), staged: BTreeMap::new() });
            }
            Act::CreateLog(name) => {
                let there = There { append: true, pieces: Vec::new() };
                blobs.insert(name.clone(), Blob { there: Some(there), staged: BTreeMap::new() });
            }
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
