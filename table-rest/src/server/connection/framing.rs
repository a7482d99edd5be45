//! The framing of a body, derived from an unambiguous head.

use std::mem::MaybeUninit;

/// Maximum number of header fields, equal to the limit of the HTTP library.
pub(crate) const MOST_FIELDS: usize = 100;

/// The framing of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// A body of this length; 0 if the head specifies none.
    Length(u64),
    /// A chunked body.
    Chunked,
}

/// Reason why a head is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unframed {
    /// The head is invalid or ambiguous.
    Ambiguous,
    /// The head has more than [`MOST_FIELDS`] fields. The HTTP library returns the error.
    TooManyFields,
}

/// Parses a complete head, including its empty line.
///
/// Rejects every head that two parties could interpret differently: two lengths, a length together with a transfer
/// coding, two hosts, a target with a different host, a coding other than `chunked`.
pub(super) fn framing(head: &[u8]) -> Result<Framing, Unframed> {
    let mut fields = [const { MaybeUninit::uninit() }; MOST_FIELDS];
    let mut request = httparse::Request::new(&mut []);
    match request.parse_with_uninit_headers(head, &mut fields) {
        Ok(httparse::Status::Complete(length)) if length == head.len() => {}
        Err(httparse::Error::TooManyHeaders) => return Err(Unframed::TooManyFields),
        _ => return Err(Unframed::Ambiguous),
    }
    let (mut host, mut length, mut coding) = (None, None, None);
    for field in &*request.headers {
        let once = match field.name.len() {
            4 if field.name.eq_ignore_ascii_case("host") => &mut host,
            14 if field.name.eq_ignore_ascii_case("content-length") => &mut length,
            17 if field.name.eq_ignore_ascii_case("transfer-encoding") => &mut coding,
            _ => continue,
        };
        if once.replace(field.value).is_some() {
            return Err(Unframed::Ambiguous);
        }
    }
    if !request.path.is_some_and(|target| names_what_is_here(target, host)) {
        return Err(Unframed::Ambiguous);
    }
    match (length, coding) {
        (None, None) => Ok(Framing::Length(0)),
        (Some(length), None) => number(length).map(Framing::Length).ok_or(Unframed::Ambiguous),
        (None, Some(coding)) if coding.eq_ignore_ascii_case(b"chunked") && request.version == Some(1) => {
            Ok(Framing::Chunked)
        }
        _ => Err(Unframed::Ambiguous),
    }
}

/// Returns `true` if the target is a path, or an absolute URL with the host of the head, and has no fragment.
fn names_what_is_here(target: &str, host: Option<&[u8]>) -> bool {
    if memchr::memchr(b'#', target.as_bytes()).is_some() {
        return false;
    }
    if target.starts_with('/') {
        return true;
    }
    let Some((scheme, rest)) = target.split_once("://") else { return false };
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
        && host.is_some_and(|host| host.eq_ignore_ascii_case(authority.as_bytes()))
}

/// Parses a string of digits.
fn number(text: &[u8]) -> Option<u64> {
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(text).ok().filter(|_| digits)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &str) -> Result<Framing, Unframed> {
        framing(format!("{lines}\r\n\r\n").replace('\n', "\r\n").replace("\r\r", "\r").as_bytes())
    }

    #[test]
    fn a_length_or_chunks_follow_or_nothing() {
        assert_eq!(of("GET / HTTP/1.1\nHost: a"), Ok(Framing::Length(0)));
        assert_eq!(of("PUT / HTTP/1.1\nHost: a\nContent-Length: 007"), Ok(Framing::Length(7)));
        assert_eq!(of("PUT / HTTP/1.1\nHost: a\ntransfer-encoding: Chunked"), Ok(Framing::Chunked));
        assert_eq!(of("GET http://A:1/x?y HTTP/1.1\nHost: a:1"), Ok(Framing::Length(0)));
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_refused() {
        for head in [
            "PUT / HTTP/1.1\nHost: a\nContent-Length: 3\nTransfer-Encoding: chunked",
            "PUT / HTTP/1.1\nHost: a\nContent-Length: 3\nContent-Length: 3",
            "PUT / HTTP/1.1\nHost: a\nContent-Length: 3\ncontent-length: 4",
            "PUT / HTTP/1.1\nHost: a\nContent-Length: +3",
            "PUT / HTTP/1.1\nHost: a\nContent-Length: 3, 3",
            "PUT / HTTP/1.1\nHost: a\nContent-Length: 0x3",
            "PUT / HTTP/1.1\nHost: a\nContent-Length: ",
            "PUT / HTTP/1.1\nHost: a\nContent-Length: 99999999999999999999",
            "PUT / HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked",
            "PUT / HTTP/1.1\nHost: a\nTransfer-Encoding: gzip, chunked",
            "PUT / HTTP/1.1\nHost: a\nTransfer-Encoding: identity",
            "PUT / HTTP/1.1\nHost: a\nTransfer-Encoding: xchunked",
            "PUT / HTTP/1.1\nHost: a\nTransfer-Encoding:\x0bchunked",
            "PUT / HTTP/1.1\nHost: a\nTransfer-Encoding : chunked",
            "PUT / HTTP/1.0\nHost: a\nTransfer-Encoding: chunked",
            "GET / HTTP/1.1\nHost: a\nHost: a",
            "GET / HTTP/1.1\nHost: a\nhost: b",
            "GET http://b/ HTTP/1.1\nHost: a",
            "GET http://a/ HTTP/1.1",
            "GET http://a@b/ HTTP/1.1\nHost: a",
            "GET ftp://a/ HTTP/1.1\nHost: a",
            "GET /x#y HTTP/1.1\nHost: a",
            "GET x HTTP/1.1\nHost: a",
            "OPTIONS * HTTP/1.1\nHost: a",
            "CONNECT a:80 HTTP/1.1\nHost: a",
            "GET / HTTP/1.1\nHost: a\n folded: b",
            "GET / HTTP/1.1\nHost: a\nName : b",
            "GET / HTTP/1.1\nHost: a\nName: b\x00c",
            "GET / HTTP/1.1\nHost: a\nName: b\x7fc",
            "GET / HTTP/2.0\nHost: a",
            "GET /\x01 HTTP/1.1\nHost: a",
            "GET  / HTTP/1.1\nHost: a",
            "GET / HTTP/1.1 \nHost: a",
            " GET / HTTP/1.1\nHost: a",
            "",
        ] {
            assert_eq!(of(head), Err(Unframed::Ambiguous), "{head:?}");
        }
    }

    #[test]
    fn a_hundred_fields_are_enough() {
        let head = |fields| format!("GET / HTTP/1.1\nHost: a{}", "\na: b".repeat(fields - 1));
        assert_eq!(of(&head(MOST_FIELDS)), Ok(Framing::Length(0)));
        assert_eq!(of(&head(MOST_FIELDS + 1)), Err(Unframed::TooManyFields));
    }
}
