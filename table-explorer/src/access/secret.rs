//! Random texts that cannot be guessed.

use std::{fmt, io};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

/// A random text of 256 bits, of which only the hash is kept.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Hashed([u8; 32]);

/// Creates a random text.
pub(super) fn random() -> io::Result<String> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

impl Hashed {
    pub(super) fn of(text: &str) -> Self {
        Self(Sha256::digest(text.as_bytes()).into())
    }

    /// Returns whether this is the hash of a text. The time does not depend on how much of the text is right, as hashes
    /// are compared.
    pub(super) fn is_of(&self, text: &str) -> bool {
        *self == Self::of(text)
    }
}

impl fmt::Debug for Hashed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hashed(..)")
    }
}
