//! Query strings: parameters of pages.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Characters that a parameter or a path segment does not need to escape.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The parameters of a page, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    /// Parses a query string or the body of a form. Bytes that are not UTF-8 are replaced.
    pub(crate) fn parse(text: &str) -> Self {
        let pairs = text.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decoded(name), decoded(value))
        });
        Self(pairs.collect())
    }

    /// Adds a parameter at the end.
    pub(crate) fn push(&mut self, name: &str, value: String) {
        self.0.push((name.to_owned(), value));
    }

    /// Returns the first value of a parameter.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Returns a value, unless it is empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.trim().is_empty())
    }

    /// Returns all values of a parameter.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns all parameters.
    pub(crate) fn pairs(&self) -> &[(String, String)] {
        &self.0
    }

    /// Returns the parameters with one replaced, or removed without a value.
    pub(crate) fn with(&self, name: &str, value: Option<&str>) -> Self {
        let mut pairs: Vec<_> = self.0.iter().filter(|(key, _)| key != name).cloned().collect();
        pairs.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        Self(pairs)
    }

    /// Returns the query string with its question mark, or an empty string.
    pub(crate) fn to_query(&self) -> String {
        let pairs: Vec<String> =
            self.0.iter().map(|(name, value)| format!("{}={}", escaped(name), escaped(value))).collect();
        if pairs.is_empty() { String::new() } else { format!("?{}", pairs.join("&")) }
    }
}

impl<'p, const N: usize> From<[(&'p str, &'p str); N]> for Params {
    fn from(pairs: [(&'p str, &'p str); N]) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }
}

/// Escapes a text for a path segment or a parameter.
pub(crate) fn escaped(text: &str) -> String {
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// Decodes a path segment.
pub(crate) fn segment(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn decoded(text: &str) -> String {
    segment(&text.replace('+', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_survive_a_round_trip() {
        let params = Params::from([("filter", "a eq 'x&y=+%'"), ("pk", "é/\u{202e}"), ("rk", "")]);
        assert_eq!(Params::parse(params.to_query().trim_start_matches('?')), params);
        assert_eq!((params.get("rk"), params.filled("rk"), params.get("none")), (Some(""), None, None));
        assert_eq!(Params::parse("a=1+2&b&=c&a=3").all("a").collect::<Vec<_>>(), ["1 2", "3"]);
        assert_eq!(Params::parse("%ff%zz=%").to_query(), "?%EF%BF%BD%25zz=%25");
        assert_eq!(params.with("pk", None).with("rk", Some("z")).get("rk"), Some("z"));
    }
}
