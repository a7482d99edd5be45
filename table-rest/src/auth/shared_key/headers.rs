use http::{HeaderMap, HeaderValue, header::AsHeaderName};

/// The order of signed headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The order that the service and the official clients use: hyphens and apostrophes are ignored at first, and the other
    /// characters are in the order of [`ORDER`]. It is undocumented.
    Service,
    /// Byte order, as documented and as most other clients sort.
    Bytes,
}

impl Order {
    fn sort(self, names: &mut [&str]) {
        match self {
            Self::Bytes => names.sort_unstable(),
            Self::Service => names.sort_unstable_by(|one, other| {
                weights(one).cmp(weights(other)).then_with(|| ignored(one).cmp(ignored(other)))
            }),
        }
    }
}

/// The characters of header names in the order of the service, except the ignored ones.
const ORDER: &[u8] = b"!#$%&*.^_`|~+0123456789abcdefghijklmnopqrstuvwxyz";

fn weights(name: &str) -> impl Iterator<Item = usize> {
    name.bytes().filter_map(|byte| ORDER.iter().position(|known| *known == byte))
}

/// Returns the positions of ignored characters, by which names that do not differ otherwise are compared: first the name
/// without one at the first difference, or that ends there, then the one with an apostrophe.
fn ignored(name: &str) -> impl Iterator<Item = u8> {
    let weight = |byte| match byte {
        b'\'' => 2,
        b'-' => 3,
        _ => 0,
    };
    name.bytes().map(weight).chain([1])
}

fn names(headers: &HeaderMap) -> Vec<&str> {
    headers.keys().map(http::HeaderName::as_str).filter(|name| name.starts_with("x-ms-")).collect()
}

/// Returns `true` if both orders agree for these headers. They differ only if a name contains an unusual
/// character, or a hyphen at the end of a common prefix.
pub(super) fn is_one_order(headers: &HeaderMap) -> bool {
    let (mut one, mut other) = (names(headers), names(headers));
    Order::Service.sort(&mut one);
    Order::Bytes.sort(&mut other);
    one == other
}

/// Appends all `x-ms-*` headers by name, one per line, as queues and blobs sign them.
pub(super) fn push_headers(text: &mut String, headers: &HeaderMap, order: Order) {
    // Earlier versions do not sign headers without a value.
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

/// Appends the trimmed value of a header; multiple values are separated by commas.
pub(super) fn push_value(text: &mut String, headers: &HeaderMap, name: impl AsHeaderName) {
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

    /// The SDK for Python signs these names in its test `test_header_metadata_sort_in_upload_blob_translation`.
    #[test]
    fn names_that_differ_in_hyphens_are_signed_by_their_positions() {
        let names = [
            "x-ms-meta-test",
            "x-ms-meta-test-",
            "x-ms-meta-test--",
            "x-ms-meta-test__",
            "x-ms-meta-test_-",
            "x-ms-meta-test-_",
            "x-ms-meta-test_a",
            "x-ms-meta-test-a",
            "x-ms-meta-testa",
            "x-ms-meta-test'a",
            "x-ms-meta-test_a-",
            "x-ms-meta-test_a-_",
            "x-ms-meta-test_a_",
            "x-ms-meta-test-_a",
        ];
        let order = "test test- test-- test_- test-_ test__ test_a test_a- test-_a test_a_ test_a-_ testa test'a test-a ";
        assert_eq!(lines(&names, Order::Service).replace("meta-", ""), order);
    }

    /// As in `test_header_metadata_sort_in_upload_blob_fails`.
    #[test]
    fn unusual_characters_are_signed_in_the_order_of_the_service() {
        let names = [
            "x-ms-meta-!",
            "x-ms-meta-#",
            "x-ms-meta-$",
            "x-ms-meta-%",
            "x-ms-meta-&",
            "x-ms-meta-*",
            "x-ms-meta-+",
            "x-ms-meta-.",
            "x-ms-meta-0",
            "x-ms-meta-9",
            "x-ms-meta-^",
            "x-ms-meta-_",
            "x-ms-meta-`",
            "x-ms-meta-a",
            "x-ms-meta-z",
            "x-ms-meta-|",
            "x-ms-meta-~",
        ];
        assert_eq!(lines(&names, Order::Service).replace("meta-", ""), "! # $ % & * . ^ _ ` | ~ + 0 9 a z ");
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
