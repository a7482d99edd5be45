//! The blob service on the store's file. `docs/format.md` shows the records byte by byte.
//!
//! A blob's record names what the blob is made of: chunks, or a list of blocks that have chunks. Contents are written
//! first, as garbage that somebody holds, and become part of a blob by one small commit, in which what was there before
//! becomes garbage. Garbage that nobody holds is swept step by step.

mod chunks;
mod container;
mod destination;
mod discard;
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
mod stages;
mod sweep;
mod upload;

#[cfg(test)]
mod tests;

use super::{codec, engine::Read};
use crate::{Result, blob::ContainerName};
pub(super) use inspect::{Seen, inspect, name, owns};
pub(super) use pins::Pins;
pub(super) use place::SPACES;
pub(super) use sweep::{Sweep, leave};

/// A number that no other container has or gets, of one that is there; `ContainerNotFound`.
pub(super) fn container_id(read: &dyn Read, name: &ContainerName) -> Result<u64> {
    container::Container::live(read, name).map(|container| container.id.number())
}
