use table_model::{
    ErrorCode, Result,
    blob::{
        AppendBlock, Appended, BlobAccess, BlobAddress, BlobChange, BlobConditions, BlobState, BlobType,
        BlobVersion, BlobWritten, LeaseAction, LeaseUse, Leased, PutBlob, upload::Content,
    },
};

use super::{
    content::{number, part_sum},
    work::{Grounds, Param, Work, Writes},
};
use crate::failure::Failure;

/// Replaces a blob by the given content.
pub(super) struct Put<'p> {
    pub(super) at: &'p BlobAddress,
    pub(super) blob_type: BlobType,
    pub(super) content: &'p Content<Option<i64>>,
    pub(super) with: &'p PutBlob,
}

impl Work for Put<'_> {
    type Answer = BlobWritten;

    fn at(&self) -> &BlobAddress {
        self.at
    }

    async fn decide(&self, grounds: &Grounds<'_>) -> Result<(Writes, BlobWritten), Failure> {
        let (old, time, now) = (grounds.state(), grounds.time, grounds.now);
        BlobState::check_create(old, &self.with.conditions, now)?;
        BlobState::check_type(old, self.blob_type)?;
        let mut blob = BlobState::written(self.blob_type, self.with, old, time, now);
        blob.length = self.content.length();
        let mut writes = Writes::default();
        let mut content = None;
        if blob.length > 0 {
            content = Some(grounds.keep(self.content, &mut writes)?);
        }
        grounds.put(self.at, &blob, content, None, &mut writes);
        grounds.discard_old(None, &mut writes);
        Ok((writes, BlobWritten::new(time.into(), self.with.headers.content_md5)))
    }
}

/// Appends to an append blob.
pub(super) struct Append<'p> {
    pub(super) at: &'p BlobAddress,
    pub(super) content: &'p Content<Option<i64>>,
    pub(super) when: &'p AppendBlock,
}

impl Work for Append<'_> {
    type Answer = Appended;

    fn at(&self) -> &BlobAddress {
        self.at
    }

    async fn decide(&self, grounds: &Grounds<'_>) -> Result<(Writes, Appended), Failure> {
        let conditions = &self.when.conditions;
        let mut blob = grounds.present(conditions, BlobAccess::Write, LeaseUse::WriteBlob)?;
        let appended = blob.append(self.when, self.content.length(), grounds.time, grounds.now)?;
        let mut writes = Writes::default();
        let part = grounds.keep(self.content, &mut writes)?;
        let old = grounds.found.as_ref().and_then(|found| found.content);
        let list = old.unwrap_or(-grounds.time.ticks());
        let (end, length) = (number(blob.length)?, number(self.content.length())?);
        let params: Vec<Param> = vec![
            Box::new(list),
            Box::new(vec![end]),
            Box::new(vec![length]),
            Box::new(vec![part]),
            Box::new(vec![part_sum(end, length, part)]),
            Box::new(vec![None::<Vec<u8>>]),
        ];
        writes.add(&grounds.statements.insert_parts, params);
        grounds.put(self.at, &blob, Some(list), None, &mut writes);
        Ok((writes, appended))
    }
}

/// Changes headers, metadata or tags.
pub(super) struct Change<'p> {
    pub(super) at: &'p BlobAddress,
    pub(super) conditions: &'p BlobConditions,
    pub(super) to: &'p BlobChange,
}

impl Work for Change<'_> {
    type Answer = BlobVersion;

    fn at(&self) -> &BlobAddress {
        self.at
    }

    async fn decide(&self, grounds: &Grounds<'_>) -> Result<(Writes, BlobVersion), Failure> {
        let mut blob = grounds.present(self.conditions, BlobAccess::Write, LeaseUse::WriteBlob)?;
        blob.change(self.to.clone(), grounds.time, grounds.now);
        Ok((grounds.replace(self.at, &blob), blob.modified.into()))
    }
}

/// Operates on the lease of a blob. Its version does not change.
pub(super) struct LeaseBlob<'p> {
    pub(super) at: &'p BlobAddress,
    pub(super) action: &'p LeaseAction,
    pub(super) conditions: &'p BlobConditions,
}

impl Work for LeaseBlob<'_> {
    type Answer = Leased;

    fn at(&self) -> &BlobAddress {
        self.at
    }

    async fn decide(&self, grounds: &Grounds<'_>) -> Result<(Writes, Leased), Failure> {
        BlobState::check_version(grounds.state(), self.conditions, BlobAccess::Write)?;
        let found = grounds.state().filter(|blob| blob.exists());
        let mut blob = found.cloned().ok_or(ErrorCode::BlobNotFound)?;
        let version = blob.modified.into();
        let leased = self.action.replace(&mut blob.lease, version, grounds.now)?;
        Ok((grounds.replace(self.at, &blob), leased))
    }
}

impl Grounds<'_> {
    /// Returns the state of a blob that exists and satisfies the conditions.
    pub(super) fn present(
        &self,
        conditions: &BlobConditions,
        access: BlobAccess,
        usage: LeaseUse,
    ) -> Result<BlobState> {
        BlobState::check(self.state(), conditions, access, usage, self.now)?;
        self.state().cloned().ok_or_else(|| ErrorCode::BlobNotFound.into())
    }

    /// Replaces the state of a blob; its content stays.
    fn replace(&self, at: &BlobAddress, blob: &BlobState) -> Writes {
        let mut writes = Writes::default();
        let (content, stage) = self.found.as_ref().map_or((None, None), |found| (found.content, found.stage));
        self.put(at, blob, content, stage, &mut writes);
        writes
    }
}
