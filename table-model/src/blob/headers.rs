use std::fmt;

use super::limits::HEADER_BYTES;
use crate::{ErrorCode, Result, TableError};

/// MD5 hash of content. The service uses it to detect transmission errors. It is not a protection against attackers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Md5(pub [u8; 16]);

impl fmt::Debug for Md5 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Md5({:032x})", u128::from_be_bytes(self.0))
    }
}

/// HTTP headers that a blob returns with its content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobHeaders {
    /// Media type; defaults to `application/octet-stream`.
    pub content_type: Option<String>,
    /// Content encoding, such as `gzip`.
    pub content_encoding: Option<String>,
    /// Languages of the content.
    pub content_language: Option<String>,
    /// Presentation of the content, such as inline or as an attachment.
    pub content_disposition: Option<String>,
    /// Caching directives.
    pub cache_control: Option<String>,
    /// MD5 hash of the content.
    pub content_md5: Option<Md5>,
    /// Value in Base64 that a client has set in place of the hash, but that does not have the length of one. The service stores
    /// and returns it. An upload of content with such a value fails.
    pub other_md5: Option<String>,
}

impl BlobHeaders {
    /// Media type of a blob that does not specify one.
    pub const DEFAULT_TYPE: &'static str = "application/octet-stream";

    /// Returns the media type that is sent with the blob.
    pub fn content_type(&self) -> &str {
        self.content_type.as_deref().unwrap_or(Self::DEFAULT_TYPE)
    }

    /// Checks that the MD5 hash of content is that of the headers, if they contain one.
    ///
    /// # Errors
    /// `Md5Mismatch`.
    pub fn check_md5(&self, content: Md5) -> Result<()> {
        let is_other = self.content_md5.is_some_and(|sent| sent != content) || self.other_md5.is_some();
        if is_other { Err(ErrorCode::Md5Mismatch.into()) } else { Ok(()) }
    }

    /// Checks that each value is a valid header value: printable ASCII, at most 1,024 characters.
    ///
    /// # Errors
    /// `InvalidHeaderValue`.
    pub fn check(&self) -> Result<()> {
        let legal = |text: &str| {
            text.len() <= HEADER_BYTES && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
        };
        let Self {
            content_type,
            content_encoding,
            content_language,
            content_disposition,
            cache_control,
            content_md5: _,
            other_md5,
        } = self;
        let texts =
            [content_type, content_encoding, content_language, content_disposition, cache_control, other_md5];
        match texts.into_iter().flatten().find(|text| !legal(text)) {
            None => Ok(()),
            Some(text) => Err(TableError::with_message(
                ErrorCode::InvalidHeaderValue,
                format!(
                    "{} Use at most {HEADER_BYTES} printable ASCII characters: `{}`.",
                    ErrorCode::InvalidHeaderValue.message(),
                    text.chars().take(64).flat_map(char::escape_default).collect::<String>()
                ),
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_one_line_of_printable_ascii() {
        let of = |text: &str| BlobHeaders { content_type: Some(text.to_owned()), ..BlobHeaders::default() };
        assert!(of("text/plain; charset=utf-8").check().is_ok());
        assert!(of(&"a".repeat(HEADER_BYTES)).check().is_ok());
        for text in ["a\r\nb: c", "é", &"a".repeat(HEADER_BYTES + 1)] {
            assert_eq!(of(text).check().unwrap_err().code(), ErrorCode::InvalidHeaderValue);
        }
        assert_eq!(BlobHeaders::default().content_type(), "application/octet-stream");
    }

    #[test]
    fn another_hash_matches_no_content() {
        let hash = Md5([7; 16]);
        let of = |content_md5| BlobHeaders { content_md5, ..BlobHeaders::default() };
        assert!(of(None).check_md5(hash).is_ok() && of(Some(hash)).check_md5(hash).is_ok());
        let other = BlobHeaders { other_md5: Some("MDAw".to_owned()), ..BlobHeaders::default() };
        for headers in [of(Some(Md5([8; 16]))), other] {
            assert_eq!(headers.check_md5(hash).unwrap_err().code(), ErrorCode::Md5Mismatch);
        }
    }
}
