use std::ops::ControlFlow;

use super::{FindBlobs, FoundBlob, FoundBlobsSegment};
use crate::{
    Result,
    blob::{BlobName, BlobState, ContainerName, limits::LISTED_BYTES},
};

/// Maximum number of records of containers and blobs that a segment examines.
const EXAMINED: usize = 10_000;

/// Size in bytes of the examined records at which a segment ends: 16 MiB, as for a filter on the entities of a partition.
const EXAMINED_BYTES: usize = 16 << 20;

/// Builds a segment of a search by tags. The backend passes the containers and blobs in order.
#[derive(Debug)]
pub struct TagSearch<'s> {
    request: &'s FindBlobs,
    most: usize,
    found: Vec<FoundBlob>,
    /// Size in bytes of the records of the found blobs.
    found_bytes: usize,
    /// Number of examined records.
    examined: usize,
    /// Size in bytes of the examined records.
    bytes: usize,
    next: Option<String>,
}

impl<'s> TagSearch<'s> {
    /// Starts a segment.
    ///
    /// # Errors
    /// As [`FindBlobs::results`].
    pub fn new(request: &'s FindBlobs) -> Result<Self> {
        let most = request.results()?;
        Ok(Self { request, most, found: Vec::new(), found_bytes: 0, examined: 0, bytes: 0, next: None })
    }

    /// Returns the container and the name at which the segment starts.
    #[must_use]
    pub fn start(&self) -> (&'s str, &'s str) {
        let marker = self.request.marker.as_deref().unwrap_or_default();
        marker.split_once('/').unwrap_or((marker, ""))
    }

    /// Visits a container whose record has this number of bytes. Breaks if the segment is complete.
    pub fn container(&mut self, container: &ContainerName, bytes: usize) -> ControlFlow<()> {
        if self.is_full() {
            self.next = Some(container.to_string());
            return ControlFlow::Break(());
        }
        self.examined += 1;
        self.bytes += bytes;
        ControlFlow::Continue(())
    }

    /// Visits a blob whose record has this number of bytes. Breaks if the segment is complete.
    pub fn blob(
        &mut self,
        container: &ContainerName,
        name: &BlobName,
        state: &BlobState,
        bytes: usize,
    ) -> ControlFlow<()> {
        if self.is_full() {
            // The first record that was not examined.
            self.next = Some(format!("{container}/{name}"));
            return ControlFlow::Break(());
        }
        self.examined += 1;
        self.bytes += bytes;
        if state.exists()
            && let Some(tags) = self.request.filter.select(&state.tags)
        {
            self.found_bytes += bytes;
            self.found.push(FoundBlob::new((container.clone(), name.clone()).into(), tags));
        }
        ControlFlow::Continue(())
    }

    /// Returns `true` if the segment is complete.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.next.is_some()
    }

    /// Returns the segment.
    #[must_use]
    pub fn finish(self) -> FoundBlobsSegment {
        FoundBlobsSegment::new(self.found, self.next)
    }

    /// Returns `true` if the segment examines no further records.
    fn is_full(&self) -> bool {
        self.found.len() == self.most
            || self.examined == EXAMINED
            || self.bytes >= EXAMINED_BYTES
            || self.found_bytes >= LISTED_BYTES
    }
}
