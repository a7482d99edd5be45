//! Type code and encoding of a value.

use crate::{Timestamp, Uuid, value::ValueRef};

const BINARY: u8 = 0;
const BOOLEAN: u8 = 1;
const DATE_TIME: u8 = 2;
const DOUBLE: u8 = 3;
const GUID: u8 = 4;
const INT32: u8 = 5;
const INT64: u8 = 6;
pub(crate) const STRING: u8 = 7;

pub(super) fn of(value: &ValueRef<'_>) -> u8 {
    match value {
        ValueRef::Binary(_) => BINARY,
        ValueRef::Boolean(_) => BOOLEAN,
        ValueRef::DateTime(_) => DATE_TIME,
        ValueRef::Double(_) => DOUBLE,
        ValueRef::Guid(_) => GUID,
        ValueRef::Int32(_) => INT32,
        ValueRef::Int64(_) => INT64,
        ValueRef::String(_) => STRING,
    }
}

/// Returns the encoded length of a value in bytes.
pub(super) fn length(value: &ValueRef<'_>) -> usize {
    match value {
        ValueRef::Binary(bytes) => bytes.len(),
        ValueRef::Boolean(_) => 1,
        ValueRef::DateTime(_) | ValueRef::Double(_) | ValueRef::Int64(_) => 8,
        ValueRef::Guid(_) => 16,
        ValueRef::Int32(_) => 4,
        ValueRef::String(text) => text.len(),
    }
}

pub(super) fn push(into: &mut Vec<u8>, value: &ValueRef<'_>) {
    match value {
        ValueRef::Binary(bytes) => into.extend_from_slice(bytes),
        ValueRef::Boolean(flag) => into.push(u8::from(*flag)),
        ValueRef::DateTime(time) => into.extend_from_slice(&time.ticks().to_le_bytes()),
        ValueRef::Double(number) => into.extend_from_slice(&number.to_bits().to_le_bytes()),
        ValueRef::Guid(id) => into.extend_from_slice(id.as_bytes()),
        ValueRef::Int32(number) => into.extend_from_slice(&number.to_le_bytes()),
        ValueRef::Int64(number) => into.extend_from_slice(&number.to_le_bytes()),
        ValueRef::String(text) => into.extend_from_slice(text.as_bytes()),
    }
}

/// Decodes a value. Returns `None` if the bytes are not valid for the type.
#[inline]
pub(crate) fn read(kind: u8, bytes: &[u8]) -> Option<ValueRef<'_>> {
    Some(match kind {
        BINARY => ValueRef::Binary(bytes),
        BOOLEAN => ValueRef::Boolean(match bytes {
            [0] => false,
            [1] => true,
            _ => return None,
        }),
        DATE_TIME => ValueRef::DateTime(Timestamp::from_ticks(i64::from_le_bytes(bytes.try_into().ok()?))?),
        DOUBLE => ValueRef::Double(f64::from_bits(u64::from_le_bytes(bytes.try_into().ok()?))),
        GUID => ValueRef::Guid(Uuid::from_bytes(bytes.try_into().ok()?)),
        INT32 => ValueRef::Int32(i32::from_le_bytes(bytes.try_into().ok()?)),
        INT64 => ValueRef::Int64(i64::from_le_bytes(bytes.try_into().ok()?)),
        STRING => ValueRef::String(std::str::from_utf8(bytes).ok()?),
        _ => return None,
    })
}
