use std::{fmt, net::IpAddr};

use http::{HeaderMap, Method};
use table_store::Timestamp;
use uuid::Uuid;

use crate::{ServiceKind, wire::query_string::QueryString};

/// A request that is well framed and addressed to an account, before its body is read. `Debug` shows neither its query nor its
/// headers, which contain credentials.
#[derive(Clone)]
pub struct Call {
    /// The service whose port it came to.
    pub kind: ServiceKind,
    /// The verb of the request line. `X-HTTP-Method` is looked at later: what is signed is this one.
    pub method: Method,
    /// The path as it stands in the request line, which is what is signed: still encoded, with the account if the path
    /// begins with it.
    pub signed_path: String,
    /// The path behind the account, still encoded; begins with `/`.
    pub path: String,
    /// The query as it stands, without `?`.
    pub raw_query: String,
    /// The query, decoded.
    pub query: QueryString,
    /// The headers.
    pub headers: HeaderMap,
    /// The account's name, without `-secondary`.
    pub account: String,
    /// Whether it came to the account's secondary endpoint.
    pub secondary: bool,
    /// What links to resources begin with, without a `/` at the end: `http://127.0.0.1:10002/devstoreaccount1`.
    pub root: String,
    /// Who sent it.
    pub peer: IpAddr,
    /// Whether it came over TLS.
    pub secure: bool,
    /// Names the request in answers and logs.
    pub id: Uuid,
    /// When its head had been read.
    pub received: Timestamp,
}

impl Call {
    /// The protocol's version that is spoken: that of `x-ms-version`, or else that of a shared access signature.
    #[must_use]
    pub fn version(&self) -> &str {
        let said = self.header("x-ms-version").or_else(|| self.query.said("api-version"));
        said.or_else(|| self.query.said("sv")).unwrap_or("2019-02-02")
    }

    /// A header's value, if it stands there once or more and is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

/// Without the query and the headers.
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
