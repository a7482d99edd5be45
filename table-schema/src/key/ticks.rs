//! Times in keys: ticks of 100 ns since 0001-01-01T00:00:00Z, and dates.

use time::{Date, Month, Time};

use crate::template::DateUnit;

/// The ticks of 9999-12-31T23:59:59.9999999Z.
pub const MAX_TICKS: i64 = 3_155_378_975_999_999_999;

const TICKS_A_SECOND: i64 = 10_000_000;
const SECONDS_A_DAY: i64 = 86_400;
/// The Julian day number of 0001-01-01.
const FIRST_DAY: i32 = 1_721_426;

/// Returns whether `ticks` is a time in the years 1 to 9999.
pub(crate) const fn in_range(ticks: i64) -> bool {
    0 <= ticks && ticks <= MAX_TICKS
}

/// Year, month, day, hour, minute, second: the numbers of a date format, largest unit first. Zero below `finest`.
pub(super) type Fields = [u16; 6];

/// Returns the fields of a time, truncated after `finest`, or `None` outside the years 1 to 9999.
pub(super) fn fields(ticks: i64, finest: DateUnit) -> Option<Fields> {
    if !in_range(ticks) {
        return None;
    }
    let seconds = ticks / TICKS_A_SECOND;
    let day = i32::try_from(seconds / SECONDS_A_DAY).ok()?;
    let date = Date::from_julian_day(day + FIRST_DAY).ok()?;
    let second_of_day = u32::try_from(seconds % SECONDS_A_DAY).ok()?;
    let (hour, minute, second) = (second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
    let small = |value: u32| u16::try_from(value).ok();
    let mut fields = [
        u16::try_from(date.year()).ok()?,
        u16::from(u8::from(date.month())),
        u16::from(date.day()),
        small(hour)?,
        small(minute)?,
        small(second)?,
    ];
    for (field, unit) in fields.iter_mut().zip(DateUnit::ALL) {
        if unit > finest {
            *field = 0;
        }
    }
    Some(fields)
}

/// Returns the first tick of the period with these fields, or `None` if the date does not exist. Fields that the format
/// omits have their first value: month 1, day 1, hour 0.
pub(super) fn start(fields: Fields) -> Option<i64> {
    let [year, month, day, hour, minute, second] = fields;
    let small = |value: u16| u8::try_from(value).ok();
    let month = Month::try_from(small(month)?).ok()?;
    let date = Date::from_calendar_date(i32::from(year), month, small(day)?).ok()?;
    let time = Time::from_hms(small(hour)?, small(minute)?, small(second)?).ok()?;
    let (hour, minute, second) = time.as_hms();
    let days = i64::from(date.to_julian_day() - FIRST_DAY);
    let seconds = days * SECONDS_A_DAY + i64::from(hour) * 3600 + i64::from(minute) * 60 + i64::from(second);
    let ticks = seconds * TICKS_A_SECOND;
    in_range(ticks).then_some(ticks)
}

/// Returns the first tick of the next period, or `None` after the year 9999.
fn next(fields: Fields, finest: DateUnit) -> Option<i64> {
    let [year, month, ..] = fields;
    let seconds = match finest {
        DateUnit::Year => return start([year + 1, 1, 1, 0, 0, 0]),
        DateUnit::Month if month == 12 => return start([year + 1, 1, 1, 0, 0, 0]),
        DateUnit::Month => return start([year, month + 1, 1, 0, 0, 0]),
        DateUnit::Day => SECONDS_A_DAY,
        DateUnit::Hour => 3600,
        DateUnit::Minute => 60,
        DateUnit::Second => 1,
    };
    let ticks = start(fields)? + seconds * TICKS_A_SECOND;
    in_range(ticks).then_some(ticks)
}

/// Returns the first tick of each period that overlaps `from` to `to`, both included. The iterator is empty if either
/// end is not a valid time.
pub fn periods(finest: DateUnit, from: i64, to: i64) -> impl Iterator<Item = i64> {
    let named = move |ticks| {
        let [year, month, day, rest @ ..] = fields(ticks, finest)?;
        let [hour, minute, second] = rest;
        Some([year, month.max(1), day.max(1), hour, minute, second])
    };
    let first = named(from).and_then(start);
    std::iter::successors(first, move |ticks| next(named(*ticks)?, finest))
        .take_while(move |ticks| in_range(to) && *ticks <= to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_fields_of_the_calendar() {
        let july = 635_424_264_000_000_000; // 2014-07-31T18:00Z
        assert_eq!(fields(july, DateUnit::Second), Some([2014, 7, 31, 18, 0, 0]));
        assert_eq!(fields(july, DateUnit::Month), Some([2014, 7, 0, 0, 0, 0]));
        assert_eq!(start([2014, 7, 31, 18, 0, 0]), Some(july));
        assert_eq!(fields(0, DateUnit::Second), Some([1, 1, 1, 0, 0, 0]));
        assert_eq!(fields(MAX_TICKS, DateUnit::Second), Some([9999, 12, 31, 23, 59, 59]));
        assert_eq!(fields(-1, DateUnit::Year), None);
        assert_eq!(fields(MAX_TICKS + 1, DateUnit::Year), None);
    }

    #[test]
    fn there_is_no_thirtieth_of_february() {
        assert_eq!(start([2014, 2, 30, 0, 0, 0]), None);
        assert_eq!(start([2014, 13, 1, 0, 0, 0]), None);
        assert_eq!(start([2014, 1, 1, 24, 0, 0]), None);
        assert_eq!(start([0, 1, 1, 0, 0, 0]), None);
    }

    #[test]
    fn periods_follow_each_other_through_the_calendar() {
        let at = |fields| start(fields).unwrap();
        let days = |from, to| periods(DateUnit::Day, at(from), at(to)).collect::<Vec<_>>();
        assert_eq!(
            days([2024, 2, 28, 23, 0, 0], [2024, 3, 1, 0, 0, 0]),
            [[2024, 2, 28, 0, 0, 0], [2024, 2, 29, 0, 0, 0], [2024, 3, 1, 0, 0, 0]].map(at)
        );
        let months = periods(DateUnit::Month, at([2023, 11, 30, 0, 0, 0]), at([2024, 1, 1, 0, 0, 0]));
        assert_eq!(
            months.collect::<Vec<_>>(),
            [[2023, 11, 1, 0, 0, 0], [2023, 12, 1, 0, 0, 0], [2024, 1, 1, 0, 0, 0]].map(at)
        );
        assert_eq!(periods(DateUnit::Year, MAX_TICKS, MAX_TICKS).count(), 1, "the last year has no next");
        assert_eq!(periods(DateUnit::Hour, 5, 4).count(), 1, "both are in one hour");
        assert_eq!(periods(DateUnit::Second, -1, 4).count(), 0);
    }
}
