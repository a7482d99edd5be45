//! The result of a power cut for one file: stable storage, and an arbitrary part of the unsynced changes.

#[cfg(test)]
mod tests;

use super::Medium;
use crate::reliability::{
    Seed,
    disk::{Bytes, Change, SECTOR},
};

/// Stable storage at one instant, and the changes that may not have reached it.
#[derive(Clone, Debug)]
pub(super) struct Plate {
    stable: Bytes,
    pending: Vec<Change>,
    medium: Medium,
}

/// The pending changes that survive.
#[derive(Clone, Copy, Debug)]
enum Survival {
    /// No changes.
    None,
    /// All changes: the process was killed, the system continues.
    All,
    /// The changes before one instant.
    Before(usize),
    /// Each sector independently, with a probability of this number in eight.
    Sectors(usize),
}

impl Plate {
    /// Creates stable storage with these contents.
    pub(super) fn new(image: Bytes, medium: Medium) -> Self {
        Self { stable: image, pending: Vec::new(), medium }
    }

    /// Applies a change.
    pub(super) fn advance(&mut self, change: &Change, seed: &mut Seed) {
        match change {
            Change::Sync if self.medium == Medium::Lying => {}
            Change::Sync => {
                self.stable = self.leave(None, Survival::All, seed);
                self.pending.clear();
            }
            Change::FailedSync => {
                self.stable = self.crash(None, seed);
                // The system considers data written that is not, but a length will still be written.
                let length = self.pending.iter().rfind(|change| matches!(change, Change::SetLen(_))).cloned();
                self.pending = Vec::from_iter(length);
            }
            Change::Write(..) | Change::SetLen(_) => self.pending.push(change.clone()),
        }
    }

    /// Returns the bytes after a power cut during the change `during`.
    pub(super) fn crash(&self, during: Option<&Change>, seed: &mut Seed) -> Bytes {
        let survival = match seed.below(8) {
            0 => Survival::None,
            1 => Survival::All,
            2 => Survival::Before(seed.below(self.pending.len() + 1)),
            _ => Survival::Sectors(seed.below(9)),
        };
        let mut image = self.leave(during, survival, seed);
        if self.medium == Medium::Garbling {
            self.garble(&mut image, during, seed);
        }
        image
    }

    /// Returns the bytes if no unsynced change survives.
    pub(super) fn only_stable(&self) -> &Bytes {
        &self.stable
    }

    fn leave(&self, during: Option<&Change>, survival: Survival, seed: &mut Seed) -> Bytes {
        let mut image = self.stable.clone();
        // Lengths reach stable storage in order.
        let lengths = self.pending.iter().filter(|change| matches!(change, Change::SetLen(_))).count();
        let mut lengths_left = match survival {
            Survival::Sectors(_) => seed.below(lengths + 1),
            _ => lengths,
        };
        for (index, change) in self.pending.iter().enumerate() {
            let survives = match survival {
                Survival::None => false,
                Survival::Before(end) => index < end,
                Survival::All | Survival::Sectors(_) => true,
            };
            match change {
                Change::SetLen(len) if survives && lengths_left > 0 => {
                    lengths_left -= 1;
                    image.resize(*len);
                }
                Change::Write(offset, bytes) if survives => {
                    match survival {
                        Survival::Sectors(eighths) => overlay(&mut image, *offset, bytes, |_| {
                            if seed.chance(eighths, 8) { SECTOR } else { 0 }
                        }),
                        _ => overlay(&mut image, *offset, bytes, |_| SECTOR),
                    }
                }
                _ => {}
            }
        }
        if let Some(Change::Write(offset, bytes)) = during {
            tear(&mut image, *offset, bytes, survival, seed);
        }
        image
    }

    /// Fills unsynced sectors with random bytes: one of them, or a random subset.
    fn garble(&self, image: &mut Bytes, during: Option<&Change>, seed: &mut Seed) {
        let under_way: Vec<usize> = self.pending.iter().chain(during).flat_map(Change::sectors).collect();
        let one = seed.pick(&under_way).copied().filter(|_| seed.chance(1, 2));
        let sixteenths = seed.below(17);
        for sector in under_way {
            let hit = one.map_or_else(|| seed.chance(sixteenths, 16), |one| one == sector);
            if hit {
                let garbage: Vec<u8> = (0..SECTOR / 8).flat_map(|_| seed.draw().to_le_bytes()).collect();
                image.write(sector * SECTOR, &garbage);
            }
        }
    }
}

/// Applies a part of the current write: up to a sector that is torn at a byte, or random sectors and one torn.
fn tear(image: &mut Bytes, offset: u64, bytes: &[u8], survival: Survival, seed: &mut Seed) {
    let sectors = bytes.len().div_ceil(SECTOR);
    let (torn, kept) = (seed.below(sectors), seed.below(SECTOR + 1));
    overlay(image, offset, bytes, |sector| match (survival, sector.cmp(&torn)) {
        (Survival::None, _) => 0,
        (_, std::cmp::Ordering::Equal) => kept,
        (Survival::Sectors(eighths), _) if !seed.chance(eighths, 8) => 0,
        (Survival::Sectors(_), _) | (_, std::cmp::Ordering::Less) => SECTOR,
        (_, std::cmp::Ordering::Greater) => 0,
    });
}

/// Writes `bytes` at `offset` sector by sector; `keep` returns the number of bytes to write for the number of a sector.
/// Bytes beyond the end of the image are lost.
fn overlay(image: &mut Bytes, offset: u64, bytes: &[u8], mut keep: impl FnMut(usize) -> usize) {
    let Ok(mut at) = usize::try_from(offset) else { return };
    let mut rest = bytes;
    let mut number = 0;
    while !rest.is_empty() {
        let (sector, after) = rest.split_at(rest.len().min(SECTOR - at % SECTOR));
        let (kept, _) = sector.split_at(keep(number).min(sector.len()));
        image.write(at, kept);
        at += sector.len();
        number += 1;
        rest = after;
    }
}
