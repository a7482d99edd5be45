//! A guarantee of the store, and the search for a case that violates it.

mod counts;

pub use counts::Counts;
pub(crate) use counts::Grouped;

use std::{error::Error, fmt};

/// Reason why a guarantee is violated.
pub type Refutation = Box<dyn Error + Send + Sync>;

/// The extent of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// A part that depends on the seed: time is limited with every change.
    Sampled,
    /// The complete case.
    Full,
}

/// A guarantee, and a search for cases that violate it.
///
/// A case is small, some milliseconds to some seconds, and is determined by its seed.
pub trait Proof: fmt::Debug + Send + Sync {
    /// Returns a short name, for the command line.
    fn name(&self) -> &'static str;

    /// Returns the guarantee as a sentence.
    fn promise(&self) -> &'static str;

    /// Returns the number of cases that run with every change.
    fn cases_with_every_change(&self) -> u64;

    /// Returns the number of all cases if it is finite: then any range of this number of seeds contains each case.
    fn cases(&self) -> Option<u64> {
        None
    }

    /// Returns a reason if the proof cannot run in this environment.
    fn hindrance(&self) -> Option<String> {
        None
    }

    /// Runs the case of a seed.
    ///
    /// # Errors
    /// Returns a refutation if the case violates the property.
    fn try_case(&self, seed: u64, depth: Depth) -> Result<Counts, Refutation>;

    /// Judges all cases together, if a single case is not conclusive.
    ///
    /// # Errors
    /// Returns a refutation if the cases together violate the property.
    fn judge(&self, counts: &Counts) -> Result<(), Refutation> {
        let _ = counts;
        Ok(())
    }
}
