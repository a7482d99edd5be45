//! Stored form of the properties: a version, their number, the [packed](table_model::packed) properties, and a CRC32C of the
//! keys and the content. The timestamp has a column of its own, as conditions test it.

use table_model::{
    Properties, PropertiesRef, StorageFault,
    packed::{pack, packed_bytes},
};

/// Format written by this version.
const VERSION: u8 = 1;
/// Version and count.
const HEAD_BYTES: usize = 1 + 2;
const SUM_BYTES: usize = 4;

/// Encodes the properties of an entity with these keys.
///
/// The properties have passed [`Entity::check`](table_model::Entity::check), so every length fits. Any other length is a bug
/// and is reported as such.
pub(crate) fn encode(keys: (&[u8], &[u8]), properties: &Properties) -> Result<Vec<u8>, StorageFault> {
    let too_large = || StorageFault::Bug { what: "an entity exceeds the limits".to_owned() };
    let mut record = Vec::with_capacity(HEAD_BYTES + packed_bytes(properties.refs()) + SUM_BYTES);
    record.push(VERSION);
    record.extend_from_slice(&u16::try_from(properties.len()).map_err(|_| too_large())?.to_le_bytes());
    pack(properties.refs(), &mut record).ok_or_else(too_large)?;
    record.extend_from_slice(&sum(keys, &record).to_le_bytes());
    Ok(record)
}

/// Decodes a record: returns its properties, and their encoding. Any bytes are allowed: an unsound record is a fault.
pub(crate) fn decode<'r>(
    keys: (&[u8], &[u8]),
    record: &'r [u8],
) -> Result<(PropertiesRef<'r>, &'r [u8]), StorageFault> {
    parse(keys, record).map_err(|what| damaged(keys, what))
}

fn parse<'r>(keys: (&[u8], &[u8]), record: &'r [u8]) -> Result<(PropertiesRef<'r>, &'r [u8]), &'static str> {
    let end = record.len().checked_sub(SUM_BYTES);
    let (body, sent) = end.and_then(|end| record.split_at_checked(end)).ok_or("it is too short")?;
    if sent != sum(keys, body).to_le_bytes() {
        return Err("it does not match its checksum");
    }
    let layout = || {
        let (head, packed) = body.split_at_checked(HEAD_BYTES)?;
        let [VERSION, count @ ..] = head else { return None };
        let count = u16::from_le_bytes(count.try_into().ok()?);
        Some((PropertiesRef::new(count.into(), packed)?, packed))
    };
    layout().ok_or("its layout is invalid")
}

/// The keys are included, so that a record under other keys is detected.
fn sum((partition_key, row_key): (&[u8], &[u8]), body: &[u8]) -> u32 {
    let keys = crc32c::crc32c_append(crc32c::crc32c_append(crc32c::crc32c(partition_key), &[0]), row_key);
    crc32c::crc32c_append(keys, body)
}

/// Creates the fault of a damaged record.
pub(crate) fn damaged((partition_key, row_key): (&[u8], &[u8]), what: &str) -> StorageFault {
    let text = String::from_utf8_lossy;
    StorageFault::Corrupt {
        what: format!("PartitionKey `{}`, RowKey `{}`: {what}", text(partition_key), text(row_key)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_bit_or_another_key_is_found() {
        let properties = [("Name", "Jo")].into_iter().collect();
        let keys = (&b"Sales"[..], &b"1"[..]);
        let record = encode(keys, &properties).unwrap();
        assert_eq!(decode(keys, &record).unwrap().0.to_properties(), properties);
        for bit in 0..record.len() * 8 {
            let mut changed = record.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(decode(keys, &changed).is_err(), "bit {bit}");
        }
        for other in [(&b"Sale"[..], &b"s1"[..]), (b"Sales", b"2")] {
            assert!(decode(other, &record).unwrap_err().to_string().contains("checksum"));
        }
        assert!(decode(keys, b"abc").is_err());
    }
}
