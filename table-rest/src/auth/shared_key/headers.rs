use http::{HeaderMap, HeaderValue};

/// In which order headers are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// As the service compares names, and the official clients with it: hyphens do not count, `_` comes before digits
    /// and letters. The documentation does not tell of it.
    Service,
    /// By bytes, as the documentation has it, and most others do.
    Bytes,
}

impl Order {
    fn sort(self, names: &mut [&str]) {
        names.sort_unstable();
        if self == Self::Service {
            // Stable: names that differ in their hyphens only stay by bytes.
            names.sort_by(|one, other| weights(one).cmp(weights(other)));
        }
    }
}

fn weights(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|byte| *byte != b'-').map(|byte| if byte == b'_' { 0 } else { byte })
}

fn names(headers: &HeaderMap) -> Vec<&str> {
    headers.keys().map(http::HeaderName::as_str).filter(|name| name.starts_with("x-ms-")).collect()
}

/// Whether the orders are one for these headers, as they are unless a name holds an `_`, or a hyphen where another goes on.
pub(super) fn is_one_order(headers: &HeaderMap) -> bool {
    let (mut one, mut other) = (names(headers), names(headers));
    Order::Service.sort(&mut one);
    Order::Bytes.sort(&mut other);
    one == other
}

/// All `x-ms-*` headers by name, each in a line of its own: what queues and blobs sign.
pub(super) fn push_headers(text: &mut String, headers: &HeaderMap, order: Order) {
    // Before this version, headers without a value are not signed.
    let signs_empty = |version: &HeaderValue| version.as_bytes() >= b"2016-05-31".as_slice();
    let all = headers.get("x-ms-version").is_none_or(signs_empty);
    let mut names = names(headers);
    order.sort(&mut names);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(names: &[&'static str], order: Order) -> String {
        let headers: HeaderMap = names
            .iter()
            .map(|name| (http::HeaderName::from_static(name), HeaderValue::from_static("v")))
            .collect();
        let mut text = String::new();
        push_headers(&mut text, &headers, order);
        text.replace("x-ms-", "").replace(":v\n", " ")
    }

    #[test]
    fn names_are_signed_in_the_order_of_the_service() {
        let names = ["x-ms-meta-a1", "x-ms-meta-a_b", "x-ms-meta-ab", "x-ms-version", "x-ms-date"];
        assert_eq!(lines(&names, Order::Service), "date meta-a_b meta-a1 meta-ab version ");
        assert_eq!(lines(&names, Order::Bytes), "date meta-a1 meta-a_b meta-ab version ");
        let hyphens = ["x-ms-range-get", "x-ms-range", "x-ms-rangea"];
        assert_eq!(lines(&hyphens, Order::Service), "range rangea range-get ");
        assert_eq!(lines(&hyphens, Order::Bytes), "range range-get rangea ");
    }

    #[test]
    fn most_headers_have_one_order() {
        let headers = |names: &[&'static str]| {
            names
                .iter()
                .map(|name| (http::HeaderName::from_static(name), HeaderValue::from_static("v")))
                .collect()
        };
        assert!(is_one_order(&headers(&[
            "x-ms-date",
            "x-ms-blob-type",
            "x-ms-blob-content-md5",
            "x-ms-meta-a"
        ])));
        assert!(!is_one_order(&headers(&["x-ms-meta-a_b", "x-ms-meta-a1"])));
    }
}
