use std::collections::BTreeMap;

use table_model::{
    Result, Uuid,
    blob::{BlobAddress, BlobState, BlobType, BlobWritten, BlockId, BlockSource, PutBlob, upload::Content},
};

use super::{
    content::{number, part_sum},
    work::{Grounds, Param, STAGE, Stage, Work, Writes},
};
use crate::failure::Failure;

/// Uploads a block of a new or existing blob.
pub(super) struct PutBlock<'p> {
    pub(super) at: &'p BlobAddress,
    pub(super) id: &'p BlockId,
    pub(super) content: &'p Content<Option<i64>>,
    pub(super) lease: Option<Uuid>,
}

impl Work for PutBlock<'_> {
    type Answer = ();

    fn at(&self) -> &BlobAddress {
        self.at
    }

    async fn decide(&self, grounds: &Grounds<'_>) -> Result<(Writes, ()), Failure> {
        BlobState::check_block(grounds.state(), self.lease, grounds.now)?;
        let mut blob = grounds.state().cloned().unwrap_or_else(|| BlobState::new(None, grounds.time));
        let mut writes = Writes::default();
        let old = grounds.found.as_ref().and_then(|found| found.stage);
        let mut stage = match old {
            Some(stage) if stage.is_kept(grounds.now) => stage,
            old => {
                if let Some(old) = old {
                    grounds.discard_stage(old.id, &mut writes);
                }
                let id = grounds.time.ticks();
                let params: Vec<Param> = vec![Box::new(STAGE), Box::new(id), Box::new(grounds.stage_due())];
                writes.add(&grounds.statements.discard, params);
                Stage { id, count: 0, last: grounds.now }
            }
        };
        let replaced = staged(grounds, stage.id, std::slice::from_ref(self.id)).await?;
        stage.count = blob.add_block(self.id, stage.count, !replaced.is_empty())?;
        stage.last = grounds.now;
        for (content, _) in replaced.values() {
            grounds.discard(*content, &mut writes);
        }
        let content = grounds.keep(self.content, &mut writes)?;
        let params: Vec<Param> = vec![
            Box::new(stage.id),
            Box::new(self.id.as_bytes().to_vec()),
            Box::new(content),
            Box::new(number(self.content.length())?),
        ];
        writes.add(&grounds.statements.upsert_staged, params);
        let committed = grounds.found.as_ref().and_then(|found| found.content);
        grounds.put(self.at, &blob, committed, Some(stage), &mut writes);
        Ok((writes, ()))
    }
}

/// Assembles a blob from blocks and replaces an existing blob.
pub(super) struct PutList<'p> {
    pub(super) at: &'p BlobAddress,
    pub(super) blocks: &'p [BlockSource],
    pub(super) put: &'p PutBlob,
}

impl Work for PutList<'_> {
    type Answer = BlobWritten;

    fn at(&self) -> &BlobAddress {
        self.at
    }

    async fn decide(&self, grounds: &Grounds<'_>) -> Result<(Writes, BlobWritten), Failure> {
        let (old, time, now) = (grounds.state(), grounds.time, grounds.now);
        BlobState::check_create(old, &self.put.conditions, now)?;
        BlobState::check_type(old, BlobType::Block)?;
        let mut blob = BlobState::assembled(self.blocks.len(), self.put, old, time, now);
        let found = grounds.found.as_ref();
        let mut committed = BTreeMap::new();
        if let Some(list) = found.and_then(|found| found.content).filter(|content| *content < 0) {
            let parts = grounds.session.prepare_cached(&grounds.statements.parts).await?;
            for row in grounds.session.query(&parts, &[&list]).await? {
                let (length, part, id): (i64, i64, Option<Vec<u8>>) = (row.get(0), row.get(1), row.get(2));
                committed.insert(BlockId::new(id.unwrap_or_default())?, (part, length));
            }
        }
        let ids: Vec<BlockId> = self.blocks.iter().map(|block| block.id().clone()).collect();
        let stage = found.and_then(|found| found.stage).filter(|stage| stage.is_kept(now));
        let uncommitted = match stage {
            Some(stage) => staged(grounds, stage.id, &ids).await?,
            None => BTreeMap::new(),
        };
        let (mut ends, mut lengths, mut parts, mut sums) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for block in self.blocks {
            let (part, length) =
                block.choose(|id| committed.get(id).copied(), |id| Ok(uncommitted.get(id).copied()))?;
            blob.length = blob.length.saturating_add(length.unsigned_abs());
            let end = number(blob.length)?;
            ends.push(end);
            sums.push(part_sum(end, length, part));
            lengths.push(length);
            parts.push(part);
        }
        let mut writes = Writes::default();
        let mut content = None;
        if !parts.is_empty() {
            let list = -time.ticks();
            content = Some(list);
            let ids: Vec<Option<Vec<u8>>> = ids.iter().map(|id| Some(id.as_bytes().to_vec())).collect();
            let params: Vec<Param> = vec![
                Box::new(list),
                Box::new(ends),
                Box::new(lengths),
                Box::new(parts),
                Box::new(sums),
                Box::new(ids),
            ];
            writes.add(&grounds.statements.insert_parts, params);
        }
        grounds.put(self.at, &blob, content, None, &mut writes);
        grounds.discard_old(None, &mut writes);
        Ok((writes, BlobWritten::new(time.into(), None)))
    }
}

/// Returns the content and length of uncommitted blocks.
async fn staged(
    grounds: &Grounds<'_>,
    stage: i64,
    ids: &[BlockId],
) -> Result<BTreeMap<BlockId, (i64, i64)>, Failure> {
    let ids: Vec<&[u8]> = ids.iter().map(BlockId::as_bytes).collect();
    let statement = grounds.session.prepare_cached(&grounds.statements.staged).await?;
    let mut found = BTreeMap::new();
    for row in grounds.session.query(&statement, &[&stage, &ids]).await? {
        found.insert(BlockId::new(row.get::<_, &[u8]>(0))?, (row.get(1), row.get(2)));
    }
    Ok(found)
}
