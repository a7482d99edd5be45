use std::ops::ControlFlow;

use super::marker::{At, Marker};
use crate::{
    Result, Timestamp,
    blob::{BlobItem, BlobName, BlobSnapshot, BlobState, BlobsSegment, ListBlobs, limits::LISTED_BYTES},
};

/// Maximum number of names without an item that a segment passes, such as those of blobs with only uncommitted blocks.
const PASSED: usize = 10_000;

/// Builds a segment of a listing of blobs. The backend passes the names of a container in order, and the snapshots and the
/// blob of each name that is listed.
#[derive(Debug)]
pub struct ListingWalk<'w> {
    request: &'w ListBlobs,
    /// Position at which the listing starts.
    start: Marker,
    most: usize,
    /// Current time, on which the states of leases depend.
    now: Timestamp,
    items: Vec<BlobItem>,
    /// Size in bytes of the records of the items.
    bytes: usize,
    passed: usize,
    next: Option<Marker>,
}

/// What follows after a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListingStep {
    /// List the snapshots and the blob of this name.
    List,
    /// Go on with the next name.
    Pass,
    /// A prefix was listed. Go on with the first name whose bytes are not below these.
    Behind(Vec<u8>),
    /// The segment is complete.
    Done,
}

impl<'w> ListingWalk<'w> {
    /// Starts a segment.
    ///
    /// # Errors
    /// `InvalidMarker`, and those of [`ListBlobs::results`].
    pub fn new(request: &'w ListBlobs, now: Timestamp) -> Result<Self> {
        let (most, start) = (request.results()?, Marker::read(request)?);
        Ok(Self { request, start, most, now, items: Vec::new(), bytes: 0, passed: 0, next: None })
    }

    /// Returns the first name of the segment, which need not exist.
    #[must_use]
    pub fn first(&self) -> &str {
        let first = self.request.start_from.as_deref().unwrap_or_default();
        self.start.name.as_str().max(first).max(&self.request.prefix)
    }

    /// Returns the first snapshot of a name to list. Returns `None` if no snapshot is listed.
    #[must_use]
    pub fn first_snapshot(&self, name: &str) -> Option<BlobSnapshot> {
        match self.start.at {
            _ if !self.request.snapshots => None,
            At::Blob if self.start.name == name => None,
            At::Snapshot(snapshot) if self.start.name == name => Some(snapshot),
            _ => Some(Timestamp::MIN.into()),
        }
    }

    /// Visits a name. It is passed over unless `is_shown` is `true`: see
    /// [`uncommitted`](ListBlobs::uncommitted).
    pub fn name(&mut self, name: &BlobName, is_shown: bool) -> ListingStep {
        if !name.as_str().starts_with(&self.request.prefix) {
            return ListingStep::Done;
        }
        if self.is_full() || self.passed == PASSED {
            self.next = Some(Marker::new(name, At::Start));
            return ListingStep::Done;
        }
        if !is_shown {
            self.passed += 1;
            return ListingStep::Pass;
        }
        match self.rolled_up(name.as_str()) {
            Some(prefix) => {
                let place = behind(&prefix);
                self.items.push(BlobItem::Prefix(prefix));
                ListingStep::Behind(place)
            }
            None => ListingStep::List,
        }
    }

    /// Lists a snapshot of the current name, whose record has this number of bytes. Breaks if the segment has no
    /// space for it and is complete.
    pub fn snapshot(
        &mut self,
        name: &BlobName,
        snapshot: BlobSnapshot,
        state: BlobState,
        bytes: usize,
    ) -> ControlFlow<()> {
        self.item(name, Some(snapshot), state, bytes)
    }

    /// Lists the blob of the current name, after its snapshots. Breaks if the segment has no space for it and is
    /// complete.
    pub fn blob(&mut self, name: &BlobName, state: BlobState, bytes: usize) -> ControlFlow<()> {
        self.item(name, None, state, bytes)
    }

    fn item(
        &mut self,
        name: &BlobName,
        snapshot: Option<BlobSnapshot>,
        state: BlobState,
        bytes: usize,
    ) -> ControlFlow<()> {
        if self.is_full() {
            self.next = Some(Marker::new(name, snapshot.map_or(At::Blob, At::Snapshot)));
            return ControlFlow::Break(());
        }
        self.bytes += bytes;
        let tags = self.request.tags.then(|| state.tags.clone());
        let mut properties = state.properties(self.now);
        (properties.snapshot, properties.tags) = (snapshot, tags);
        self.items.push(BlobItem::blob(name.clone(), properties));
        ControlFlow::Continue(())
    }

    /// Returns the segment.
    #[must_use]
    pub fn finish(self) -> BlobsSegment {
        BlobsSegment::new(self.items, self.next.map(|next| next.write(self.request)))
    }

    fn is_full(&self) -> bool {
        self.items.len() == self.most || self.bytes >= LISTED_BYTES
    }

    /// Returns the prefix that represents a name: up to the first delimiter after the requested prefix.
    fn rolled_up(&self, name: &str) -> Option<String> {
        let delimiter = self.request.delimiter.as_deref().filter(|delimiter| !delimiter.is_empty())?;
        let rest = name.get(self.request.prefix.len()..)?;
        let end = self.request.prefix.len() + rest.find(delimiter)? + delimiter.len();
        name.get(..end).map(str::to_owned)
    }
}

/// Returns the first bytes after all names with this prefix. Strings contain no byte FF.
fn behind(prefix: &str) -> Vec<u8> {
    let mut place = prefix.as_bytes().to_vec();
    if let Some(last) = place.last_mut() {
        *last = last.saturating_add(1);
    }
    place
}
