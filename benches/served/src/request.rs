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
    /// Returns all bytes of a request.
    pub fn bytes(&self, request: &Request<'_>) -> Outcome<Vec<u8>> {
        let date = HttpDate(Timestamp::now()).to_string();
        let path = format!("/{}{}", &*self.account, request.path);
        let mut headers = HeaderMap::new();
        headers.insert("x-ms-date", HeaderValue::from_str(&date)?);
        let query = QueryString::parse(request.query)?;
        let signed = SignedRequest {
            kind: ServiceKind::Table,
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
            let length = request.body.len();
            // Writing to a `String` cannot fail.
            let _ = write!(text, "Content-Type: {}\r\nContent-Length: {}\r\n", request.content_type, length);
        }
        text.push_str("\r\n");
        text.push_str(request.body);
        Ok(text.into_bytes())
    }
}
