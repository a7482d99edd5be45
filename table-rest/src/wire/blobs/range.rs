use std::ops::Range;

use http::HeaderMap;
use table_store::{TableError, blob::BlobRange};

use crate::wire::fields;

/// The part of a blob that is asked for.
pub const RANGE: &str = "range";
/// The same; it wins.
pub const X_RANGE: &str = "x-ms-range";

/// Asks for a part of a blob; for all of it nothing is said.
pub fn write_range(range: BlobRange, headers: &mut HeaderMap) {
    match range {
        BlobRange::ALL => {}
        BlobRange { start, end: None } => fields::set(headers, X_RANGE, format_args!("bytes={start}-")),
        BlobRange { start, end: Some(end) } => {
            fields::set(headers, X_RANGE, format_args!("bytes={start}-{}", end.saturating_sub(1)));
        }
    }
}

/// Which part of a blob is asked for; none if nothing is said of it, which is not the same as all of it: a part is
/// answered with 206, and of an empty blob there is none.
///
/// # Errors
/// `InvalidHeaderValue`: only one range that begins at an offset is known.
pub fn read_range(headers: &HeaderMap) -> Result<Option<BlobRange>, TableError> {
    for name in [X_RANGE, RANGE] {
        if let Some(text) = fields::text(headers, name)? {
            return read(text).map(Some).ok_or_else(|| fields::invalid(name));
        }
    }
    Ok(None)
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

/// `Content-Range` of a part; of none, if what was asked for is not there.
#[must_use]
pub fn content_range(part: Option<Range<u64>>, length: u64) -> String {
    match part {
        Some(part) => format!("bytes {}-{}/{length}", part.start, part.end.saturating_sub(1)),
        None => format!("bytes */{length}"),
    }
}

/// The length of the whole, of `Content-Range`.
pub(super) fn whole_length(content_range: &str) -> Option<u64> {
    content_range.rsplit_once('/')?.1.parse().ok()
}
