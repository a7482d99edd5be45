//! What headers of queues and blobs have in common.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderName, HeaderValue};
use table_store::{ErrorCode, TableError, Timestamp};

use super::http_date::HttpDate;

/// The value of a header; none if it is not there, or empty.
///
/// # Errors
/// `InvalidHeaderValue` if it is no ASCII text, or stands there more than once with different values.
pub fn text<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, TableError> {
    let mut values = headers.get_all(name).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.any(|other| other != value) {
        return Err(invalid(name));
    }
    let value = value.to_str().map_err(|_| invalid(name))?;
    Ok(Some(value).filter(|value| !value.is_empty()))
}

/// The value of a header, read as a number or another type that has a text form.
///
/// # Errors
/// `InvalidHeaderValue`.
pub fn parsed<T: std::str::FromStr>(headers: &HeaderMap, name: &str) -> Result<Option<T>, TableError> {
    text(headers, name)?.map(|text| text.parse().map_err(|_| invalid(name))).transpose()
}

/// A time.
///
/// # Errors
/// `InvalidHeaderValue`.
pub fn time(headers: &HeaderMap, name: &str) -> Result<Option<Timestamp>, TableError> {
    Ok(parsed::<HttpDate>(headers, name)?.map(|date| date.0))
}

/// `true` or `false`.
///
/// # Errors
/// `InvalidHeaderValue`.
pub fn flag(headers: &HeaderMap, name: &str) -> Result<bool, TableError> {
    match text(headers, name)? {
        Some(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Some(text) if !text.eq_ignore_ascii_case("false") => Err(invalid(name)),
        _ => Ok(false),
    }
}

/// A value that an answer must have.
///
/// # Errors
/// `InvalidHeaderValue`.
pub fn required<T>(value: Option<T>, name: &str) -> Result<T, TableError> {
    value.ok_or_else(|| invalid(name))
}

/// Sets a header. A value that is none, which no rule of the services lets through, is left out.
pub fn set(headers: &mut HeaderMap, name: impl TryInto<HeaderName>, value: impl fmt::Display) {
    if let (Ok(name), Ok(value)) = (name.try_into(), HeaderValue::try_from(value.to_string())) {
        headers.insert(name, value);
    }
}

/// Bytes of a hash as headers carry them.
#[must_use]
pub fn hash_text(hash: &[u8]) -> String {
    STANDARD.encode(hash)
}

/// Reads a hash of `N` bytes.
#[must_use]
pub fn hash<const N: usize>(text: &str) -> Option<[u8; N]> {
    STANDARD.decode(text).ok()?.try_into().ok()
}

/// The refusal of a header.
#[must_use]
pub fn invalid(name: &str) -> TableError {
    let code = ErrorCode::InvalidHeaderValue;
    TableError::with_message(code, format!("{} `{name}`", code.message()))
}
