use std::fmt;

use super::limits::HEADER_BYTES;
use crate::{ErrorCode, Result, TableError};

/// An MD5 hash of contents, as the service carries it to find damage on the way. It protects against nobody.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Md5(pub [u8; 16]);

impl fmt::Debug for Md5 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Md5({:032x})", u128::from_be_bytes(self.0))
    }
}

/// What a blob says of its contents to those who fetch it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BlobHeaders {
    /// What it is; none stands for `application/octet-stream`.
    pub content_type: Option<String>,
    /// How it is encoded, such as `gzip`.
    pub content_encoding: Option<String>,
    /// Which languages it is in.
    pub content_language: Option<String>,
    /// How it is to be shown or saved.
    pub content_disposition: Option<String>,
    /// How long it may be kept by those on the way.
    pub cache_control: Option<String>,
    /// The hash of its contents.
    pub content_md5: Option<Md5>,
}

impl BlobHeaders {
    /// What a blob without a type of its own is.
    pub const DEFAULT_TYPE: &'static str = "application/octet-stream";

    /// The type that is sent with the blob.
    pub fn content_type(&self) -> &str {
        self.content_type.as_deref().unwrap_or(Self::DEFAULT_TYPE)
    }

    /// Each must be a header's value: printable ASCII, at most 1,024 of them.
    ///
    /// # Errors
    /// `InvalidHeaderValue`.
    pub fn check(&self) -> Result<()> {
        let legal = |text: &str| {
            text.len() <= HEADER_BYTES && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
        };
        let Self {
            content_type, content_encoding, content_language, content_disposition, cache_control, ..
        } = self;
        let texts = [content_type, content_encoding, content_language, content_disposition, cache_control];
        match texts.into_iter().flatten().find(|text| !legal(text)) {
            None => Ok(()),
            Some(text) => Err(TableError::with_message(
                ErrorCode::InvalidHeaderValue,
                format!(
                    "{} Write at most {HEADER_BYTES} printable ASCII characters: `{}`.",
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
}
