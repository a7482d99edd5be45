//! Shared header functions of queues and blobs.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderName, HeaderValue};
use table_model::{ErrorCode, TableError, Timestamp};

use super::http_date::HttpDate;

/// Returns the value of a header, or `None` if it is missing or empty.
///
/// # Errors
///
/// Returns `InvalidHeaderValue` if the value is not ASCII, or if the header occurs with different values.
pub fn text<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, TableError> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.any(|other| other != value) {
        return Err(invalid(name));
    }
    let value = value.to_str().map_err(|_| invalid(name))?;
    Ok(Some(value).filter(|value| !value.is_empty()))
}

/// Returns the value of a header, parsed as a number or another type.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn parsed<T: std::str::FromStr>(headers: &HeaderMap, name: &str) -> Result<Option<T>, TableError> {
    text(headers, name)?.map(|text| text.parse().map_err(|_| invalid(name))).transpose()
}

/// Returns the value of a header as a time.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn time(headers: &HeaderMap, name: &str) -> Result<Option<Timestamp>, TableError> {
    Ok(parsed::<HttpDate>(headers, name)?.map(|date| date.0))
}

/// Returns the value of a header as a Boolean: `true` or `false`.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn flag(headers: &HeaderMap, name: &str) -> Result<bool, TableError> {
    match text(headers, name)? {
        Some(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Some(text) if !text.eq_ignore_ascii_case("false") => Err(invalid(name)),
        _ => Ok(false),
    }
}

/// Returns a value that a response must contain.
///
/// # Errors
///
/// Returns `InvalidHeaderValue` if it is missing.
pub fn required<T>(value: Option<T>, name: &str) -> Result<T, TableError> {
    value.ok_or_else(|| invalid(name))
}

/// Sets a header. An invalid value is omitted; the rules of the services reject such values earlier.
pub fn set(headers: &mut HeaderMap, name: impl TryInto<HeaderName>, value: impl fmt::Display) {
    if let (Ok(name), Ok(value)) = (name.try_into(), HeaderValue::try_from(value.to_string())) {
        headers.insert(name, value);
    }
}

/// Returns the header form of a hash.
#[must_use]
pub fn hash_text(hash: &[u8]) -> String {
    STANDARD.encode(hash)
}

/// Parses a hash of `N` bytes.
#[must_use]
pub fn hash<const N: usize>(text: &str) -> Option<[u8; N]> {
    bytes(text)?.try_into().ok()
}

/// Parses bytes in Base64.
#[must_use]
pub fn bytes(text: &str) -> Option<Vec<u8>> {
    STANDARD.decode(text).ok()
}

/// Returns the error for an invalid header.
#[must_use]
pub fn invalid(name: &str) -> TableError {
    let code = ErrorCode::InvalidHeaderValue;
    TableError::with_message(code, format!("{} `{name}`", code.message()))
}
