use sha2::{Digest as _, Sha256};

/// Length and hash of a value, used to detect equal values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Digest {
    pub(crate) length: u64,
    pub(crate) sha256: [u8; 32],
}

impl Digest {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut hasher = Hasher::default();
        hasher.add(bytes);
        hasher.digest()
    }
}

/// Incremental computation of a digest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hasher {
    length: u64,
    sha256: Sha256,
}

impl Hasher {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.length = self.length.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.sha256.update(bytes);
    }

    pub(crate) fn digest(&self) -> Digest {
        Digest { length: self.length, sha256: self.sha256.clone().finalize().into() }
    }
}

/// Encodes bytes in lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Decodes the output of [`hex`]. Returns `None` for any other string.
pub(crate) fn from_hex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let mut digits = text.bytes().map(|byte| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    });
    for byte in &mut bytes {
        *byte = digits.next()?? << 4 | digits.next()??;
    }
    digits.next().is_none().then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_and_the_whole_have_one_digest() {
        let mut hasher = Hasher::default();
        hasher.add(b"a");
        hasher.add(b"bc");
        assert_eq!(hasher.digest(), Digest::of(b"abc"));
        assert_eq!(
            hex(&Digest::of(b"abc").sha256),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn hexadecimal_is_read_as_it_is_written() {
        let digest = Digest::of(b"abc").sha256;
        assert_eq!(from_hex(&hex(&digest)), Some(digest));
        for bad in ["", "ba", &hex(&digest).to_uppercase(), &format!("{}0", hex(&digest))] {
            assert_eq!(from_hex(bad), None, "{bad}");
        }
    }
}
