//! Listings: ordered scans of names in one snapshot.

mod marker;

use std::ops::ControlFlow;

use table_model::{
    Result, StorageFault, Timestamp,
    blob::{
        BlobItem, BlobName, BlobSnapshot, BlobsSegment, ContainerName, ContainersSegment, ListBlobs,
        ListContainers,
    },
};

use self::marker::{At, Marker};
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

/// Maximum number of records that are skipped per segment: records of deleted containers, or of uncommitted blocks.
const PASSED: usize = 10_000;

/// Size in bytes of the records at which a segment ends: 4 MiB. With metadata, 5,000 records could have 40 MiB.
pub(super) const LISTED_BYTES: usize = 4 << 20;

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
                listed.push(container.properties(name, now));
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
    let most = request.results()?;
    let start = Marker::read(request)?;
    engine::view(&*core.engine, |read| {
        let container = Container::live(read, container)?.id;
        let mut walk = Walk {
            request,
            start: &start,
            container,
            delimiter: request.delimiter.as_deref().filter(|delimiter| !delimiter.is_empty()),
            most,
            now: core.options.clock.now(),
            lease_time: core.now(),
            items: Vec::new(),
            bytes: 0,
            passed: 0,
            next: None,
            fault: None,
        };
        walk.run(read)?;
        Ok(BlobsSegment::new(walk.items, walk.next.map(|next| next.write(request))))
    })
}

struct Walk<'w> {
    request: &'w ListBlobs,
    /// Position at which the listing starts.
    start: &'w Marker,
    container: Id,
    delimiter: Option<&'w str>,
    most: usize,
    now: Timestamp,
    /// Current monotonic time, which leases use.
    lease_time: Timestamp,
    items: Vec<BlobItem>,
    /// Size in bytes of the records of the items.
    bytes: usize,
    passed: usize,
    next: Option<Marker>,
    fault: Option<StorageFault>,
}

/// End of a scan of names.
enum Ended {
    /// The listing is complete.
    Done,
    /// A prefix was listed. The listing continues after all names that start with it.
    Behind(String),
}

impl Walk<'_> {
    fn run(&mut self, read: &dyn Read) -> Result<()> {
        let first = self.request.start_from.as_deref().unwrap_or_default().max(&self.request.prefix);
        let mut from = self.start.name.as_str().max(first).as_bytes().to_vec();
        loop {
            let mut ended = Ended::Done;
            let start = place::blob_place(self.container, &from);
            let end = self.container.end(BLOBS);
            read.scan_whole(&start, &end, &mut |key, record| match self.visit(read, key, record) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(how) => {
                    ended = how;
                    ControlFlow::Break(())
                }
            })?;
            if let Some(fault) = self.fault.take() {
                return Err(fault.into());
            }
            match ended {
                Ended::Done => return Ok(()),
                Ended::Behind(prefix) => from = behind(prefix),
            }
        }
    }

    fn visit(&mut self, read: &dyn Read, key: &[u8], record: &[u8]) -> ControlFlow<Ended> {
        match decode_blob(key, record) {
            Ok((name, _)) if !name.as_str().starts_with(&self.request.prefix) => {
                return ControlFlow::Break(Ended::Done);
            }
            Ok((name, _)) if self.is_full() || self.passed == PASSED => {
                self.next = Some(Marker::new(&name, At::Start));
                return ControlFlow::Break(Ended::Done);
            }
            Ok((name, blob)) if is_shown(&blob, self.request.uncommitted, self.now) => {
                if let Some(prefix) = self.rolled_up(name.as_str()) {
                    self.items.push(BlobItem::Prefix(prefix.clone()));
                    return ControlFlow::Break(Ended::Behind(prefix));
                }
                if self.request.snapshots {
                    self.snapshots(read, &name);
                    if self.next.is_some() || self.fault.is_some() {
                        return ControlFlow::Break(Ended::Done);
                    }
                }
                self.push(name, blob, None, record.len());
            }
            Ok(_) => self.passed += 1,
            Err(damage) => {
                self.fault = Some(damage);
                return ControlFlow::Break(Ended::Done);
            }
        }
        ControlFlow::Continue(())
    }

    /// Lists the snapshots of a blob, from the position at which the listing starts. If no space for the next one, or
    /// for the blob itself, is left in the segment, the listing continues there.
    fn snapshots(&mut self, read: &dyn Read, name: &BlobName) {
        let start = if self.start.name == name.as_str() { self.start.at } else { At::Start };
        let from = match start {
            At::Blob => return,
            At::Snapshot(snapshot) => Some(snapshot),
            At::Start => None,
        };
        let visited = snapshots::visit(read, self.container, name, from, &mut |found| {
            let Found { snapshot, blob, bytes, .. } = found;
            match blob {
                _ if self.is_full() => self.next = Some(Marker::new(name, At::Snapshot(snapshot))),
                Ok(blob) => self.push(name.clone(), blob, Some(snapshot), bytes),
                Err(damage) => self.fault = Some(damage),
            }
            if self.next.is_some() || self.fault.is_some() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        if let Err(fault) = visited {
            self.fault = Some(fault);
        } else if self.next.is_none() && self.is_full() {
            self.next = Some(Marker::new(name, At::Blob));
        }
    }

    fn push(&mut self, name: BlobName, blob: Blob, snapshot: Option<BlobSnapshot>, bytes: usize) {
        self.bytes += bytes;
        let tags = self.request.tags.then(|| blob.tags.clone());
        let mut properties = blob.properties(self.lease_time);
        (properties.snapshot, properties.tags) = (snapshot, tags);
        self.items.push(BlobItem::Blob { name, properties: Box::new(properties) });
    }

    fn is_full(&self) -> bool {
        self.items.len() == self.most || self.bytes >= LISTED_BYTES
    }

    /// Returns the prefix that represents a name: up to the first delimiter after the requested prefix.
    fn rolled_up(&self, name: &str) -> Option<String> {
        let delimiter = self.delimiter?;
        let rest = name.get(self.request.prefix.len()..)?;
        let end = self.request.prefix.len() + rest.find(delimiter)? + delimiter.len();
        name.get(..end).map(str::to_owned)
    }
}

/// Returns the first key after all names with this prefix. Strings contain no byte FF.
fn behind(prefix: String) -> Vec<u8> {
    let mut place = prefix.into_bytes();
    if let Some(last) = place.last_mut() {
        *last = last.saturating_add(1);
    }
    place
}

fn name(key: &[u8]) -> Option<&str> {
    place::split(key).and_then(|(_, name)| std::str::from_utf8(name).ok())
}

pub(super) fn decode_blob(key: &[u8], record: &[u8]) -> Result<(BlobName, Blob), StorageFault> {
    let blob = Blob::decode(unseal(key, record)?);
    let name = name(key).and_then(|name| BlobName::new(name).ok());
    name.zip(blob).ok_or_else(|| damaged(key, "its layout is invalid"))
}
