//! Detection of the end of a head.

/// The extent of a head.
pub(super) enum Head {
    Begun,
    Whole(usize),
    Broken,
}

/// Searches for the empty line that ends a head. Also detects bytes that no head contains: a line with a bare LF, or an
/// invalid start of a method. All other bytes are checked when the head is complete.
pub(super) fn head_end(bytes: &[u8], looked_at: &mut usize) -> Head {
    if !bytes.first().is_some_and(u8::is_ascii_alphabetic) {
        return Head::Broken;
    }
    let from = *looked_at;
    for found in memchr::memchr_iter(b'\n', bytes.get(from..).unwrap_or_default()) {
        let line = bytes.get(..from + found).unwrap_or_default();
        match line.strip_suffix(b"\r") {
            None => return Head::Broken,
            Some(line) if line.ends_with(b"\n") => return Head::Whole(from + found + 1),
            Some(_) => {}
        }
    }
    *looked_at = bytes.len();
    Head::Begun
}
