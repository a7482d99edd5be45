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

/// Reads the request headers that set the content headers of a blob. With `body`, the request body is the blob: the HTTP
/// headers apply to it as well, and the MD5 must be one. Otherwise an MD5 of another length is accepted, as by the service.
///
/// # Errors
///
/// Returns `InvalidHeaderValue` or `InvalidMd5`.
pub fn read_content(headers: &HeaderMap, body: bool) -> Result<BlobHeaders, TableError> {
    let mut content = read(headers, if body { Names::Either } else { Names::Blob })?;
    if body {
        content.content_md5 = read_md5(headers, BLOB_CONTENT_MD5)?;
    } else {
        read_stored_md5(fields::text(headers, BLOB_CONTENT_MD5)?, &mut content)?;
    }
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
    let text = fields::text(headers, BLOB_CONTENT_MD5)?.or(fields::text(headers, CONTENT_MD5)?);
    read_stored_md5(text, &mut content)?;
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
    if let Some(text) = stored_md5(content) {
        fields::set(headers, name, text);
    }
}

/// Returns the MD5 that is stored with a blob, in Base64. It can have another length than a hash.
pub(super) fn stored_md5(content: &BlobHeaders) -> Option<String> {
    content.content_md5.map(|Md5(hash)| fields::hash_text(&hash)).or_else(|| content.other_md5.clone())
}

/// Reads an MD5 that is stored with a blob; see [`stored_md5`].
pub(super) fn read_stored_md5(text: Option<&str>, content: &mut BlobHeaders) -> Result<(), TableError> {
    let Some(text) = text else { return Ok(()) };
    content.content_md5 = fields::hash(text).map(Md5);
    if content.content_md5.is_none() {
        fields::bytes(text).ok_or(ErrorCode::InvalidMd5)?;
        content.other_md5 = Some(text.to_owned());
    }
    Ok(())
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
