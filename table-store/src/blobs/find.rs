//! Searches by tags: an ordered scan of the records of blobs in one snapshot.

use std::ops::ControlFlow;

use table_model::{
    Result, StorageFault,
    blob::{ContainerName, FindBlobs, FoundBlob, FoundBlobsSegment},
};

use super::{
    container::Container,
    listing::{LISTED_BYTES, decode_blob, decode_container},
    place::{self, BLOBS, CONTAINERS, Id},
};
use crate::{
    core::Core,
    engine::{self, Read},
};

/// Maximum number of records of containers and blobs that a segment examines.
const EXAMINED: usize = 10_000;

/// Size in bytes of the examined records at which a segment ends: 16 MiB, as for a filter on the entities of a partition.
const EXAMINED_BYTES: usize = 16 << 20;

/// Returns one segment of a search.
pub(super) fn blobs(core: &Core, request: &FindBlobs) -> Result<FoundBlobsSegment> {
    let (most, scope) = (request.results()?, request.scope()?);
    // The marker is the container and the name of the first record that was not examined.
    let marker = request.marker.as_deref().unwrap_or_default();
    let (container, name) = marker.split_once('/').unwrap_or((marker, ""));
    engine::view(&*core.engine, |read| {
        let mut search =
            Search { request, most, found: Vec::new(), found_bytes: 0, examined: 0, bytes: 0, next: None };
        match scope {
            Some(scope) => {
                // The filter may name a container that does not exist, or that cannot exist.
                let only = match (&request.container, ContainerName::new(scope)) {
                    (Some(named), _) => Some((named.clone(), Container::live(read, named)?)),
                    (None, Ok(named)) => {
                        let live = Container::find(read, &named)?.filter(|container| container.live);
                        live.map(|live| (named, live))
                    }
                    (None, Err(_)) => None,
                };
                let from = if container == scope { name } else { "" };
                if let Some((named, live)) = only {
                    search.container(read, &named, live.id, from)?;
                }
            }
            None => search.all(read, container, name)?,
        }
        Ok(FoundBlobsSegment::new(search.found, search.next))
    })
}

struct Search<'s> {
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

impl Search<'_> {
    /// Examines all containers from a container and a name on.
    fn all(&mut self, read: &dyn Read, container: &str, name: &str) -> Result<()> {
        let mut place = container.as_bytes().to_vec();
        while let Some((found, id)) = self.container_from(read, &place)? {
            let from = if found.as_str() == container { name } else { "" };
            self.container(read, &found, id, from)?;
            if self.next.is_some() {
                break;
            }
            // The first place behind the name.
            place = [found.as_str().as_bytes(), &[0]].concat();
        }
        Ok(())
    }

    /// Returns the first existing container from a place on. Returns `None` at the end, also of the segment.
    fn container_from(
        &mut self,
        read: &dyn Read,
        place: &[u8],
    ) -> Result<Option<(ContainerName, Id)>, StorageFault> {
        let mut first = Ok(None);
        read.scan_whole(&CONTAINERS.key(place), &CONTAINERS.end(), &mut |key, record| {
            match decode_container(key, record) {
                Ok((name, _)) if self.is_full() => self.next = Some(name.to_string()),
                Ok((name, container)) => {
                    self.examined += 1;
                    self.bytes += record.len();
                    if !container.live {
                        return ControlFlow::Continue(());
                    }
                    first = Ok(Some((name, container.id)));
                }
                Err(damage) => first = Err(damage),
            }
            ControlFlow::Break(())
        })?;
        first
    }

    /// Examines the blobs of a container from a name on.
    fn container(&mut self, read: &dyn Read, container: &ContainerName, id: Id, from: &str) -> Result<()> {
        let (start, end) = (place::blob_place(id, from.as_bytes()), id.end(BLOBS));
        let mut fault = None;
        read.scan_whole(&start, &end, &mut |key, record| {
            let (name, blob) = match decode_blob(key, record) {
                Ok(found) => found,
                Err(damage) => {
                    fault = Some(damage);
                    return ControlFlow::Break(());
                }
            };
            if self.is_full() {
                self.next = Some(format!("{container}/{name}"));
                return ControlFlow::Break(());
            }
            self.examined += 1;
            self.bytes += record.len();
            if blob.is_there()
                && let Some(tags) = self.request.filter.select(&blob.tags)
            {
                self.found_bytes += record.len();
                self.found.push(FoundBlob::new((container.clone(), name).into(), tags));
            }
            ControlFlow::Continue(())
        })?;
        fault.map_or(Ok(()), |damage| Err(damage.into()))
    }

    /// Returns `true` if the segment examines no further records.
    fn is_full(&self) -> bool {
        self.found.len() == self.most
            || self.examined == EXAMINED
            || self.bytes >= EXAMINED_BYTES
            || self.found_bytes >= LISTED_BYTES
    }
}
