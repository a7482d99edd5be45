//! Shared Key authorization: the string to sign of a request and its signature.

mod authorization;
mod headers;

pub use authorization::{Authorization, AuthorizationError, Scheme};

use std::fmt;

use http::{
    HeaderMap, HeaderName, Method,
    header::{self, AsHeaderName},
};

use self::headers::{Order, is_one_order, push_headers, push_value};
use super::{AccountKey, X_MS_DATE, X_MS_VERSION};
use crate::{ServiceKind, wire::query_string::QueryString};

/// The signed parts of a request.
///
/// ```
/// use http::{HeaderMap, HeaderValue, Method};
/// use table_rest::auth::{AccountKey, Scheme, SignedRequest};
/// use table_rest::{AccountName, ServiceKind, wire::query_string::QueryString};
///
/// let mut headers = HeaderMap::new();
/// headers.insert("x-ms-date", HeaderValue::from_static("Fri, 01 Mar 2024 00:00:00 GMT"));
/// let request = SignedRequest {
///     kind: ServiceKind::Table,
///     account: &AccountName::emulator(),
///     method: &Method::GET,
///     path: "/devstoreaccount1/Tables",
///     query: &QueryString::default(),
///     headers: &headers,
/// };
/// let authorization = request.authorization(Scheme::SharedKey, &AccountKey::emulator());
/// assert_eq!(authorization, "SharedKey devstoreaccount1:fBZplnGyvhPt1xQikeM26vx3IuDg/nHYSEItiL6nVtM=");
/// ```
#[derive(Clone, Copy)]
pub struct SignedRequest<'r> {
    /// The target service. The table service uses its own strings to sign.
    pub kind: ServiceKind,
    /// The account that owns the key, without `-secondary`.
    pub account: &'r str,
    /// The method of the request.
    pub method: &'r Method,
    /// The path of the request line: percent-encoded, including the account in path-style URLs.
    pub path: &'r str,
    /// The decoded query.
    pub query: &'r QueryString,
    /// All headers of the request except `Authorization`.
    pub headers: &'r HeaderMap,
}

/// Omits the query and the headers, which may contain credentials.
impl fmt::Debug for SignedRequest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignedRequest")
            .field("kind", &self.kind)
            .field("account", &self.account)
            .field("method", &self.method)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}

/// Headers signed for queues and blobs in addition to `x-ms-*`, in signing order. The method precedes them, the
/// resource follows.
const SIGNED: [&str; 11] = [
    "content-encoding",
    "content-language",
    "content-length",
    "content-md5",
    "content-type",
    "date",
    "if-modified-since",
    "if-match",
    "if-none-match",
    "if-unmodified-since",
    "range",
];

impl SignedRequest<'_> {
    /// Returns the string to sign, with headers in the order in which the service compares their names.
    #[must_use]
    pub fn string_to_sign(&self, scheme: Scheme) -> String {
        self.text(scheme, Order::Service)
    }

    /// Returns the string to sign with headers in byte order of their names, or `None` if it is identical. Some clients
    /// sign this string.
    #[must_use]
    pub fn string_to_sign_by_bytes(&self, scheme: Scheme) -> Option<String> {
        let is_one = self.kind == ServiceKind::Table || is_one_order(self.headers);
        (!is_one).then(|| self.text(scheme, Order::Bytes))
    }

    fn text(&self, scheme: Scheme, order: Order) -> String {
        let mut text = String::with_capacity(256);
        match (self.kind, scheme) {
            (ServiceKind::Table, Scheme::SharedKey) => {
                text.push_str(self.method.as_str());
                text.push('\n');
                self.push_header(&mut text, "content-md5");
                self.push_header(&mut text, "content-type");
                self.push_header(&mut text, self.date());
                self.push_resource(&mut text);
            }
            (ServiceKind::Table, Scheme::SharedKeyLite) => {
                self.push_header(&mut text, self.date());
                self.push_resource(&mut text);
            }
            (_, Scheme::SharedKey) => {
                text.push_str(self.method.as_str());
                text.push('\n');
                for name in SIGNED {
                    match name {
                        "content-length" if self.leaves_length_out() => text.push('\n'),
                        "date" => self.push_date(&mut text),
                        _ => self.push_header(&mut text, name),
                    }
                }
                push_headers(&mut text, self.headers, order);
                self.push_path(&mut text);
                self.push_parameters(&mut text);
            }
            (_, Scheme::SharedKeyLite) => {
                text.push_str(self.method.as_str());
                text.push('\n');
                self.push_header(&mut text, "content-md5");
                self.push_header(&mut text, "content-type");
                self.push_date(&mut text);
                push_headers(&mut text, self.headers, order);
                self.push_resource(&mut text);
            }
        }
        text
    }

    /// Returns the value of the `Authorization` header for the request.
    #[must_use]
    pub fn authorization(&self, scheme: Scheme, key: &AccountKey) -> String {
        let signature = key.sign(&self.string_to_sign(scheme));
        format!("{scheme} {}:{signature}", self.account)
    }

    /// The table service always signs one date.
    fn date(&self) -> HeaderName {
        if self.headers.contains_key(&X_MS_DATE) { X_MS_DATE.clone() } else { header::DATE }
    }

    /// Versions since 2015-02-21 sign an empty string for a length of 0.
    fn leaves_length_out(&self) -> bool {
        let version = self.headers.get(&X_MS_VERSION).map(http::HeaderValue::as_bytes);
        let signs_zero = version.is_some_and(|version| version < b"2015-02-21".as_slice());
        !signs_zero && self.headers.get("content-length").is_some_and(|length| length == "0")
    }

    fn push_header(&self, text: &mut String, name: impl AsHeaderName) {
        push_value(text, self.headers, name);
        text.push('\n');
    }

    /// Queues and blobs sign `x-ms-date` with the other `x-ms-*` headers.
    fn push_date(&self, text: &mut String) {
        if self.headers.contains_key(&X_MS_DATE) {
            text.push('\n');
        } else {
            self.push_header(text, "date");
        }
    }

    fn push_path(&self, text: &mut String) {
        text.push('/');
        text.push_str(self.account);
        text.push_str(self.path);
    }

    /// Appends the path and, of the parameters, only `comp`.
    fn push_resource(&self, text: &mut String) {
        self.push_path(text);
        if let Some(comp) = self.query.get("comp") {
            text.push_str("?comp=");
            text.push_str(comp);
        }
    }

    /// Appends all parameters by lowercase name. Values of equal names are sorted.
    fn push_parameters(&self, text: &mut String) {
        let mut parameters: Vec<_> =
            self.query.iter().map(|(name, value)| (name.to_ascii_lowercase(), value)).collect();
        parameters.sort();
        let mut last: Option<&str> = None;
        for (name, value) in &parameters {
            if last == Some(name) {
                text.push(',');
            } else {
                for part in ["\n", name, ":"] {
                    text.push_str(part);
                }
            }
            text.push_str(value);
            last = Some(name);
        }
    }
}

#[cfg(test)]
mod tests;
