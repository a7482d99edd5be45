//! Reads other than content.

use table_model::{
    ErrorCode, Result,
    blob::{
        BlobAccess, BlobAddress, BlobConditions, BlobProperties, BlobState, BlobTags, BlobType, Block,
        BlockId, BlockList, LeaseUse,
    },
};

use super::work::{Found, Stored};
use crate::{failure::Failure, postgres::Inner};

impl Inner {
    /// Returns an existing blob or snapshot that satisfies the conditions of a read.
    pub(super) async fn present(
        &self,
        at: &BlobAddress,
        conditions: &BlobConditions,
    ) -> Result<(Stored, table_model::Timestamp), Failure> {
        let Found { now, stored, .. } = self.look_up(at).await?;
        let state = stored.as_ref().map(|stored| &stored.state);
        BlobState::check(state, conditions, BlobAccess::Read, LeaseUse::ReadBlob, now)?;
        Ok((stored.ok_or(ErrorCode::BlobNotFound)?, now))
    }

    pub(super) async fn blob_properties(
        &self,
        at: &BlobAddress,
        conditions: &BlobConditions,
    ) -> Result<BlobProperties, Failure> {
        let (stored, now) = self.present(at, conditions).await?;
        let mut properties = stored.state.properties(now);
        properties.snapshot = at.snapshot;
        Ok(properties)
    }

    pub(super) async fn blob_tags(
        &self,
        at: &BlobAddress,
        conditions: &BlobConditions,
    ) -> Result<BlobTags, Failure> {
        Ok(self.present(at, conditions).await?.0.state.tags)
    }

    /// Returns the blocks of a block blob, including a blob that has only uncommitted blocks.
    pub(super) async fn block_list(&self, at: &BlobAddress) -> Result<BlockList, Failure> {
        let Found { now, stored, .. } = self.look_up(at).await?;
        let stage = stored.as_ref().and_then(|stored| stored.stage).filter(|stage| stage.is_kept(now));
        let shown = stored.filter(|stored| stored.state.exists() || stage.is_some());
        let Stored { state, content, .. } = shown.ok_or(ErrorCode::BlobNotFound)?;
        if state.blob_type == Some(BlobType::Append) {
            return Err(ErrorCode::InvalidBlobType.into());
        }
        let mut list = BlockList::default();
        list.length = state.length;
        list.version = state.exists().then(|| state.modified.into());
        if let Some(parts) = content.filter(|content| *content < 0) {
            for row in self.query_blobs(&self.blobs.parts, &[&parts]).await? {
                let (length, id): (i64, Option<&[u8]>) = (row.get(0), row.get(2));
                let id = BlockId::new(id.unwrap_or_default())?;
                list.committed.push(Block { id, size: length.unsigned_abs() });
            }
        }
        if let Some(stage) = stage {
            for row in self.query_blobs(&self.blobs.all_staged, &[&stage.id]).await? {
                let (id, length): (&[u8], i64) = (row.get(0), row.get(1));
                list.uncommitted.push(Block { id: BlockId::new(id)?, size: length.unsigned_abs() });
            }
        }
        Ok(list)
    }
}
