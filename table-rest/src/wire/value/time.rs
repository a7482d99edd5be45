//! Timestamps, and the versions derived from them.

use std::fmt::Write;

use table_model::{ETag, Timestamp};

/// Appends a timestamp with `colon` between hours, minutes and seconds, and the fraction without trailing zeros.
pub fn push_time(into: &mut String, time: Timestamp, colon: &str) {
    let ((year, month, day), (hour, minute, second, ticks)) = (time.date(), time.time());
    let year = u16::try_from(year).unwrap_or_default();
    for (before, part) in [
        ("", year / 100),
        ("", year % 100),
        ("-", month.into()),
        ("-", day.into()),
        ("T", hour.into()),
        (colon, minute.into()),
        (colon, second.into()),
    ] {
        into.push_str(before);
        let at = 2 * usize::from(part);
        into.push_str(PAIRS.get(at..at + 2).unwrap_or_default());
    }
    if ticks != 0 {
        // The leading digit preserves the leading zeros of the fraction.
        let mut digits = itoa::Buffer::new();
        let fraction = digits.format(10_000_000 + ticks).get(1..).unwrap_or_default().trim_end_matches('0');
        into.push('.');
        into.push_str(fraction);
    }
    into.push('Z');
}

/// `00` to `99`.
const PAIRS: &str = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
    5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/// Appends an ETag, with `quote` for each of its quotes: `"` in headers, `\"` in JSON.
pub fn push_etag(into: &mut String, etag: &ETag, quote: &str) {
    match etag.timestamp() {
        // Several strings can contain the same time.
        Some(time) if ETag::from(time) == *etag => {
            into.push_str("W/");
            into.push_str(quote);
            into.push_str("datetime'");
            push_time(into, time, "%3A");
            into.push('\'');
            into.push_str(quote);
        }
        _ => {
            let mut text = String::new();
            // Writing to a string cannot fail.
            let _ = write!(text, "{etag}");
            for (at, part) in text.split('"').enumerate() {
                if at > 0 {
                    into.push_str(quote);
                }
                into.push_str(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_etags_are_printed_as_their_types_do() {
        for text in [
            "0001-01-01T00:00:00Z",
            "2012-11-10T03:04:05.2Z",
            "2017-08-30T13:20:33.413914Z",
            "2000-02-29T12:00:00.0000001Z",
            "9999-12-31T23:59:59.9999999Z",
        ] {
            let time: Timestamp = text.parse().unwrap();
            let (mut printed, mut etag) = (String::new(), String::new());
            push_time(&mut printed, time, ":");
            push_etag(&mut etag, &time.into(), "\"");
            assert_eq!(printed, text);
            assert_eq!(etag, ETag::from(time).to_string());
        }
        let foreign = "W/\"datetime'2012-11-10T03%3a04%3A05Z'\"";
        let mut printed = String::new();
        push_etag(&mut printed, &foreign.parse().unwrap(), "\\\"");
        assert_eq!(printed, foreign.replace('"', "\\\""));
    }
}
