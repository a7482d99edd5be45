use table_model::{
    ErrorCode, Result,
    blob::{
        BlobAccess, BlobAddress, BlobCopied, BlobState, BlobType, CopyBlob, LeaseUse, SnapshotBlob,
        Snapshotted,
    },
};

use super::{
    content::number,
    work::{Grounds, Param, Work, Writes},
};
use crate::failure::Failure;

/// Creates a snapshot, which shares the content of the blob.
pub(super) struct Snapshot<'p> {
    pub(super) at: &'p BlobAddress,
    pub(super) request: &'p SnapshotBlob,
}

impl Work for Snapshot<'_> {
    type Answer = Snapshotted;

    fn at(&self) -> &BlobAddress {
        self.at
    }

    async fn decide(&self, grounds: &Grounds<'_>) -> Result<(Writes, Snapshotted), Failure> {
        let conditions = &self.request.conditions;
        let base = grounds.present(conditions, BlobAccess::Write, LeaseUse::ReadBlob)?;
        let newest = grounds.session.prepare_cached(&grounds.statements.newest).await?;
        let name = self.at.name.as_str().as_bytes();
        let newest = grounds.session.query_opt(&newest, &[&grounds.container, &name]).await?;
        if newest.is_some_and(|row| row.get::<_, i64>(0) >= grounds.time.ticks()) {
            // The clock of another program is ahead.
            return Err(Failure::Again);
        }
        let snapshot = base.snapshot(self.request, grounds.time);
        let content = grounds.found.as_ref().and_then(|found| found.content);
        let mut writes = Writes::default();
        grounds.put_at(self.at, grounds.time.ticks(), &snapshot, content, None, &mut writes);
        Ok((writes, Snapshotted::new(grounds.time.into(), snapshot.modified.into())))
    }
}

/// Replaces a blob by a copy of a blob or snapshot, which shares its content.
pub(super) struct Copy<'p> {
    pub(super) to: &'p BlobAddress,
    pub(super) from: &'p BlobAddress,
    pub(super) request: &'p CopyBlob,
}

impl Work for Copy<'_> {
    type Answer = BlobCopied;

    fn at(&self) -> &BlobAddress {
        self.to
    }

    fn source(&self) -> Option<&BlobAddress> {
        Some(self.from)
    }

    async fn decide(&self, grounds: &Grounds<'_>) -> Result<(Writes, BlobCopied), Failure> {
        let (old, time, now) = (grounds.state(), grounds.time, grounds.now);
        let source = grounds.source.clone().unwrap_or(Ok(None))?;
        BlobState::check_source(source.as_ref().map(|source| &source.state), self.request, now)?;
        let source = source.ok_or(ErrorCode::BlobNotFound)?;
        BlobState::check_create(old, &self.request.conditions, now)?;
        if let Some(blob_type) = source.state.blob_type {
            BlobState::check_type(old, blob_type)?;
        }
        let state = source.state.copied(self.request, old, time, now);
        let mut writes = Writes::default();
        let mut content = source.content;
        if let Some(list) = source.content
            && source.state.blob_type == Some(BlobType::Append)
            && self.from != self.to
        {
            // The list of an append blob grows, and belongs to that blob and its snapshots alone.
            let own = -time.ticks();
            let params: Vec<Param> =
                vec![Box::new(own), Box::new(list), Box::new(number(source.state.length)?)];
            writes.add(&grounds.statements.copy_parts, params);
            content = Some(own);
        }
        grounds.put(self.to, &state, content, None, &mut writes);
        grounds.discard_old(content, &mut writes);
        Ok((writes, BlobCopied::new(time.into(), self.request.id)))
    }
}
