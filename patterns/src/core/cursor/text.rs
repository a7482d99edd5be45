//! String format of a cursor: `1.<query>.<given>.<place>`, where the place is `s`, `t.<token>`, `k.<pk>.<rk>.<token>`
//! with keys in hex, `p.<index>`, or `r.<table>.<pk>.<rk>.<a or b>`: at the row or after it.

use std::{fmt, str::FromStr};

use table_model::Continuation;

use super::{Cursor, CursorError, Place, RowPlace};

/// Version of the format. Other versions are rejected.
const VERSION: u32 = 1;

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{VERSION}.{:016x}.{}.", self.query, self.given)?;
        match &self.place {
            Place::Start => f.write_str("s"),
            Place::Token(token) => write!(f, "t.{token}"),
            Place::At { token, partition_key, row_key } => {
                write!(f, "k.{}.{}.", Hex(partition_key), Hex(row_key))?;
                token.as_ref().map_or(Ok(()), |token| token.fmt(f))
            }
            Place::Point(index) => write!(f, "p.{index}"),
            Place::Row(RowPlace { table, partition_key, row_key, behind }) => {
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
        if version != "1" {
            let is_version =
                !version.is_empty() && version.len() < 6 && version.bytes().all(|b| b.is_ascii_digit());
            return Err(if is_version {
                CursorError::Version { found: version.to_owned(), known: VERSION }
            } else {
                unreadable()
            });
        }
        read(rest).ok_or_else(unreadable)
    }
}

fn read(text: &str) -> Option<Cursor> {
    let mut parts = text.splitn(4, '.');
    let query = parts.next().filter(|digits| digits.len() == 16)?;
    let query = u64::from_str_radix(query, 16).ok()?;
    let given = parts.next()?.parse().ok()?;
    let place = match (parts.next()?, parts.next()) {
        ("s", None) => Place::Start,
        ("t", Some(token)) => Place::Token(Continuation::new(token).ok()?),
        ("p", Some(index)) => Place::Point(index.parse().ok()?),
        ("k", Some(rest)) => {
            let mut keys = rest.splitn(3, '.');
            let (partition_key, row_key) = (unhex(keys.next()?)?, unhex(keys.next()?)?);
            let token = keys.next()?;
            let token = if token.is_empty() { None } else { Some(Continuation::new(token).ok()?) };
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
        let token = || Continuation::new("1.abc-_XYZ.2").unwrap();
        for place in [
            Place::Start,
            Place::Token(token()),
            Place::At { token: None, partition_key: String::new(), row_key: "é.k".to_owned() },
            Place::At { token: Some(token()), partition_key: "p".to_owned(), row_key: String::new() },
            Place::Point(7),
            row(false),
            row(true),
        ] {
            let cursor = cursor(place);
            assert_eq!(cursor.to_string().parse(), Ok(cursor.clone()));
            let json = serde_json::to_string(&cursor).unwrap();
            assert_eq!(serde_json::from_str::<Cursor>(&json).unwrap(), cursor);
        }
        assert_eq!(cursor(Place::Point(7)).to_string(), "1.0123456789abcdef.25.p.7");
    }

    #[test]
    fn other_versions_and_other_texts_are_told_apart() {
        assert_eq!(
            "2.whatever".parse::<Cursor>(),
            Err(CursorError::Version { found: "2".to_owned(), known: 1 })
        );
        for text in ["", "1", "1.", "x.1", "1.0123456789abcdef.25", "1.0123456789abcdef.25.p", "1.123.25.s"] {
            assert!(matches!(text.parse::<Cursor>(), Err(CursorError::Unreadable(_))), "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(1\\.)?[0-9a-fkprst.é]{0,40}") {
            let _ = text.parse::<Cursor>();
        }
    }
}
