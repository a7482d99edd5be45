//! Timestamps, and the versions derived from them.

use std::fmt::Write;

use table_model::{ETag, Timestamp};

/// Appends a timestamp with `colon` between hours, minutes and seconds, and the fraction without trailing zeros.
pub fn push_time(into: &mut String, time: Timestamp, colon: &str) {
    let ((year, month, day), (hour, minute, second, ticks)) = (time.date(), time.time());
    let year = year.unsigned_abs();
    let ([y1, y2], [y3, y4]) = (digits(year / 100), digits(year % 100));
    let ([o1, o2], [d1, d2]) = (digits(month.into()), digits(day.into()));
    let ([h1, h2], [m1, m2], [s1, s2]) = (digits(hour.into()), digits(minute.into()), digits(second.into()));
    let ([f1, f2], [f3, f4]) = (digits(ticks / 100_000), digits(ticks / 1000 % 100));
    let ([f5, f6], [_, f7]) = (digits(ticks / 10 % 100), digits(ticks % 10));
    let text = [
        y1, y2, y3, y4, b'-', o1, o2, b'-', d1, d2, b'T', h1, h2, b':', m1, m2, b':', s1, s2, b'.', f1, f2,
        f3, f4, f5, f6, f7,
    ];
    // Without zeros at the end of the fraction.
    let end =
        if ticks == 0 { 19 } else { 1 + text.iter().rposition(|digit| *digit != b'0').unwrap_or_default() };
    let text = text.get(..end).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default();
    for (before, part) in [("", 0..13), (colon, 14..16), (colon, 17..end)] {
        into.push_str(before);
        into.push_str(text.get(part).unwrap_or_default());
    }
    into.push('Z');
}

/// Returns the two decimal digits of a number below 100.
fn digits(number: u32) -> [u8; 2] {
    let (pairs, _) = PAIRS.as_chunks::<2>();
    usize::try_from(number).ok().and_then(|at| pairs.get(at)).copied().unwrap_or([b'0'; 2])
}

/// `00` to `99`.
const PAIRS: &[u8] =
    b"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
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
