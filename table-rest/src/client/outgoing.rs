use std::fmt::Display;

use azure_core::http::Method;
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use table_store::limits::SEGMENT_BYTES;

use super::endpoint::Parameters;

/// The longest answer that is neither a page of entities nor a blob.
pub(super) const SMALL_ANSWER: usize = 8 << 20;
/// A page of entities: what our server puts into one at most, were each of its bytes six in JSON.
pub(super) const PAGE_ANSWER: usize = 6 * SEGMENT_BYTES + SMALL_ANSWER;

/// A request before it is addressed, dated and signed.
#[derive(Clone, Debug)]
pub(super) struct Outgoing {
    pub(super) method: Method,
    /// Encoded; begins with `/`, or empty for the service itself.
    pub(super) path: String,
    pub(super) query: Parameters,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    /// Whether to do it twice is to do it once.
    pub(super) is_repeatable: bool,
    /// The longest answer that is read.
    pub(super) most: usize,
}

impl Outgoing {
    /// A request. What only reads may be sent again.
    pub(super) fn new(method: Method, path: String, query: Parameters) -> Self {
        let is_repeatable = matches!(method, Method::Get | Method::Head);
        let (headers, body) = (HeaderMap::new(), Bytes::new());
        Self { method, path, query, headers, body, is_repeatable, most: SMALL_ANSWER }
    }

    /// It does no harm to do it twice.
    pub(super) fn repeatable(mut self) -> Self {
        self.is_repeatable = true;
        self
    }

    /// With a header. A value that is none, which no rule of the services lets through, is left out.
    pub(super) fn header(mut self, name: &'static str, value: impl Display) -> Self {
        if let Ok(value) = HeaderValue::try_from(value.to_string()) {
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }

    pub(super) fn body(self, content_type: &str, body: impl Into<Bytes>) -> Self {
        Self { body: body.into(), ..self }.header("content-type", content_type)
    }

    /// With an answer of this length at most.
    pub(super) fn most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }
}
