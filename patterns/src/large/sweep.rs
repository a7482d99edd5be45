//! Blobs that no entity names, found by listing them.

use std::time::Duration;

use table_store::{
    TableName,
    blob::{BlobAddress, BlobConditions, BlobItem, ContainerName, ListBlobs},
};

use super::{
    BlobPlace, Collected, collect,
    name::{Owned, container, folder},
};
use crate::{Archived, Error, Pending, Receipt, TableEntity, Tables, tables::table_of};

/// How old a blob is at least that is taken for left behind: older than any attempt can be.
const A_DAY: Duration = Duration::from_secs(86_400);

/// The job of [`Tables::collect_blobs`].
#[derive(Clone, Debug)]
#[must_use = "it does nothing until it is run"]
pub struct CollectBlobs<'t> {
    tables: &'t Tables,
    /// The container, and what the names of the table's blobs begin with.
    place: Result<(ContainerName, ListBlobs), Error>,
    older_than: Duration,
}

/// What a [`CollectBlobs`] came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CollectedBlobs {
    /// Blobs of the table that were listed.
    pub listed: u64,
    /// Those that no entity named and none ever will: they are gone.
    pub deleted: u64,
    /// Those that say nothing of an owner: they were not written by the library, and are left.
    pub foreign: u64,
}

impl Tables {
    /// Looks through the blobs of an entity's table for those that no entity names, and deletes them. Others may write
    /// meanwhile.
    ///
    /// What a crash leaves behind is found sooner, by a hint that [`settle`](Self::settle) and workers follow. This is for the
    /// rest: after hints were lost, a table was deleted, or somebody wrote past the library.
    pub fn collect_blobs<E: TableEntity>(&self) -> CollectBlobs<'_> {
        CollectBlobs::of(self, table_of(E::DESIGN))
    }

    /// Returns the same job for the blobs of the entities in an archive.
    pub fn collect_archived_blobs<E: Archived>(&self) -> CollectBlobs<'_> {
        CollectBlobs::of(self, TableName::new(E::ARCHIVE).map_err(Error::from))
    }
}

impl<'t> CollectBlobs<'t> {
    /// The blobs of one table.
    fn of(tables: &'t Tables, table: Result<TableName, Error>) -> Self {
        let place = table.and_then(|table| Ok((container(&table)?, ListBlobs::new().prefix(folder(&table)))));
        Self { tables, place, older_than: A_DAY }
    }
}

impl CollectBlobs<'_> {
    /// Only blobs of at least this age: a day without this. What is younger may belong to a write that is under way, which
    /// would have to begin anew.
    pub const fn older_than(mut self, age: Duration) -> Self {
        self.older_than = age;
        self
    }
}

impl<'t> CollectBlobs<'t> {
    /// Lists all, and deletes what is left behind.
    ///
    /// # Errors
    /// [`Error::NoBlobs`]; [`Error::Service`].
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
                    let blob = BlobAddress { container: container.clone(), name: name.clone() };
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

/// None for a blob that says nothing of an owner.
async fn look(tables: &Tables, blob: &BlobAddress) -> Result<Option<Collected>, Error> {
    // A listing need not say the metadata.
    let found = tables.blobs()?.blob_properties(blob, &BlobConditions::none()).await;
    let properties = match found {
        // Somebody was faster.
        Err(error) if error.is_not_found() => return Ok(Some(Collected::Named)),
        other => other?,
    };
    let Some(Owned { owner, token }) = Owned::of(&properties.metadata) else { return Ok(None) };
    // What says another's key, or the token of another attempt, is not to be acted on.
    let name = blob.name.as_str();
    if !BlobPlace::is_of(&owner, name) || !name.ends_with(&format!("/{token}")) {
        return Ok(None);
    }
    let attempt = Receipt { table: owner.table, partition_key: owner.partition_key, token };
    collect(tables, &attempt, &owner.row_key, name).await.map(Some)
}
