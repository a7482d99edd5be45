//! The blob service of the embedded store. `docs/format.md` documents each byte of the records.
//!
//! The record of a blob refers to its content: chunks, or a list of blocks that consist of chunks. Content is written
//! first, as garbage that is pinned by its writer. A small commit then makes it part of a blob and turns the previous
//! content into garbage, unless it is [shared](shares). Garbage without pins is swept in steps.

mod chunks;
mod container;
mod discard;
mod find;
mod garbage;
mod inspect;
mod job;
mod listing;
mod pins;
mod place;
mod read;
mod reader;
mod record;
mod service;
mod shares;
mod snapshots;
mod stages;
mod sweep;
mod upload;

#[cfg(test)]
mod tests;

use table_model::{Result, blob::ContainerName};

use crate::engine::Read;

pub(crate) use inspect::{Seen, inspect, name, owns};
pub(crate) use job::SetContainerPolicies;
pub(crate) use pins::Pins;
pub(crate) use place::SPACES;
pub(crate) use sweep::{Sweep, has_garbage, leave};

/// Returns the unique number of an existing container. Returns `ContainerNotFound` if the container does not exist.
pub(crate) fn container_id(read: &dyn Read, name: &ContainerName) -> Result<u64> {
    container::Container::live(read, name).map(|container| container.id.number())
}
