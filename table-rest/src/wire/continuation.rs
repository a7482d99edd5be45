//! Conversion of continuation tokens between the service types and headers or parameters.

use std::fmt;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use table_model::{Continuation, ErrorCode, TableError};

/// Response headers with continuation tokens.
pub mod header {
    use http::HeaderName;

    /// The first part of a query token.
    pub const PARTITION_KEY: HeaderName = HeaderName::from_static("x-ms-continuation-nextpartitionkey");
    /// The second part of a query token.
    pub const ROW_KEY: HeaderName = HeaderName::from_static("x-ms-continuation-nextrowkey");
    /// The token of a list of tables.
    pub const TABLE_NAME: HeaderName = HeaderName::from_static("x-ms-continuation-nexttablename");
    /// The order of a query, `ascending` or `descending`: an extension of the server of this crate, which repeats it in the
    /// response. Other servers ignore it, and the client rejects a response without it.
    pub const ORDER: HeaderName = HeaderName::from_static("x-tables-order");
    /// The token of the page before this one, in the opposite order. Only sent in response to [`ORDER`].
    pub const PREVIOUS: HeaderName = HeaderName::from_static("x-tables-previous");
}

/// Values of [`header::ORDER`].
pub mod order {
    /// Ascending keys, as in the service.
    pub const ASCENDING: &str = "ascending";
    /// Descending keys.
    pub const DESCENDING: &str = "descending";
}

/// Request parameters with continuation tokens.
pub mod parameter {
    /// The first part of a query token.
    pub const PARTITION_KEY: &str = "NextPartitionKey";
    /// The second part of a query token.
    pub const ROW_KEY: &str = "NextRowKey";
    /// The token of a list of tables.
    pub const TABLE_NAME: &str = "NextTableName";
}

/// The two strings of a query continuation token. Clients copy both; each is opaque.
///
/// A server splits its token into two strings, in the format of the service. A client joins the two strings of any
/// server into one token.
///
/// ```
/// use table_rest::wire::continuation::EntityToken;
/// use table_model::Continuation;
///
/// let token = Continuation::new("c2VhbGVk")?;
/// let sent = EntityToken::cut(&token);
/// assert_eq!((sent.partition_key.as_str(), sent.row_key.as_deref()), ("1!4!c2Vh", Some("1!4!bGVk")));
/// assert_eq!(sent.join()?, token);
///
/// let kept = sent.keep()?;
/// assert_eq!(EntityToken::kept(&kept)?, sent);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityToken {
    /// `NextPartitionKey`.
    pub partition_key: String,
    /// `NextRowKey`. Some servers omit it; it is never sent empty.
    pub row_key: Option<String>,
}

/// Characters that are percent-encoded in the token of a client.
const KEPT: &AsciiSet = &CONTROLS.add(b' ').add(b'%').add(b'&');

impl EntityToken {
    /// Splits the token of a server into two non-empty strings.
    #[must_use]
    pub fn cut(token: &Continuation) -> Self {
        let text = token.as_str();
        let (first, second) = text.split_at_checked(text.len() / 2).unwrap_or((text, ""));
        Self { partition_key: Framed(first).to_string(), row_key: Some(Framed(second).to_string()) }
    }

    /// Restores the token of a server from its parts.
    ///
    /// # Errors
    ///
    /// Returns `InvalidInput` if the parts have an invalid form.
    pub fn join(&self) -> Result<Continuation, TableError> {
        let row_key = self.row_key.as_deref().ok_or_else(foreign)?;
        let mut text = unframed(&self.partition_key)?.to_owned();
        text.push_str(unframed(row_key)?);
        Continuation::new(text)
    }

    /// Joins the two strings into one token for a client.
    ///
    /// # Errors
    ///
    /// Returns `InvalidInput` if they are longer than any valid token.
    pub fn keep(&self) -> Result<Continuation, TableError> {
        let mut text = utf8_percent_encode(&self.partition_key, KEPT).to_string();
        if let Some(row_key) = &self.row_key {
            text.push('&');
            text.extend(utf8_percent_encode(row_key, KEPT));
        }
        Continuation::new(text)
    }

    /// Splits a token that [`keep`](Self::keep) returned into the two strings.
    ///
    /// # Errors
    ///
    /// Returns `InvalidInput` for other tokens.
    pub fn kept(token: &Continuation) -> Result<Self, TableError> {
        let decode = |text| percent_decode_str(text).decode_utf8().map(Into::into).map_err(|_| foreign());
        let (partition_key, row_key) = match token.as_str().split_once('&') {
            Some((partition_key, row_key)) => (partition_key, Some(decode(row_key)?)),
            None => (token.as_str(), None),
        };
        Ok(Self { partition_key: decode(partition_key)?, row_key })
    }
}

/// Frames the token of a list of tables, in the form that a server sends.
#[must_use]
pub fn frame_tables(token: &Continuation) -> String {
    Framed(token.as_str()).to_string()
}

/// Restores the token from the result of [`frame_tables`].
///
/// # Errors
///
/// Returns `InvalidInput` for other strings.
pub fn unframe_tables(text: &str) -> Result<Continuation, TableError> {
    Continuation::new(unframed(text)?)
}

/// `1!{characters}!{text}`: the format of the service.
struct Framed<'t>(&'t str);

impl fmt::Display for Framed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1!{}!{}", self.0.len(), self.0)
    }
}

fn unframed(text: &str) -> Result<&str, TableError> {
    let (length, inner) =
        text.strip_prefix("1!").and_then(|rest| rest.split_once('!')).ok_or_else(foreign)?;
    if length.parse() == Ok(inner.len()) { Ok(inner) } else { Err(foreign()) }
}

fn foreign() -> TableError {
    ErrorCode::InvalidInput.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_sent_is_refused() {
        let token = |partition_key: &str, row_key: Option<&str>| EntityToken {
            partition_key: partition_key.into(),
            row_key: row_key.map(Into::into),
        };
        assert_eq!(token("1!1!a", Some("1!2!bc")).join().unwrap().as_str(), "abc");
        for wrong in [
            token("1!1!a", None),
            token("1!1!a", Some("")),
            token("1!2!a", Some("1!1!b")),
            token("2!1!a", Some("1!1!b")),
            token("1!1", Some("1!1!b")),
            token("1!1! ", Some("1!1!b")),
        ] {
            assert_eq!(wrong.join().unwrap_err().code(), ErrorCode::InvalidInput, "{wrong:?}");
        }
        assert!(unframe_tables("").is_err());
    }

    #[test]
    fn a_client_keeps_whatever_a_server_says() {
        for (partition_key, row_key) in
            [("1!8!U21pdGg-", Some("1!4!YQ--")), ("a&b% ö", None), ("", Some("x=/+"))]
        {
            let token = EntityToken { partition_key: partition_key.into(), row_key: row_key.map(Into::into) };
            assert_eq!(EntityToken::kept(&token.keep().unwrap()).unwrap(), token);
        }
    }
}
