//! Plaintext form of a value: one byte for its type, followed by its content. Numbers are big-endian.

use table_model::{Timestamp, Uuid, Value};

use super::DecryptError;

const STRING: u8 = 1;
const BINARY: u8 = 2;
const BOOLEAN: u8 = 3;
const INT32: u8 = 4;
const INT64: u8 = 5;
const DOUBLE: u8 = 6;
const DATE_TIME: u8 = 7;
const GUID: u8 = 8;

/// Returns the maximum size of the plaintext, in bytes.
pub(super) const fn size(value: &Value) -> usize {
    1 + match value {
        Value::String(text) => text.len(),
        Value::Binary(bytes) => bytes.len(),
        _ => 16,
    }
}

pub(super) fn write(value: &Value, into: &mut Vec<u8>) -> Result<(), DecryptError> {
    let mut put = |kind: u8, content: &[u8]| {
        into.push(kind);
        into.extend(content);
    };
    match value {
        Value::String(text) => put(STRING, text.as_bytes()),
        Value::Binary(bytes) => put(BINARY, bytes),
        Value::Boolean(flag) => put(BOOLEAN, &[u8::from(*flag)]),
        Value::Int32(number) => put(INT32, &number.to_be_bytes()),
        Value::Int64(number) => put(INT64, &number.to_be_bytes()),
        Value::Double(number) => put(DOUBLE, &number.to_bits().to_be_bytes()),
        Value::DateTime(time) => put(DATE_TIME, &time.ticks().to_be_bytes()),
        Value::Guid(id) => put(GUID, id.as_bytes()),
        // Types added later have no plaintext form yet.
        _ => return Err(DecryptError::Failed),
    }
    Ok(())
}

pub(super) fn read(mut plain: Vec<u8>) -> Result<Value, DecryptError> {
    let kind = plain.first().copied().ok_or(DecryptError::Form)?;
    plain.remove(0);
    let value = match kind {
        STRING => String::from_utf8(plain).ok().map(Value::String),
        BINARY => Some(Value::Binary(plain)),
        BOOLEAN => match plain.as_slice() {
            [0] => Some(Value::Boolean(false)),
            [1] => Some(Value::Boolean(true)),
            _ => None,
        },
        INT32 => number(&plain).map(|bytes| Value::Int32(i32::from_be_bytes(bytes))),
        INT64 => number(&plain).map(|bytes| Value::Int64(i64::from_be_bytes(bytes))),
        DOUBLE => number(&plain).map(|bytes| Value::Double(f64::from_bits(u64::from_be_bytes(bytes)))),
        DATE_TIME => number(&plain)
            .and_then(|bytes| Timestamp::from_ticks(i64::from_be_bytes(bytes)))
            .map(Value::DateTime),
        GUID => number(&plain).map(|bytes| Value::Guid(Uuid::from_bytes(bytes))),
        _ => None,
    };
    value.ok_or(DecryptError::Form)
}

fn number<const N: usize>(plain: &[u8]) -> Option<[u8; N]> {
    plain.try_into().ok()
}
