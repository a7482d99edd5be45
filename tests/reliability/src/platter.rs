//! What a power cut leaves: stable storage, and an arbitrary part of what was not synced.

use crate::{Seed, Step, disk::SECTOR};

/// Stable storage at one moment, and the steps that have not certainly reached it.
#[derive(Clone, Debug)]
pub struct Platter {
    stable: Vec<u8>,
    pending: Vec<Step>,
    honest: bool,
}

/// Which of the pending steps survive.
#[derive(Clone, Copy, Debug)]
enum Survival {
    /// None.
    None,
    /// All: the process was killed, the system lives.
    All,
    /// Those before one moment.
    Before(usize),
    /// Each sector by its own luck: so many of eight.
    Sectors(usize),
}

impl Platter {
    /// Stable storage that holds `bytes`.
    #[must_use]
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { stable: bytes, pending: Vec::new(), honest: true }
    }

    /// The same, of a disk that says it has synced and has not.
    #[must_use]
    pub fn lying(bytes: Vec<u8>) -> Self {
        Self { honest: false, ..Self::new(bytes) }
    }

    /// A step was done.
    pub fn advance(&mut self, step: &Step, seed: &mut Seed) {
        match step {
            Step::Sync if self.honest => {
                let all = Survival::All;
                self.stable = self.leave(None, all, seed);
                self.pending.clear();
            }
            Step::Sync => {}
            Step::FailedSync => {
                self.stable = self.crash(None, seed);
                // The system takes data for written that is not, but a length stays to be written.
                let length = self.pending.iter().rfind(|step| matches!(step, Step::SetLen(_))).cloned();
                self.pending = Vec::from_iter(length);
            }
            Step::Write(..) | Step::SetLen(_) => self.pending.push(step.clone()),
        }
    }

    /// The bytes that a power cut leaves while the step `during` is done.
    #[must_use]
    pub fn crash(&self, during: Option<&Step>, seed: &mut Seed) -> Vec<u8> {
        let survival = match seed.below(8) {
            0 => Survival::None,
            1 => Survival::All,
            2 => Survival::Before(seed.below(self.pending.len() + 1)),
            _ => Survival::Sectors(seed.below(9)),
        };
        self.leave(during, survival, seed)
    }

    /// The bytes that are left if nothing survives that was not synced.
    #[must_use]
    pub fn only_stable(&self) -> &[u8] {
        &self.stable
    }

    fn leave(&self, during: Option<&Step>, survival: Survival, seed: &mut Seed) -> Vec<u8> {
        let mut image = self.stable.clone();
        // Lengths reach stable storage in their order.
        let lengths = self.pending.iter().filter(|step| matches!(step, Step::SetLen(_))).count();
        let mut lengths_left = match survival {
            Survival::Sectors(_) => seed.below(lengths + 1),
            _ => lengths,
        };
        for (index, step) in self.pending.iter().enumerate() {
            let survives = match survival {
                Survival::None => false,
                Survival::Before(end) => index < end,
                Survival::All | Survival::Sectors(_) => true,
            };
            match step {
                Step::SetLen(len) if survives && lengths_left > 0 => {
                    lengths_left -= 1;
                    image.resize(*len, 0);
                }
                Step::Write(offset, bytes) if survives => {
                    overlay(&mut image, *offset, bytes, |_| match survival {
                        Survival::Sectors(eighths) if !seed.chance(eighths, 8) => 0,
                        _ => SECTOR,
                    });
                }
                _ => {}
            }
        }
        if let Some(Step::Write(offset, bytes)) = during {
            tear(&mut image, *offset, bytes, survival, seed);
        }
        image
    }
}

/// Does a part of the write at hand: up to a sector that is torn at a byte, or sectors by luck and one torn.
fn tear(image: &mut [u8], offset: u64, bytes: &[u8], survival: Survival, seed: &mut Seed) {
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

/// Writes `bytes` at `offset` sector by sector, of each as many bytes as `keep` says of its number. What is beyond the
/// end of the image is lost.
fn overlay(image: &mut [u8], offset: u64, bytes: &[u8], mut keep: impl FnMut(usize) -> usize) {
    let Ok(mut at) = usize::try_from(offset) else { return };
    let mut rest = bytes;
    let mut number = 0;
    while !rest.is_empty() {
        let (sector, after) = rest.split_at(rest.len().min(SECTOR - at % SECTOR));
        let (kept, _) = sector.split_at(keep(number).min(sector.len()));
        for (place, byte) in image.get_mut(at..).unwrap_or_default().iter_mut().zip(kept) {
            *place = *byte;
        }
        at += sector.len();
        number += 1;
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(offset: u64, byte: u8, count: usize) -> Step {
        Step::Write(offset, vec![byte; count].into())
    }

    fn platter(steps: &[Step]) -> Platter {
        let mut platter = Platter::new(vec![0; 4 * SECTOR]);
        for step in steps {
            platter.advance(step, &mut Seed::new(1));
        }
        platter
    }

    #[test]
    fn what_was_synced_survives_every_crash() {
        let platter = platter(&[write(0, 1, SECTOR), Step::Sync, write(SECTOR as u64, 2, SECTOR)]);
        for seed in 0..200 {
            let image = platter.crash(Some(&write(1024, 3, 100)), &mut Seed::new(seed));
            assert_eq!(image.len(), 4 * SECTOR);
            assert!(image[..SECTOR].iter().all(|byte| *byte == 1));
            assert!(image[3 * SECTOR..].iter().all(|byte| *byte == 0));
        }
    }

    #[test]
    fn what_was_not_synced_survives_in_every_mixture() {
        let platter =
            platter(&[write(0, 1, SECTOR), write(SECTOR as u64, 2, SECTOR), Step::SetLen(5 * SECTOR)]);
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..500 {
            let image = platter.crash(None, &mut Seed::new(seed));
            seen.insert((image[0], image[SECTOR], image.len() / SECTOR));
        }
        assert_eq!(seen.len(), 8, "{seen:?}");
    }

    #[test]
    fn the_write_at_hand_is_torn_at_a_byte() {
        let platter = platter(&[]);
        let torn = (0..200).map(|seed| platter.crash(Some(&write(0, 7, 2 * SECTOR)), &mut Seed::new(seed)));
        let counts = torn.map(|image| image.into_iter().map(usize::from).sum::<usize>() / 7);
        assert!(counts.filter(|count| count % SECTOR != 0).count() > 50);
    }

    #[test]
    fn after_a_failed_sync_a_later_one_brings_nothing_back() {
        let mut lost = 0;
        for seed in 0..50 {
            let mut platter = Platter::new(vec![0; SECTOR]);
            for step in [write(0, 9, SECTOR), Step::FailedSync, Step::Sync] {
                platter.advance(&step, &mut Seed::new(seed));
            }
            lost += usize::from(platter.only_stable()[0] == 0);
        }
        assert!(lost > 5, "{lost}");
    }

    #[test]
    fn after_a_failed_sync_a_later_one_brings_the_length() {
        for seed in 0..50 {
            let mut platter = Platter::new(vec![0; SECTOR]);
            for step in [Step::SetLen(3 * SECTOR), Step::FailedSync, write(1024, 9, SECTOR), Step::Sync] {
                platter.advance(&step, &mut Seed::new(seed));
            }
            assert_eq!(platter.only_stable().get(1024), Some(&9));
        }
    }

    #[test]
    fn a_disk_that_lies_loses_what_was_synced() {
        let mut platter = Platter::lying(vec![0; SECTOR]);
        for step in [write(0, 9, SECTOR), Step::Sync] {
            platter.advance(&step, &mut Seed::new(1));
        }
        assert_eq!(platter.only_stable()[0], 0);
    }
}
