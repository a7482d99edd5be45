//! Batch responses: one part per request, or a single part with the error.

use std::fmt::Write;

use table_model::{ErrorCode, TableError, Uuid, limits::TRANSACTION_OPERATIONS};

use super::{
    fields::{Fields, line},
    multipart,
};

/// The response to one request, for writing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartReply {
    /// The status, written with its reason: `204 No Content`.
    pub status: u16,
    /// The content ID of the request.
    pub content_id: Option<String>,
    /// Names and values, in order. They contain no line ends.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: String,
}

/// Writes the responses to a changeset, or to the single read, and returns the `Content-Type` and the body. `id` is
/// part of the boundaries.
#[must_use]
pub fn write(parts: &[PartReply], is_changeset: bool, id: Uuid) -> (String, String) {
    let mut body = String::with_capacity(512 * parts.len());
    // Writing to a string cannot fail.
    let inner = if is_changeset {
        let _ = write!(
            body,
            "--batchresponse_{id}\r\nContent-Type: multipart/mixed; boundary=changesetresponse_{id}\r\n\r\n"
        );
        "changesetresponse"
    } else {
        "batchresponse"
    };
    for part in parts {
        let _ = write!(
            body,
            "--{inner}_{id}\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        );
        write_part(part, part.content_id.as_deref(), &mut body);
    }
    if is_changeset {
        let _ = write!(body, "--{inner}_{id}--\r\n");
    }
    let _ = write!(body, "--batchresponse_{id}--\r\n");
    (format!("multipart/mixed; boundary=batchresponse_{id}"), body)
}

/// Writes the responses to a blob batch, and returns the `Content-Type` and the body. Unlike in a batch of entities, the
/// content ID is a header of the part. `id` is part of the boundary.
#[must_use]
pub fn write_blobs(parts: &[PartReply], id: Uuid) -> (String, String) {
    let mut body = String::with_capacity(512 * parts.len());
    for part in parts {
        // Writing to a string cannot fail.
        let _ = write!(body, "--batchresponse_{id}\r\nContent-Type: application/http\r\n");
        if let Some(content_id) = &part.content_id {
            let _ = write!(body, "Content-ID: {content_id}\r\n");
        }
        body.push_str("\r\n");
        write_part(part, None, &mut body);
    }
    let _ = write!(body, "--batchresponse_{id}--\r\n");
    (format!("multipart/mixed; boundary=batchresponse_{id}"), body)
}

/// Writes the status, the headers and the body of a response.
fn write_part(part: &PartReply, content_id: Option<&str>, body: &mut String) {
    let reason = http::StatusCode::from_u16(part.status).ok().and_then(|status| status.canonical_reason());
    // Writing to a string cannot fail.
    let _ = write!(body, "HTTP/1.1 {} {}\r\n", part.status, reason.unwrap_or("Unknown"));
    if let Some(content_id) = content_id {
        let _ = write!(body, "Content-ID: {content_id}\r\n");
    }
    for (name, value) in &part.headers {
        let _ = write!(body, "{name}: {value}\r\n");
    }
    body.push_str("\r\n");
    body.push_str(&part.body);
    body.push_str("\r\n");
}

/// The response to one request, as read by a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartAnswer<'a> {
    /// The status.
    pub status: u16,
    /// The headers, including `Content-ID` if present.
    pub headers: Fields<'a>,
    /// The body, without trailing line ends.
    pub body: &'a [u8],
}

/// Reads the parts of a batch response with the given `Content-Type`, in order.
///
/// # Errors
///
/// Returns `InternalError` if the framing is not that of a single batch response.
pub fn read<'a>(content_type: &str, body: &'a [u8]) -> Result<Vec<PartAnswer<'a>>, TableError> {
    answers(content_type, body).ok_or_else(|| {
        TableError::with_message(ErrorCode::InternalError, "The response is not a valid batch response.")
    })
}

fn answers<'a>(content_type: &str, body: &'a [u8]) -> Option<Vec<PartAnswer<'a>>> {
    let boundary = multipart::boundary(content_type)?;
    let outer = multipart::parts(body, boundary, TRANSACTION_OPERATIONS).ok()?;
    let mut found = Vec::new();
    for part in outer {
        let (fields, content) = Fields::read(part).ok()?;
        match fields.get("Content-Type").and_then(multipart::boundary) {
            None => found.push(answer(content)?),
            Some(boundary) => {
                let parts = multipart::parts(content, boundary, TRANSACTION_OPERATIONS).ok()?;
                for part in parts {
                    let (_, content) = Fields::read(part).ok()?;
                    found.push(answer(content)?);
                }
            }
        }
    }
    Some(found)
}

fn answer(content: &[u8]) -> Option<PartAnswer<'_>> {
    let (first, rest) = line(content).ok()?;
    let (_, status) = first.strip_prefix("HTTP/1.")?.split_once(' ')?;
    let status = status.split(' ').next()?.parse().ok()?;
    let (headers, body) = Fields::read(rest).ok()?;
    Some(PartAnswer { status, headers, body: body.trim_ascii_end() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn no_content(content_id: Option<&str>) -> PartReply {
        PartReply {
            status: 204,
            content_id: content_id.map(Into::into),
            headers: vec![("X-Content-Type-Options", "nosniff".into()), ("ETag", "W/\"x\"".into())],
            body: String::new(),
        }
    }

    #[test]
    fn answers_are_framed_as_the_service_does() {
        let id = Uuid::nil();
        let (content_type, body) = write(&[no_content(Some("1")), no_content(None)], true, id);
        assert_eq!(content_type, format!("multipart/mixed; boundary=batchresponse_{id}"));
        let part = "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 204 No Content\r\n";
        let headers = "X-Content-Type-Options: nosniff\r\nETag: W/\"x\"\r\n\r\n\r\n";
        assert_eq!(
            body,
            format!(
                "--batchresponse_{id}\r\nContent-Type: multipart/mixed; boundary=changesetresponse_{id}\r\n\r\n\
                 --changesetresponse_{id}\r\n{part}Content-ID: 1\r\n{headers}\
                 --changesetresponse_{id}\r\n{part}{headers}\
                 --changesetresponse_{id}--\r\n--batchresponse_{id}--\r\n"
            )
        );
    }

    #[test]
    fn what_is_written_reads_back() {
        let json = PartReply { status: 409, body: "{\"odata.error\":{}}".into(), ..PartReply::default() };
        for (parts, is_changeset) in
            [(vec![no_content(Some("1")), no_content(None)], true), (vec![json], false)]
        {
            let (content_type, body) = write(&parts, is_changeset, Uuid::max());
            let read = read(&content_type, body.as_bytes()).unwrap();
            assert_eq!(read.len(), parts.len());
            for (read, part) in read.iter().zip(&parts) {
                assert_eq!(read.status, part.status);
                assert_eq!(read.body, part.body.as_bytes());
                assert_eq!(read.headers.get("content-id"), part.content_id.as_deref());
                assert!(part.headers.iter().all(|(name, value)| read.headers.get(name) == Some(value)));
            }
        }
    }

    #[test]
    fn what_is_no_answer_to_a_batch_is_an_error() {
        let good = "--b\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n\r\n--b--";
        let of = "multipart/mixed; boundary=b";
        assert_eq!(read(of, good.as_bytes()).unwrap().len(), 1);
        for (content_type, body) in [
            ("application/json", good.to_owned()),
            (of, good.replace("--b--", "")),
            (of, good.replace("HTTP/1.1", "HTTP")),
            (of, good.replace("204", "x")),
            (of, String::new()),
        ] {
            assert_eq!(
                read(content_type, body.as_bytes()).unwrap_err().code(),
                ErrorCode::InternalError,
                "{body}"
            );
        }
    }
}
