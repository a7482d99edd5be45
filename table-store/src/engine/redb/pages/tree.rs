//! The sums of a file as a tree.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, io,
};

use super::{
    damaged,
    node::Node,
    root::Root,
    shape::{COPIES, Id, Shape},
    sum::sum,
};
use crate::{disk::Disk, engine::BLOCK_BYTES, engine::redb::sector::start};

/// The tree in memory. Its changes are on stable storage when a header with its root is.
///
/// A node is written to its three copies in turn, once between two syncs that complete the tree: all writes between
/// them use the same copy. Headers contain the root of the last such sync. Therefore the copies that the last synced
/// header, or the header that is being written, refer to, are never overwritten.
pub(super) struct Tree {
    shape: Shape,
    root: Root,
    nodes: BTreeMap<Id, Node>,
    dirty: BTreeSet<Id>,
    /// Node from which the search for a node to drop continues.
    hand: u64,
}

/// Omits the nodes, which are large.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").field("blocks", &self.root.blocks).finish_non_exhaustive()
    }
}

impl Tree {
    /// Creates the tree of a root that was read from a header.
    pub(super) fn new(shape: Shape, root: Root) -> Self {
        let root = Root { epoch: root.epoch.saturating_add(1), ..root };
        Self { shape, root, nodes: BTreeMap::new(), dirty: BTreeSet::new(), hand: 0 }
    }

    /// Returns the sum of a block, or zero if it was never written. `None` if its node is not in memory.
    pub(super) fn cached(&self, block: u64) -> Option<u32> {
        Some(self.nodes.get(&self.leaf(block))?.get(block % self.shape.fan))
    }

    /// Returns the sum of a block, or zero if it was never written.
    pub(super) fn get(&mut self, disk: &dyn Disk, block: u64) -> io::Result<u32> {
        let at = block % self.shape.fan;
        Ok(self.node(disk, self.leaf(block))?.get(at))
    }

    /// Sets the sum of a block.
    pub(super) fn set(&mut self, disk: &dyn Disk, block: u64, sum: u32) -> io::Result<()> {
        let (id, at) = (self.leaf(block), block % self.shape.fan);
        self.node(disk, id)?.set(at, sum);
        self.dirty.insert(id);
        if self.dirty.len() > self.shape.cached { self.write_level(disk, 1) } else { Ok(()) }
    }

    fn leaf(&self, block: u64) -> Id {
        Id { level: 1, index: block / self.shape.fan }
    }

    fn parent(&self, id: Id) -> (Id, u64) {
        (Id { level: id.level + 1, index: id.index / self.shape.fan }, id.index % self.shape.fan)
    }

    /// Returns the sum of a node in its parent or the root.
    fn sum_of(&mut self, disk: &dyn Disk, id: Id) -> io::Result<u32> {
        if id.level >= self.root.height {
            let at = usize::try_from(id.index).unwrap_or(usize::MAX);
            return Ok(self.root.top.get(at).copied().unwrap_or(0));
        }
        let (parent, at) = self.parent(id);
        Ok(self.node(disk, parent)?.get(at))
    }

    /// Returns a node, and reads it if it is not in memory.
    fn node(&mut self, disk: &dyn Disk, id: Id) -> io::Result<&mut Node> {
        if !self.nodes.contains_key(&id) {
            let node = match self.sum_of(disk, id)? {
                0 => Node::fresh(),
                expected => self.read(disk, id, expected)?,
            };
            self.make_room();
            self.nodes.insert(id, node);
        }
        self.nodes.get_mut(&id).ok_or_else(|| io::Error::other("a node of the block sums is missing"))
    }

    fn read(&self, disk: &dyn Disk, id: Id, expected: u32) -> io::Result<Node> {
        let place = start(self.shape.node(id));
        for copy in 0..COPIES {
            let mut block = vec![0; BLOCK_BYTES];
            match disk.read(place + start(copy), &mut block) {
                Err(error)
                    if error.kind() == io::ErrorKind::UnexpectedEof
                        && disk.len()? < place + start(copy + 1) =>
                {
                    break;
                }
                read => read?,
            }
            if sum(&block) == expected
                && let Some(node) = Node::decode(&block, copy)
            {
                return Ok(node);
            }
        }
        Err(damaged(place, "the checksums of the following pages do not match their checksum"))
    }

    /// Reads the node with this number, from 0, from the disk. Returns `None` if there are fewer nodes.
    pub(super) fn verify(&mut self, disk: &dyn Disk, mut number: u64) -> Option<io::Result<()>> {
        for level in 1..=self.root.height {
            let count = self.shape.count(self.root.blocks, level);
            if number < count {
                return Some(self.verify_node(disk, Id { level, index: number }));
            }
            number -= count;
        }
        None
    }

    fn verify_node(&mut self, disk: &dyn Disk, id: Id) -> io::Result<()> {
        // A changed node is written to another copy.
        if self.dirty.contains(&id) {
            return Ok(());
        }
        match self.sum_of(disk, id)? {
            0 => Ok(()),
            expected => self.read(disk, id, expected).map(drop),
        }
    }

    /// Drops a node of level 1 that is not changed, if there are many.
    fn make_room(&mut self) {
        if self.nodes.len() <= self.shape.cached {
            return;
        }
        let of = |index| Id { level: 1, index };
        let is_clean = |(id, _): &(&Id, &Node)| !self.dirty.contains(id);
        let mut after = self.nodes.range(of(self.hand)..of(u64::MAX)).filter(is_clean);
        let found = after.next().or_else(|| self.nodes.range(of(0)..of(self.hand)).find(is_clean));
        if let Some(id) = found.map(|(id, _)| *id) {
            self.nodes.remove(&id);
            self.hand = id.index + 1;
        }
    }

    /// Changes the number of blocks.
    pub(super) fn resize(&mut self, disk: &dyn Disk, blocks: u64) -> io::Result<()> {
        let least = self.shape.height(blocks).ok_or(io::ErrorKind::FileTooLarge)?;
        if blocks < self.root.blocks {
            self.forget(disk, blocks)?;
        }
        // The height is never reduced: a lower root would not tell the copy of the highest node, which an earlier header
        // may refer to.
        while self.root.height < least {
            self.root.height += 1;
            let mut node = Node::fresh();
            for (at, sum) in (0..).zip(std::mem::take(&mut self.root.top)) {
                node.set(at, sum);
            }
            let id = Id { level: self.root.height, index: 0 };
            self.nodes.insert(id, node);
            self.dirty.insert(id);
            self.root.top.push(0);
        }
        let count = usize::try_from(self.shape.count(blocks, self.root.height)).unwrap_or(usize::MAX);
        self.root.top.resize(count, 0);
        self.root.blocks = blocks;
        Ok(())
    }

    /// Removes the sums from block `blocks` on.
    fn forget(&mut self, disk: &dyn Disk, blocks: u64) -> io::Result<()> {
        for level in (1..=self.root.height).rev() {
            let count = self.shape.count(blocks, level);
            self.nodes.retain(|id, _| id.level != level || id.index < count);
            self.dirty.retain(|id| id.level != level || id.index < count);
            let below = self.shape.count(blocks, level - 1);
            let (index, at) = (below / self.shape.fan, below % self.shape.fan);
            let id = Id { level, index };
            // A node that was never written has no place on the disk yet, which may be full: a failed commit may have
            // extended the file.
            if at != 0 && (self.nodes.contains_key(&id) || self.sum_of(disk, id)? != 0) {
                self.node(disk, id)?.clear_from(at);
                self.dirty.insert(id);
            }
        }
        Ok(())
    }

    /// Writes all changed nodes, and returns the root.
    pub(super) fn write(&mut self, disk: &dyn Disk) -> io::Result<Root> {
        (1..=self.root.height).try_for_each(|level| self.write_level(disk, level))?;
        Ok(self.root.clone())
    }

    /// Ends the epoch: the written nodes are on stable storage.
    pub(super) fn synced(&mut self) {
        self.root.epoch += 1;
    }

    fn write_level(&mut self, disk: &dyn Disk, level: u32) -> io::Result<()> {
        let of = |index| Id { level, index };
        while let Some(id) = self.dirty.range(of(0)..=of(u64::MAX)).next().copied() {
            let epoch = self.root.epoch;
            let node = self.node(disk, id)?;
            if node.epoch != epoch {
                (node.epoch, node.copy) = (epoch, (node.copy + 1) % COPIES);
            }
            let (block, copy) = (node.encode(), node.copy);
            disk.write(start(self.shape.node(id) + copy), &block)?;
            self.dirty.remove(&id);
            self.set_sum_of(disk, id, sum(&block))?;
        }
        Ok(())
    }

    fn set_sum_of(&mut self, disk: &dyn Disk, id: Id, sum: u32) -> io::Result<()> {
        if id.level >= self.root.height {
            let at = usize::try_from(id.index).unwrap_or(usize::MAX);
            if let Some(place) = self.root.top.get_mut(at) {
                *place = sum;
            }
            return Ok(());
        }
        let (parent, at) = self.parent(id);
        self.node(disk, parent)?.set(at, sum);
        self.dirty.insert(parent);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
