//! Positions of blocks in a file with sums.

use super::super::{head::ENGINE, sector::start};

/// Number of copies of a node. The node is written to each of them in turn.
pub(super) const COPIES: u64 = 3;
/// Maximum height of the tree of sums.
pub(super) const LEVELS: u32 = 3;

/// Layout of a file with sums.
///
/// Blocks of the engine are numbered consecutively. A node of level 1 contains the sums of `fan` blocks, a node of a
/// higher level the sums of `fan` nodes of the level below it. The copies of a node precede the first block that it
/// covers, except that block 0, the engine's header, precedes all nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// Number of sums in a node.
    pub(super) fan: u64,
    /// Maximum number of sums in the root.
    pub(super) top: u64,
    /// Maximum number of nodes of level 1 in memory. Further nodes are read again when they are needed. The nodes of
    /// higher levels are few.
    pub(super) cached: usize,
}

/// Identification of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id {
    /// Level, from 1.
    pub(super) level: u32,
    pub(super) index: u64,
}

impl Shape {
    /// Layout of all files. The nodes in memory have 16 MiB and cover 16 GiB of the file.
    pub(super) const FILE: Self = Self { fan: 1022, top: 40, cached: 4096 };

    /// Returns the number of blocks that a node covers; one block on level 0.
    fn span(self, level: u32) -> u64 {
        self.fan.saturating_pow(level)
    }

    /// Returns the position of a block of the engine, in blocks of the file.
    pub(super) fn place(self, block: u64) -> u64 {
        if block == 0 {
            return ENGINE;
        }
        let nodes: u64 = (1..=LEVELS).map(|level| block / self.span(level) + 1).sum();
        ENGINE + block + COPIES * nodes
    }

    /// Returns how many of `bytes` bytes from a block on are consecutive in the file.
    pub(super) fn run(self, block: u64, bytes: usize) -> usize {
        let run = if block == 0 { 1 } else { self.fan - block % self.fan };
        usize::try_from(start(run)).unwrap_or(usize::MAX).min(bytes)
    }

    /// Returns the position of the first copy of a node, in blocks of the file.
    pub(super) fn node(self, id: Id) -> u64 {
        let first = id.index.saturating_mul(self.span(id.level)).max(1);
        self.place(first) - COPIES * u64::from(id.level)
    }

    /// Returns the positions of the copies of the node of level 1 above a block, in blocks of the file.
    pub(super) fn leaf_copies(self, block: u64) -> std::ops::Range<u64> {
        let first = self.node(Id { level: 1, index: block / self.fan });
        first..first + COPIES
    }

    /// Returns the length of the file with so many blocks of the engine, in blocks.
    pub(super) fn len(self, blocks: u64) -> u64 {
        blocks.checked_sub(1).map_or(ENGINE, |last| self.place(last) + 1)
    }

    /// Returns the number of blocks of the engine in a file of this length.
    pub(super) fn blocks(self, len: u64) -> u64 {
        // All smaller numbers fit, no larger number fits.
        let (mut fits, mut more) = (0, len + 1);
        while fits + 1 < more {
            let middle = fits + (more - fits) / 2;
            if self.len(middle) <= len { fits = middle } else { more = middle }
        }
        fits
    }

    /// Returns the number of nodes of a level that cover so many blocks.
    pub(super) fn count(self, blocks: u64, level: u32) -> u64 {
        blocks.div_ceil(self.span(level))
    }

    /// Returns the height of the tree for so many blocks, or `None` if they are too many.
    pub(super) fn height(self, blocks: u64) -> Option<u32> {
        (1..=LEVELS).find(|level| self.count(blocks, *level) <= self.top)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn blocks_and_nodes_fill_the_file_without_overlap() {
        for shape in [Shape { fan: 3, top: 2, cached: 9 }, Shape { fan: 5, top: 4, cached: 9 }] {
            let blocks = 2 * shape.span(LEVELS);
            let mut used: BTreeSet<u64> = (0..blocks).map(|block| shape.place(block)).collect();
            assert_eq!(used.len() as u64, blocks);
            for level in 1..=LEVELS {
                for index in 0..shape.count(blocks, level) {
                    let first = shape.node(Id { level, index });
                    assert!((first..first + COPIES).all(|place| used.insert(place)), "{level} {index}");
                }
            }
            assert!(used.into_iter().eq(ENGINE..shape.len(blocks)));
            for blocks in 0..blocks {
                let len = shape.len(blocks);
                assert_eq!(shape.blocks(len), blocks);
                assert!((len..shape.len(blocks + 1)).all(|len| shape.blocks(len) == blocks));
            }
        }
    }

    #[test]
    fn a_file_may_have_terabytes() {
        let blocks = (100_u64 << 40) / 4096;
        assert_eq!(Shape::FILE.height(blocks), Some(3));
        assert_eq!(Shape::FILE.height(40 * 1022), Some(1));
        assert_eq!(Shape::FILE.height(40 * 1022 + 1), Some(2));
        assert!(Shape::FILE.len(blocks) < blocks + blocks / 300);
    }
}
