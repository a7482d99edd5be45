//! Markers of listings and searches: names of blobs, with percent-encoded characters that XML does not allow.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use table_model::{ErrorCode, TableError};

use crate::wire::query_string::QueryString;

/// Characters beyond ASCII are encoded in any case.
const ENCODED: &AsciiSet = &CONTROLS.add(b'%');

/// Returns the text of a marker in a document.
pub(super) fn encode(marker: &str) -> String {
    utf8_percent_encode(marker, ENCODED).to_string()
}

/// Returns the marker of a request.
///
/// # Errors
///
/// Returns `InvalidMarker`.
pub(super) fn read(query: &QueryString) -> Result<Option<String>, TableError> {
    let Some(text) = query.said("marker") else { return Ok(None) };
    let marker = percent_decode_str(text).decode_utf8().map_err(|_| ErrorCode::InvalidMarker)?;
    Ok(Some(Cow::into_owned(marker)))
}
