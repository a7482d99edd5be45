//! String format of a cursor: `2.<query>.<given>.<place>.<checksum>`, where the place is `s`, `t.<token>`, `b.<token>`,
//! `k.<pk>.<rk>.<token>` with keys in hex, `p.<index>`, or `r.<table>.<pk>.<rk>.<a or b>`: at the row or after it.
//!
//! The characters are those that are never encoded in URLs (RFC 3986, section 2.3). The checksum detects cursors that
//! were cut or changed, which may be valid cursors at another position.

mod escaped;

use std::{fmt, str::FromStr};

use table_model::Continuation;

use super::{Cursor, CursorError, Place, RowPlace};
use escaped::{Escaped, unescaped};

/// Version of the format. Version 1, which had no checksum and contained tokens unchanged, is still read: positions of
/// jobs are stored in tables. Other versions are rejected.
const VERSION: u32 = 2;

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{VERSION}.{:016x}.{}.{}", self.query, self.given, self.place);
        write!(f, "{text}.{:08x}", crc32c::crc32c(text.as_bytes()))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("s"),
            Self::Token(token) => write!(f, "t.{}", Escaped(token.as_str())),
            Self::Back(token) => write!(f, "b.{}", Escaped(token.as_str())),
            Self::At { token, partition_key, row_key } => {
                let token = token.as_ref().map_or("", Continuation::as_str);
                write!(f, "k.{}.{}.{}", Hex(partition_key), Hex(row_key), Escaped(token))
            }
            Self::Point(index) => write!(f, "p.{index}"),
            Self::Row(RowPlace { table, partition_key, row_key, behind }) => {
                let side = if *behind { "b" } else { "a" };
                write!(f, "r.{table}.{}.{}.{side}", Hex(partition_key), Hex(row_key))
            }
        }
    }
}

impl FromStr for Cursor {
    type Err = CursorError;

    fn from_str(text: &str) -> Result<Self, CursorError> {
        let unreadable = || CursorError::Unreadable(text.chars().take(64).collect());
        let (version, rest) = text.split_once('.').ok_or_else(unreadable)?;
        match version {
            "1" => read(rest, |token| Some(token.to_owned())).ok_or_else(unreadable),
            "2" => unchanged(text)
                .and_then(|text| read(text.strip_prefix("2.")?, unescaped))
                .ok_or_else(unreadable),
            _ if is_version(version) => {
                Err(CursorError::Version { found: version.to_owned(), known: VERSION })
            }
            _ => Err(unreadable()),
        }
    }
}

fn is_version(text: &str) -> bool {
    !text.is_empty() && text.len() < 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the string before its checksum, if the checksum is correct.
fn unchanged(text: &str) -> Option<&str> {
    let (text, sum) = text.rsplit_once('.')?;
    (sum == format!("{:08x}", crc32c::crc32c(text.as_bytes()))).then_some(text)
}

fn read(text: &str, token: impl Fn(&str) -> Option<String>) -> Option<Cursor> {
    let token = |text: &str| Continuation::new(token(text)?).ok();
    let mut parts = text.splitn(4, '.');
    let query = parts.next().filter(|digits| digits.len() == 16)?;
    let query = u64::from_str_radix(query, 16).ok()?;
    let given = parts.next()?.parse().ok()?;
    let place = match (parts.next()?, parts.next()) {
        ("s", None) => Place::Start,
        ("t", Some(text)) => Place::Token(token(text)?),
        ("b", Some(text)) => Place::Back(token(text)?),
        ("p", Some(index)) => Place::Point(index.parse().ok()?),
        ("k", Some(rest)) => {
            let mut keys = rest.splitn(3, '.');
            let (partition_key, row_key) = (unhex(keys.next()?)?, unhex(keys.next()?)?);
            let text = keys.next()?;
            let token = if text.is_empty() { None } else { Some(token(text)?) };
            Place::At { token, partition_key, row_key }
        }
        ("r", Some(rest)) => Place::Row(row_place(rest)?),
        _ => return None,
    };
    Some(Cursor { query, given, place })
}

fn row_place(text: &str) -> Option<RowPlace> {
    let mut parts = text.splitn(4, '.');
    let table = parts.next()?.parse().ok()?;
    let (partition_key, row_key) = (unhex(parts.next()?)?, unhex(parts.next()?)?);
    let behind = match parts.next()? {
        "a" => false,
        "b" => true,
        _ => return None,
    };
    Some(RowPlace { table, partition_key, row_key, behind })
}

struct Hex<'a>(&'a str);

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.bytes().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

fn unhex(digits: &str) -> Option<String> {
    let digits = digits.as_bytes();
    if !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let bytes = digits
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).ok().and_then(|p| u8::from_str_radix(p, 16).ok()));
    String::from_utf8(bytes.collect::<Option<Vec<u8>>>()?).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cursor(place: Place) -> Cursor {
        Cursor { query: 0x0123_4567_89ab_cdef, given: 25, place }
    }

    fn row(behind: bool) -> Place {
        let table = "Logins20140731".parse().unwrap();
        Place::Row(RowPlace { table, partition_key: "jo".to_owned(), row_key: "é.1".to_owned(), behind })
    }

    #[test]
    fn every_place_comes_back_from_its_text() {
        let token = || Continuation::new("1!8!U21p~dGg-&1!4!YQ%20/+==").unwrap();
        for place in [
            Place::Start,
            Place::Token(token()),
            Place::Back(token()),
            Place::At { token: None, partition_key: String::new(), row_key: "é.k".to_owned() },
            Place::At { token: Some(token()), partition_key: "p".to_owned(), row_key: String::new() },
            Place::Point(7),
            row(false),
            row(true),
        ] {
            let cursor = cursor(place);
            let text = cursor.to_string();
            let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
            assert!(text.bytes().all(is_safe), "{text}");
            assert_eq!(text.parse(), Ok(cursor.clone()));
            let json = serde_json::to_string(&cursor).unwrap();
            assert_eq!(serde_json::from_str::<Cursor>(&json).unwrap(), cursor);
        }
        assert_eq!(cursor(Place::Point(7)).to_string(), "2.0123456789abcdef.25.p.7.23bd20f9");
    }

    #[test]
    fn positions_of_version_1_are_read() {
        let token = Place::Token(Continuation::new("1.abc-_XYZ.2").unwrap());
        assert_eq!("1.0123456789abcdef.25.t.1.abc-_XYZ.2".parse(), Ok(cursor(token)));
        assert_eq!("1.0123456789abcdef.25.r.Logins20140731.6a6f.c3a92e31.b".parse(), Ok(cursor(row(true))));
    }

    #[test]
    fn other_versions_and_other_texts_are_told_apart() {
        assert_eq!(
            "3.whatever".parse::<Cursor>(),
            Err(CursorError::Version { found: "3".to_owned(), known: 2 })
        );
        for text in ["", "1", "1.", "x.1", "1.0123456789abcdef.25", "1.0123456789abcdef.25.p", "1.123.25.s"] {
            assert!(matches!(text.parse::<Cursor>(), Err(CursorError::Unreadable(_))), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "([12]\\.)?[0-9a-fkprst.é~]{0,40}") {
            let _ = text.parse::<Cursor>();
        }

        #[test]
        fn damaged_cursors_are_named(at in 0_usize..70, byte in 33_u8..127, cut in any::<bool>()) {
            let text = cursor(row(true)).to_string();
            let mut bytes = text.clone().into_bytes();
            let at = at % bytes.len();
            if cut { bytes.truncate(at) } else { bytes[at] = byte }
            let damaged = String::from_utf8(bytes).unwrap();
            prop_assume!(damaged != text);
            let error = damaged.parse::<Cursor>().unwrap_err().to_string();
            prop_assert!(error.contains("cursor"), "{error}");
        }
    }
}
