//! The query of a request target, after `?`.

use std::{borrow::Cow, fmt};

use percent_encoding::percent_decode_str;
use table_model::{ErrorCode, TableError};

/// The parameters of a request in order, names and values percent-decoded once. `+` is a space.
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

/// Omits the value of `sig`.
impl fmt::Debug for QueryString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |name: &str, value| if name.eq_ignore_ascii_case("sig") { "(hidden)" } else { value };
        f.debug_map().entries(self.0.iter().map(|(name, value)| (name, shown(name, value)))).finish()
    }
}

impl QueryString {
    /// Parses a raw query, without its `?`.
    ///
    /// # Errors
    ///
    /// Returns `InvalidQueryParameterValue` if a name or a value is not valid UTF-8.
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

    /// Returns the value of the first parameter with this case-sensitive name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value of a parameter, or `None` if it is missing or empty.
    #[must_use]
    pub fn said(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// Returns the number of occurrences of a name.
    #[must_use]
    pub fn count(&self, name: &str) -> usize {
        self.0.iter().filter(|(known, _)| known == name).count()
    }

    /// Iterates over all parameters in order.
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
