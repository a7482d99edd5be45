//! Signed requests as bytes.

use std::fmt::Write as _;

use http::{HeaderMap, HeaderValue, Method};
use table_rest::{
    AccountName, ServiceKind,
    auth::{AccountKey, Scheme, SignedRequest},
    wire::{http_date::HttpDate, query_string::QueryString},
};
use table_store::Timestamp;

use crate::Outcome;

/// Signs requests for the emulator account.
pub struct Signer {
    account: AccountName,
    key: AccountKey,
}

/// A request before it is signed.
pub struct Request<'r> {
    pub method: Method,
    /// The encoded path after the account.
    pub path: &'r str,
    /// The encoded query, without `?`.
    pub query: &'r str,
    pub content_type: &'r str,
    pub headers: &'r [(&'static str, &'static str)],
    pub body: &'r str,
}

impl Default for Signer {
    fn default() -> Self {
        Self { account: AccountName::emulator(), key: AccountKey::emulator() }
    }
}

impl Signer {
    /// Signs for an account with the key of emulators.
    pub fn of(account: AccountName) -> Self {
        Self { account, key: AccountKey::emulator() }
    }

    /// Returns the name of the account.
    pub fn account(&self) -> &str {
        self.account.as_str()
    }

    /// Returns all bytes of a request.
    pub fn bytes(&self, request: &Request<'_>) -> Outcome<Vec<u8>> {
        self.bytes_for(ServiceKind::Table, request, request.body.as_bytes())
    }

    /// Returns all bytes of a request to a service, with a body.
    pub fn bytes_for(&self, kind: ServiceKind, request: &Request<'_>, body: &[u8]) -> Outcome<Vec<u8>> {
        let date = HttpDate(Timestamp::now()).to_string();
        let path = format!("/{}{}", &*self.account, request.path);
        let mut headers = HeaderMap::new();
        headers.insert("x-ms-date", HeaderValue::from_str(&date)?);
        if kind == ServiceKind::Blob {
            headers.insert("x-ms-version", HeaderValue::from_static("2019-02-02"));
            for (name, value) in request.headers {
                headers.insert(*name, HeaderValue::from_static(value));
            }
        }
        let query = QueryString::parse(request.query)?;
        let signed = SignedRequest {
            kind,
            account: &self.account,
            method: &request.method,
            path: &path,
            query: &query,
            headers: &headers,
        };
        let authorization = signed.authorization(Scheme::SharedKeyLite, &self.key);
        let mark = if request.query.is_empty() { "" } else { "?" };
        let mut text = format!(
            "{} {path}{mark}{} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-ms-date: {date}\r\nx-ms-version: 2019-02-02\r\n\
             DataServiceVersion: 3.0\r\nAuthorization: {authorization}\r\n\
             Accept: application/json;odata=minimalmetadata\r\n",
            request.method, request.query,
        );
        for (name, value) in request.headers {
            text.push_str(name);
            text.push_str(": ");
            text.push_str(value);
            text.push_str("\r\n");
        }
        if request.method != Method::GET {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "Content-Length: {}\r\n", body.len());
            if !request.content_type.is_empty() {
                let _ = write!(text, "Content-Type: {}\r\n", request.content_type);
            }
        }
        text.push_str("\r\n");
        let mut bytes = text.into_bytes();
        bytes.extend_from_slice(body);
        Ok(bytes)
    }
}
