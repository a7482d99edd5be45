//! Multipart framing of a batch: parts between boundary lines.

use memchr::memmem::Finder;
use table_model::TableError;

use super::fields::invalid;

/// Maximum length of a boundary. The standard specifies 70; some clients use longer boundaries.
const BOUNDARY_BYTES: usize = 200;

/// Returns the boundary of a `multipart/mixed` media type, at any position among the parameters.
pub(super) fn boundary(content_type: &str) -> Option<&str> {
    let (essence, mut rest) = content_type.split_once(';')?;
    if !essence.trim().eq_ignore_ascii_case("multipart/mixed") {
        return None;
    }
    loop {
        let (name, value) = rest.split_once('=')?;
        let value = value.trim_start();
        let (value, behind) = match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => value.split_at_checked(value.find(';').unwrap_or(value.len()))?,
        };
        if name.trim().eq_ignore_ascii_case("boundary") {
            let value = value.trim_end();
            let legal = (1..=BOUNDARY_BYTES).contains(&value.len())
                && value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
            return legal.then_some(value);
        }
        rest = behind.trim_start().strip_prefix(';')?;
    }
}

/// Splits a message into parts, at most `most + 1`. The closing boundary is required, and only whitespace may precede
/// the first boundary or follow the last.
pub(super) fn parts<'a>(body: &'a [u8], boundary: &str, most: usize) -> Result<Vec<&'a [u8]>, TableError> {
    split(body, boundary, most)
        .and_then(|(parts, is_closed)| if is_closed { Ok(parts) } else { Err(invalid()) })
}

/// Splits the outer frame of a request. Its closing boundary may lack the final `--`, as written by the legacy Rust
/// client. This is safe because the changeset inside has a separate closing boundary.
pub(super) fn outer_parts<'a>(
    body: &'a [u8],
    boundary: &str,
    most: usize,
) -> Result<Vec<&'a [u8]>, TableError> {
    split(body, boundary, most).map(|(parts, _)| parts)
}

/// Returns the parts, and whether the last boundary is marked as closing. A boundary without the mark is required in
/// any case.
fn split<'a>(body: &'a [u8], boundary: &str, most: usize) -> Result<(Vec<&'a [u8]>, bool), TableError> {
    let delimiter = format!("--{boundary}");
    let finder = Finder::new(&delimiter);
    let mut parts = Vec::new();
    let mut start: Option<usize> = None;
    for at in finder.find_iter(body) {
        let (before, behind) = body.split_at_checked(at).ok_or_else(invalid)?;
        if !before.is_empty() && !before.ends_with(b"\n") {
            continue;
        }
        let Some((is_last, length)) = end_of_line(behind.get(delimiter.len()..).unwrap_or_default()) else {
            continue;
        };
        match start {
            None if !is_blank(before) => return Err(invalid()),
            None => {}
            Some(start) => parts.push(without_line_end(before.get(start..).ok_or_else(invalid)?)),
        }
        let next = at + delimiter.len() + length;
        if is_last {
            return if is_blank(body.get(next..).unwrap_or_default()) {
                Ok((parts, true))
            } else {
                Err(invalid())
            };
        }
        if parts.len() > most {
            return Ok((parts, true));
        }
        start = Some(next);
    }
    let rest = start.and_then(|start| body.get(start..));
    if !parts.is_empty() && rest.is_some_and(is_blank) { Ok((parts, false)) } else { Err(invalid()) }
}

/// Parses the rest of a boundary line. Returns whether it closes the message and the number of bytes, or `None` if the
/// line contains other characters.
fn end_of_line(rest: &[u8]) -> Option<(bool, usize)> {
    let length = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    match rest.get(..length)?.trim_ascii() {
        b"" if length > 0 => Some((false, length)),
        b"--" => Some((true, length)),
        _ => None,
    }
}

/// The line end before a boundary belongs to the boundary.
fn without_line_end(part: &[u8]) -> &[u8] {
    let part = part.strip_suffix(b"\n").unwrap_or(part);
    part.strip_suffix(b"\r").unwrap_or(part)
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.trim_ascii().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundary_is_found_among_the_parameters() {
        for text in [
            "multipart/mixed; boundary=b_1",
            "multipart/mixed;charset=\"utf-8\";boundary=b_1",
            "Multipart/Mixed ; Boundary=\"b_1\" ; charset=utf-8",
            "multipart/mixed; x=\"; boundary=no\"; boundary= b_1 ;",
        ] {
            assert_eq!(boundary(text), Some("b_1"), "{text}");
        }
        for text in [
            "multipart/mixed",
            "multipart/mixed; boundary=",
            "text/plain; boundary=a",
            "multipart/mixed; boundary=\"a",
            "multipart/mixed; boundary=a\r\nb",
            "",
        ] {
            assert_eq!(boundary(text), None, "{text}");
        }
        assert_eq!(boundary(&format!("multipart/mixed; boundary={}", "b".repeat(201))), None);
    }

    #[test]
    fn parts_stand_between_lines_of_the_boundary() {
        let read = |text: &'static str| {
            parts(text.as_bytes(), "b", 5).map(|parts| {
                parts.into_iter().map(|part| std::str::from_utf8(part).unwrap()).collect::<Vec<_>>()
            })
        };
        assert_eq!(read("--b\r\none\r\n--b\r\ntwo\r\n\r\n--b--\r\n").unwrap(), ["one", "two\r\n"]);
        assert_eq!(read("\n--b \none\n--b--").unwrap(), ["one"]);
        assert_eq!(read("--b\n--bb\n --b\nx--b\n--b--\n").unwrap(), ["--bb\n --b\nx--b"]);
        assert_eq!(read("--b\n--b--\n").unwrap(), [""]);
        assert_eq!(read("--b--").unwrap(), Vec::<&str>::new());
        for text in [
            "",
            "--b",
            "--b\none",
            "--b\none\n--b",
            "--b\none\n--b\n",
            "x\n--b\n--b--",
            "--b\n--b--\nx",
            "--b\r--b--",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
        let outer = |text: &'static str| outer_parts(text.as_bytes(), "b", 5).map(|parts| parts.len());
        assert_eq!(outer("--b\none\n--b\n").unwrap(), 1);
        assert_eq!(outer("--b\none\n--b--\n").unwrap(), 1);
        for text in ["--b\none", "--b\n", "--b\none\n--b", "--b\none\n--b\nx"] {
            assert!(outer(text).is_err(), "{text:?}");
        }
        let many = "--b\n".repeat(20);
        assert_eq!(parts(many.as_bytes(), "b", 5).unwrap().len(), 6);
    }
}
