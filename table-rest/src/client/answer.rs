use std::str::FromStr;

use azure_core::http::headers::Headers;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use table_model::{ErrorCode, Result, TableError};

/// A complete response with a success status.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Answer {
    /// Returns a header, if present.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// Parses a header that every such response must contain.
    ///
    /// # Errors
    ///
    /// Fails as described for [`no_sense`].
    pub(super) fn required<T: FromStr>(&self, name: &str) -> Result<T> {
        let value = self.header(name).ok_or_else(|| no_sense(format!("the header `{name}` is missing")))?;
        value.parse().map_err(|_| no_sense(format!("the header `{name}` has the invalid value `{value}`")))
    }
}

/// Returns a header, if present.
pub(super) fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Converts the headers of the pipeline to those of the wire formats.
pub(super) fn received(headers: &Headers) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers.iter() {
        if let (Ok(name), Ok(value)) =
            (HeaderName::from_str(name.as_str()), HeaderValue::from_str(value.as_str()))
        {
            map.insert(name, value);
        }
    }
    map
}

/// Creates the error for a success response with missing or invalid content. The outcome of a write is unknown then.
pub(super) fn no_sense(what: impl std::fmt::Display) -> TableError {
    TableError::with_message(
        ErrorCode::InternalError,
        format!("The response of the server is invalid: {what}."),
    )
}
