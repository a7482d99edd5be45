use http::HeaderMap;
use table_model::{
    ErrorCode, TableError,
    blob::{BlobHeaders, Md5},
};

use crate::wire::fields;

/// The MD5 of the body, in requests and responses.
pub const CONTENT_MD5: &str = "content-md5";

const BLOB_CONTENT_MD5: &str = "x-ms-blob-content-md5";

/// Names of the content headers of a blob: in requests that set them, and in HTTP.
const NAMES: [(&str, &str, Field); 5] = [
    ("x-ms-blob-content-type", "content-type", |headers| &mut headers.content_type),
    ("x-ms-blob-content-encoding", "content-encoding", |headers| &mut headers.content_encoding),
    ("x-ms-blob-content-language", "content-language", |headers| &mut headers.content_language),
    ("x-ms-blob-content-disposition", "content-disposition", |headers| &mut headers.content_disposition),
    ("x-ms-blob-cache-control", "cache-control", |headers| &mut headers.cache_control),
];

type Field = fn(&mut BlobHeaders) -> &mut Option<String>;

/// The source of the header names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// Headers of a request whose body is not the blob.
    Blob,
    /// Headers of a request whose body is the blob, as fallback for missing values.
    Either,
    /// Headers of a response.
    Http,
}

/// Writes the request headers that set the content headers of a blob.
pub fn write_content(content: &BlobHeaders, headers: &mut HeaderMap) {
    write(content, Names::Blob, headers);
    write_md5(content, BLOB_CONTENT_MD5, headers);
}

/// Reads the request headers that set the content headers of a blob. With `body`, the request body is the blob, and the
/// HTTP headers apply to it as well.
///
/// # Errors
///
/// Returns `InvalidHeaderValue` or `InvalidMd5`.
pub fn read_content(headers: &HeaderMap, body: bool) -> Result<BlobHeaders, TableError> {
    let mut content = read(headers, if body { Names::Either } else { Names::Blob })?;
    content.content_md5 = read_md5(headers, BLOB_CONTENT_MD5)?;
    Ok(content)
}

/// Writes response headers. The MD5 of the blob is written as the MD5 of the body only if the body is the complete
/// blob.
pub(super) fn write_http(content: &BlobHeaders, whole: bool, headers: &mut HeaderMap) {
    write(content, Names::Http, headers);
    fields::set(headers, "content-type", content.content_type());
    write_md5(content, if whole { CONTENT_MD5 } else { BLOB_CONTENT_MD5 }, headers);
}

/// Reads response headers.
pub(super) fn read_http(headers: &HeaderMap) -> Result<BlobHeaders, TableError> {
    let mut content = read(headers, Names::Http)?;
    content.content_type = content.content_type.filter(|text| text != BlobHeaders::DEFAULT_TYPE);
    content.content_md5 = read_md5(headers, BLOB_CONTENT_MD5)?.or(read_md5(headers, CONTENT_MD5)?);
    Ok(content)
}

/// Returns the MD5 of a request or response body.
///
/// # Errors
///
/// Returns `InvalidMd5`.
pub fn content_md5(headers: &HeaderMap) -> Result<Option<Md5>, TableError> {
    read_md5(headers, CONTENT_MD5)
}

fn write(content: &BlobHeaders, names: Names, headers: &mut HeaderMap) {
    let mut content = content.clone();
    for (blob, http, field) in NAMES {
        if let Some(text) = field(&mut content) {
            fields::set(headers, if names == Names::Http { http } else { blob }, text);
        }
    }
}

fn read(headers: &HeaderMap, names: Names) -> Result<BlobHeaders, TableError> {
    let mut content = BlobHeaders::default();
    for (blob, http, field) in NAMES {
        let said = match names {
            Names::Blob => fields::text(headers, blob)?,
            Names::Either => fields::text(headers, blob)?.or(fields::text(headers, http)?),
            Names::Http => fields::text(headers, http)?,
        };
        *field(&mut content) = said.map(str::to_owned);
    }
    Ok(content)
}

fn write_md5(content: &BlobHeaders, name: &'static str, headers: &mut HeaderMap) {
    if let Some(Md5(hash)) = content.content_md5 {
        fields::set(headers, name, fields::hash_text(&hash));
    }
}

/// Returns the MD5 in a header.
///
/// # Errors
///
/// Returns `InvalidMd5`.
pub fn read_md5(headers: &HeaderMap, name: &str) -> Result<Option<Md5>, TableError> {
    let Some(text) = fields::text(headers, name)? else { return Ok(None) };
    fields::hash(text).map(|hash| Some(Md5(hash))).ok_or_else(|| ErrorCode::InvalidMd5.into())
}
