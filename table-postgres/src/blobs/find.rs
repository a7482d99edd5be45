use table_model::{
    Result,
    blob::{ContainerName, FindBlobs, FoundBlobsSegment, TagSearch},
};

use super::{listing::name_of, record::decode_blob};
use crate::{failure::Failure, postgres::Inner};

/// Number of rows that one statement reads at most.
const PAGE: usize = 500;

impl Inner {
    /// Returns one segment of a search by tags: an ordered scan of the blobs.
    pub(super) async fn find_blobs(&self, request: &FindBlobs) -> Result<FoundBlobsSegment, Failure> {
        let scope = request.scope()?;
        let mut search = TagSearch::new(request)?;
        let (container, name) = search.start();
        if let Some(scope) = scope {
            if let Some(named) = &request.container {
                self.container_id(named).await?;
            }
            let from = if container == scope { name } else { "" };
            let found = self.query_blobs(&self.blobs.containers, &[&scope, &1_i64]).await?;
            if let Some(row) = found.first().filter(|row| row.get::<_, &str>(0) == scope) {
                self.find_in(&mut search, &ContainerName::new(scope)?, row.get(1), from).await?;
            }
            return Ok(search.finish());
        }
        let mut place = container.to_owned();
        loop {
            let limit = i64::try_from(PAGE).unwrap_or(i64::MAX);
            let rows = self.query_blobs(&self.blobs.containers, &[&place, &limit]).await?;
            for row in &rows {
                let (found, record): (&str, &[u8]) = (row.get(0), row.get(2));
                let named = ContainerName::new(found)?;
                if search.container(&named, record.len()).is_break() {
                    return Ok(search.finish());
                }
                let from = if found == container { name } else { "" };
                self.find_in(&mut search, &named, row.get(1), from).await?;
                if search.is_complete() {
                    return Ok(search.finish());
                }
                // The first name behind this one.
                place = format!("{found}-");
            }
            if rows.len() < PAGE {
                return Ok(search.finish());
            }
        }
    }

    async fn find_in(
        &self,
        search: &mut TagSearch<'_>,
        container: &ContainerName,
        id: i64,
        from: &str,
    ) -> Result<(), Failure> {
        let mut from = from.as_bytes().to_vec();
        let limit = i64::try_from(PAGE).unwrap_or(i64::MAX);
        loop {
            let rows = self.query_blobs(&self.blobs.list, &[&id, &from, &limit]).await?;
            for row in &rows {
                let (bytes, record): (&[u8], &[u8]) = (row.get(0), row.get(4));
                let name = name_of(bytes)?;
                let state = decode_blob((name.as_str(), row.get(5)), record)?;
                if search.blob(container, &name, &state, record.len()).is_break() {
                    return Ok(());
                }
                from = [bytes, &[0]].concat();
            }
            if rows.len() < PAGE {
                return Ok(());
            }
        }
    }
}
