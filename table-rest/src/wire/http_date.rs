//! Dates in headers: `Fri, 01 Mar 2024 00:00:00 GMT`.

use std::{fmt, str::FromStr};

use table_model::Timestamp;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/// Starting with the first day of year 1.
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const TICKS_PER_DAY: i64 = 86_400 * TICKS_PER_SECOND;
const TICKS_PER_SECOND: i64 = 10_000_000;

/// A point in time in header form: RFC 1123, whole seconds, UTC.
///
/// Parsing is lenient as HTTP requires of recipients: names in any case, days of one digit and a wrong weekday are
/// accepted.
///
/// ```
/// use table_rest::wire::http_date::HttpDate;
///
/// let date: HttpDate = "Fri, 01 Mar 2024 00:00:00 GMT".parse()?;
/// assert_eq!(date.0, "2024-03-01T00:00:00Z".parse()?);
/// assert_eq!(date.to_string(), "Fri, 01 Mar 2024 00:00:00 GMT");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HttpDate(pub Timestamp);

/// Error for a string that is not a valid date of this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid date; expected a format like Fri, 01 Mar 2024 00:00:00 GMT")]
pub struct HttpDateError;

/// Fractional seconds are omitted.
impl fmt::Display for HttpDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((year, month, day), (hour, minute, second, _)) = (self.0.date(), self.0.time());
        let weekday = usize::try_from(self.0.ticks() / TICKS_PER_DAY % 7).unwrap_or(0);
        let weekday = WEEKDAYS.get(weekday).copied().unwrap_or_default();
        let month = MONTHS.get(usize::from(month) - 1).copied().unwrap_or_default();
        write!(f, "{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} GMT")
    }
}

impl FromStr for HttpDate {
    type Err = HttpDateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        read(text).map(Self).ok_or(HttpDateError)
    }
}

fn read(text: &str) -> Option<Timestamp> {
    let (weekday, rest) = text.split_once(',')?;
    if !WEEKDAYS.iter().any(|name| name.eq_ignore_ascii_case(weekday.trim())) {
        return None;
    }
    let mut words = rest.split_ascii_whitespace();
    let day = u8::try_from(number(words.next()?, 1..=2)?).ok()?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|name| name.eq_ignore_ascii_case(month))?;
    let year = i32::try_from(number(words.next()?, 4..=4)?).ok()?;
    let midnight = Timestamp::from_date(year, u8::try_from(month + 1).ok()?, day)?;
    let mut clock = words.next()?.split(':');
    let mut part = |most| number(clock.next()?, 2..=2).filter(|part| *part <= most);
    // A leap second is read as the next second.
    let (hour, minute, second) = (part(23)?, part(59)?, part(60)?);
    if clock.next().is_some() || !matches!(words.next()?, "GMT" | "UTC") || words.next().is_some() {
        return None;
    }
    let seconds = i64::from(hour * 3600 + minute * 60 + second);
    Timestamp::from_ticks(midnight.ticks() + seconds * TICKS_PER_SECOND)
}

fn number(digits: &str, length: std::ops::RangeInclusive<usize>) -> Option<u32> {
    let plain = length.contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_days_have_their_names() {
        for (time, text) in [
            ("0001-01-01T00:00:00Z", "Mon, 01 Jan 0001 00:00:00 GMT"),
            ("1601-01-01T00:00:00Z", "Mon, 01 Jan 1601 00:00:00 GMT"),
            ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("2000-02-29T23:59:59Z", "Tue, 29 Feb 2000 23:59:59 GMT"),
            ("2017-01-23T22:50:31Z", "Mon, 23 Jan 2017 22:50:31 GMT"),
            ("9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] {
            let time: Timestamp = time.parse().unwrap();
            assert_eq!(HttpDate(time).to_string(), text);
            assert_eq!(text.parse(), Ok(HttpDate(time)));
        }
    }

    #[test]
    fn what_is_written_a_little_otherwise_is_read() {
        let date = HttpDate("2024-03-01T00:00:00Z".parse().unwrap());
        for text in [
            "fri, 1 mar 2024 00:00:00 GMT",
            "Mon, 01 Mar 2024 00:00:00 GMT",
            "Fri,  01 Mar 2024  00:00:00 UTC",
            "Thu, 29 Feb 2024 23:59:60 GMT",
        ] {
            assert_eq!(text.parse(), Ok(date), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in [
            "",
            "2024-03-01T00:00:00Z",
            "Friday, 01-Mar-24 00:00:00 GMT",
            "Fri Mar  1 00:00:00 2024",
            "Fri, 30 Feb 2024 00:00:00 GMT",
            "Fri, 01 Mar 2024 24:00:00 GMT",
            "Fri, 01 Mar 2024 00:60:00 GMT",
            "Fri, 01 Mar 2024 00:00:61 GMT",
            "Fri, 01 Mar 2024 00:00 GMT",
            "Fri, 01 Mar 2024 00:00:00:00 GMT",
            "Fri, 01 Mar 2024 00:00:00 CET",
            "Fri, 01 Mar 2024 00:00:00 GMT x",
            "Fri, 01 Mar 2024 00:00:00",
            "Fri, +1 Mar 2024 00:00:00 GMT",
            "Fri, 01 Mar 0000 00:00:00 GMT",
            "Fri, 31 Dec 9999 23:59:60 GMT",
        ] {
            assert_eq!(text.parse::<HttpDate>(), Err(HttpDateError), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_second_is_read_as_it_was_written(seconds in 0..=Timestamp::MAX.ticks() / TICKS_PER_SECOND) {
            let date = HttpDate(Timestamp::from_ticks(seconds * TICKS_PER_SECOND).unwrap());
            prop_assert_eq!(date.to_string().parse(), Ok(date));
        }

        #[test]
        fn no_text_makes_reading_panic(text in "\\PC{0,40}") {
            let _ = text.parse::<HttpDate>();
        }
    }
}
