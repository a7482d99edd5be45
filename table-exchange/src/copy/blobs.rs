mod content;
mod versions;

use std::cmp::Ordering;

use futures_util::{StreamExt, stream::FuturesUnordered};
use table_model::{
    BlobService, ErrorCode, Pending, Result, TableError, Timestamp,
    blob::{
        BlobAddress, BlobConditions, BlobName, BlobProperties, ContainerName, ContainerProperties,
        DeleteSnapshots, SnapshotBlob,
    },
};

use self::versions::{Versions, VersionsOfBlobs};
use super::{Copied, Difference, DifferenceKind, Subject};
use crate::send::is_about_entity;

/// Number of blobs that are compared or written concurrently.
const AT_ONCE: usize = 8;

/// A copy of the blobs of a container to the container of the same name of another service.
///
/// Content, headers, metadata and tags are copied, and the snapshots in their order. Times, ETags, leases and the division
/// into blocks are those of the target. Two blobs are equal if their MD5 hashes are; without hashes, their content is read.
/// Content is streamed.
#[derive(Clone, Copy, Debug)]
pub struct BlobCopy<'c> {
    from: &'c dyn BlobService,
    to: &'c dyn BlobService,
    writes: bool,
    deletes_extra: bool,
    since: Option<Timestamp>,
}

/// The state of a blob after it was compared.
enum Compared {
    Equal,
    Resolved(DifferenceKind),
    Remains(Difference),
}

impl<'c> BlobCopy<'c> {
    /// Creates a copy. Extra blobs of the target remain.
    pub const fn new(from: &'c dyn BlobService, to: &'c dyn BlobService) -> Self {
        Self { from, to, writes: true, deletes_extra: false, since: None }
    }

    /// Only compares: nothing is written, and all differences remain.
    #[must_use]
    pub const fn comparing(mut self, compares: bool) -> Self {
        self.writes = !compares;
        self
    }

    /// Deletes blobs and snapshots of the target that the source does not contain.
    #[must_use]
    pub const fn deleting_extra(mut self, deletes: bool) -> Self {
        self.deletes_extra = deletes;
        self
    }

    /// Reads the content of blobs without a hash only if they were written at this time or later.
    #[must_use]
    pub const fn since(mut self, since: Option<Timestamp>) -> Self {
        self.since = since;
        self
    }

    /// Copies a container of the source. `progress` is called after each blob.
    ///
    /// # Errors
    /// Errors of a service that do not concern a single blob. The next run continues.
    pub async fn run(
        &self,
        container: &ContainerProperties,
        mut progress: impl AsyncFnMut(&Copied),
    ) -> Result<Copied> {
        let mut copied = Copied::default();
        self.container(container, &mut copied).await?;
        let mut source = VersionsOfBlobs::new(self.from, &container.name);
        let mut target = VersionsOfBlobs::new(self.to, &container.name);
        let (mut left, mut right) = (source.next().await?, target.next().await?);
        let mut running: FuturesUnordered<Pending<'_, Compared>> = FuturesUnordered::new();
        loop {
            let side = match (&left, &right) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((left, _)), Some((right, _))) => left.as_str().cmp(right.as_str()),
            };
            let from = if side.is_le() { left.take() } else { None };
            let to = if side.is_ge() { right.take() } else { None };
            if let Some((_, versions)) = &from {
                copied.read += 1;
                copied.newest = copied.newest.max(versions.iter().map(|version| version.last_modified).max());
            }
            if running.len() >= AT_ONCE
                && let Some(done) = running.next().await
            {
                count(&mut copied, done?);
            }
            let (this, name) = (*self, &container.name);
            running.push(Box::pin(async move { this.blob(name, from, to).await }));
            progress(&copied).await;
            if side.is_le() {
                left = source.next().await?;
            }
            if side.is_ge() {
                right = target.next().await?;
            }
        }
        while let Some(done) = running.next().await {
            count(&mut copied, done?);
        }
        Ok(copied)
    }

    async fn container(&self, container: &ContainerProperties, copied: &mut Copied) -> Result<()> {
        let ContainerProperties { name, metadata, .. } = container;
        let none = BlobConditions::none();
        let kind = match self.to.container_properties(name, &none).await {
            Ok(found) if found.metadata == *metadata => return Ok(()),
            Ok(_) => DifferenceKind::Different,
            Err(error) if error.code() == ErrorCode::ContainerNotFound => DifferenceKind::Missing,
            Err(error) => return Err(error),
        };
        copied.count(kind, 1);
        if !self.writes {
            copied.list(Difference { kind, subject: Subject::Container(name.clone()), rejected: None });
            return Ok(());
        }
        match kind {
            DifferenceKind::Missing => self.to.create_container(name, metadata.clone()).await?,
            _ => self.to.set_container_metadata(name, metadata.clone(), &none).await?,
        };
        copied.resolved += 1;
        Ok(())
    }

    async fn blob(
        &self,
        container: &ContainerName,
        source: Option<(BlobName, Versions)>,
        target: Option<(BlobName, Versions)>,
    ) -> Result<Compared> {
        let Some(name) = source.as_ref().or(target.as_ref()).map(|(name, _)| name.clone()) else {
            return Ok(Compared::Equal);
        };
        let blob = BlobAddress::from((container.clone(), name));
        let kind = match (&source, &target) {
            (_, None) => DifferenceKind::Missing,
            (None, _) => DifferenceKind::Extra,
            _ => DifferenceKind::Different,
        };
        let (source, target) = (source.map(|(_, versions)| versions), target.map(|(_, versions)| versions));
        match self.synchronize(&blob, source.as_deref(), target.as_deref()).await {
            Ok(Some(true)) => Ok(Compared::Resolved(kind)),
            Ok(None) => Ok(Compared::Equal),
            Ok(Some(false)) => Ok(remains(kind, blob, None)),
            Err(error) if is_about_entity(&error) && error.code() != ErrorCode::ContainerNotFound => {
                Ok(remains(kind, blob, Some(error)))
            }
            Err(error) => Err(error),
        }
    }

    /// Makes the versions of a blob equal. Returns `None` if they are, and otherwise whether the difference was removed.
    async fn synchronize(
        &self,
        blob: &BlobAddress,
        source: Option<&[BlobProperties]>,
        target: Option<&[BlobProperties]>,
    ) -> Result<Option<bool>> {
        let target = target.unwrap_or_default();
        let Some((base, snapshots)) = source.and_then(<[_]>::split_last) else {
            return self.delete(blob, target).await.map(Some);
        };
        let (current, taken) =
            target.split_last().map_or((None, target), |(current, taken)| (Some(current), taken));
        let mut common = 0;
        for (left, right) in snapshots.iter().zip(taken) {
            if !self.is_same(blob, left, right).await? {
                break;
            }
            common += 1;
        }
        let is_prefix = common == taken.len();
        let is_same = match current {
            Some(current) if is_prefix && common == snapshots.len() => {
                self.is_same(blob, base, current).await?
            }
            _ => false,
        };
        if is_same {
            return Ok(None);
        }
        if !self.writes || !is_prefix && !self.deletes_extra {
            return Ok(Some(false));
        }
        let mut conditions =
            current.map_or_else(BlobConditions::absent, |current| current.etag.clone().into());
        if let Some(current) = current.filter(|current| current.blob_type != base.blob_type) {
            // The type of a blob cannot change.
            self.remove(blob, current, taken).await?;
            (conditions, common) = (BlobConditions::absent(), 0);
        } else if !is_prefix {
            // Snapshots cannot be inserted before others.
            self.to.delete_snapshots(blob, DeleteSnapshots::Only, &conditions).await?;
            common = 0;
        }
        for version in snapshots.iter().skip(common) {
            conditions = self.write(blob, version, conditions).await?.into();
            self.to.snapshot_blob(blob, SnapshotBlob::new().conditions(conditions.clone())).await?;
        }
        self.write(blob, base, conditions).await?;
        Ok(Some(true))
    }

    /// Deletes an extra blob, if that is requested.
    async fn delete(&self, blob: &BlobAddress, target: &[BlobProperties]) -> Result<bool> {
        let Some((current, snapshots)) = target.split_last().filter(|_| self.writes && self.deletes_extra)
        else {
            return Ok(false);
        };
        self.remove(blob, current, snapshots).await?;
        Ok(true)
    }

    async fn remove(
        &self,
        blob: &BlobAddress,
        current: &BlobProperties,
        snapshots: &[BlobProperties],
    ) -> Result<()> {
        let conditions = current.etag.clone().into();
        if snapshots.is_empty() {
            return self.to.delete_blob(blob, &conditions).await;
        }
        self.to.delete_snapshots(blob, DeleteSnapshots::Include, &conditions).await
    }
}

fn remains(kind: DifferenceKind, blob: BlobAddress, rejected: Option<TableError>) -> Compared {
    Compared::Remains(Difference { kind, subject: Subject::Blob(blob), rejected })
}

fn count(copied: &mut Copied, compared: Compared) {
    match compared {
        Compared::Equal => {}
        Compared::Resolved(kind) => {
            copied.count(kind, 1);
            copied.resolved += 1;
        }
        Compared::Remains(difference) => {
            copied.count(difference.kind, 1);
            copied.list(difference);
        }
    }
}
