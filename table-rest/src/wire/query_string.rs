//! The part of a request's target behind the `?`.

use std::{borrow::Cow, fmt};

use percent_encoding::percent_decode_str;
use table_store::{ErrorCode, TableError};

/// The parameters of a request in their order, names and values decoded once. A `+` is a space.
///
/// ```
/// use table_rest::wire::query_string::QueryString;
///
/// let query = QueryString::parse("%24filter=Age%20gt+30&timeout=10&comp=").unwrap();
/// assert_eq!(query.get("$filter"), Some("Age gt 30"));
/// assert_eq!(query.get("comp"), Some(""));
/// assert_eq!(query.get("prefix"), None);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct QueryString(Vec<(String, String)>);

/// Without the value of `sig`.
impl fmt::Debug for QueryString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |name: &str, value| if name.eq_ignore_ascii_case("sig") { "(hidden)" } else { value };
        f.debug_map().entries(self.0.iter().map(|(name, value)| (name, shown(name, value)))).finish()
    }
}

impl QueryString {
    /// Reads a raw query, without its `?`.
    ///
    /// # Errors
    /// `InvalidQueryParameterValue` if a name or a value is no UTF-8.
    pub fn parse(raw: &str) -> Result<Self, TableError> {
        let pairs = raw.split('&').filter(|pair| !pair.is_empty());
        pairs
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                Ok((decode(name)?, decode(value)?))
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The value of the first parameter of this name; names are compared as they stand.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of a parameter that says nothing when it is empty.
    #[must_use]
    pub fn said(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// How often a name stands there.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.0.iter().filter(|(known, _)| known == name).count()
    }

    /// All, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

fn decode(text: &str) -> Result<String, TableError> {
    let spaced = if text.contains('+') { Cow::Owned(text.replace('+', " ")) } else { Cow::Borrowed(text) };
    let decoded = percent_decode_str(&spaced).decode_utf8();
    decoded.map(Cow::into_owned).map_err(|_| ErrorCode::InvalidQueryParameterValue.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_that_is_no_text_is_refused() {
        let error = QueryString::parse("prefix=%ff").unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidQueryParameterValue);
    }

    #[test]
    fn an_encoded_plus_is_a_plus() {
        let query = QueryString::parse("sig=a%2Bb+c&sig=d").unwrap();
        assert_eq!(query.get("sig"), Some("a+b c"));
        assert_eq!(query.count("sig"), 2);
    }
}
