//! The case of metadata names. HTTP does not distinguish the case of header names, and the HTTP library converts them to
//! lower case; the service keeps the case in which a name was sent.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures_util::FutureExt;
use http::{Extensions, HeaderMap, HeaderName, Request, Response};
use http_body_util::Empty;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use table_model::{Metadata, TableError};

use crate::wire::metadata::{self, PREFIX};

/// Minimum size of a buffer of the HTTP library in bytes.
const BUFFER: usize = 8192;

/// Names of metadata headers that contain upper-case letters, as they are spelled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling(Option<Arc<[String]>>);

impl Spelling {
    /// Returns the names in a valid request head.
    pub(super) fn of_head(head: &[u8]) -> Self {
        let named = head.split(|byte| *byte == b'\n').filter_map(|line| {
            let (prefix, rest) = line.split_at_checked(PREFIX.len())?;
            let rest = rest.get(..memchr::memchr(b':', rest)?)?;
            let is_spelled =
                prefix.eq_ignore_ascii_case(PREFIX.as_bytes()) && rest.iter().any(u8::is_ascii_uppercase);
            is_spelled.then(|| std::str::from_utf8(rest).ok().map(str::to_owned)).flatten()
        });
        Self::new(named.collect())
    }

    /// Returns the names of metadata that can be header names.
    #[must_use]
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let names = metadata.iter().map(|(name, _)| name);
        let spelled = names.filter(|name| {
            name.bytes().any(|byte| byte.is_ascii_uppercase())
                && HeaderName::from_bytes(name.as_bytes()).is_ok()
        });
        Self::new(spelled.map(str::to_owned).collect())
    }

    fn new(names: Vec<String>) -> Self {
        Self((!names.is_empty()).then(|| names.into()))
    }

    /// Reads metadata from headers, with the names as they are spelled.
    ///
    /// # Errors
    ///
    /// Fails like [`metadata::read`].
    pub(crate) fn metadata(&self, headers: &HeaderMap) -> Result<Metadata, TableError> {
        self.applied(metadata::read(headers)?)
    }

    /// Returns metadata with the names as they are spelled.
    ///
    /// # Errors
    ///
    /// The names differ in case only, so that no limit can be exceeded.
    fn applied(&self, mut metadata: Metadata) -> Result<Metadata, TableError> {
        for name in self.0.iter().flat_map(|names| names.iter()) {
            if let Some(value) = metadata.get(name).map(str::to_owned) {
                metadata.set(name.as_str(), value)?;
            }
        }
        Ok(metadata)
    }

    /// Returns the extensions of a response that make the HTTP library write these names as they are spelled.
    ///
    /// The library writes a header as it was spelled in a head that it has read. It keeps the spellings in an extension
    /// of a private type (`preserve_header_case`), which only reading a head creates. A head with these names is
    /// therefore read from memory.
    pub(super) fn extensions(&self) -> Extensions {
        let Some(names) = &self.0 else { return Extensions::new() };
        let fields = names.iter().map(|name| format!("{PREFIX}{name}:\r\n"));
        let head = format!("GET / HTTP/1.1\r\n{}\r\n", fields.collect::<String>());
        let read = Arc::new(Mutex::new(Extensions::new()));
        let service = service_fn(|request: Request<Incoming>| {
            *read.lock().unwrap_or_else(PoisonError::into_inner) = request.extensions().clone();
            std::future::ready(Ok::<_, std::convert::Infallible>(Response::new(Empty::<Bytes>::new())))
        });
        let io = TokioIo::new(tokio::io::join(head.as_bytes(), tokio::io::sink()));
        // Reading from memory never waits. If it fails, the names are written in lower case.
        let _ = http1::Builder::new()
            .preserve_header_case(true)
            .header_read_timeout(None)
            .max_headers(names.len())
            .max_buf_size(head.len().max(BUFFER))
            .serve_connection(io, service)
            .now_or_never();
        let mut read = read.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(spelling: &Spelling) -> Vec<&str> {
        spelling.0.iter().flat_map(|names| names.iter().map(String::as_str)).collect()
    }

    #[test]
    fn names_with_capitals_are_found_in_a_head() {
        let head = b"PUT /x-ms-meta-A: HTTP/1.1\r\nX-Ms-Meta-Owner: Jo\r\nx-ms-meta-size: Large\r\n\
                     x-ms-meta-fileName:a\r\nX-MS-META-X: 1\r\nx-ms-metaA: 2\r\nx-ms-meta-\r\n\r\n";
        assert_eq!(names(&Spelling::of_head(head)), ["Owner", "fileName", "X"]);
        assert_eq!(Spelling::of_head(b"GET / HTTP/1.1\r\n\r\n"), Spelling::default());
    }

    #[test]
    fn metadata_gets_the_names_as_they_are_spelled() {
        let mut headers = HeaderMap::new();
        headers.insert("x-ms-meta-owner", "Jo".parse().unwrap());
        headers.insert("x-ms-meta-size", "1".parse().unwrap());
        let spelling = Spelling::of_head(b"x-ms-meta-OWNER: Jo\r\nx-ms-meta-Other: 1\r\n");
        let metadata = spelling.metadata(&headers).unwrap();
        assert_eq!(metadata.iter().collect::<Vec<_>>(), [("OWNER", "Jo"), ("size", "1")]);
        assert_eq!(names(&Spelling::of(&metadata)), ["OWNER"]);
        let foreign = Metadata::new().with("Größe", "1").unwrap();
        assert_eq!(Spelling::of(&foreign), Spelling::default());
    }

    #[test]
    fn the_http_library_accepts_as_many_names_as_metadata_may_have() {
        let mut metadata = Metadata::new();
        for number in 0..1_400 {
            metadata.set(format!("N{number}"), "").unwrap();
        }
        assert!(metadata.bytes() > 5_000);
        assert_eq!(Spelling::of(&metadata).extensions().len(), 1);
        assert!(Spelling::default().extensions().is_empty());
    }
}
