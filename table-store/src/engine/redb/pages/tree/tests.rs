use std::collections::BTreeMap;

use super::*;
use crate::MemoryDisk;

const SHAPE: Shape = Shape { fan: 4, top: 2, cached: 3 };

/// Sums by block.
type Sums = BTreeMap<u64, u32>;

/// Returns the sums of the first blocks of a root as they are on the disk.
fn sums(disk: &MemoryDisk, root: &Root, blocks: u64) -> io::Result<Sums> {
    let mut tree = Tree::new(SHAPE, root.clone());
    let mut sums = Sums::new();
    for block in 0..blocks.min(root.blocks) {
        match tree.get(disk, block)? {
            0 => {}
            sum => drop(sums.insert(block, sum)),
        }
    }
    Ok(sums)
}

/// State that a header can reveal.
#[derive(Clone)]
struct State {
    root: Root,
    sums: Sums,
    /// Number of blocks that the header expects, or that were removed after it was written.
    blocks: u64,
}

impl State {
    fn empty() -> Self {
        Self { root: Root::empty(), sums: Sums::new(), blocks: 0 }
    }
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

/// The roots that a crash can reveal: of the last synced header, and of the last sync that completed the tree. Neither is
/// overwritten, and the other states are never found.
#[test]
fn the_roots_of_possible_headers_stay_readable() {
    for seed in 1..12_u64 {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let disk = MemoryDisk::new();
        let mut tree = Tree::new(SHAPE, Root::empty());
        let mut model = Sums::new();
        let (mut header, mut last) = (State::empty(), State::empty());
        for step in 0..300 {
            let blocks = tree.root.blocks;
            match dice.roll(10) {
                0 => {
                    // No header refers to removed blocks.
                    let blocks = (blocks + dice.roll(20)).saturating_sub(dice.roll(9)).clamp(3, 120);
                    disk.set_len(start(SHAPE.len(blocks))).unwrap();
                    tree.resize(&disk, blocks).unwrap();
                    model.retain(|block, _| *block < blocks);
                    for state in [&mut header, &mut last] {
                        state.sums.retain(|block, _| *block < blocks);
                        state.blocks = state.blocks.min(blocks);
                    }
                }
                1..=6 => {
                    let Some(block) = blocks.checked_sub(1).map(|last| 1 + dice.roll(last.max(1))) else {
                        continue;
                    };
                    if block < blocks {
                        let sum = u32::try_from(1 + dice.roll(1000)).unwrap();
                        tree.set(&disk, block, sum).unwrap();
                        model.insert(block, sum);
                    }
                }
                7 => {
                    // A sync that completes the tree, with a header that has the root of the previous one.
                    let root = tree.write(&disk).unwrap();
                    tree.synced();
                    let state = State { blocks: root.blocks, root, sums: model.clone() };
                    header = std::mem::replace(&mut last, state);
                }
                8 => {
                    // A sync that fails, or the end of the process: the next one continues from a header.
                    if dice.roll(2) == 0 {
                        tree.write(&disk).unwrap();
                    }
                    if dice.roll(2) == 0 {
                        last = header.clone();
                    }
                    tree = Tree::new(SHAPE, last.root.clone());
                    tree.resize(&disk, last.blocks).unwrap();
                    tree.resize(&disk, blocks).unwrap();
                    model = last.sums.clone();
                }
                _ => {
                    // A header with the last root is synced.
                    header = last.clone();
                }
            }
            for (name, state) in [("header", &header), ("last", &last)] {
                let found = sums(&disk, &state.root, state.blocks).unwrap();
                assert_eq!(found, state.sums, "seed {seed}, step {step}: {name}");
            }
            assert!(tree.nodes.keys().filter(|id| id.level == 1).count() <= SHAPE.cached + 3);
            for block in 0..tree.root.blocks {
                assert_eq!(tree.get(&disk, block).unwrap(), model.get(&block).copied().unwrap_or(0));
            }
        }
    }
}

#[test]
fn a_damaged_stale_or_swapped_node_is_found() {
    let disk = MemoryDisk::new();
    disk.set_len(start(SHAPE.len(60))).unwrap();
    let mut tree = Tree::new(SHAPE, Root::empty());
    tree.resize(&disk, 60).unwrap();
    let mut images = Vec::new();
    for round in 1..4 {
        (1..60).for_each(|block| tree.set(&disk, block, 100 * round + 7).unwrap());
        images.push((tree.write(&disk).unwrap(), disk.bytes()));
        tree.synced();
    }
    let (root, bytes) = images.last().unwrap();
    let ids =
        (1..=root.height).flat_map(|level| (0..SHAPE.count(60, level)).map(move |index| Id { level, index }));
    let mut found = 0;
    for id in ids {
        // Every copy of the node but the last is of an earlier round.
        let at = usize::try_from(start(SHAPE.node(id))).unwrap();
        for damage in 0..3 {
            let mut changed = bytes.clone();
            let node = at..at + usize::try_from(start(COPIES)).unwrap();
            match damage {
                0 => changed[node].iter_mut().step_by(512).for_each(|byte| *byte ^= 1),
                1 => changed[node.clone()].copy_from_slice(&images[1].1[node]),
                _ => changed[node].rotate_left(64),
            }
            let error = sums(&MemoryDisk::with_bytes(changed), root, 60).unwrap_err();
            assert!(error.to_string().contains("checksum"), "{id:?}: {error}");
            found += 1;
        }
    }
    assert!(found > 50, "{found}");
}

/// A failed commit may have extended the file on a full disk.
#[test]
fn a_node_that_was_never_written_is_not_written_when_blocks_are_removed() {
    let disk = MemoryDisk::new();
    disk.set_len(start(SHAPE.len(4))).unwrap();
    let mut tree = Tree::new(SHAPE, Root::empty());
    tree.resize(&disk, 4).unwrap();
    tree.set(&disk, 1, 7).unwrap();
    tree.resize(&disk, 20).unwrap();
    tree.resize(&disk, 10).unwrap();
    // Nodes of later blocks would be behind the end of the disk.
    let root = tree.write(&disk).unwrap();
    assert_eq!(sums(&disk, &root, 4).unwrap(), Sums::from([(1, 7)]));
}
