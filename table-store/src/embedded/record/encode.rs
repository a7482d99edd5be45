use super::VERSION;
use crate::{
    Properties, StorageFault, Timestamp,
    embedded::seal::{SUM_BYTES, seal},
    packed::pack,
};

/// Lays out an entity's properties as the record that is stored under `key`.
///
/// The properties have passed [`Entity::check`](crate::Entity::check), so every length fits; one that does not is a
/// bug, and is reported as one.
pub(in crate::embedded) fn encode(
    key: &[u8],
    timestamp: Timestamp,
    properties: &Properties,
) -> Result<Vec<u8>, StorageFault> {
    let too_large = || StorageFault::Bug { what: "an entity beyond the limits was to be stored".to_owned() };
    let mut record = vec![VERSION];
    record.extend_from_slice(&timestamp.ticks().to_le_bytes());
    let count_at = record.len();
    record.extend_from_slice(&[0; 2]);
    let count = pack(properties.refs(), &mut record).ok_or_else(too_large)?;
    let place = record.get_mut(count_at..).and_then(<[u8]>::first_chunk_mut);
    *place.ok_or_else(too_large)? = count.to_le_bytes();
    record.reserve_exact(SUM_BYTES);
    seal(key, &mut record);
    Ok(record)
}
