//! Uncommitted blocks.

use std::ops::ControlFlow;

use table_model::{
    StorageFault, Timestamp,
    blob::{BlobName, BlockId, limits::UNCOMMITTED_KEPT},
    fields::{Fields, push_text},
};

use super::{
    place::{self, Id, STAGED, STAGES},
    record::{Blob, Stage},
};
use crate::{
    checksum::{self, damaged, unseal},
    engine::{Read, Write},
    write_batch::Edits,
};

/// An uncommitted block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Staged {
    pub(super) contents: Id,
    pub(super) length: u64,
}

impl Staged {
    pub(super) fn find(read: &dyn Read, stage: Id, block: &BlockId) -> Result<Option<Self>, StorageFault> {
        let key = place::staged(stage, block);
        let Some(body) = checksum::get(read, &key)? else { return Ok(None) };
        Self::decode(&body).map(Some).ok_or_else(|| damaged(&key, "its layout is invalid"))
    }

    /// Returns all blocks of a stage, in the order of their ids.
    pub(super) fn all(read: &dyn Read, stage: Id) -> Result<Vec<(BlockId, Self)>, StorageFault> {
        let (mut blocks, mut fault) = (Vec::new(), None);
        let (from, to) = (stage.prefix(STAGED), stage.end(STAGED));
        read.scan_whole(&from, &to, &mut |key, record| match staged(key, record) {
            Ok(block) => {
                blocks.push(block);
                ControlFlow::Continue(())
            }
            Err(damage) => {
                fault = Some(damage);
                ControlFlow::Break(())
            }
        })?;
        fault.map_or(Ok(blocks), Err)
    }

    pub(super) fn encode(&self) -> Vec<u8> {
        [self.contents.0.to_le_bytes(), self.length.to_le_bytes()].concat()
    }

    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(body);
        let (contents, length) = (Id(fields.long()?), fields.long()?);
        fields.end()?;
        Some(Self { contents, length })
    }
}

pub(super) fn staged(key: &[u8], record: &[u8]) -> Result<(BlockId, Staged), StorageFault> {
    let staged = Staged::decode(unseal(key, record)?);
    let id = place::split(key).and_then(|(_, id)| BlockId::new(id).ok());
    id.zip(staged).ok_or_else(|| damaged(key, "its layout is invalid"))
}

/// Owning blob of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StageOf {
    pub(super) container: Id,
    pub(super) name: BlobName,
}

impl StageOf {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut body = self.container.0.to_le_bytes().to_vec();
        push_text(&mut body, self.name.as_str());
        body
    }

    pub(super) fn decode(body: &[u8]) -> Option<Self> {
        let mut fields = Fields::new(body);
        let (container, name) = (Id(fields.long()?), BlobName::new(fields.text()?).ok()?);
        fields.end()?;
        Some(Self { container, name })
    }
}

impl Stage {
    /// Returns whether the retention has ended. The stage is then treated as missing.
    pub(super) fn is_over(&self, now: Timestamp) -> bool {
        self.last.saturating_add(UNCOMMITTED_KEPT) < now
    }
}

impl Blob {
    /// Returns the stage, if its retention has not ended.
    pub(super) fn stage_at(&self, now: Timestamp) -> Option<Stage> {
        self.stage.filter(|stage| !stage.is_over(now))
    }
}

/// Discards stages whose retention has ended. Checks the `most` oldest stages. Returns the lowest key of the
/// recorded garbage.
pub(super) fn expire(
    write: &mut dyn Write,
    now: Timestamp,
    most: usize,
) -> Result<Option<Vec<u8>>, StorageFault> {
    // Newer stages, and the removals of newer stages that are still in the log, are not read.
    let kept = i64::try_from(UNCOMMITTED_KEPT.as_nanos() / 100).unwrap_or(i64::MAX);
    let Some(newest) = Timestamp::from_ticks(now.ticks().saturating_sub(kept)) else { return Ok(None) };
    let mut old = Vec::new();
    write.scan(&STAGES.prefix(), &place::stage(Id::at(newest)), &mut |key, record| {
        let id = place::split(key).map(|(id, _)| id);
        let Some(id) =
            id.filter(|id| id.time().is_some_and(|begun| begun.saturating_add(UNCOMMITTED_KEPT) < now))
        else {
            return ControlFlow::Break(());
        };
        if let Some(of) = checksum::open(key, record).ok().and_then(StageOf::decode) {
            old.push((id, of));
        }
        if old.len() < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    let mut edits = Edits::new();
    for (id, of) in old {
        // If the record of the blob is damaged, the stage remains until the blob is written again.
        let Ok(Some(mut blob)) = Blob::find(write, of.container, &of.name) else { continue };
        if blob.stage.is_some_and(|stage| stage.id == id && stage.is_over(now)) {
            edits.discard_stage_of(&blob);
            blob.stage = None;
            let key = place::blob(of.container, &of.name);
            if blob.exists() {
                edits.put(key, blob.encode());
            } else {
                edits.remove(key);
            }
        }
    }
    edits.apply(write)?;
    Ok(edits.garbage().map(<[u8]>::to_vec))
}
