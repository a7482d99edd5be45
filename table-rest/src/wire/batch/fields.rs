//! Header lines of a batch part.

use table_model::{ErrorCode, TableError};

/// The headers of a part, in order. Names are case-insensitive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Fields<'a> {
    /// Maximum number of headers of a part.
    const MOST: usize = 64;

    /// Returns the first value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.all(name).next()
    }

    /// Iterates over names and values, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().copied()
    }

    /// Iterates over all values of a name.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| *value)
    }

    /// Reads lines up to an empty line or the end. Returns the headers and the rest.
    pub(super) fn read(mut rest: &'a [u8]) -> Result<(Self, &'a [u8]), TableError> {
        let mut fields = Self::default();
        while !rest.is_empty() {
            let (text, behind) = line(rest)?;
            rest = behind;
            if text.is_empty() {
                break;
            }
            let (name, value) = text.split_once(':').ok_or_else(invalid)?;
            let is_name = !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
            if !is_name || fields.0.len() == Self::MOST {
                return Err(invalid());
            }
            fields.0.push((name, value.trim_matches([' ', '\t'])));
        }
        Ok((fields, rest))
    }
}

/// Returns the next line, which ends in LF, CRLF or at the end of input, and the rest. A line must not contain control
/// characters, so copying it elsewhere is safe.
pub(super) fn line(rest: &[u8]) -> Result<(&str, &[u8]), TableError> {
    let (line, behind) = match memchr::memchr(b'\n', rest) {
        Some(end) => (rest.get(..end), rest.get(end + 1..)),
        None => (Some(rest), None),
    };
    let line = line.unwrap_or_default();
    let line = std::str::from_utf8(line.strip_suffix(b"\r").unwrap_or(line)).map_err(|_| invalid())?;
    if line.chars().any(|character| character.is_control() && character != '\t') {
        return Err(invalid());
    }
    Ok((line, behind.unwrap_or_default()))
}

/// Returns the error for invalid batch framing.
pub(super) fn invalid() -> TableError {
    ErrorCode::InvalidInput.into()
}
