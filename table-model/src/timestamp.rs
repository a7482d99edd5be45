//! Points in time in the resolution of the service: 100 ns ticks, UTC.

use std::{
    fmt,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use time::{Date, Month, Time};

use crate::{ErrorCode, TableError};

const TICKS_PER_SECOND: i64 = 10_000_000;
const TICKS_PER_DAY: i64 = 86_400 * TICKS_PER_SECOND;
/// Julian day of 0001-01-01 as counted by the `time` crate.
const JULIAN_DAY_OF_YEAR_1: i32 = 1_721_426;
const UNIX_EPOCH_TICKS: i64 = 621_355_968_000_000_000;

/// A point in time: 100 ns ticks since 0001-01-01T00:00:00Z, up to the end of the year 9999.
///
/// The service stores years from 1601 ([`Timestamp::MIN_STORED`]); earlier years can only be used in keys.
///
/// ```
/// use table_model::Timestamp;
///
/// let at: Timestamp = "2014-07-31T18:00:00.25Z".parse()?;
/// assert_eq!(at.to_string(), "2014-07-31T18:00:00.25Z");
/// assert_eq!(at.ticks(), 635_424_264_002_500_000);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// 0001-01-01T00:00:00Z.
    pub const MIN: Self = Self(0);
    /// 1601-01-01T00:00:00Z, the earliest time that a property can contain.
    pub const MIN_STORED: Self = Self(504_911_232_000_000_000);
    /// 9999-12-31T23:59:59.9999999Z.
    pub const MAX: Self = Self(3_155_378_975_999_999_999);
    /// 1970-01-01T00:00:00Z.
    pub const UNIX_EPOCH: Self = Self(UNIX_EPOCH_TICKS);

    /// Creates a timestamp from 100 ns ticks since the start of year 1. Returns `None` outside the years 1 to 9999.
    #[must_use]
    pub const fn from_ticks(ticks: i64) -> Option<Self> {
        if ticks >= 0 && ticks <= Self::MAX.0 { Some(Self(ticks)) } else { None }
    }

    /// Returns the 100 ns ticks since the start of year 1.
    #[must_use]
    pub const fn ticks(self) -> i64 {
        self.0
    }

    /// Creates a timestamp for midnight (UTC) of a day. Returns `None` if the date is invalid.
    #[must_use]
    pub fn from_date(year: i32, month: u8, day: u8) -> Option<Self> {
        let date = Date::from_calendar_date(year, Month::try_from(month).ok()?, day).ok()?;
        let days = i64::from(date.to_julian_day() - JULIAN_DAY_OF_YEAR_1);
        days.checked_mul(TICKS_PER_DAY).and_then(Self::from_ticks)
    }

    /// Returns the system time, rounded down to 100 ns.
    pub fn now() -> Self {
        Self::from(SystemTime::now())
    }

    /// Adds `duration`, rounded down to 100 ns. Saturates at [`Timestamp::MAX`].
    #[must_use]
    pub fn saturating_add(self, duration: Duration) -> Self {
        let ticks = i64::try_from(duration.as_nanos() / 100).unwrap_or(i64::MAX);
        Self(self.0.saturating_add(ticks).min(Self::MAX.0))
    }

    /// Subtracts `duration`, rounded down to 100 ns. Saturates at the start of year 1.
    ///
    /// ```
    /// use std::time::Duration;
    /// use table_model::Timestamp;
    ///
    /// let day = Duration::from_secs(86_400);
    /// let now = Timestamp::now();
    /// assert_eq!(now.saturating_sub(day).saturating_add(day), now);
    /// assert_eq!(Timestamp::MIN.saturating_sub(day), Timestamp::MIN);
    /// ```
    #[must_use]
    pub fn saturating_sub(self, duration: Duration) -> Self {
        let ticks = i64::try_from(duration.as_nanos() / 100).unwrap_or(i64::MAX);
        Self(self.0.saturating_sub(ticks).max(Self::MIN.0))
    }

    /// Returns the time elapsed since `earlier`, or zero if `earlier` is later.
    #[must_use]
    pub fn duration_since(self, earlier: Self) -> Duration {
        let ticks = u64::try_from(self.0 - earlier.0).unwrap_or(0);
        Duration::new(ticks / 10_000_000, u32::try_from(ticks % 10_000_000).unwrap_or(0) * 100)
    }

    /// Returns year, month and day (UTC).
    pub fn date(self) -> (i32, u8, u8) {
        let days = i32::try_from(self.0 / TICKS_PER_DAY).unwrap_or(0);
        Date::from_julian_day(JULIAN_DAY_OF_YEAR_1 + days)
            .map_or((1, 1, 1), |date| (date.year(), u8::from(date.month()), date.day()))
    }

    /// Returns hour, minute, second, and ticks of the second (UTC).
    pub fn time(self) -> (u8, u8, u8, u32) {
        let ticks = self.0 % TICKS_PER_DAY;
        let part = |value: i64| u8::try_from(value).unwrap_or(0);
        let seconds = ticks / TICKS_PER_SECOND;
        (
            part(seconds / 3600),
            part(seconds / 60 % 60),
            part(seconds % 60),
            u32::try_from(ticks % TICKS_PER_SECOND).unwrap_or(0),
        )
    }

    /// Formats the time with all seven fractional digits, as in error bodies.
    #[must_use]
    pub fn to_full_string(self) -> String {
        let ((year, month, day), (hour, minute, second, ticks)) = (self.date(), self.time());
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ticks:07}Z")
    }
}

/// Formats the time like the service, without trailing zeros in the fraction: `2014-07-31T18:00:00.25Z`.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((year, month, day), (hour, minute, second, ticks)) = (self.date(), self.time());
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}")?;
        if ticks != 0 {
            let digits = format!("{ticks:07}");
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        f.write_str("Z")
    }
}

/// Parses an ISO 8601 date, or date and time. Without an offset the time is UTC; an offset is converted. Digits beyond
/// 100 ns are truncated.
impl std::str::FromStr for Timestamp {
    type Err = TableError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| {
            TableError::with_message(
                ErrorCode::InvalidInput,
                format!("`{}` is not a valid time; expected a format like 2014-07-31T18:00:00Z", clip(text)),
            )
        })
    }
}

fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

fn parse(text: &str) -> Option<Timestamp> {
    let mut rest = text;
    let year = digits(&mut rest, 4)?;
    literal(&mut rest, '-')?;
    let month = digits(&mut rest, 2)?;
    literal(&mut rest, '-')?;
    let day = digits(&mut rest, 2)?;
    let date =
        Timestamp::from_date(i32::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?)?;
    if rest.is_empty() {
        return Some(date);
    }
    literal(&mut rest, 'T')?;
    let hour = digits(&mut rest, 2)?;
    literal(&mut rest, ':')?;
    let minute = digits(&mut rest, 2)?;
    let mut second = 0;
    if rest.starts_with(':') {
        literal(&mut rest, ':')?;
        second = digits(&mut rest, 2)?;
    }
    // Validation only: `Time` rejects hour 24, minute 60 and second 60.
    Time::from_hms(u8::try_from(hour).ok()?, u8::try_from(minute).ok()?, u8::try_from(second).ok()?).ok()?;
    let fraction = fraction(&mut rest)?;
    let offset = offset(&mut rest)?;
    if !rest.is_empty() {
        return None;
    }
    let seconds = hour * 3600 + minute * 60 + second;
    Timestamp::from_ticks(date.0 + seconds * TICKS_PER_SECOND + fraction - offset)
}

fn digits(rest: &mut &str, count: usize) -> Option<i64> {
    let (head, tail) = rest.split_at_checked(count)?;
    if !head.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    *rest = tail;
    head.parse().ok()
}

fn literal(rest: &mut &str, expected: char) -> Option<()> {
    *rest = rest.strip_prefix(expected)?;
    Some(())
}

/// Parses the fraction of a second in ticks. A missing fraction is zero.
fn fraction(rest: &mut &str) -> Option<i64> {
    let Some(tail) = rest.strip_prefix('.') else { return Some(0) };
    let end = tail.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(tail.len());
    let (written, after) = tail.split_at_checked(end)?;
    if written.is_empty() {
        return None;
    }
    *rest = after;
    let mut ticks = 0;
    for position in 0..7 {
        let digit = written.as_bytes().get(position).map_or(0, |byte| i64::from(byte - b'0'));
        ticks = ticks * 10 + digit;
    }
    Some(ticks)
}

/// Parses the offset from UTC in ticks.
fn offset(rest: &mut &str) -> Option<i64> {
    if rest.is_empty() {
        return Some(0);
    }
    if let Some(tail) = rest.strip_prefix('Z') {
        *rest = tail;
        return Some(0);
    }
    let sign = if rest.starts_with('+') {
        1
    } else if rest.starts_with('-') {
        -1
    } else {
        return None;
    };
    *rest = rest.get(1..)?;
    let hours = digits(rest, 2)?;
    literal(rest, ':')?;
    let minutes = digits(rest, 2)?;
    if minutes > 59 || hours * 60 + minutes > 14 * 60 {
        return None;
    }
    Some(sign * (hours * 3600 + minutes * 60) * TICKS_PER_SECOND)
}

/// Rounds down to 100 ns and clamps to the years 1 to 9999.
impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Self {
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Self::UNIX_EPOCH.saturating_add(after),
            Err(before) => {
                let nanos = before.duration().as_nanos().div_ceil(100);
                Self((UNIX_EPOCH_TICKS - i64::try_from(nanos).unwrap_or(i64::MAX)).max(0))
            }
        }
    }
}

/// Windows does not support times before 1601: an earlier time becomes [`Timestamp::MIN_STORED`] there.
impl From<Timestamp> for SystemTime {
    fn from(time: Timestamp) -> Self {
        let before = |time| UNIX_EPOCH.checked_sub(Timestamp::UNIX_EPOCH.duration_since(time));
        if time >= Timestamp::UNIX_EPOCH {
            UNIX_EPOCH.checked_add(time.duration_since(Timestamp::UNIX_EPOCH))
        } else {
            before(time).or_else(|| before(Timestamp::MIN_STORED))
        }
        .unwrap_or(UNIX_EPOCH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_what_it_reads() {
        for text in [
            "0001-01-01T00:00:00Z",
            "1601-01-01T00:00:00Z",
            "1969-12-31T23:59:59.9999999Z",
            "2012-11-10T03:04:05.2Z",
            "2000-02-29T12:00:00.0000001Z",
            "9999-12-31T23:59:59.9999999Z",
        ] {
            let time: Timestamp = text.parse().unwrap();
            assert_eq!(time.to_string(), text);
            assert_eq!(Timestamp::from(SystemTime::from(time)), time, "{text}");
        }
        assert_eq!("1601-01-01".parse::<Timestamp>().unwrap(), Timestamp::MIN_STORED);
        assert_eq!("1970-01-01T00:00".parse::<Timestamp>().unwrap(), Timestamp::UNIX_EPOCH);
    }

    #[test]
    fn converts_offsets_and_drops_what_is_finer() {
        let plain: Timestamp = "2020-01-01T10:00:00Z".parse().unwrap();
        assert_eq!("2020-01-01T12:00:00+02:00".parse::<Timestamp>().unwrap(), plain);
        assert_eq!("2020-01-01T04:30:00-05:30".parse::<Timestamp>().unwrap(), plain);
        assert_eq!("2020-01-01T10:00:00.00000009Z".parse::<Timestamp>().unwrap(), plain);
        assert_eq!("2020-01-01T10:00:00".parse::<Timestamp>().unwrap(), plain);
    }

    #[test]
    fn refuses_what_is_no_time() {
        for text in [
            "",
            "2020",
            "2020-13-01",
            "2021-02-29",
            "2020-01-01T24:00:00Z",
            "2020-01-01T10:60:00Z",
            "2020-01-01T10:00:00.Z",
            "2020-01-01T10:00:00Zz",
            "2020-01-01t10:00:00Z",
            "+020-01-01",
            "0000-01-01",
            "2020-01-01T10:00:00+99:00",
            "2020-01-01T10:00:00+14:01",
            "0001-01-01T00:00:00+01:00",
            "9999-12-31T23:59:59-01:00",
            "2020-01-0é",
        ] {
            assert!(text.parse::<Timestamp>().is_err(), "{text}");
        }
    }

    #[test]
    fn prints_all_digits_for_error_bodies() {
        let time: Timestamp = "2017-08-30T13:20:10.4Z".parse().unwrap();
        assert_eq!(time.to_full_string(), "2017-08-30T13:20:10.4000000Z");
    }
}
