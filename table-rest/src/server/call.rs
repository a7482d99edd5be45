use std::{fmt, net::IpAddr};

use http::{HeaderMap, Method, header::AsHeaderName};
use table_model::{Metadata, TableError, Timestamp};
use uuid::Uuid;

use super::{Probe, Spelling};
use crate::{
    ServiceKind,
    auth::X_MS_VERSION,
    wire::{metadata, query_string::QueryString},
};

/// A valid request to an account, without its body. `Debug` omits the query and the headers, which contain credentials.
#[derive(Clone)]
pub struct Call {
    /// The service of the port that received the request.
    pub kind: ServiceKind,
    /// The method of the request line, which is part of the signature. `X-HTTP-Method` is evaluated later.
    pub method: Method,
    /// The path of the request line, which is part of the signature: percent-encoded, including the account in
    /// path-style URLs.
    pub signed_path: String,
    /// The path after the account, percent-encoded; starts with `/`.
    pub path: String,
    /// The raw query, without `?`.
    pub raw_query: String,
    /// The decoded query.
    pub query: QueryString,
    /// The headers.
    pub headers: HeaderMap,
    /// The spelling of the metadata names among the headers.
    pub spelling: Spelling,
    /// The account name, without `-secondary`.
    pub account: String,
    /// `true` for a request to the secondary endpoint of the account.
    pub secondary: bool,
    /// The base URL of links to resources, without a trailing `/`: `http://127.0.0.1:10002/devstoreaccount1`.
    pub root: String,
    /// The address of the client.
    pub peer: IpAddr,
    /// `true` if the request was sent over TLS.
    pub secure: bool,
    /// The request ID in responses and logs.
    pub id: Uuid,
    /// The time at which the head was complete.
    pub received: Timestamp,
    /// The measurements of the request, for its server.
    pub probe: Probe,
}

impl Call {
    /// Returns the protocol version: the value of `x-ms-version`, or else the version of a shared access signature.
    #[must_use]
    pub fn version(&self) -> &str {
        let said = self.header(&X_MS_VERSION).or_else(|| self.query.said("api-version"));
        said.or_else(|| self.query.said("sv")).unwrap_or("2019-02-02")
    }

    /// Returns the metadata in the headers.
    ///
    /// # Errors
    ///
    /// Fails like [`check_unique`](metadata::check_unique) and [`read`](metadata::read).
    pub fn metadata(&self) -> Result<Metadata, TableError> {
        metadata::check_unique(&self.headers)?;
        self.spelling.metadata(&self.headers)
    }

    /// Returns the first value of a header, if it is present and valid text.
    #[must_use]
    pub fn header(&self, name: impl AsHeaderName) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// Omits the query and the headers.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("kind", &self.kind)
            .field("method", &self.method)
            .field("account", &self.account)
            .field("path", &self.path)
            .field("peer", &self.peer)
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
