use std::pin::Pin;

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use table_model::Metadata;

use super::{Facts, Refusal, Spelling, share::Reservation};

/// Number of headers for which a response has room without an allocation in between.
const USUAL_HEADERS: usize = 12;

/// A response. The headers of every response (`Date`, `Server`, `x-ms-request-id`, `x-ms-version`) are added when it is
/// sent.
#[derive(Debug)]
pub struct Reply {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The spelling of the metadata names among the headers.
    pub spelling: Spelling,
    /// The body.
    pub body: ReplyBody,
    /// The telemetry of the request.
    pub facts: Facts,
    /// The reason why the request failed or was not permitted, for the server log.
    pub refusal: Option<Box<Refusal>>,
    /// `true` if the credentials of the request were valid.
    pub authenticated: bool,
    /// Memory that was reserved for the body.
    pub(super) held: Option<Reservation>,
}

/// The body of a response.
pub enum ReplyBody {
    /// A complete body.
    Whole(Bytes),
    /// A streamed body of the given length.
    Stream(u64, Pin<Box<dyn Stream<Item = Result<Bytes, Refusal>> + Send>>),
}

impl Reply {
    /// Creates a response without a body.
    #[must_use]
    pub fn new(status: StatusCode) -> Self {
        Self {
            status,
            headers: HeaderMap::with_capacity(USUAL_HEADERS),
            spelling: Spelling::default(),
            body: ReplyBody::Whole(Bytes::new()),
            facts: Facts::default(),
            refusal: None,
            authenticated: false,
            held: None,
        }
    }

    /// Sets the body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = ReplyBody::Whole(body.into());
        self
    }

    /// Sets the spelling of the metadata among the headers.
    #[must_use]
    pub fn spelled_as(mut self, metadata: &Metadata) -> Self {
        self.spelling = Spelling::of(metadata);
        self
    }

    /// Sets the reservation that counts the body.
    #[must_use]
    pub(super) fn held(mut self, held: Reservation) -> Self {
        self.held = Some(held);
        self
    }

    /// Sets the telemetry of the request.
    #[must_use]
    pub fn facts(mut self, facts: Facts) -> Self {
        self.facts = facts;
        self
    }

    /// Adds a header with a constant, valid value.
    #[must_use]
    pub fn header(self, name: HeaderName, value: &'static str) -> Self {
        self.value(name, HeaderValue::from_static(value))
    }

    /// Adds a header with a value that was checked before, such as a constant.
    #[must_use]
    pub fn value(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Adds a header with a computed value. An invalid value is omitted; the rules of the service reject such values
    /// earlier.
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
