use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use zeroize::Zeroizing;

/// A key of an account, which authorizes every operation on the account. `Debug` does not show the key, and its memory
/// is overwritten on drop.
///
/// ```
/// use table_rest::auth::AccountKey;
///
/// let key: AccountKey = "a2V5".parse()?;
/// let signature = key.sign("GET\n");
/// assert!(key.verify("GET\n", &signature));
/// assert!(!key.verify("PUT\n", &signature));
/// assert_eq!(format!("{key:?}"), "AccountKey(..)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct AccountKey {
    bytes: Zeroizing<Vec<u8>>,
    /// The HMAC state before any input, shared by all signatures.
    begun: Hmac<Sha256>,
}

/// 64 bytes: the block size of the hash.
const EMULATOR: [u8; 64] = [
    0x11, 0xbc, 0xbc, 0xbd, 0xd3, 0x34, 0xdb, 0x13, 0x4e, 0x72, 0xa1, 0x65, 0xa9, 0x4c, 0x09, 0x3c, 0xb9,
    0x66, 0x12, 0xd9, 0x42, 0x0d, 0x72, 0x75, 0x39, 0x4c, 0xc5, 0x4f, 0x9d, 0x2e, 0x49, 0x16, 0x7a, 0x20,
    0x5b, 0x2e, 0x16, 0xad, 0x94, 0x54, 0x4a, 0xc2, 0xcf, 0x82, 0x3a, 0xb6, 0xaf, 0xca, 0xd5, 0x26, 0x45,
    0x3d, 0x33, 0xad, 0xaf, 0xf2, 0x81, 0x1c, 0x17, 0xa4, 0xb2, 0x81, 0x8c, 0x1b,
];

/// Reason why a string is not a valid key. Error messages do not contain the string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid account key; expected a non-empty Base64 string")]
pub struct AccountKeyError;

impl AccountKey {
    /// Creates a key from its bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if `bytes` is empty.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Result<Self, AccountKeyError> {
        let bytes = Zeroizing::new(bytes.into());
        if bytes.is_empty() {
            return Err(AccountKeyError);
        }
        let begun = Hmac::new_from_slice(&bytes).map_err(|_| AccountKeyError)?;
        Ok(Self { bytes, begun })
    }

    /// Returns `true` if the key has fewer than 32 bytes, the size of its signatures. Such a key can be found by trial from
    /// one signature, so servers reject it.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.bytes.len() < 32
    }

    /// Returns the public key of the emulator account. Any client that reaches such a server has full access.
    #[must_use]
    pub fn emulator() -> Self {
        Self { bytes: Zeroizing::new(EMULATOR.to_vec()), begun: Hmac::new(&EMULATOR.into()) }
    }

    /// Returns the Base64 form of the key, as in connection strings.
    #[must_use]
    pub fn expose(&self) -> Zeroizing<String> {
        Zeroizing::new(STANDARD.encode(&self.bytes))
    }

    /// Returns the signature of a string to sign, in Base64.
    #[must_use]
    pub fn sign(&self, text: &str) -> String {
        let mut mac = self.begun.clone();
        mac.update(text.as_bytes());
        STANDARD.encode(mac.finalize().into_bytes())
    }

    /// Returns `true` if `signature` is the Base64 signature of `text` by this key. The duration does not depend on the
    /// length of the matching prefix.
    #[must_use]
    pub fn verify(&self, text: &str, signature: &str) -> bool {
        // An invalid signature is compared as well, so that the duration is the same.
        let mut mac = self.begun.clone();
        mac.update(text.as_bytes());
        mac.verify_slice(&STANDARD.decode(signature).unwrap_or_default()).is_ok()
    }
}

impl FromStr for AccountKey {
    type Err = AccountKeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::new(STANDARD.decode(text).map_err(|_| AccountKeyError)?)
    }
}

/// Compares in constant time.
impl PartialEq for AccountKey {
    fn eq(&self, other: &Self) -> bool {
        let (mut one, mut same) = (self.begun.clone(), other.begun.clone());
        one.update(&self.bytes);
        same.update(&self.bytes);
        one.verify(&same.finalize().into_bytes()).is_ok()
    }
}

impl Eq for AccountKey {}

impl fmt::Debug for AccountKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccountKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_shown_only_where_it_is_asked_for() {
        let key: AccountKey = "c2VjcmV0".parse().unwrap();
        assert_eq!(*key.expose(), "c2VjcmV0");
        let shown = format!("{key:?} {:?} {}", "c2VjcmV0=".parse::<AccountKey>(), AccountKeyError);
        assert!(!shown.contains("c2Vj") && !shown.contains("secret"), "{shown}");
    }

    #[test]
    fn what_is_empty_or_no_base64_is_no_key() {
        for text in ["", "a", "a b=", "*"] {
            assert_eq!(text.parse::<AccountKey>(), Err(AccountKeyError), "{text}");
        }
    }

    #[test]
    fn a_key_of_less_than_32_bytes_is_short() {
        assert!(AccountKey::new([7; 31]).unwrap().is_short());
        assert!(!AccountKey::new([7; 32]).unwrap().is_short() && !AccountKey::emulator().is_short());
    }

    #[test]
    fn keys_are_equal_by_their_bytes() {
        let [one, same, other] = ["a2V5", "a2V5", "a2V6"].map(|text| text.parse::<AccountKey>().unwrap());
        assert_eq!(one, same);
        assert_ne!(one, other);
    }

    #[test]
    fn what_is_no_signature_does_not_fit() {
        let key: AccountKey = "a2V5".parse().unwrap();
        let signature = key.sign("x");
        for wrong in
            ["", "*", "AAAA", &signature[1..], &format!("{signature}AAAA"), &signature.to_lowercase()]
        {
            assert!(!key.verify("x", wrong), "{wrong}");
        }
    }
}
