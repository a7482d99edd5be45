use std::ops::Range;

use http::HeaderMap;
use table_model::{TableError, blob::BlobRange};

use crate::wire::fields;

/// The requested byte range of a blob.
pub const RANGE: &str = "range";
/// The requested byte range; takes precedence over `range`.
pub const X_RANGE: &str = "x-ms-range";

/// The byte range of the source of a copy.
const SOURCE_RANGE: &str = "x-ms-source-range";

/// Writes the requested range; for the complete blob, no header is written.
pub fn write_range(range: BlobRange, headers: &mut HeaderMap) {
    match range {
        BlobRange::ALL => {}
        BlobRange { start, end: None } => fields::set(headers, X_RANGE, format_args!("bytes={start}-")),
        BlobRange { start, end: Some(end) } => {
            fields::set(headers, X_RANGE, format_args!("bytes={start}-{}", end.saturating_sub(1)));
        }
    }
}

/// Returns the requested range of a blob, or `None` without a range header. A range of all bytes differs from `None`:
/// its response has status 206, and it fails for an empty blob.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`: only a single range with a start offset is supported.
pub fn read_range(headers: &HeaderMap) -> Result<Option<BlobRange>, TableError> {
    for name in [X_RANGE, RANGE] {
        if let Some(text) = fields::text(headers, name)? {
            return read(text).map(Some).ok_or_else(|| fields::invalid(name));
        }
    }
    Ok(None)
}

/// Returns the requested range of the source of a copy; see [`read_range`].
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_source_range(headers: &HeaderMap) -> Result<Option<BlobRange>, TableError> {
    let said = fields::text(headers, SOURCE_RANGE)?;
    said.map(|text| read(text).ok_or_else(|| fields::invalid(SOURCE_RANGE))).transpose()
}

fn read(text: &str) -> Option<BlobRange> {
    let (start, last) = text.trim().strip_prefix("bytes=")?.split_once('-')?;
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u64>().ok().filter(|_| plain)
    };
    let start = number(start.trim())?;
    let end = match last.trim() {
        "" => None,
        last => Some(number(last)?.saturating_add(1)),
    };
    Some(BlobRange { start, end })
}

/// Returns `Content-Range` for a range, or for an error if the range is beyond the content.
#[must_use]
pub fn content_range(part: Option<Range<u64>>, length: u64) -> String {
    match part {
        Some(part) => format!("bytes {}-{}/{length}", part.start, part.end.saturating_sub(1)),
        None => format!("bytes */{length}"),
    }
}

/// Returns the total length from `Content-Range`.
pub(super) fn whole_length(content_range: &str) -> Option<u64> {
    content_range.rsplit_once('/')?.1.parse().ok()
}
