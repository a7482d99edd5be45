//! Listings: ordered scans of names in one snapshot.

use std::ops::ControlFlow;

use table_model::{
    Result, StorageFault,
    blob::{
        BlobName, BlobsSegment, ContainerName, ContainersSegment, ListBlobs, ListContainers, ListingStep,
        ListingWalk, limits::LISTED_BYTES,
    },
};

use super::{
    container::Container,
    place::{self, BLOBS, CONTAINERS, Id},
    read::is_shown,
    record::Blob,
    snapshots::{self, Found},
};
use crate::{
    checksum::{damaged, unseal},
    core::Core,
    engine::{self, Read},
};

/// Maximum number of records of deleted containers that a segment passes.
const PASSED: usize = 10_000;

/// Returns one segment of the list of containers.
pub(super) fn containers(core: &Core, request: &ListContainers) -> Result<ContainersSegment> {
    let most = request.results()?;
    let prefix = request.prefix.as_bytes();
    let start = request.marker.as_deref().unwrap_or_default().max(&request.prefix);
    let now = core.now();
    engine::view(&*core.engine, |read| {
        let (mut listed, mut next, mut passed, mut bytes, mut fault) = (Vec::new(), None, 0, 0, None);
        let from = CONTAINERS.key(start.as_bytes());
        read.scan_whole(&from, &CONTAINERS.end(), &mut |key, record| {
            let (name, container) = match decode_container(key, record) {
                Ok(found) => found,
                Err(damage) => {
                    fault = Some(damage);
                    return ControlFlow::Break(());
                }
            };
            if !name.as_str().as_bytes().starts_with(prefix) {
                return ControlFlow::Break(());
            }
            if listed.len() == most || bytes >= LISTED_BYTES || passed == PASSED {
                next = Some(name.to_string());
                return ControlFlow::Break(());
            }
            if container.live {
                bytes += record.len();
                listed.push(container.state.properties(name, now));
            } else {
                passed += 1;
            }
            ControlFlow::Continue(())
        })?;
        match fault {
            Some(damage) => Err(damage.into()),
            None => Ok(ContainersSegment::new(listed, next)),
        }
    })
}

pub(super) fn decode_container(
    key: &[u8],
    record: &[u8],
) -> Result<(ContainerName, Container), StorageFault> {
    let container = Container::decode(unseal(key, record)?);
    let name = key.get(4..).and_then(|name| ContainerName::new(std::str::from_utf8(name).ok()?).ok());
    name.zip(container).ok_or_else(|| damaged(key, "its layout is invalid"))
}

/// Returns one segment of the blobs of a container.
pub(super) fn blobs(core: &Core, container: &ContainerName, request: &ListBlobs) -> Result<BlobsSegment> {
    let now = core.options.clock.now();
    engine::view(&*core.engine, |read| {
        let mut listing = Listing { walk: ListingWalk::new(request, core.now())?, fault: None };
        let container = Container::live(read, container)?.id;
        let mut from = listing.walk.first().as_bytes().to_vec();
        loop {
            let mut behind = None;
            let (start, end) = (place::blob_place(container, &from), container.end(BLOBS));
            read.scan_whole(&start, &end, &mut |key, record| {
                let (name, blob) = match decode_blob(key, record) {
                    Ok(found) => found,
                    Err(damage) => return listing.fail(damage),
                };
                match listing.walk.name(&name, is_shown(&blob, request.uncommitted, now)) {
                    ListingStep::Pass => ControlFlow::Continue(()),
                    ListingStep::List => listing.list(read, container, &name, blob, record.len()),
                    ListingStep::Behind(place) => {
                        behind = Some(place);
                        ControlFlow::Break(())
                    }
                    ListingStep::Done => ControlFlow::Break(()),
                }
            })?;
            match (listing.fault.take(), behind) {
                (Some(fault), _) => return Err(fault.into()),
                (None, Some(place)) => from = place,
                (None, None) => return Ok(listing.walk.finish()),
            }
        }
    })
}

struct Listing<'l> {
    walk: ListingWalk<'l>,
    fault: Option<StorageFault>,
}

impl Listing<'_> {
    /// Lists the snapshots of a blob, and the blob.
    fn list(
        &mut self,
        read: &dyn Read,
        container: Id,
        name: &BlobName,
        blob: Blob,
        bytes: usize,
    ) -> ControlFlow<()> {
        let mut ended = ControlFlow::Continue(());
        if let Some(first) = self.walk.first_snapshot(name.as_str()) {
            let visited = snapshots::visit(read, container, name, Some(first), &mut |found| {
                let Found { snapshot, blob, bytes, .. } = found;
                ended = match blob {
                    Ok(blob) => self.walk.snapshot(name, snapshot, blob.state, bytes),
                    Err(damage) => self.fail(damage),
                };
                ended
            });
            if let Err(fault) = visited {
                return self.fail(fault);
            }
        }
        ended?;
        self.walk.blob(name, blob.state, bytes)
    }

    fn fail(&mut self, fault: StorageFault) -> ControlFlow<()> {
        self.fault = Some(fault);
        ControlFlow::Break(())
    }
}

fn name(key: &[u8]) -> Option<&str> {
    place::split(key).and_then(|(_, name)| std::str::from_utf8(name).ok())
}

pub(super) fn decode_blob(key: &[u8], record: &[u8]) -> Result<(BlobName, Blob), StorageFault> {
    let blob = Blob::decode(unseal(key, record)?);
    let name = name(key).and_then(|name| BlobName::new(name).ok());
    name.zip(blob).ok_or_else(|| damaged(key, "its layout is invalid"))
}
