//! Format of an encrypted value, version 1:
//!
//! ```text
//! 01 | key id, u32 | nonce, 12 bytes | ciphertext | tag, 16 bytes
//! ```
//!
//! The cipher is AES-256-GCM. Its associated data are the first five bytes, followed by the table name in lower case,
//! the PartitionKey, the RowKey and the property name, each preceded by its length in bytes as a u32. Numbers are
//! big-endian.

use aes_gcm::{AeadInOut, Nonce, Tag};
use table_model::Value;

use super::{DecryptError, plain, ring::KeyRing};
use crate::core::place::Place;

const VERSION: u8 = 1;
/// Size of the version and the key id.
const HEAD: usize = 5;
pub(crate) const NONCE: usize = 12;
const TAG: usize = 16;

/// Encrypts a value. A key must never be used twice with the same nonce.
pub(super) fn seal(
    ring: &KeyRing,
    nonce: [u8; NONCE],
    place: Place<'_>,
    name: &str,
    value: &Value,
) -> Result<Vec<u8>, DecryptError> {
    let (id, key) = ring.current_key();
    let mut sealed = Vec::with_capacity(HEAD + NONCE + plain::size(value) + TAG);
    sealed.push(VERSION);
    sealed.extend(id.to_be_bytes());
    let associated = associated(&sealed, place, name)?;
    sealed.extend(nonce);
    plain::write(value, &mut sealed)?;
    let body = sealed.get_mut(HEAD + NONCE..).ok_or(DecryptError::Failed)?;
    let tag = key.cipher().encrypt_inout_detached(&Nonce::from(nonce), &associated, body.into());
    sealed.extend(tag.map_err(|_| DecryptError::Failed)?);
    Ok(sealed)
}

/// Returns the id of the key of a value that has the form of an encrypted value.
pub(super) fn key_id(sealed: &[u8]) -> Option<u32> {
    let [VERSION, id @ ..] = *sealed.first_chunk::<HEAD>()? else { return None };
    (sealed.len() >= HEAD + NONCE + TAG).then_some(u32::from_be_bytes(id))
}

/// Decrypts a value that was encrypted for this row and property name.
pub(super) fn open(
    ring: &KeyRing,
    place: Place<'_>,
    name: &str,
    sealed: &[u8],
) -> Result<Value, DecryptError> {
    let (head, rest) = sealed.split_first_chunk::<HEAD>().ok_or(DecryptError::Form)?;
    let (nonce, rest) = rest.split_first_chunk::<NONCE>().ok_or(DecryptError::Form)?;
    let (body, tag) = rest.split_last_chunk::<TAG>().ok_or(DecryptError::Form)?;
    let [VERSION, id @ ..] = *head else { return Err(DecryptError::Form) };
    let id = u32::from_be_bytes(id);
    let key = ring.key(id).ok_or(DecryptError::UnknownKey { id })?;
    let associated = associated(head, place, name)?;
    let mut plain = body.to_vec();
    key.cipher()
        .decrypt_inout_detached(
            &Nonce::from(*nonce),
            &associated,
            plain.as_mut_slice().into(),
            &Tag::from(*tag),
        )
        .map_err(|_| DecryptError::Refused { id })?;
    plain::read(plain)
}

fn associated(head: &[u8], place: Place<'_>, name: &str) -> Result<Vec<u8>, DecryptError> {
    // Table names are case-insensitive.
    let table = place.table.to_ascii_lowercase();
    let parts = [table.as_str(), place.partition_key, place.row_key, name];
    let mut bytes = Vec::with_capacity(HEAD + parts.iter().map(|part| 4 + part.len()).sum::<usize>());
    bytes.extend(head);
    for part in parts {
        bytes.extend(u32::try_from(part.len()).map_err(|_| DecryptError::Failed)?.to_be_bytes());
        bytes.extend(part.as_bytes());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place<'_> = Place { table: "Employees", partition_key: "Sales", row_key: "empid_000223" };

    fn ring() -> KeyRing {
        let mut key = [0; 32];
        key.iter_mut().zip(0..).for_each(|(byte, number)| *byte = number);
        KeyRing::from_keys(7, [(7, key)]).unwrap()
    }

    fn bytes(hex: &str) -> Vec<u8> {
        let pair = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(pair).collect()
    }

    /// Created by another implementation of AES-GCM. Stored values must remain readable.
    #[test]
    fn the_form_is_fixed() {
        let nonce: [u8; NONCE] = std::array::from_fn(|at| 100 + u8::try_from(at).unwrap());
        for (value, hex) in [
            (
                Value::from("AB 12 34"),
                "01000000076465666768696a6b6c6d6e6f495a9c4648db76ad0a18bbae334cea98b5242df2f4ff4bde70",
            ),
            (
                Value::Int64(51_000),
                "01000000076465666768696a6b6c6d6e6f4d1bde6679e9565906b2092256b4cce78bc60d3fc582543379",
            ),
        ] {
            let sealed = seal(&ring(), nonce, PLACE, "national_id", &value).unwrap();
            assert_eq!(sealed, bytes(hex), "{value:?}");
            assert_eq!(open(&ring(), PLACE, "national_id", &sealed), Ok(value));
        }
    }

    /// Without lengths, the end of one part could be interpreted as the start of the next part.
    #[test]
    fn the_parts_of_a_place_do_not_run_into_each_other() {
        let sealed = seal(&ring(), [1; NONCE], PLACE, "id", &Value::Int32(1)).unwrap();
        let shifted = Place { partition_key: "Salese", row_key: "mpid_000223", ..PLACE };
        assert_eq!(open(&ring(), shifted, "id", &sealed), Err(DecryptError::Refused { id: 7 }));
        let lower = Place { table: "EMPLOYEES", ..PLACE };
        assert_eq!(open(&ring(), lower, "id", &sealed), Ok(Value::Int32(1)));
    }

    /// Only a holder of the key can create these values. They must be rejected nevertheless.
    #[test]
    fn what_opens_and_is_no_value_is_refused() {
        let (id, key) = (7, ring());
        for plain in [&[][..], &[0], &[3], &[3, 2], &[4, 0], &[8, 1, 2], &[1, 0xff], &[99, 1]] {
            let mut sealed = vec![VERSION];
            sealed.extend(7_u32.to_be_bytes());
            let associated = associated(&sealed, PLACE, "id").unwrap();
            sealed.extend([1; NONCE]);
            let mut body = plain.to_vec();
            let cipher = key.key(id).unwrap().cipher();
            let nonce = Nonce::from([1; NONCE]);
            let tag = cipher.encrypt_inout_detached(&nonce, &associated, body.as_mut_slice().into()).unwrap();
            sealed.extend(body);
            sealed.extend(tag);
            assert_eq!(open(&key, PLACE, "id", &sealed), Err(DecryptError::Form), "{plain:?}");
        }
    }
}
