//! What a power cut leaves: stable storage, and an arbitrary part of what was not synced.

use crate::{
    Seed, Step,
    disk::{Image, SECTOR},
};

/// How a disk behaves when the power fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// A sector that is written may be torn at a byte; a sync is a sync.
    Tearing,
    /// A sector that is not synced may also hold anything, whatever it held before.
    Garbling,
    /// A sync is none.
    Lying,
}

/// Stable storage at one moment, and the steps that have not certainly reached it.
#[derive(Clone, Debug)]
pub struct Platter {
    stable: Image,
    pending: Vec<Step>,
    medium: Medium,
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
    /// Stable storage that holds this.
    #[must_use]
    pub fn new(image: Image, medium: Medium) -> Self {
        Self { stable: image, pending: Vec::new(), medium }
    }

    /// A step was done.
    pub fn advance(&mut self, step: &Step, seed: &mut Seed) {
        match step {
            Step::Sync if self.medium == Medium::Lying => {}
            Step::Sync => {
                self.stable = self.leave(None, Survival::All, seed);
                self.pending.clear();
            }
            Step::FailedSync => {
                self.stable = self.crash(None, seed);
                // The system takes data for written that is not, but a length stays to be written.
                let length = self.pending.iter().rfind(|step| matches!(step, Step::SetLen(_))).cloned();
                self.pending = Vec::from_iter(length);
            }
            Step::Write(..) | Step::SetLen(_) => self.pending.push(step.clone()),
        }
    }

    /// What a power cut leaves while the step `during` is done.
    #[must_use]
    pub fn crash(&self, during: Option<&Step>, seed: &mut Seed) -> Image {
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

    /// What is left if nothing survives that was not synced.
    #[must_use]
    pub fn only_stable(&self) -> &Image {
        &self.stable
    }

    fn leave(&self, during: Option<&Step>, survival: Survival, seed: &mut Seed) -> Image {
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
                    image.resize(*len);
                }
                Step::Write(offset, bytes) if survives => {
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
        if let Some(Step::Write(offset, bytes)) = during {
            tear(&mut image, *offset, bytes, survival, seed);
        }
        image
    }

    /// Fills sectors that were being written with what nobody wrote: one of them, or any by luck.
    fn garble(&self, image: &mut Image, during: Option<&Step>, seed: &mut Seed) {
        let under_way: Vec<usize> = self.pending.iter().chain(during).flat_map(Step::sectors).collect();
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

/// Does a part of the write at hand: up to a sector that is torn at a byte, or sectors by luck and one torn.
fn tear(image: &mut Image, offset: u64, bytes: &[u8], survival: Survival, seed: &mut Seed) {
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
fn overlay(image: &mut Image, offset: u64, bytes: &[u8], mut keep: impl FnMut(usize) -> usize) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn write(offset: u64, byte: u8, count: usize) -> Step {
        Step::Write(offset, vec![byte; count].into())
    }

    fn zeros(sectors: usize) -> Image {
        Image::from(&*vec![0; sectors * SECTOR])
    }

    fn platter(steps: &[Step]) -> Platter {
        let mut platter = Platter::new(zeros(4), Medium::Tearing);
        for step in steps {
            platter.advance(step, &mut Seed::new(1));
        }
        platter
    }

    #[test]
    fn what_was_synced_survives_every_crash() {
        let platter = platter(&[write(0, 1, SECTOR), Step::Sync, write(SECTOR as u64, 2, SECTOR)]);
        for seed in 0..200 {
            let image = platter.crash(Some(&write(1024, 3, 100)), &mut Seed::new(seed)).to_vec();
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
            let image = platter.crash(None, &mut Seed::new(seed)).to_vec();
            seen.insert((image[0], image[SECTOR], image.len() / SECTOR));
        }
        assert_eq!(seen.len(), 8, "{seen:?}");
    }

    #[test]
    fn the_write_at_hand_is_torn_at_a_byte() {
        let platter = platter(&[]);
        let torn = (0..200).map(|seed| platter.crash(Some(&write(0, 7, 2 * SECTOR)), &mut Seed::new(seed)));
        let counts = torn.map(|image| image.to_vec().into_iter().map(usize::from).sum::<usize>() / 7);
        assert!(counts.filter(|count| count % SECTOR != 0).count() > 50);
    }

    #[test]
    fn after_a_failed_sync_a_later_one_brings_nothing_back() {
        let mut lost = 0;
        for seed in 0..50 {
            let mut platter = Platter::new(zeros(1), Medium::Tearing);
            for step in [write(0, 9, SECTOR), Step::FailedSync, Step::Sync] {
                platter.advance(&step, &mut Seed::new(seed));
            }
            lost += usize::from(platter.only_stable().to_vec()[0] == 0);
        }
        assert!(lost > 5, "{lost}");
    }

    #[test]
    fn after_a_failed_sync_a_later_one_brings_the_length() {
        for seed in 0..50 {
            let mut platter = Platter::new(zeros(1), Medium::Tearing);
            for step in [Step::SetLen(3 * SECTOR), Step::FailedSync, write(1024, 9, SECTOR), Step::Sync] {
                platter.advance(&step, &mut Seed::new(seed));
            }
            assert_eq!(platter.only_stable().to_vec().get(1024), Some(&9));
        }
    }

    #[test]
    fn garbage_is_only_where_something_was_being_written() {
        let mut platter = Platter::new(zeros(6), Medium::Garbling);
        for step in [write(0, 1, SECTOR), Step::Sync, write(1500, 2, 30), write(2048, 2, SECTOR)] {
            platter.advance(&step, &mut Seed::new(1));
        }
        let mut garbled = std::collections::BTreeSet::new();
        for seed in 0..300 {
            let image = platter.crash(Some(&write(2560, 3, 8)), &mut Seed::new(seed)).to_vec();
            let known = |sector: &[u8]| sector.iter().all(|byte| *byte <= 3);
            garbled.insert(image.chunks(SECTOR).map(|sector| !known(sector)).collect::<Vec<_>>());
        }
        // Sectors 2, 4 and 5, in every mixture.
        assert_eq!(garbled.len(), 8, "{garbled:?}");
        assert!(garbled.iter().all(|sectors| !sectors[0] && !sectors[1] && !sectors[3]));
    }

    #[test]
    fn a_disk_that_lies_loses_what_was_synced() {
        let mut platter = Platter::new(zeros(1), Medium::Lying);
        for step in [write(0, 9, SECTOR), Step::Sync] {
            platter.advance(&step, &mut Seed::new(1));
        }
        assert_eq!(platter.only_stable().to_vec()[0], 0);
    }
}
