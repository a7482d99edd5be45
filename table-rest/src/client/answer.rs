use std::str::FromStr;

use azure_core::http::headers::Headers;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use table_store::{ErrorCode, Result, TableError};

/// An answer whose status is a success, whole.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Answer {
    /// A header, if it is there.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// A header that belongs to every such answer, read.
    ///
    /// # Errors
    /// See [`no_sense`].
    pub(super) fn required<T: FromStr>(&self, name: &str) -> Result<T> {
        let value = self.header(name).ok_or_else(|| no_sense(format!("it has no `{name}`")))?;
        value.parse().map_err(|_| no_sense(format!("its `{name}` is `{value}`")))
    }
}

/// A header, if it is there.
pub(super) fn header<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The headers of the pipeline as those of the wire forms.
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

/// An answer that says that all is well and does not say what it should. Of a write it is not known what became of it.
pub(super) fn no_sense(what: impl std::fmt::Display) -> TableError {
    TableError::with_message(
        ErrorCode::InternalError,
        format!("The server's answer makes no sense to this client: {what}."),
    )
}
