//! The result of a power cut: stable storage, and an arbitrary part of the unsynced steps. The file and the log are
//! synced separately, so the unsynced steps of both survive independently.

mod plate;

use self::plate::Plate;
use crate::reliability::{
    Seed, Step,
    disk::{Image, Part},
};

/// The behavior of a disk when the power fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// A sector that is being written may be torn at a byte; syncs are honest.
    Tearing,
    /// In addition, an unsynced sector may contain any bytes.
    Garbling,
    /// Syncs are ignored.
    Lying,
}

/// Stable storage of a disk at one instant, and the steps that may not have reached it.
#[derive(Clone, Debug)]
pub struct Platter {
    file: Plate,
    log: Plate,
}

impl Platter {
    /// Creates stable storage with these contents.
    #[must_use]
    pub fn new(image: Image, medium: Medium) -> Self {
        Self { file: Plate::new(image.file, medium), log: Plate::new(image.log, medium) }
    }

    /// Applies a step.
    pub fn advance(&mut self, step: &Step, seed: &mut Seed) {
        match step.part {
            Part::File => self.file.advance(&step.change, seed),
            Part::Log => self.log.advance(&step.change, seed),
        }
    }

    /// Returns the image after a power cut during the step `during`.
    #[must_use]
    pub fn crash(&self, during: Option<&Step>, seed: &mut Seed) -> Image {
        let of = |part| during.filter(|step| step.part == part).map(|step| &step.change);
        Image { file: self.file.crash(of(Part::File), seed), log: self.log.crash(of(Part::Log), seed) }
    }

    /// Returns the image if no unsynced step survives.
    #[must_use]
    pub fn only_stable(&self) -> Image {
        Image { file: self.file.only_stable().clone(), log: self.log.only_stable().clone() }
    }
}
