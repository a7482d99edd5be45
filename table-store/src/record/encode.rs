use table_model::{
    Properties, StorageFault, Timestamp,
    packed::{pack, packed_bytes},
};

use super::{HEAD_BYTES, VERSION};
use crate::checksum::{SUM_BYTES, seal};

/// Position of the timestamp, after the version.
const TIME: std::ops::Range<usize> = 1..9;

/// Encodes the properties of an entity as a record without timestamp and checksum.
///
/// The properties have passed [`Entity::check`](table_model::Entity::check), so every length fits. Any other length is a bug
/// and is reported as such.
pub(crate) fn draft(properties: &Properties) -> Result<Vec<u8>, StorageFault> {
    let too_large = || StorageFault::Bug { what: "an entity exceeds the limits".to_owned() };
    let mut record = Vec::with_capacity(HEAD_BYTES + packed_bytes(properties.refs()) + SUM_BYTES);
    record.push(VERSION);
    record.extend_from_slice(&[0; TIME.end - TIME.start]);
    record.extend_from_slice(&u16::try_from(properties.len()).map_err(|_| too_large())?.to_le_bytes());
    pack(properties.refs(), &mut record).ok_or_else(too_large)?;
    Ok(record)
}

/// Sets the timestamp of a draft, and appends the checksum for its key.
pub(crate) fn finish(key: &[u8], timestamp: Timestamp, draft: &mut Vec<u8>) {
    if let Some(time) = draft.get_mut(TIME) {
        time.copy_from_slice(&timestamp.ticks().to_le_bytes());
    }
    seal(key, draft);
}

/// Encodes the record of an entity's properties for storage under `key`.
pub(crate) fn encode(
    key: &[u8],
    timestamp: Timestamp,
    properties: &Properties,
) -> Result<Vec<u8>, StorageFault> {
    let mut record = draft(properties)?;
    finish(key, timestamp, &mut record);
    Ok(record)
}
