use super::{ENTRY_BYTES, HEAD_BYTES, VERSION, kind};
use crate::{
    Properties, StorageFault, Timestamp, Value,
    embedded::seal::{SUM_BYTES, seal},
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
    let too_long = || StorageFault::Bug { what: "an entity beyond the limits was to be stored".to_owned() };
    let names: usize = properties.iter().map(|(name, _)| name.len()).sum();
    let values: usize = properties.iter().map(|(_, value)| stored_length(value)).sum();
    let mut record =
        Vec::with_capacity(HEAD_BYTES + properties.len() * ENTRY_BYTES + names + values + SUM_BYTES);
    record.push(VERSION);
    record.extend_from_slice(&timestamp.ticks().to_le_bytes());
    record.extend_from_slice(&u16::try_from(properties.len()).map_err(|_| too_long())?.to_le_bytes());
    let (mut name_end, mut value_end) = (0, 0);
    for (name, value) in properties {
        name_end += name.len();
        value_end += stored_length(value);
        record.extend_from_slice(&three_bytes(name_end).ok_or_else(too_long)?);
        record.push(kind_of(value));
        record.extend_from_slice(&three_bytes(value_end).ok_or_else(too_long)?);
    }
    for (name, _) in properties {
        record.extend_from_slice(name.as_bytes());
    }
    for (_, value) in properties {
        push_value(&mut record, value);
    }
    seal(key, &mut record);
    Ok(record)
}

fn three_bytes(number: usize) -> Option<[u8; 3]> {
    match u32::try_from(number).ok()?.to_le_bytes() {
        [a, b, c, 0] => Some([a, b, c]),
        _ => None,
    }
}

fn kind_of(value: &Value) -> u8 {
    match value {
        Value::Binary(_) => kind::BINARY,
        Value::Boolean(_) => kind::BOOLEAN,
        Value::DateTime(_) => kind::DATE_TIME,
        Value::Double(_) => kind::DOUBLE,
        Value::Guid(_) => kind::GUID,
        Value::Int32(_) => kind::INT32,
        Value::Int64(_) => kind::INT64,
        Value::String(_) => kind::STRING,
    }
}

fn stored_length(value: &Value) -> usize {
    match value {
        Value::Binary(bytes) => bytes.len(),
        Value::Boolean(_) => 1,
        Value::DateTime(_) | Value::Double(_) | Value::Int64(_) => 8,
        Value::Guid(_) => 16,
        Value::Int32(_) => 4,
        Value::String(text) => text.len(),
    }
}

fn push_value(record: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Binary(bytes) => record.extend_from_slice(bytes),
        Value::Boolean(flag) => record.push(u8::from(*flag)),
        Value::DateTime(time) => record.extend_from_slice(&time.ticks().to_le_bytes()),
        Value::Double(number) => record.extend_from_slice(&number.to_bits().to_le_bytes()),
        Value::Guid(id) => record.extend_from_slice(id.as_bytes()),
        Value::Int32(number) => record.extend_from_slice(&number.to_le_bytes()),
        Value::Int64(number) => record.extend_from_slice(&number.to_le_bytes()),
        Value::String(text) => record.extend_from_slice(text.as_bytes()),
    }
}
