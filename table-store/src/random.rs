//! Source of randomness for the key that protects continuation tokens, and for names of temporary files.

use std::{fmt::Debug, io};

/// Source of randomness.
pub trait Random: Debug + Send + Sync + 'static {
    /// Fills `bytes` with unpredictable values. With predictable values an attacker can forge continuation tokens.
    ///
    /// # Errors
    /// The error of the source.
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()>;
}

/// Randomness of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        getrandom::fill(bytes).map_err(|error| io::Error::other(error.to_string()))
    }
}
