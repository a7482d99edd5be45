//! The blocks of the engine on the disk, each compared with its sum when it is read.
//!
//! A file with sums contains a checksum of each of its blocks in a tree of nodes, and the sums of the highest nodes, the
//! root, together with each copy of the engine's header. A block that is damaged, stale, or written to a wrong place is
//! therefore found, and so is a stale node. Files of earlier versions have no sums.
//!
//! After a power failure, every block that the chosen header refers to matches the root in this header:
//!
//! - A header contains the root of the last sync that completed the tree, that is, of a sync that a header write
//!   preceded. The nodes of this root, and the blocks with these sums, were on stable storage before the header was
//!   written.
//! - redb writes its pages, then a header with the same current commit, then syncs, and then makes the new commit
//!   current. The pages of the current commit are therefore covered by the root in either header. redb does not
//!   overwrite them until a header with another current commit was synced.
//! - A header whose current commit was not in the last synced header (a commit in one phase) is held back until the next
//!   sync, which first syncs everything else.
//! - Nodes are never overwritten where a header that may be found refers to them, see [`tree`].
//!
//! Blocks that no page uses may have any content after a power failure. They are written before they are read.

mod node;
mod root;
mod shape;
mod sum;
mod tree;

use std::{
    collections::BTreeSet,
    io,
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockWriteGuard},
};

pub(super) use self::root::{ROOT_BYTES, Root};

use table_model::StorageFault;

use self::{node::Node, shape::Shape, sum::sum, tree::Tree};
use super::{
    guard::behind,
    sector::{BLOCK_BYTES, start},
};
use crate::disk::Disk;

/// Maximum number of positions of damage that are kept.
const KEPT: usize = 1_000;

/// The blocks of the engine.
#[derive(Debug)]
pub(super) struct Pages {
    disk: Arc<dyn Disk>,
    tree: Option<RwLock<Tree>>,
    /// Shared while a block is written and until its sum is set. Exclusive while a scrub compares blocks with their sums.
    writing: RwLock<()>,
    /// Positions of damage in the file.
    damage: Mutex<BTreeSet<u64>>,
    accept: Accept,
}

/// Creates the error for damage at a position of the file.
fn damaged(at: u64, what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, DamagedPage { at, what: what.to_owned() })
}

/// Damage of a page, as the content of an I/O error.
#[derive(Debug, thiserror::Error)]
#[error("the page at byte {at} of the file: {what}")]
struct DamagedPage {
    at: u64,
    what: String,
}

/// Blocks that are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Accept {
    /// Blocks that match the tree.
    Current,
    /// Also blocks below a damaged node, if they match a sum in any copy of the node. Another copy is older, so this could
    /// accept a block whose last write was lost.
    AnyCopy,
}

/// Returns whether an error is the damage of a page.
pub(super) fn is_damage(error: &io::Error) -> bool {
    damaged_page(error).is_some()
}

fn damaged_page(error: &io::Error) -> Option<&DamagedPage> {
    error.get_ref()?.downcast_ref()
}

impl Pages {
    /// Uses a disk with or without sums.
    pub(super) fn new(disk: Arc<dyn Disk>, summed: bool) -> Self {
        let tree = summed.then(|| RwLock::new(Tree::new(Shape::FILE, Root::empty())));
        Self { disk, tree, writing: RwLock::default(), damage: Mutex::default(), accept: Accept::Current }
    }

    /// Creates the pages of a file that is only read, and not opened by the engine.
    pub(super) fn of_remains(disk: Arc<dyn Disk>, summed: bool, accept: Accept) -> Self {
        Self { accept, ..Self::new(disk, summed) }
    }

    /// Returns the position in the file of a position in the engine's file.
    pub(super) fn position(&self, offset: u64) -> u64 {
        if self.tree.is_some() { start(Shape::FILE.place(offset / start(1))) } else { behind(offset) }
    }

    /// Returns whether the file has sums.
    pub(super) fn are_summed(&self) -> bool {
        self.tree.is_some()
    }

    /// Returns to the state of a root in a header, which expects a file of `len` bytes. Changes since then are discarded.
    pub(super) fn load(&self, root: &Root, len: u64) -> io::Result<()> {
        let Some(tree) = &self.tree else { return Ok(()) };
        let mut loaded = Tree::new(Shape::FILE, root.clone());
        // The header was written before the file was truncated, and the file may have grown since then.
        let expected = (len / start(1)).min(root.blocks);
        loaded.resize(&*self.disk, expected)?;
        loaded.resize(&*self.disk, self.blocks()?)?;
        *tree.write().unwrap_or_else(PoisonError::into_inner) = loaded;
        Ok(())
    }

    /// Returns the length of the engine's file in bytes.
    pub(super) fn len(&self) -> io::Result<u64> {
        if self.tree.is_some() {
            return Ok(start(self.blocks()?));
        }
        Ok(self.disk.len()?.saturating_sub(behind(0)))
    }

    /// Returns the length of the file with `len` bytes of pages.
    pub(super) fn file_len(&self, len: u64) -> u64 {
        if self.tree.is_some() { start(Shape::FILE.len(len / start(1))) } else { behind(len) }
    }

    fn blocks(&self) -> io::Result<u64> {
        Ok(Shape::FILE.blocks(self.disk.len()? / start(1)))
    }

    pub(super) fn set_len(&self, len: u64) -> io::Result<()> {
        let Some(tree) = &self.tree else { return self.disk.set_len(behind(len)) };
        let blocks = block_of(len)?;
        let _writing = self.writing.read().unwrap_or_else(PoisonError::into_inner);
        self.disk.set_len(start(Shape::FILE.len(blocks)))?;
        tree.write().unwrap_or_else(PoisonError::into_inner).resize(&*self.disk, blocks)
    }

    /// Reads blocks of the engine, and compares each with its sum. Block 0, which has a checksum of its own, is read by
    /// the guard.
    ///
    /// # Errors
    /// The error of the disk, or `InvalidData` with the position of the damage.
    pub(super) fn read(&self, offset: u64, into: &mut [u8]) -> io::Result<()> {
        let Some(tree) = &self.tree else { return self.disk.read(behind(offset), into) };
        let read = self.read_summed(tree, block_of(offset)?, into);
        if let Some(page) = read.as_ref().err().and_then(damaged_page) {
            self.note(page.at);
        }
        read
    }

    fn read_summed(&self, tree: &RwLock<Tree>, mut block: u64, mut into: &mut [u8]) -> io::Result<()> {
        while !into.is_empty() {
            let (run, rest) = into.split_at_mut(Shape::FILE.run(block, into.len()));
            let at = start(Shape::FILE.place(block));
            if let Err(error) = self.disk.read(at, run) {
                // A read can also be cut short by the system, which is no damage.
                let ends =
                    error.kind() == io::ErrorKind::UnexpectedEof && self.disk.len()? < at + run.len() as u64;
                return Err(if ends { damaged(at, "the file ends before it") } else { error });
            }
            for part in run.chunks(BLOCK_BYTES) {
                self.compare(tree, block, part)?;
                block += 1;
            }
            into = rest;
        }
        Ok(())
    }

    /// Compares the content of a block with its sum.
    fn compare(&self, tree: &RwLock<Tree>, block: u64, content: &[u8]) -> io::Result<()> {
        let cached = tree.read().unwrap_or_else(PoisonError::into_inner).cached(block);
        let expected = match cached {
            Some(expected) => Ok(expected),
            None => tree.write().unwrap_or_else(PoisonError::into_inner).get(&*self.disk, block),
        };
        if self.accept == Accept::AnyCopy
            && expected.as_ref().map_or(true, |sum| *sum == 0)
            && self.is_in_a_copy(block, content)?
        {
            return Ok(());
        }
        let what = match expected? {
            0 => "it was never written",
            expected if expected != sum(content) => "it does not match its checksum",
            _ => return Ok(()),
        };
        Err(damaged(start(Shape::FILE.place(block)), what))
    }

    fn is_in_a_copy(&self, block: u64, content: &[u8]) -> io::Result<bool> {
        for place in Shape::FILE.leaf_copies(block) {
            let mut node = vec![0; BLOCK_BYTES];
            self.disk.read(start(place), &mut node)?;
            let sum_there = Node::decode(&node, 0).map_or(0, |node| node.get(block % Shape::FILE.fan));
            if sum_there == sum(content) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes blocks of the engine, not block 0.
    pub(super) fn write(&self, offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        let Some(tree) = &self.tree else { return self.disk.write(behind(offset), bytes) };
        let mut block = block_of(offset)?;
        let _writing = self.writing.read().unwrap_or_else(PoisonError::into_inner);
        while !bytes.is_empty() {
            let (run, rest) = bytes.split_at(Shape::FILE.run(block, bytes.len()));
            self.disk.write(start(Shape::FILE.place(block)), run)?;
            let mut tree = tree.write().unwrap_or_else(PoisonError::into_inner);
            for part in run.chunks(BLOCK_BYTES) {
                tree.set(&*self.disk, block, sum(part))?;
                block += 1;
            }
            bytes = rest;
        }
        Ok(())
    }

    /// Prevents writes of blocks until the result is dropped.
    pub(super) fn hold_writes(&self) -> RwLockWriteGuard<'_, ()> {
        self.writing.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compares the node of sums with this number, from 0, with its sum. Returns `None` after the last node.
    pub(super) fn verify_node(&self, number: u64) -> Option<io::Result<()>> {
        let tree = self.tree.as_ref()?;
        let verified = tree.write().unwrap_or_else(PoisonError::into_inner).verify(&*self.disk, number)?;
        if let Some(page) = verified.as_ref().err().and_then(damaged_page) {
            self.note(page.at);
        }
        Some(verified)
    }

    /// Writes the changed nodes, and returns the root. `None` without sums.
    pub(super) fn write_sums(&self) -> io::Result<Option<Root>> {
        let Some(tree) = &self.tree else { return Ok(None) };
        tree.write().unwrap_or_else(PoisonError::into_inner).write(&*self.disk).map(Some)
    }

    /// Reports that the written nodes are on stable storage.
    pub(super) fn synced(&self) {
        if let Some(tree) = &self.tree {
            tree.write().unwrap_or_else(PoisonError::into_inner).synced();
        }
    }

    /// Notes damage, and creates the error for it.
    pub(super) fn damaged(&self, at: u64, what: &str) -> io::Error {
        self.note(at);
        damaged(at, what)
    }

    fn note(&self, at: u64) {
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        if damage.len() < KEPT {
            damage.insert(at);
        }
    }

    /// Returns the number of positions of damage that was found, at most 1,000.
    pub(super) fn damage_count(&self) -> usize {
        self.damage.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Returns a description of the first damage.
    pub(super) fn damage(&self) -> Option<String> {
        let damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        damage.first().map(|first| format!("the page at byte {first} of the file is damaged"))
    }

    /// Rejects a write if damage was found: the store is not changed until a person has looked at it.
    pub(super) fn check_writable(&self) -> Result<(), StorageFault> {
        let Some(damage) = self.damage() else { return Ok(()) };
        let what = format!(
            "{damage}; writes are rejected until the store is opened again. Restore a backup, or use \
             `tables salvage`"
        );
        Err(StorageFault::Corrupt { what })
    }
}

/// Returns the number of the block at a position, which must be the start of a block.
fn block_of(offset: u64) -> io::Result<u64> {
    let size = start(1);
    if offset.is_multiple_of(size) {
        Ok(offset / size)
    } else {
        Err(io::Error::other("the engine uses a part of a block"))
    }
}

#[cfg(test)]
mod tests;
