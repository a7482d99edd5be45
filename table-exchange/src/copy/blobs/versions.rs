use std::collections::VecDeque;

use table_model::{
    BlobService, ErrorCode, Result,
    blob::{BlobItem, BlobName, BlobProperties, ContainerName, ListBlobs},
};

/// The snapshots of a blob from the oldest to the newest, and the blob itself.
pub(super) type Versions = Vec<BlobProperties>;

/// Maximum number of items of a listing in memory.
const RESULTS: u32 = 1_000;

/// The blobs of a container in name order.
pub(super) struct VersionsOfBlobs<'c> {
    service: &'c dyn BlobService,
    container: &'c ContainerName,
    items: VecDeque<(BlobName, BlobProperties)>,
    marker: Option<String>,
    is_end: bool,
}

impl<'c> VersionsOfBlobs<'c> {
    pub(super) const fn new(service: &'c dyn BlobService, container: &'c ContainerName) -> Self {
        Self { service, container, items: VecDeque::new(), marker: None, is_end: false }
    }

    /// Returns the next blob. A missing container has none.
    pub(super) async fn next(&mut self) -> Result<Option<(BlobName, Versions)>> {
        let mut found: Option<(BlobName, Versions)> = None;
        loop {
            while self.items.is_empty() && !self.is_end {
                self.read().await?;
            }
            let is_other = |name: &BlobName| found.as_ref().is_some_and(|(of, _)| of != name);
            if self.items.front().is_none_or(|(name, _)| is_other(name)) {
                return Ok(found);
            }
            let Some((name, properties)) = self.items.pop_front() else { return Ok(found) };
            found.get_or_insert_with(|| (name, Vec::new())).1.push(properties);
        }
    }

    async fn read(&mut self) -> Result<()> {
        let mut request = ListBlobs::new().snapshots().tags().max_results(RESULTS);
        request.marker = self.marker.take();
        let segment = match self.service.list_blobs(self.container, request).await {
            Err(error) if error.code() == ErrorCode::ContainerNotFound => {
                self.is_end = true;
                return Ok(());
            }
            segment => segment?,
        };
        for item in segment.items {
            if let BlobItem::Blob { name, properties } = item {
                self.items.push_back((name, *properties));
            }
        }
        self.is_end = segment.next_marker.is_none();
        self.marker = segment.next_marker;
        Ok(())
    }
}
