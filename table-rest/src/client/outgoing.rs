use std::fmt::Display;

use azure_core::http::Method;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use table_model::limits::SEGMENT_BYTES;

use super::endpoint::Parameters;

/// The maximum size of a response that is neither a page of entities nor a blob.
pub(super) const SMALL_ANSWER: usize = 8 << 20;
/// The maximum size of a page of entities: the page limit of the server of this crate, with six JSON bytes per byte.
pub(super) const PAGE_ANSWER: usize = 6 * SEGMENT_BYTES + SMALL_ANSWER;

/// A request without address, date and signature.
#[derive(Clone, Debug)]
pub(super) struct Outgoing {
    pub(super) method: Method,
    /// The encoded path; starts with `/`, or empty for the service itself.
    pub(super) path: String,
    pub(super) query: Parameters,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    /// `true` if the request is idempotent.
    pub(super) is_repeatable: bool,
    /// The maximum size of the response.
    pub(super) most: usize,
}

impl Outgoing {
    /// Creates a request. Reads may be retried.
    pub(super) fn new(method: Method, path: String, query: Parameters) -> Self {
        let is_repeatable = matches!(method, Method::Get | Method::Head);
        let (headers, body) = (HeaderMap::new(), Bytes::new());
        Self { method, path, query, headers, body, is_repeatable, most: SMALL_ANSWER }
    }

    /// Marks the request as idempotent.
    pub(super) fn repeatable(mut self) -> Self {
        self.is_repeatable = true;
        self
    }

    /// Adds a header. An invalid header value is omitted; the rules of the services reject such values earlier.
    pub(super) fn header(mut self, name: &'static str, value: impl Display) -> Self {
        if let Ok(value) = HeaderValue::try_from(value.to_string()) {
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }

    pub(super) fn body(self, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self { body: body.into(), ..self }.header("content-type", content_type)
    }

    /// Sets the maximum size of the response.
    pub(super) fn most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }
}
