//! Where the store takes randomness from: the key that seals continuation tokens, and names of temporary files.

use std::{fmt::Debug, io};

/// A source of randomness.
pub trait Random: Debug + Send + Sync + 'static {
    /// Fills `bytes`. Who can guess them can forge continuation tokens.
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()>;
}

/// The operating system's.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) -> io::Result<()> {
        getrandom::fill(bytes).map_err(|error| io::Error::other(error.to_string()))
    }
}
