//! Searches by tags: an ordered scan of the records of blobs in one snapshot.

use std::ops::ControlFlow;

use table_model::{
    Result, StorageFault,
    blob::{ContainerName, FindBlobs, FoundBlobsSegment, TagSearch},
};

use super::{
    container::Container,
    listing::{decode_blob, decode_container},
    place::{self, BLOBS, CONTAINERS, Id},
};
use crate::{
    core::Core,
    engine::{self, Read},
};

/// Returns one segment of a search.
pub(super) fn blobs(core: &Core, request: &FindBlobs) -> Result<FoundBlobsSegment> {
    let scope = request.scope()?;
    engine::view(&*core.engine, |read| {
        let mut search = TagSearch::new(request)?;
        let (container, name) = search.start();
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
                    of_container(read, &mut search, &named, live.id, from)?;
                }
            }
            None => of_all(read, &mut search, container, name)?,
        }
        Ok(search.finish())
    })
}

/// Examines all containers from a container and a name on.
fn of_all(read: &dyn Read, search: &mut TagSearch<'_>, container: &str, name: &str) -> Result<()> {
    let mut place = container.as_bytes().to_vec();
    while let Some((found, id)) = container_from(read, search, &place)? {
        let from = if found.as_str() == container { name } else { "" };
        of_container(read, search, &found, id, from)?;
        if search.is_complete() {
            break;
        }
        // The first place behind the name.
        place = [found.as_str().as_bytes(), &[0]].concat();
    }
    Ok(())
}

/// Returns the first existing container from a place on. Returns `None` at the end, also of the segment.
fn container_from(
    read: &dyn Read,
    search: &mut TagSearch<'_>,
    place: &[u8],
) -> Result<Option<(ContainerName, Id)>, StorageFault> {
    let mut first = Ok(None);
    read.scan_whole(&CONTAINERS.key(place), &CONTAINERS.end(), &mut |key, record| {
        match decode_container(key, record) {
            Ok((name, container)) => {
                if search.container(&name, record.len()).is_continue() {
                    if !container.live {
                        return ControlFlow::Continue(());
                    }
                    first = Ok(Some((name, container.id)));
                }
            }
            Err(damage) => first = Err(damage),
        }
        ControlFlow::Break(())
    })?;
    first
}

/// Examines the blobs of a container from a name on.
fn of_container(
    read: &dyn Read,
    search: &mut TagSearch<'_>,
    container: &ContainerName,
    id: Id,
    from: &str,
) -> Result<()> {
    let (start, end) = (place::blob_place(id, from.as_bytes()), id.end(BLOBS));
    let mut fault = None;
    read.scan_whole(&start, &end, &mut |key, record| match decode_blob(key, record) {
        Ok((name, blob)) => search.blob(container, &name, &blob, record.len()),
        Err(damage) => {
            fault = Some(damage);
            ControlFlow::Break(())
        }
    })?;
    fault.map_or(Ok(()), |damage| Err(damage.into()))
}
