use table_model::{
    ErrorCode, TableName,
    blob::{BlobItem, BlobName, ContainerName, ListBlobs as Listing},
};

use crate::{
    Error, Tables,
    core::{cursor::RowPlace, entity_types::EntityInfo, rule::Rule, table::table_of},
};

/// The blobs in which one lookup stores its lists.
#[derive(Clone, Debug)]
pub(crate) struct ListBlobs {
    pub(crate) table: TableName,
    /// Number of the lookup.
    pub(crate) lookup: Rule,
    name: &'static str,
}

impl ListBlobs {
    /// Returns the list blobs of all lookups of an entity, or of one lookup.
    pub(crate) fn of(kind: EntityInfo, only: Option<Rule>) -> Result<Vec<Self>, Error> {
        let mut all: Vec<Self> = Vec::new();
        for lookup in kind.rules().filter(|rule| only.is_none_or(|only| only.is(*rule))) {
            // The names of the blobs begin with that of the lookup, in all versions.
            let Rule::Index(design, index) = lookup else { continue };
            if index.in_blobs() && !all.iter().any(|known| known.name == index.name) {
                all.push(Self { table: table_of(design)?, lookup, name: index.name });
            }
        }
        Ok(all)
    }

    /// Returns the common name prefix. A PartitionKey cannot contain `/`, so the prefix is unambiguous in a cursor.
    pub(crate) fn prefix(&self) -> String {
        format!("{}/", self.name)
    }

    /// Returns the index of the list blobs that a cursor refers to.
    pub(super) fn place(all: &[Self], place: &RowPlace) -> Option<usize> {
        all.iter().position(|blobs| blobs.prefix() == place.partition_key)
    }

    /// Returns up to `most` names after `behind`, in order.
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
            // Names are in byte order.
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
