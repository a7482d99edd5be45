//! Continuation tokens of a backend: positions in a query, authenticated against modification.

mod text;

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::{Continuation, ErrorCode, Filter, Result, TableError};

const VERSION: u8 = 1;
/// Length in bytes of the authentication tag, and of the digest of the token's scope: 128 bits each.
const SEAL_BYTES: usize = 16;

/// Secret key of the store that authenticates its tokens. `Debug` does not print it, because the key allows forging
/// tokens.
#[derive(Clone, Copy)]
pub struct TokenKey(pub [u8; 32]);

impl fmt::Debug for TokenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenKey(..)")
    }
}

/// Scope of a token. The token is rejected in any other scope.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'f> {
    /// Id of the table, or of the list of tables. A recreated table has a new id, so old tokens are invalid.
    pub table: u32,
    /// Filter of the query.
    pub filter: Option<&'f Filter>,
    /// Order of the query. A position is a boundary: an ascending query reads the keys from it on, a descending query the
    /// keys before it.
    pub descending: bool,
}

impl Scope<'_> {
    fn digest(self) -> [u8; SEAL_BYTES] {
        let mut hash = Sha256::new();
        hash.update(self.table.to_be_bytes());
        if let Some(filter) = self.filter {
            hash.update(filter.to_string());
        }
        if self.descending {
            // No filter ends with this byte.
            hash.update([0]);
        }
        let mut digest = [0; SEAL_BYTES];
        for (place, byte) in digest.iter_mut().zip(hash.finalize()) {
            *place = byte;
        }
        digest
    }

    fn mac(self, TokenKey(token_key): TokenKey, position: &[u8]) -> Hmac<Sha256> {
        // HMAC pads a key with zeros to the block size of its hash.
        let mut block = [0; 64];
        block.split_at_mut(token_key.len()).0.copy_from_slice(&token_key);
        let mut mac = Hmac::<Sha256>::new(&block.into());
        mac.update(&[VERSION]);
        mac.update(&self.digest());
        mac.update(position);
        mac
    }

    /// Creates a token for `position` in this scope.
    ///
    /// # Errors
    /// `InvalidInput` if the position is too long for a token.
    pub fn seal(self, token_key: TokenKey, position: &[u8]) -> Result<Continuation> {
        let seal = self.mac(token_key, position).finalize().into_bytes();
        let mut bytes = Vec::with_capacity(1 + SEAL_BYTES + position.len());
        bytes.push(VERSION);
        bytes.extend(seal.iter().take(SEAL_BYTES));
        bytes.extend_from_slice(position);
        Continuation::new(text::encode(&bytes))
    }

    /// Returns the position of a token, if it was created with this key for this scope.
    ///
    /// # Errors
    /// `InvalidInput` otherwise.
    pub fn open(self, token_key: TokenKey, token: &Continuation) -> Result<Vec<u8>> {
        self.position(token_key, token).ok_or_else(|| {
            TableError::with_message(
                ErrorCode::InvalidInput,
                "The continuation token is not valid for this query. Send it unchanged, with the same table, \
                 filter and order; if the table was deleted, restart the query.",
            )
        })
    }

    fn position(self, token_key: TokenKey, token: &Continuation) -> Option<Vec<u8>> {
        let bytes = text::decode(token.as_str())?;
        let (version, rest) = bytes.split_first()?;
        let (seal, position) = rest.split_at_checked(SEAL_BYTES)?;
        if *version != VERSION {
            return None;
        }
        self.mac(token_key, position).verify_truncated_left(seal).ok()?;
        Some(position.to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: TokenKey = TokenKey([7; 32]);

    #[test]
    fn a_token_opens_only_where_it_belongs() {
        let (one, two) = (Filter::parse("A eq 1").unwrap(), Filter::parse("A eq 2").unwrap());
        let scope = Scope { table: 16, filter: Some(&one), descending: false };
        let token = scope.seal(KEY, b"p\0r").unwrap();
        assert_eq!(scope.open(KEY, &token).unwrap(), b"p\0r");
        for other in [
            Scope { table: 17, ..scope },
            Scope { filter: Some(&two), ..scope },
            Scope { filter: None, ..scope },
            Scope { descending: true, ..scope },
        ] {
            assert_eq!(other.open(KEY, &token).unwrap_err().code(), ErrorCode::InvalidInput);
        }
        assert!(scope.open(TokenKey([8; 32]), &token).is_err());
    }

    #[test]
    fn every_changed_or_missing_character_is_found() {
        let scope = Scope { table: 1, filter: None, descending: false };
        for position in [&b""[..], b"a", b"ab", b"abc"] {
            let token = scope.seal(KEY, position).unwrap();
            assert_eq!(scope.open(KEY, &token).unwrap(), position);
            for at in 0..token.as_str().len() {
                for with in b'!'..=b'~' {
                    let mut bytes = token.as_str().as_bytes().to_vec();
                    if std::mem::replace(&mut bytes[at], with) == with {
                        continue;
                    }
                    let bent = Continuation::new(String::from_utf8(bytes).unwrap()).unwrap();
                    assert!(scope.open(KEY, &bent).is_err(), "{bent}");
                }
                if let Ok(cut) = Continuation::new(&token.as_str()[..at]) {
                    assert!(scope.open(KEY, &cut).is_err(), "{cut}");
                }
            }
        }
    }
}
