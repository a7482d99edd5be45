use std::pin::Pin;

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use super::{Facts, Refusal};

/// An answer. What all answers carry (`Date`, `Server`, `x-ms-request-id`, `x-ms-version`) is added when it is sent.
#[derive(Debug)]
pub struct Reply {
    /// Its status.
    pub status: StatusCode,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: ReplyBody,
    /// What it tells of the request.
    pub facts: Facts,
    /// Why the request failed or was not permitted, for the server's log.
    pub refusal: Option<Box<Refusal>>,
}

/// What an answer carries.
pub enum ReplyBody {
    /// Bytes that are there.
    Whole(Bytes),
    /// Bytes that are read while they are sent; of the length said.
    Stream(u64, Pin<Box<dyn Stream<Item = Result<Bytes, Refusal>> + Send>>),
}

impl Reply {
    /// An answer without a body.
    #[must_use]
    pub fn new(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::new(),
            body: ReplyBody::Whole(Bytes::new()),
            facts: Facts::default(),
            refusal: None,
        }
    }

    /// The same with a body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = ReplyBody::Whole(body.into());
        self
    }

    /// The same with what it tells of the request.
    #[must_use]
    pub fn facts(mut self, facts: Facts) -> Self {
        self.facts = facts;
        self
    }

    /// The same with a header whose value is known to be legal.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.headers.insert(name, HeaderValue::from_static(value));
        self
    }

    /// The same with a header made of data. A value that is no header, which no rule of the service lets through, is left out.
    #[must_use]
    pub fn text(mut self, name: HeaderName, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(name, value);
        }
        self
    }
}

impl std::fmt::Debug for ReplyBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(bytes) => f.debug_tuple("Whole").field(&bytes.len()).finish(),
            Self::Stream(length, _) => f.debug_tuple("Stream").field(length).finish(),
        }
    }
}
