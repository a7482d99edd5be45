//! Batch requests: writes the form of the official clients, and reads the forms of all supported clients.

use std::fmt::Write;

use table_model::{Operation, TableError, TableName, Uuid, limits::TRANSACTION_OPERATIONS};

use super::{
    fields::{Fields, invalid, line},
    multipart,
};
use crate::wire::{level::Level, operation::WriteRequest};

/// A parsed batch. Its operations are not validated yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchRequest<'a> {
    /// The requests, in order. At most one more than a transaction may have, so that the excess can be rejected.
    pub parts: Vec<Part<'a>>,
    /// `true` for a changeset of writes that is executed atomically; otherwise the batch contains one read.
    pub is_changeset: bool,
}

/// A request inside a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The content ID for the response, in visible ASCII.
    pub content_id: Option<&'a str>,
    /// The method of the request line.
    pub method: &'a str,
    /// The encoded path; starts with `/`, followed by the account if the client includes it. Host and port are removed.
    pub path: &'a str,
    /// The query without `?`.
    pub query: &'a str,
    /// The headers.
    pub headers: Fields<'a>,
    /// The body, without trailing line ends.
    pub body: &'a [u8],
}

impl<'a> BatchRequest<'a> {
    /// Reads a request body with the given `Content-Type`. Lines may end in LF or CRLF, headers may have any order and
    /// case, targets may be absolute or relative.
    ///
    /// # Errors
    ///
    /// Returns `InvalidInput` unless the framing is valid with exactly one changeset or one read. Examples: a missing
    /// end, content outside of the parts, several changesets, nested changesets, control characters in a line, folded
    /// header lines.
    pub fn read(content_type: &str, body: &'a [u8]) -> Result<Self, TableError> {
        let boundary = multipart::boundary(content_type).ok_or_else(invalid)?;
        let mut parts = multipart::outer_parts(body, boundary, 1)?.into_iter();
        let (Some(only), None) = (parts.next(), parts.next()) else { return Err(invalid()) };
        let (fields, content) = Fields::read(only)?;
        let Some(boundary) = fields.get("Content-Type").and_then(multipart::boundary) else {
            return Ok(Self { parts: vec![Part::read(only)?], is_changeset: false });
        };
        let parts = multipart::parts(content, boundary, TRANSACTION_OPERATIONS)?;
        let parts = parts.into_iter().map(Part::read).collect::<Result<Vec<_>, _>>()?;
        if parts.is_empty() { Err(invalid()) } else { Ok(Self { parts, is_changeset: true }) }
    }
}

/// Reads the requests of a blob batch with the given `Content-Type`: parts without a changeset around them. Returns at
/// most one more than `most`, so that the excess can be rejected.
///
/// # Errors
///
/// Returns `InvalidInput` unless the framing is valid, with at least one request.
pub fn read_blobs<'a>(content_type: &str, body: &'a [u8], most: usize) -> Result<Vec<Part<'a>>, TableError> {
    let boundary = multipart::boundary(content_type).ok_or_else(invalid)?;
    let parts = multipart::parts(body, boundary, most)?;
    if parts.is_empty() { Err(invalid()) } else { parts.into_iter().map(Part::read).collect() }
}

impl<'a> Part<'a> {
    fn read(part: &'a [u8]) -> Result<Self, TableError> {
        let (around, mut content) = Fields::read(part)?;
        let media = around.get("Content-Type").unwrap_or_default();
        let essence = media.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/http") {
            return Err(invalid());
        }
        let (mut first, mut rest) = line(content)?;
        while first.is_empty() && !rest.is_empty() {
            content = rest;
            (first, rest) = line(content)?;
        }
        let (method, target) = first.split_once(' ').ok_or_else(invalid)?;
        let (target, version) = target.rsplit_once(' ').ok_or_else(invalid)?;
        if !matches!(version, "HTTP/1.1" | "HTTP/1.0")
            || method.is_empty()
            || !method.bytes().all(|byte| byte.is_ascii_uppercase())
        {
            return Err(invalid());
        }
        let (path, query) = behind_host(target.trim())?;
        let (headers, body) = Fields::read(rest)?;
        let content_id =
            around.get("Content-ID").or_else(|| headers.get("Content-ID")).filter(|id| !id.is_empty());
        if content_id.is_some_and(|id| id.len() > 128 || !id.bytes().all(|byte| byte.is_ascii_graphic())) {
            return Err(invalid());
        }
        Ok(Self { content_id, method, path, query, headers, body: without_line_ends(body) })
    }
}

/// Returns path and query of a target, which may be an absolute URL.
fn behind_host(target: &str) -> Result<(&str, &str), TableError> {
    let behind = match target.split_once("://") {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            rest.split_at_checked(rest.find('/').ok_or_else(invalid)?).unwrap_or_default().1
        }
        _ => target,
    };
    let (path, query) = behind.split_once('?').unwrap_or((behind, ""));
    if path.is_empty() || path.contains('#') || query.contains('#') {
        return Err(invalid());
    }
    Ok((path, query))
}

fn without_line_ends(mut body: &[u8]) -> &[u8] {
    while let Some((b'\r' | b'\n', before)) = body.split_last() {
        body = before;
    }
    body
}

/// Writes a transaction and returns the `Content-Type` and the body. `root` is the base URL; `id` is part of the
/// boundaries.
#[must_use]
pub fn write(root: &str, table: &TableName, operations: &[Operation], id: Uuid) -> (String, String) {
    let mut body = String::with_capacity(512 * operations.len());
    // Writing to a string cannot fail.
    let _ = write!(body, "--batch_{id}\r\nContent-Type: multipart/mixed; boundary=changeset_{id}\r\n\r\n");
    for (at, operation) in operations.iter().enumerate() {
        let request = WriteRequest::of(table, operation);
        let _ = write!(
            body,
            "--changeset_{id}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\
             Content-ID: {at}\r\n\r\n{} {root}{} HTTP/1.1\r\nAccept: {}\r\nDataServiceVersion: 3.0\r\n",
            request.method,
            request.path,
            Level::Minimal.accept(),
        );
        if matches!(operation, Operation::Insert(_)) {
            body.push_str("Prefer: return-no-content\r\n");
        }
        if let Some(condition) = &request.if_match {
            let _ = write!(body, "If-Match: {condition}\r\n");
        }
        if !request.body.is_empty() {
            body.push_str("Content-Type: application/json\r\n");
        }
        body.push_str("\r\n");
        body.push_str(&request.body);
        body.push_str("\r\n");
    }
    let _ = write!(body, "--changeset_{id}--\r\n--batch_{id}--\r\n");
    (format!("multipart/mixed; boundary=batch_{id}"), body)
}

#[cfg(test)]
mod tests;
