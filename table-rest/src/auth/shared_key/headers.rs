use http::{HeaderMap, HeaderValue};

/// All `x-ms-*` headers by name, each in a line of its own: what queues and blobs sign.
pub(super) fn push_headers(text: &mut String, headers: &HeaderMap) {
    // Before this version, headers without a value are not signed.
    let signs_empty = |version: &HeaderValue| version.as_bytes() >= b"2016-05-31".as_slice();
    let all = headers.get("x-ms-version").is_none_or(signs_empty);
    let mut names: Vec<&str> =
        headers.keys().map(http::HeaderName::as_str).filter(|name| name.starts_with("x-ms-")).collect();
    names.sort_unstable();
    for name in names {
        let before = text.len();
        text.push_str(name);
        text.push(':');
        let value = text.len();
        push_value(text, headers, name);
        if text.len() == value && !all {
            text.truncate(before);
        } else {
            text.push('\n');
        }
    }
}

/// A header's value without blanks around it; several by commas.
pub(super) fn push_value(text: &mut String, headers: &HeaderMap, name: &str) {
    for (index, value) in headers.get_all(name).iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(String::from_utf8_lossy(value.as_bytes()).trim());
    }
}
