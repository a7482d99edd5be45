//! Text form of lines: the time, followed by the fields, each preceded by a tab.

use table_model::Timestamp;

use super::setting::LINE_BYTES;
use crate::LogError;

/// A line of a log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LogLine {
    /// Time of the line, as it was pushed.
    pub at: Timestamp,
    /// Fields of the line.
    pub fields: Vec<String>,
}

/// Encodes a line including its line break. Escaped fields contain no tabs or line breaks, so lines can be split
/// without parsing escapes.
pub(super) fn encode<T: AsRef<str>>(at: Timestamp, fields: &[T]) -> Result<String, LogError> {
    let mut line = at.to_full_string();
    for field in fields {
        line.push('\t');
        for character in field.as_ref().chars() {
            match character {
                '\\' => line.push_str(r"\\"),
                '\t' => line.push_str(r"\t"),
                '\n' => line.push_str(r"\n"),
                '\r' => line.push_str(r"\r"),
                other => line.push(other),
            }
        }
    }
    line.push('\n');
    if line.len() > LINE_BYTES { Err(LogError::LineTooLong { bytes: line.len() }) } else { Ok(line) }
}

/// Decodes a line without its line break. Returns `None` if it is invalid.
pub(super) fn decode(line: &str) -> Option<LogLine> {
    let mut parts = line.split('\t');
    let at = parts.next()?.parse().ok()?;
    let fields = parts.map(unescape).collect::<Option<_>>()?;
    Some(LogLine { at, fields })
}

fn unescape(field: &str) -> Option<String> {
    let mut text = String::with_capacity(field.len());
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next()? {
                '\\' => '\\',
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            other => other,
        });
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_is_text_that_splits_at_tabs() {
        let at = "2014-07-31T18:00:01.25Z".parse().unwrap();
        let line = encode(at, &["a\tb", r"C:\new", "two\r\nlines", ""]).unwrap();
        assert_eq!(line, "2014-07-31T18:00:01.2500000Z\ta\\tb\tC:\\\\new\ttwo\\r\\nlines\t\n");
        assert_eq!(encode::<&str>(at, &[]).unwrap(), "2014-07-31T18:00:01.2500000Z\n");
    }

    #[test]
    fn what_is_no_line_is_not_read_as_one() {
        for line in ["", "18:00\ta", "2014-07-31T18:00:00Z\t\\", "2014-07-31T18:00:00Z\t\\x", "a\tb"] {
            assert_eq!(decode(line), None, "{line}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_refused() {
        let room = LINE_BYTES - "2014-07-31T18:00:01.2500000Z\t\n".len();
        assert!(encode(Timestamp::UNIX_EPOCH, &["x".repeat(room)]).is_ok());
        assert!(matches!(
            encode(Timestamp::UNIX_EPOCH, &["x".repeat(room + 1)]),
            Err(LogError::LineTooLong { bytes }) if bytes == LINE_BYTES + 1
        ));
    }

    proptest! {
        #[test]
        fn every_line_reads_back(
            ticks in 0..=Timestamp::MAX.ticks(),
            fields in prop::collection::vec("[\\\\\t\n\r;, a-c\u{0}\u{2028}é]{0,8}|.*", 0..5),
        ) {
            let at = Timestamp::from_ticks(ticks).unwrap();
            let line = encode(at, &fields).unwrap();
            let text = line.strip_suffix('\n').unwrap();
            prop_assert!(!text.contains(['\n', '\r']));
            prop_assert_eq!(decode(text), Some(LogLine { at, fields }));
        }
    }
}
