//! Entity tags for optimistic concurrency (`G-ENT-4`).

use std::{fmt, str::FromStr};

use crate::{ErrorCode, TableError, Timestamp};

/// Version of a stored entity. An `ETag` is opaque: store it and send it back unchanged.
///
/// The store derives the ETag from the timestamp of the entity, like the service. It never uses the same ETag twice for
/// one entity, not even after a delete and a new insert.
///
/// ```
/// use table_model::{ETag, Timestamp};
///
/// let at: Timestamp = "2017-08-30T13:20:33.413914Z".parse()?;
/// assert_eq!(ETag::from(at).to_string(), "W/\"datetime'2017-08-30T13%3A20%3A33.413914Z'\"");
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ETag(Form);

/// A string in the printed form of a timestamp is always stored as the timestamp, so equal strings are equal here.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Form {
    /// ETag of a timestamp. The string is only created on demand.
    Time(Timestamp),
    /// ETag of any other form.
    Text(Box<str>),
}

impl ETag {
    /// Returns the timestamp that the ETag was created from, if it has the service's form.
    pub fn timestamp(&self) -> Option<Timestamp> {
        match &self.0 {
            Form::Time(timestamp) => Some(*timestamp),
            Form::Text(text) => timestamp_in(text),
        }
    }
}

/// Returns the timestamp in a string of the service's form. Several strings can contain the same timestamp.
fn timestamp_in(text: &str) -> Option<Timestamp> {
    let inner = text.strip_prefix("W/\"datetime'")?.strip_suffix("'\"")?;
    inner.replace("%3A", ":").replace("%3a", ":").parse().ok()
}

impl From<Timestamp> for ETag {
    fn from(timestamp: Timestamp) -> Self {
        Self(Form::Time(timestamp))
    }
}

/// Parses a weak ETag, `W/"…"`, of visible ASCII characters. `*` is not a version; use
/// [`Condition::Exists`](crate::Condition::Exists).
impl FromStr for ETag {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let inner = text.strip_prefix("W/\"").and_then(|rest| rest.strip_suffix('"'));
        match inner {
            Some(inner) if inner.bytes().all(is_of_etag) && text.len() <= 1024 => {
                let time = timestamp_in(text).map(Self::from).filter(|etag| etag.to_string() == text);
                Ok(time.unwrap_or_else(|| Self(Form::Text(text.into()))))
            }
            _ => Err(TableError::with_message(
                ErrorCode::InvalidInput,
                format!(
                    "The etag value '{}' specified in one of the request headers is not valid. Please make sure \
                     only one etag value is specified and is valid.",
                    text.chars().take(128).collect::<String>()
                ),
            )),
        }
    }
}

/// Returns whether a byte is allowed between the quotes (RFC 9110, section 8.8.3). Only ASCII is allowed because an
/// `ETag` is copied into a header unchanged.
const fn is_of_etag(byte: u8) -> bool {
    byte.is_ascii_graphic() && byte != b'"'
}

/// Formats the ETag as sent over the wire.
impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Form::Time(timestamp) => {
                write!(f, "W/\"datetime'{}'\"", timestamp.to_string().replace(':', "%3A"))
            }
            Form::Text(text) => f.write_str(text),
        }
    }
}

impl fmt::Debug for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ETag({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes_and_refuses_other_forms() {
        let at: Timestamp = "2020-01-02T03:04:05.0000001Z".parse().unwrap();
        let etag = ETag::from(at);
        assert_eq!(etag.to_string().parse::<ETag>().unwrap(), etag);
        assert_eq!(etag.timestamp(), Some(at));
        for text in [
            "",
            "*",
            "abc",
            "\"abc\"",
            "W/\"a\", W/\"b\"",
            "W/\"",
            "W/a",
            "W/\"a b\"",
            "W/\"a\r\nb: c\"",
            "W/\"é\"",
        ] {
            assert!(text.parse::<ETag>().is_err(), "{text}");
        }
        let foreign: ETag = "W/\"0x5B168C7B6E589D2\"".parse().unwrap();
        assert_eq!(foreign.timestamp(), None);
        // A different string for the same time is a different ETag and round-trips unchanged.
        let other: ETag = etag.to_string().replace("%3A", "%3a").parse().unwrap();
        assert_ne!(other, etag);
        assert_eq!(other.timestamp(), Some(at));
    }
}
