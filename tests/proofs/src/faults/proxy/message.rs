//! Complete HTTP/1.1 messages, as bytes.

use std::io::{self, BufRead, Read};

/// Maximum length of a head.
const HEAD: usize = 64 * 1024;

/// A request or a response in its original form.
#[derive(Clone, Debug)]
pub(super) struct Message {
    pub(super) bytes: Vec<u8>,
    /// `true` if no other message can follow on its connection.
    pub(super) is_last: bool,
    is_head_request: bool,
}

impl Message {
    /// Reads the next request; returns `None` at the end of the connection.
    pub(super) fn request(from: &mut impl BufRead) -> io::Result<Option<Self>> {
        let Some(head) = head(from)? else { return Ok(None) };
        let is_head_request = head.starts_with("HEAD ");
        let mut bytes = head.clone().into_bytes();
        if is_chunked(&head) {
            chunks(from, &mut bytes)?;
        } else {
            body(from, length(&head).unwrap_or(0), &mut bytes)?;
        }
        Ok(Some(Self { bytes, is_last: closes(&head), is_head_request }))
    }

    /// Reads the response to this request.
    pub(super) fn response(&self, from: &mut impl BufRead) -> io::Result<Self> {
        let head = loop {
            let head = head(from)?.ok_or(io::ErrorKind::UnexpectedEof)?;
            if !head.starts_with("HTTP/1.1 1") {
                break head;
            }
        };
        let mut bytes = head.clone().into_bytes();
        let mut is_last = closes(&head);
        let has_none = ["204", "304"].iter().any(|code| head.get(9..12) == Some(*code));
        if self.is_head_request || has_none {
        } else if is_chunked(&head) {
            chunks(from, &mut bytes)?;
        } else if let Some(length) = length(&head) {
            body(from, length, &mut bytes)?;
        } else {
            from.read_to_end(&mut bytes)?;
            is_last = true;
        }
        Ok(Self { bytes, is_last, is_head_request: false })
    }
}

fn head(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut head = Vec::new();
    loop {
        let before = head.len();
        from.take(HEAD as u64).read_until(b'\n', &mut head)?;
        if head.len() == before {
            return if head.is_empty() { Ok(None) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        if head.ends_with(b"\r\n\r\n") {
            return String::from_utf8(head).map(Some).map_err(|_| io::ErrorKind::InvalidData.into());
        }
        if head.len() > HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
}

/// Returns the value of a header field.
fn field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let fields = head.lines().filter_map(|line| line.split_once(':'));
    fields.filter(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
}

fn length(head: &str) -> Option<u64> {
    field(head, "content-length")?.parse().ok()
}

fn is_chunked(head: &str) -> bool {
    field(head, "transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"))
}

fn closes(head: &str) -> bool {
    field(head, "connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
}

fn body(from: &mut impl Read, length: u64, into: &mut Vec<u8>) -> io::Result<()> {
    let read = from.take(length).read_to_end(into)?;
    if read as u64 == length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Reads all chunks with their sizes, and the end.
fn chunks(from: &mut impl BufRead, into: &mut Vec<u8>) -> io::Result<()> {
    loop {
        let mut line = Vec::new();
        from.read_until(b'\n', &mut line)?;
        into.extend_from_slice(&line);
        let text = String::from_utf8_lossy(&line);
        let size = u64::from_str_radix(text.trim().split(';').next().unwrap_or_default(), 16);
        let size = size.map_err(|_| io::Error::from(io::ErrorKind::InvalidData))?;
        // Each chunk is followed by a line end; the last chunk is followed by the end of the body.
        body(from, size + 2, into)?;
        if size == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_responses_are_taken_apart() {
        let text = "PUT /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcPOST /b HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n\
                    2\r\nxy\r\n0\r\n\r\nHEAD /c HTTP/1.1\r\n\r\n";
        let mut from = text.as_bytes();
        let mut lengths = Vec::new();
        let mut last = None;
        while let Some(request) = Message::request(&mut from).unwrap() {
            lengths.push(request.bytes.len());
            last = Some(request);
        }
        assert_eq!(lengths.iter().sum::<usize>(), text.len());
        assert_eq!(lengths.len(), 3);
        let mut answer = &b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"[..];
        let response = last.unwrap().response(&mut answer).unwrap();
        assert!(response.bytes.ends_with(b"9\r\n\r\n"));
        assert!(Message::request(&mut &b"PUT /a HTTP/1.1\r\nContent-Length: 3\r\n\r\nab"[..]).is_err());
    }
}
