//! A promise of the store, and the search for a case that breaks it.

mod counts;

pub use counts::Counts;
pub(crate) use counts::Grouped;

use std::{error::Error, fmt};

/// Why a promise does not hold.
pub type Refutation = Box<dyn Error + Send + Sync>;

/// How much of a case is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// A part that differs from seed to seed: with every change there is little time.
    Sampled,
    /// All of it.
    Full,
}

/// Something that is promised, and how to look for a case in which it does not hold.
///
/// A case is small, some milliseconds to some seconds, and all of it follows from its seed.
pub trait Proof: fmt::Debug + Send + Sync {
    /// A short name, for the command line.
    fn name(&self) -> &'static str;

    /// What holds, as a sentence.
    fn promise(&self) -> &'static str;

    /// How many cases are tried with every change.
    fn cases_with_every_change(&self) -> u64;

    /// How many cases there are, if they come to an end: then every so many seeds in a row are all of them.
    fn cases(&self) -> Option<u64> {
        None
    }

    /// Why it cannot be tried here, if so.
    fn hindrance(&self) -> Option<String> {
        None
    }

    /// Tries the case of a seed.
    fn try_case(&self, seed: u64, depth: Depth) -> Result<Counts, Refutation>;

    /// Judges all cases together, where one alone says little.
    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        let _ = counts;
        Ok(())
    }
}
