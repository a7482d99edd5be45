//! Responses with the headers of every page.

use bytes::Bytes;
use hyper::{
    Response, StatusCode,
    header::{self, HeaderName, HeaderValue},
};
use maud::Markup;

use crate::body::{Body, whole};

pub(crate) type Reply = Response<Body>;

/// Nothing but the files of the explorer itself is loaded, no other page can embed it, and nothing is cached.
const HEADERS: [(HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action \
         'self'; frame-ancestors 'none'; base-uri 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // With `no-referrer`, browsers would send the origin `null` with forms.
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Creates a response.
pub(crate) fn reply(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Reply {
    with_headers(status, content_type, whole(body))
}

fn with_headers(status: StatusCode, content_type: &'static str, body: Body) -> Reply {
    let mut reply = Response::new(body);
    *reply.status_mut() = status;
    let headers = reply.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    reply
}

/// Creates a page.
pub(crate) fn page(status: StatusCode, page: Markup) -> Reply {
    reply(status, "text/html; charset=utf-8", page.into_string())
}

/// Creates a redirect to another page of the explorer.
pub(crate) fn redirect(to: &str) -> Reply {
    let mut reply = reply(StatusCode::SEE_OTHER, "text/plain; charset=utf-8", "");
    if let Ok(to) = HeaderValue::from_str(to) {
        reply.headers_mut().insert(header::LOCATION, to);
    }
    reply
}

/// Creates a file to save, which no browser interprets.
pub(crate) fn download(name: &str, bytes: Vec<u8>) -> Reply {
    attachment(name, whole(bytes))
}

/// Creates a file to save from a body.
pub(crate) fn attachment(name: &str, body: Body) -> Reply {
    let mut reply = with_headers(StatusCode::OK, "application/octet-stream", body);
    let plain: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{plain}\"")) {
        reply.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    reply
}
