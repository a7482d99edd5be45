//! Sweep for blobs that no entity references.

use std::time::Duration;

use table_model::{
    TableName,
    blob::{BlobAddress, BlobConditions, BlobItem, ContainerName, ListBlobs},
};

use crate::{
    Error, Pending, Receipt, TableEntity, Tables,
    apply::collect::{Collected, collect},
    core::{
        blob::name::{BlobPlace, Owned, container, folder},
        table::table_of,
    },
};

/// Minimum age of a blob that is considered orphaned. It is longer than any attempt can take.
const A_DAY: Duration = Duration::from_secs(86_400);

/// Job that deletes orphaned blobs, returned by [`Tables::collect_blobs`].
#[derive(Clone, Debug)]
#[must_use = "a sweep does nothing until it is run"]
pub struct CollectBlobs<'t> {
    tables: &'t Tables,
    /// Container, and listing of the blobs of the table.
    place: Result<(ContainerName, ListBlobs), Error>,
    older_than: Duration,
}

/// Result of [`CollectBlobs::run`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectedBlobs {
    /// Number of blobs of the table that were listed.
    pub listed: u64,
    /// Number of orphaned blobs that were deleted.
    pub deleted: u64,
    /// Number of blobs without a valid owner. They were not written by the library and are not deleted.
    pub foreign: u64,
}

impl Tables {
    /// Creates a job that deletes the blobs of an entity's table that no entity references. It can run during
    /// concurrent writes.
    ///
    /// Blobs left behind by a crash are usually deleted earlier, by [`catch_up`](Self::catch_up) and workers that
    /// process wake-up messages. This job is for the remaining cases: lost wake-up messages, a deleted table, or a
    /// client that bypassed the library.
    ///
    /// ```
    /// # use table_patterns::prelude::*;
    /// #[derive(TableEntity, Clone, Debug)]
    /// #[table(name = "Photos", partition = "{album}", row = "{id:06}")]
    /// struct Photo {
    ///     album: String,
    ///     id: u32,
    ///     #[table(blob)]
    ///     picture: Blob,
    /// }
    ///
    /// # fn main() -> Result<()> {
    /// # pollster::block_on(async {
    /// # let tables = Tables::in_memory()?;
    /// let collected = tables.collect_blobs::<Photo>().run().await?;
    /// assert_eq!(collected.foreign, 0);
    /// # Ok(())
    /// # })
    /// # }
    /// ```
    pub fn collect_blobs<E: TableEntity>(&self) -> CollectBlobs<'_> {
        CollectBlobs::of(self, table_of(E::DESIGN))
    }
}

impl<'t> CollectBlobs<'t> {
    /// Creates a job for the blobs of one table.
    pub(crate) fn of(tables: &'t Tables, table: Result<TableName, Error>) -> Self {
        let place = table.and_then(|table| Ok((container(&table)?, ListBlobs::new().prefix(folder(&table)))));
        Self { tables, place, older_than: A_DAY }
    }
}

impl CollectBlobs<'_> {
    /// Sets the minimum age of the blobs to delete. The default is one day. A younger blob may belong to a write in
    /// progress, which would have to be retried.
    pub const fn older_than(mut self, age: Duration) -> Self {
        self.older_than = age;
        self
    }
}

impl<'t> CollectBlobs<'t> {
    /// Lists all blobs and deletes orphaned blobs.
    ///
    /// # Errors
    /// Returns [`Error::BlobsNotConfigured`] if no blob service is configured, and [`Error::Service`] if a request
    /// fails.
    pub fn run(self) -> Pending<'t, CollectedBlobs> {
        Box::pin(async move {
            let Self { tables, place, older_than } = self;
            let (container, mut list) = place?;
            let mut done = CollectedBlobs::default();
            loop {
                let segment = match tables.blobs()?.list_blobs(&container, list.clone()).await {
                    Err(error) if error.is_not_found() => return Ok(done),
                    other => other?,
                };
                for item in &segment.items {
                    let BlobItem::Blob { name, properties } = item else { continue };
                    done.listed += 1;
                    if tables.now().duration_since(properties.created) < older_than {
                        continue;
                    }
                    let blob = BlobAddress::from((container.clone(), name.clone()));
                    match look(tables, &blob).await? {
                        Some(Collected::Deleted) => done.deleted += 1,
                        Some(Collected::Named | Collected::Committed) => {}
                        None => done.foreign += 1,
                    }
                }
                let Some(marker) = segment.next_marker else { return Ok(done) };
                list = list.marker(marker);
            }
        })
    }
}

/// Collects a blob. Returns `None` if it has no valid owner.
async fn look(tables: &Tables, blob: &BlobAddress) -> Result<Option<Collected>, Error> {
    // A listing may omit the metadata.
    let found = tables.blobs()?.blob_properties(blob, &BlobConditions::none()).await;
    let properties = match found {
        // Deleted by another process.
        Err(error) if error.is_not_found() => return Ok(Some(Collected::Named)),
        other => other?,
    };
    let Some(Owned { owner, token }) = Owned::of(&properties.metadata) else { return Ok(None) };
    // Metadata that do not match the name of the blob are not trusted.
    let name = blob.name.as_str();
    if !BlobPlace::is_of(&owner, name) || !name.ends_with(&format!("/{token}")) {
        return Ok(None);
    }
    let attempt = Receipt { table: owner.table, partition_key: owner.partition_key, token };
    collect(tables, &attempt, &owner.row_key, name).await.map(Some)
}
