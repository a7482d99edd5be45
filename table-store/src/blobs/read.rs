//! Reads other than content, each in one snapshot.

use table_model::{
    ErrorCode, Result, Timestamp,
    blob::{
        BlobAccess, BlobAddress, BlobConditions, BlobProperties, BlobTags, BlobType, Block, BlockList,
        ContainerName, ContainerProperties, LeaseUse,
    },
};

use super::{
    chunks,
    container::Container,
    job::present,
    record::{Blob, Contents},
    stages::Staged,
};
use crate::{core::Core, engine};

pub(super) fn container(
    core: &Core,
    name: &ContainerName,
    conditions: &BlobConditions,
) -> Result<ContainerProperties> {
    let container = engine::view(&*core.engine, |read| Container::live(read, name))?;
    let now = core.now();
    container.check(conditions, BlobAccess::Read, LeaseUse::UseContainer, now)?;
    Ok(container.state.properties(name.clone(), now))
}

pub(super) fn properties(
    core: &Core,
    at: &BlobAddress,
    conditions: &BlobConditions,
) -> Result<BlobProperties> {
    let now = core.now();
    let mut properties = find(core, at, conditions, now)?.state.properties(now);
    properties.snapshot = at.snapshot;
    Ok(properties)
}

pub(super) fn tags(core: &Core, at: &BlobAddress, conditions: &BlobConditions) -> Result<BlobTags> {
    Ok(find(core, at, conditions, core.now())?.state.tags)
}

/// Returns an existing blob or snapshot that satisfies the conditions of a read.
pub(super) fn find(
    core: &Core,
    at: &BlobAddress,
    conditions: &BlobConditions,
    now: Timestamp,
) -> Result<Blob> {
    engine::view(&*core.engine, |read| {
        let container = Container::live(read, &at.container)?;
        present(Blob::find_at(read, container.id, at)?, conditions, BlobAccess::Read, now)
    })
}

/// Returns the blocks of a block blob, including a blob that has only uncommitted blocks.
pub(super) fn block_list(core: &Core, at: &BlobAddress) -> Result<BlockList> {
    let now = core.options.clock.now();
    engine::view(&*core.engine, |read| {
        let container = Container::live(read, &at.container)?;
        let found = Blob::find_at(read, container.id, at)?;
        let blob = found.filter(|blob| is_shown(blob, true, now)).ok_or(ErrorCode::BlobNotFound)?;
        if blob.blob_type == Some(BlobType::Append) {
            return Err(ErrorCode::InvalidBlobType.into());
        }
        let mut list = BlockList::default();
        list.length = blob.length;
        list.version = blob.exists().then(|| blob.modified.into());
        if let Contents::List(id) = blob.contents {
            let blocks = chunks::blocks(read, id)?.into_iter();
            let blocks =
                blocks.filter_map(|block| Some(Block { id: block.id?, size: block.end - block.start }));
            list.committed = blocks.collect();
        }
        if let Some(stage) = blob.stage_at(now) {
            let blocks = Staged::all(read, stage.id)?.into_iter();
            list.uncommitted = blocks.map(|(id, staged)| Block { id, size: staged.length }).collect();
        }
        Ok(list)
    })
}

/// Returns whether a record is listed: as a blob or, if `uncommitted` is true, because of its uncommitted blocks.
pub(super) fn is_shown(blob: &Blob, uncommitted: bool, now: Timestamp) -> bool {
    blob.exists() || uncommitted && blob.stage_at(now).is_some()
}
