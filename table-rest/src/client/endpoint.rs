use std::{borrow::Cow, fmt};

use azure_core::http::Url;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use table_model::{ErrorCode, Result, TableError};

/// Characters that are not percent-encoded in a path or a query.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A signature has 44 characters. Shorter strings are not signatures and may be part of any word.
const SHORTEST: usize = 8;

/// The endpoint of one service of an account, with an optional shared access signature for its requests.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// URL without a trailing `/` and without a query.
    root: String,
    /// Encoded, without `?`. Secret.
    signature: Option<String>,
}

impl Endpoint {
    /// Parses an endpoint of a connection string: `https://account.table.core.windows.net`,
    /// `http://127.0.0.1:10002/devstoreaccount1`. A query is a shared access signature.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri` if it is not a valid HTTP URL.
    pub fn parse(text: &str) -> Result<Self> {
        let url: Url = text.trim().parse().map_err(|_| not_an_endpoint("it is not a valid URL"))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(not_an_endpoint("the scheme and host must be http://host or https://host"));
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(not_an_endpoint("it contains a user or a fragment"));
        }
        let signature = url.query().filter(|query| !query.is_empty()).map(str::to_owned);
        let mut root = url;
        root.set_query(None);
        Ok(Self { root: root.as_str().trim_end_matches('/').to_owned(), signature })
    }

    /// Sets a shared access signature: `sv=…&sig=…`, with or without `?`.
    #[must_use]
    pub fn with_signature(mut self, signature: &str) -> Self {
        self.signature = Some(signature.trim().trim_start_matches('?').to_owned());
        self
    }

    /// Uses the same signature for the address of another service.
    pub(super) fn with_root(&self, root: &str) -> Result<Self> {
        Ok(Self { signature: self.signature.clone(), ..Self::parse(root)? })
    }

    /// Returns the base URL of the resources, without a trailing `/`.
    #[must_use]
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Returns `true` if the endpoint contains a shared access signature.
    #[must_use]
    pub const fn is_signed(&self) -> bool {
        self.signature.is_some()
    }

    /// Returns the host name or address.
    pub(super) fn host(&self) -> &str {
        let behind = self.root.split_once("://").map_or("", |(_, behind)| behind);
        let authority = behind.split('/').next().unwrap_or_default();
        match authority.strip_prefix('[') {
            Some(bracketed) => bracketed.split(']').next().unwrap_or_default(),
            None => authority.split(':').next().unwrap_or_default(),
        }
    }

    /// Returns the string without the signature, which a server may repeat in any form.
    pub(super) fn without_signature<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let fields = self.signature.as_deref().unwrap_or_default().split('&');
        let sent = fields.filter_map(|field| field.strip_prefix("sig=")).find(|sent| sent.len() >= SHORTEST);
        let Some(sent) = sent else { return Cow::Borrowed(text) };
        let plain = percent_decode_str(sent).decode_utf8_lossy();
        let (encoded, twice) = (encoded(&plain).to_string(), encoded(sent).to_string());
        let (lower, upper) = (sent.to_ascii_lowercase(), encoded.to_ascii_lowercase());
        let mut shown = Cow::Borrowed(text);
        for form in [sent, &plain, &encoded, &twice, &lower, &upper] {
            if shown.contains(form) {
                shown = Cow::Owned(shown.replace(form, "(hidden)"));
            }
        }
        shown
    }

    /// Returns the URL of a resource. `path` is encoded and starts with `/`, or is empty; `query` is encoded.
    ///
    /// # Errors
    ///
    /// Returns `InvalidUri` for a path that no client can send: a blob with the name `..`.
    pub(super) fn url(&self, path: &str, query: &str) -> Result<Url> {
        let mut text = String::with_capacity(self.root.len() + path.len() + query.len() + 2);
        text.push_str(&self.root);
        text.push_str(if path.is_empty() { "/" } else { path });
        let parts = [query, self.signature.as_deref().unwrap_or_default()];
        for (part, mark) in parts.into_iter().filter(|part| !part.is_empty()).zip(['?', '&']) {
            text.push(mark);
            text.push_str(part);
        }
        let url: Url = text.parse().map_err(|_| TableError::new(ErrorCode::InvalidUri))?;
        // The path must be sent exactly as signed: the URL parser must not resolve `.` or `..`.
        let sent = url.path().strip_suffix(path);
        if sent.is_none_or(|before| !self.root.ends_with(before.trim_end_matches('/'))) {
            return Err(ErrorCode::InvalidUri.into());
        }
        Ok(url)
    }
}

fn not_an_endpoint(reason: &str) -> TableError {
    TableError::with_message(
        ErrorCode::InvalidUri,
        format!("The endpoint of the storage account is invalid: {reason}."),
    )
}

/// Omits the signature.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signature = self.signature.as_ref().map(|_| "(hidden)");
        f.debug_struct("Endpoint").field("root", &self.root).field("signature", &signature).finish()
    }
}

/// Percent-encodes a string for a path or a query.
pub(super) fn encoded(text: &str) -> impl fmt::Display + '_ {
    utf8_percent_encode(text, ENCODED)
}

/// Percent-encoded parameters of a request.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters(String);

impl Parameters {
    /// Creates parameters from a constant that needs no encoding, such as `comp=list`.
    pub(super) fn fixed(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    pub(super) fn push(&mut self, name: &'static str, value: impl fmt::Display) {
        let separator = if self.0.is_empty() { "" } else { "&" };
        let value = value.to_string();
        self.0.push_str(separator);
        self.0.extend(utf8_percent_encode(name, ENCODED));
        self.0.push('=');
        self.0.extend(utf8_percent_encode(&value, ENCODED));
    }

    /// Adds parameters.
    pub(super) fn and(mut self, parameters: Vec<(&'static str, String)>) -> Self {
        for (name, value) in parameters {
            self.push(name, value);
        }
        self
    }

    /// Adds a parameter if it has a value.
    pub(super) fn with(mut self, name: &'static str, value: Option<impl fmt::Display>) -> Self {
        if let Some(value) = value {
            self.push(name, value);
        }
        self
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_which_host() {
        for (text, root, host) in [
            (
                "https://a1.table.core.windows.net/",
                "https://a1.table.core.windows.net",
                "a1.table.core.windows.net",
            ),
            (" http://127.0.0.1:10002/a1", "http://127.0.0.1:10002/a1", "127.0.0.1"),
            ("http://[::1]:10002/a2-secondary/", "http://[::1]:10002/a2-secondary", "::1"),
        ] {
            let endpoint = Endpoint::parse(text).unwrap();
            assert_eq!((endpoint.root(), endpoint.host()), (root, host));
        }
    }

    #[test]
    fn refuses_what_is_no_address_of_http() {
        for text in ["", "a1", "ftp://a1", "file:///a", "https://u:p@a1", "https://a1/#x", "http://"] {
            assert_eq!(Endpoint::parse(text).unwrap_err().code(), ErrorCode::InvalidUri, "{text}");
        }
    }

    #[test]
    fn a_signature_goes_along_and_is_not_shown() {
        let endpoint =
            Endpoint::parse("https://a1.table.core.windows.net/?sv=2019-02-02&sig=s3cr3t%2F").unwrap();
        let url = endpoint.url("/people", "%24top=5").unwrap();
        assert_eq!(
            url.as_str(),
            "https://a1.table.core.windows.net/people?%24top=5&sv=2019-02-02&sig=s3cr3t%2F"
        );
        let url = endpoint.url("", "").unwrap();
        assert_eq!(url.as_str(), "https://a1.table.core.windows.net/?sv=2019-02-02&sig=s3cr3t%2F");
        assert!(!format!("{endpoint:?}").contains("s3cr3t"));
    }

    #[test]
    fn a_path_is_sent_as_it_was_written_or_not_at_all() {
        let endpoint = Endpoint::parse("http://127.0.0.1:10000/a1").unwrap();
        let path = |name: &str| format!("/c/{}", encoded(name));
        for name in ["a", "a/../b", "a/./b", "ä ö", "100%", "a'b", "...", "a.b", "?#"] {
            assert_eq!(endpoint.url(&path(name), "").unwrap().path(), format!("/a1{}", path(name)), "{name}");
        }
        for name in [".", ".."] {
            assert_eq!(endpoint.url(&path(name), "").unwrap_err().code(), ErrorCode::InvalidUri, "{name}");
        }
    }

    #[test]
    fn parameters_are_encoded_names_and_all() {
        let parameters =
            Parameters::fixed("comp=list").with("$filter", Some("A eq 'x+y&z'")).with("$top", None::<u32>);
        assert_eq!(parameters.as_str(), "comp=list&%24filter=A%20eq%20%27x%2By%26z%27");
    }
}
