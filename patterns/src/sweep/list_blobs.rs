use table_store::{
    ErrorCode, TableName,
    blob::{BlobItem, BlobName, ContainerName, ListBlobs as Listing},
};

use crate::{Error, Tables, cursor::RowPlace, design::Design, tables::table_of};

/// The blobs that one lookup keeps its lists in.
#[derive(Clone, Debug)]
pub(crate) struct ListBlobs {
    pub(crate) table: TableName,
    /// The number of the lookup.
    pub(crate) lookup: usize,
    name: &'static str,
}

impl ListBlobs {
    /// Those of all lookups of an entity, or of one.
    pub(crate) fn of(design: &'static Design, only: Option<usize>) -> Result<Vec<Self>, Error> {
        let lookups = design.indexes.iter().enumerate().filter(|(_, index)| index.in_blobs());
        let lookups = lookups.filter(|(number, _)| only.is_none_or(|only| only == *number));
        lookups
            .map(|(lookup, index)| Ok(Self { table: table_of(design)?, lookup, name: index.name }))
            .collect()
    }

    /// What all their names begin with. No PartitionKey holds a `/`, so that in a cursor it is not taken for one.
    pub(crate) fn prefix(&self) -> String {
        format!("{}/", self.name)
    }

    /// Which of them a cursor is in.
    pub(super) fn place(all: &[Self], place: &RowPlace) -> Option<usize> {
        all.iter().position(|blobs| blobs.prefix() == place.partition_key)
    }

    /// The names behind one, in their order, as many as this or somewhat more.
    pub(super) async fn behind(
        &self,
        tables: &Tables,
        behind: Option<&str>,
        most: usize,
    ) -> Result<Vec<BlobName>, Error> {
        let container = ContainerName::new(self.table.folded())?;
        let (mut names, mut request) = (Vec::new(), Listing::new().prefix(self.prefix()));
        loop {
            let segment = match tables.blobs()?.list_blobs(&container, request.clone()).await {
                Err(error) if error.code() == ErrorCode::ContainerNotFound => return Ok(names),
                other => other?,
            };
            // They come in the order of their bytes.
            let new = segment
                .items
                .iter()
                .map(BlobItem::name)
                .filter(|name| behind.is_none_or(|last| *name > last));
            for name in new.take(most - names.len()) {
                names.push(BlobName::new(name)?);
            }
            let Some(marker) = segment.next_marker.filter(|_| names.len() < most) else { return Ok(names) };
            request = request.marker(marker);
        }
    }
}
