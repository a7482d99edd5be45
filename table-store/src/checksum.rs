//! Checksums of records.
//!
//! The engine does not verify the data that it reads, so each record ends with a CRC32C of its key and its content.
//! Because the key is included, a record under another key, or in another table, is detected too.

use table_model::StorageFault;

use crate::{
    engine::{Read, Write},
    keys::TableId,
};

/// Length of the checksum in bytes.
pub(crate) const SUM_BYTES: usize = 4;

/// Appends the checksum to `record`, which will be stored under `key`.
pub(crate) fn seal(key: &[u8], record: &mut Vec<u8>) {
    let sum = crc32c::crc32c_append(crc32c::crc32c(key), record);
    record.extend_from_slice(&sum.to_le_bytes());
}

/// Returns the content of a record read under `key`, or a storage fault.
pub(crate) fn unseal<'r>(key: &[u8], record: &'r [u8]) -> Result<&'r [u8], StorageFault> {
    open(key, record).map_err(|what| damaged(key, what))
}

/// Returns the content of a record read under `key`, or the description of its damage.
pub(crate) fn open<'r>(key: &[u8], record: &'r [u8]) -> Result<&'r [u8], &'static str> {
    let end = record.len().checked_sub(SUM_BYTES);
    let (body, sum) = end.and_then(|end| record.split_at_checked(end)).ok_or("it is too short")?;
    if sum != crc32c::crc32c_append(crc32c::crc32c(key), body).to_le_bytes() {
        return Err("it does not match its checksum");
    }
    Ok(body)
}

/// Stores `body` with its checksum under `key`.
pub(crate) fn put(write: &mut dyn Write, key: &[u8], body: &[u8]) -> Result<(), StorageFault> {
    let mut record = body.to_vec();
    seal(key, &mut record);
    write.put(key, &record)
}

/// Reads the content stored under `key`, if it exists.
pub(crate) fn get(read: &dyn Read, key: &[u8]) -> Result<Option<Vec<u8>>, StorageFault> {
    let mut found = None;
    read.get_whole(key, &mut |record| found = Some(unseal(key, record).map(<[u8]>::to_vec)))?;
    found.transpose()
}

/// Creates the fault of a damaged record.
pub(crate) fn damaged(key: &[u8], what: &str) -> StorageFault {
    StorageFault::Corrupt { what: format!("{}: {what}", name(key)) }
}

/// Formats the key of a record for display.
fn name(key: &[u8]) -> String {
    let id = key.first_chunk().map_or(TableId::META, |id| TableId(u32::from_be_bytes(*id)));
    let rest = || String::from_utf8_lossy(key.get(4..).unwrap_or_default()).into_owned();
    match id {
        TableId::META => format!("the internal record `{}`", rest()),
        TableId::OUTBOX => format!("the list of commit records, entry `{}`", rest()),
        TableId::CATALOG => format!("the catalog record of table `{}`", rest()),
        TableId::SETTINGS => crate::account::name(key),
        space if crate::blobs::owns(space) => crate::blobs::name(key),
        TableId::LEFTOVERS => "a removal record".to_owned(),
        TableId::QUEUES => format!("the record of queue `{}`", rest()),
        TableId::MESSAGES => crate::queues::name(key),
        table => match crate::keys::split(key) {
            Some((partition_key, row_key)) => {
                format!("table #{}, PartitionKey `{partition_key}`, RowKey `{row_key}`", table.0)
            }
            None => format!("table #{}, a record with an invalid key", table.0),
        },
    }
}

/// Polynomial of CRC32C, reflected.
const POLYNOMIAL: u32 = 0x82f6_3b78;

/// Returns the bit of a message of `bits` bits whose change alone explains a difference of its CRC32C.
pub(crate) fn changed_bit(bits: usize, difference: u32) -> Option<usize> {
    let mut effect = POLYNOMIAL;
    // From the last bit to the first: each further bit behind the changed one is another step of the checksum.
    (0..bits).rev().find(|_| {
        let found = effect == difference;
        effect = (effect >> 1) ^ if effect & 1 == 1 { POLYNOMIAL } else { 0 };
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_bit_or_another_key_is_found_and_named() {
        let key = TableId::FIRST.entity_key("Sales", "1");
        let mut record = b"content".to_vec();
        seal(&key, &mut record);
        assert_eq!(unseal(&key, &record).unwrap(), b"content");
        for bit in 0..record.len() * 8 {
            let mut changed = record.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(unseal(&key, &changed).is_err(), "bit {bit}");
        }
        let other = TableId::FIRST.entity_key("Sales", "2");
        let error = unseal(&other, &record).unwrap_err().to_string();
        assert!(error.contains("PartitionKey `Sales`, RowKey `2`"), "{error}");
        assert!(unseal(&key, b"abc").is_err());
    }
}
