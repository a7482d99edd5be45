use std::{borrow::Cow, fmt};

use azure_core::http::Url;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use table_store::{ErrorCode, Result, TableError};

/// What stands in a path or a query as it is.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A signature has 44 characters. What is shorter is none, and may be part of any word.
const SHORTEST: usize = 8;

/// Where one service of an account is, and the shared access signature that its requests carry, if any.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Without a `/` at the end, and without a query.
    root: String,
    /// Without `?`, encoded. A secret.
    signature: Option<String>,
}

impl Endpoint {
    /// An endpoint as it stands in connection strings: `https://account.table.core.windows.net`,
    /// `http://127.0.0.1:10002/devstoreaccount1`. A query is a shared access signature.
    ///
    /// # Errors
    /// `InvalidUri` if it is no address of HTTP.
    pub fn parse(text: &str) -> Result<Self> {
        let url: Url = text.trim().parse().map_err(|_| not_an_endpoint("it is no URL"))?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(not_an_endpoint("write http://host or https://host"));
        }
        if !url.username().is_empty() || url.password().is_some() || url.fragment().is_some() {
            return Err(not_an_endpoint("it has a user or a fragment"));
        }
        let signature = url.query().filter(|query| !query.is_empty()).map(str::to_owned);
        let mut root = url;
        root.set_query(None);
        Ok(Self { root: root.as_str().trim_end_matches('/').to_owned(), signature })
    }

    /// The same with a shared access signature: `sv=…&sig=…`, with or without `?`.
    #[must_use]
    pub fn with_signature(mut self, signature: &str) -> Self {
        self.signature = Some(signature.trim().trim_start_matches('?').to_owned());
        self
    }

    /// The same signature on another service's address.
    pub(super) fn with_root(&self, root: &str) -> Result<Self> {
        Ok(Self { signature: self.signature.clone(), ..Self::parse(root)? })
    }

    /// What its resources' addresses begin with, without a `/` at the end.
    #[must_use]
    pub fn root(&self) -> &str {
        &self.root
    }

    /// Whether it carries a shared access signature.
    #[must_use]
    pub const fn is_signed(&self) -> bool {
        self.signature.is_some()
    }

    /// The host's name or address.
    pub(super) fn host(&self) -> &str {
        let behind = self.root.split_once("://").map_or("", |(_, behind)| behind);
        let authority = behind.split('/').next().unwrap_or_default();
        match authority.strip_prefix('[') {
            Some(bracketed) => bracketed.split(']').next().unwrap_or_default(),
            None => authority.split(':').next().unwrap_or_default(),
        }
    }

    /// Returns a text without the signature, which a server may repeat in any form.
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

    /// The address of a resource. `path` is encoded and begins with `/`, or is empty; `query` is encoded.
    ///
    /// # Errors
    /// `InvalidUri` for a path that no client can send: a blob whose name is `..`.
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
        // A path is signed as it is sent: nothing may have been taken for `.` or `..`.
        let sent = url.path().strip_suffix(path);
        if sent.is_none_or(|before| !self.root.ends_with(before.trim_end_matches('/'))) {
            return Err(ErrorCode::InvalidUri.into());
        }
        Ok(url)
    }
}

fn not_an_endpoint(why: &str) -> TableError {
    TableError::with_message(
        ErrorCode::InvalidUri,
        format!("This is no endpoint of a storage account: {why}."),
    )
}

/// Without what gives access.
impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signature = self.signature.as_ref().map(|_| "(hidden)");
        f.debug_struct("Endpoint").field("root", &self.root).field("signature", &signature).finish()
    }
}

/// Text as it goes into a path or a query.
pub(super) fn encoded(text: &str) -> impl fmt::Display + '_ {
    utf8_percent_encode(text, ENCODED)
}

/// Parameters of a request, encoded.
#[derive(Clone, Debug, Default)]
pub(super) struct Parameters(String);

impl Parameters {
    /// `comp=list`, and such: known to need no encoding.
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

    /// With more.
    pub(super) fn and(mut self, parameters: Vec<(&'static str, String)>) -> Self {
        for (name, value) in parameters {
            self.push(name, value);
        }
        self
    }

    /// With a parameter, if there is a value for it.
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
