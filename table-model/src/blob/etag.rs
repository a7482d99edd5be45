use std::{fmt, str::FromStr, sync::Arc};

use crate::{ErrorCode, TableError, Timestamp};

/// Version of a container or a blob. An `ETag` is opaque: store it and send it back unchanged.
///
/// The store derives the ETag from the time of the change, like the service, and never uses the same ETag twice.
///
/// ```
/// use table_model::{Timestamp, blob::BlobETag};
///
/// let at: Timestamp = "2019-08-14T04:27:04.1234854Z".parse()?;
/// let etag = BlobETag::from(at);
/// assert_eq!(etag.to_string(), "\"0x8D7206FA8C633A6\"");
/// assert_eq!(etag.unquoted(), "0x8D7206FA8C633A6");
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct BlobETag(Arc<str>);

impl BlobETag {
    /// Returns the ETag without quotes, as in the XML of listings.
    pub fn unquoted(&self) -> &str {
        &self.0
    }
}

impl From<Timestamp> for BlobETag {
    fn from(timestamp: Timestamp) -> Self {
        Self(format!("0x{:X}", timestamp.ticks()).into())
    }
}

/// Parses a strong ETag, `"…"`, or the form without quotes used in listings. `*` is not a version; use
/// [`BlobMatch::Any`](super::BlobMatch::Any).
impl FromStr for BlobETag {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let inner = match text.strip_prefix('"') {
            Some(rest) => rest.strip_suffix('"'),
            None => Some(text).filter(|text| *text != "*"),
        };
        let legal = |inner: &&str| {
            !inner.is_empty()
                && inner.len() <= 1024
                && inner.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"')
        };
        inner
            .filter(legal)
            .map(|inner| Self(inner.into()))
            .ok_or_else(|| ErrorCode::InvalidHeaderValue.into())
    }
}

/// Formats the ETag as sent in a header.
impl fmt::Display for BlobETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0)
    }
}

impl fmt::Debug for BlobETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlobETag({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes_and_refuses_other_forms() {
        let etag = BlobETag::from(Timestamp::UNIX_EPOCH);
        assert_eq!(etag.to_string().parse::<BlobETag>().unwrap(), etag);
        assert_eq!(etag.unquoted().parse::<BlobETag>().unwrap(), etag);
        for text in ["", "*", "\"", "\"\"", "\"a", "a\"", "\"a\", \"b\"", "\"a b\"", "\"a\r\nb\"", "é"] {
            let error = text.parse::<BlobETag>().unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidHeaderValue, "{text}");
        }
    }
}
