use table_model::{
    Result,
    blob::{BlobAccess, BlobAddress, BlobConditions, BlobType, DeleteSnapshots, LeaseUse},
};

use super::work::{CURRENT, Grounds, Param, Work, Writes, snapshot_of};
use crate::failure::Failure;

/// Deletes a blob, its snapshots, both, or a single snapshot.
pub(super) struct Delete<'p> {
    pub(super) at: &'p BlobAddress,
    pub(super) snapshots: Option<DeleteSnapshots>,
    pub(super) conditions: &'p BlobConditions,
}

impl Work for Delete<'_> {
    type Answer = ();

    fn at(&self) -> &BlobAddress {
        self.at
    }

    fn type_if_damaged(&self) -> Option<BlobType> {
        Some(BlobType::Block)
    }

    async fn decide(&self, grounds: &Grounds<'_>) -> Result<(Writes, ()), Failure> {
        let is_snapshot = self.at.snapshot.is_some();
        grounds.present(self.conditions, BlobAccess::Write, LeaseUse::WriteBlob)?;
        let name = self.at.name.as_str().as_bytes();
        let newest = grounds.session.prepare_cached(&grounds.statements.newest).await?;
        let newest = grounds.session.query_opt(&newest, &[&grounds.container, &name]).await?;
        DeleteSnapshots::check(self.snapshots, is_snapshot, newest.is_some())?;
        let at = snapshot_of(self.at);
        let (first, last) = match self.snapshots {
            None => (at, at),
            Some(DeleteSnapshots::Include) => (i64::MIN, CURRENT),
            Some(DeleteSnapshots::Only) => (i64::MIN, CURRENT - 1),
        };
        let mut writes = Writes::default();
        let params: Vec<Param> = vec![
            Box::new(grounds.container),
            Box::new(name.to_vec()),
            Box::new(first),
            Box::new(last),
            Box::new(grounds.due()),
            Box::new(grounds.now.ticks()),
        ];
        writes.add(&grounds.statements.delete, params);
        Ok((writes, ()))
    }
}
