use std::time::{Duration, SystemTime, UNIX_EPOCH};

use table_model::{EdmType, Timestamp, Value};
use table_schema::static_design::ValueKind;

use super::{TableValue, ValueError, compared_with_itself, mismatch, takes_ref};
use crate::core::key::Time;

/// Converts a time to a property value. Allows the range of keys, starting with the year 1601.
fn time_value(time: &impl Time) -> Result<Value, ValueError> {
    let ticks = time.to_ticks()?;
    match Timestamp::from_ticks(ticks) {
        Some(at) if at >= Timestamp::MIN_STORED => Ok(Value::DateTime(at)),
        Some(at) => Err(ValueError::out_of_range(at, "a DateTime supports the years 1601 to 9999")),
        None => Err(outside()),
    }
}

pub(super) fn outside() -> ValueError {
    ValueError::out_of_range("the time", "the supported years are 1 to 9999")
}

fn read<T: TableValue + Time>(value: Value) -> Result<T, ValueError> {
    match value {
        Value::DateTime(at) => T::from_ticks(at.ticks()),
        other => Err(mismatch::<T>(&other)),
    }
}

macro_rules! times {
    ($($type:ty: $kind:ident),* $(,)?) => {
        $(
            impl TableValue for $type {
                const TYPE: EdmType = EdmType::DateTime;
                const KIND: ValueKind = ValueKind::$kind;

                fn to_value(&self) -> Result<Value, ValueError> {
                    $crate::core::value::times::time_value(self)
                }

                fn from_value(value: Value) -> Result<Self, ValueError> {
                    $crate::core::value::times::read(value)
                }

                takes_ref!(DateTime(at) => <Self as Time>::from_ticks(at.ticks()));
            }
            compared_with_itself!($type);
        )*
    };
}

times!(Timestamp: Time, SystemTime: Time, crate::Date: Date);
#[cfg(feature = "time")]
times!(time::OffsetDateTime: Time, time::Date: Date);
#[cfg(feature = "chrono")]
times!(chrono::DateTime<chrono::Utc>: Time, chrono::NaiveDate: Date);
#[cfg(feature = "jiff")]
times!(jiff::Timestamp: Time, jiff::civil::Date: Date);

impl Time for Timestamp {
    fn to_ticks(&self) -> Result<i64, ValueError> {
        Ok(self.ticks())
    }

    fn from_ticks(ticks: i64) -> Result<Self, ValueError> {
        Self::from_ticks(ticks).ok_or_else(outside)
    }
}

impl Time for SystemTime {
    fn to_ticks(&self) -> Result<i64, ValueError> {
        let nanos = |duration: Duration| i128::try_from(duration.as_nanos()).ok();
        let since = match self.duration_since(UNIX_EPOCH) {
            Ok(after) => nanos(after),
            Err(before) => nanos(before.duration()).map(|nanos| -nanos),
        };
        since.and_then(from_unix_nanos).ok_or_else(outside)
    }

    fn from_ticks(ticks: i64) -> Result<Self, ValueError> {
        let nanos = to_unix_nanos(ticks);
        let distance = nanos.unsigned_abs();
        let seconds = u64::try_from(distance / 1_000_000_000).map_err(|_| outside())?;
        let rest = u32::try_from(distance % 1_000_000_000).map_err(|_| outside())?;
        let distance = Duration::new(seconds, rest);
        let moved =
            if nanos < 0 { UNIX_EPOCH.checked_sub(distance) } else { UNIX_EPOCH.checked_add(distance) };
        moved.ok_or_else(outside)
    }
}

/// Converts nanoseconds since 1970 to ticks, rounded down. Returns `None` outside the years 1 to 9999.
pub(crate) fn from_unix_nanos(nanos: i128) -> Option<i64> {
    let ticks = nanos.div_euclid(100) + i128::from(Timestamp::UNIX_EPOCH.ticks());
    i64::try_from(ticks).ok().and_then(Timestamp::from_ticks).map(Timestamp::ticks)
}

/// Converts ticks to nanoseconds since 1970.
pub(crate) fn to_unix_nanos(ticks: i64) -> i128 {
    (i128::from(ticks) - i128::from(Timestamp::UNIX_EPOCH.ticks())) * 100
}

#[cfg(feature = "time")]
impl Time for time::OffsetDateTime {
    fn to_ticks(&self) -> Result<i64, ValueError> {
        from_unix_nanos(self.unix_timestamp_nanos()).ok_or_else(outside)
    }

    fn from_ticks(ticks: i64) -> Result<Self, ValueError> {
        Self::from_unix_timestamp_nanos(to_unix_nanos(ticks)).map_err(|_| outside())
    }
}

#[cfg(feature = "chrono")]
impl Time for chrono::DateTime<chrono::Utc> {
    fn to_ticks(&self) -> Result<i64, ValueError> {
        let nanos = i128::from(self.timestamp()) * 1_000_000_000 + i128::from(self.timestamp_subsec_nanos());
        from_unix_nanos(nanos).ok_or_else(outside)
    }

    fn from_ticks(ticks: i64) -> Result<Self, ValueError> {
        let nanos = to_unix_nanos(ticks);
        let seconds = i64::try_from(nanos.div_euclid(1_000_000_000)).map_err(|_| outside())?;
        let rest = u32::try_from(nanos.rem_euclid(1_000_000_000)).map_err(|_| outside())?;
        Self::from_timestamp(seconds, rest).ok_or_else(outside)
    }
}

#[cfg(feature = "jiff")]
impl Time for jiff::Timestamp {
    fn to_ticks(&self) -> Result<i64, ValueError> {
        from_unix_nanos(self.as_nanosecond()).ok_or_else(outside)
    }

    fn from_ticks(ticks: i64) -> Result<Self, ValueError> {
        Self::from_nanosecond(to_unix_nanos(ticks)).map_err(|_| outside())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_100_ns_is_rounded_down_on_both_sides_of_1970() {
        let epoch = Timestamp::UNIX_EPOCH.ticks();
        assert_eq!((UNIX_EPOCH + Duration::from_nanos(199)).to_ticks(), Ok(epoch + 1));
        assert_eq!((UNIX_EPOCH - Duration::from_nanos(1)).to_ticks(), Ok(epoch - 1));
        for ticks in [Timestamp::MIN_STORED.ticks(), epoch - 1, epoch, epoch + 1] {
            assert_eq!(SystemTime::from_ticks(ticks).and_then(|time| time.to_ticks()), Ok(ticks));
        }
    }

    #[test]
    fn properties_begin_in_1601_and_keys_in_year_1() {
        assert!(Timestamp::MIN_STORED.to_value().is_ok());
        let error = Timestamp::MIN.to_value().unwrap_err();
        assert_eq!(
            error.to_string(),
            "0001-01-01T00:00:00Z is out of range: a DateTime supports the years 1601 to 9999"
        );
        assert_eq!(Timestamp::MIN.to_ticks(), Ok(0));
        let far = UNIX_EPOCH + Duration::from_secs(300_000_000_000);
        assert!(far.to_ticks().is_err());
    }

    /// A time of another crate round-trips as a property and as ticks.
    #[cfg(any(feature = "time", feature = "chrono", feature = "jiff"))]
    fn round<T: TableValue + Time + PartialEq + std::fmt::Debug>(value: T, shown: &str) {
        let stored = value.to_value().unwrap();
        assert_eq!(stored, Value::DateTime(shown.parse().unwrap()));
        let ticks = value.to_ticks().unwrap();
        assert_eq!(T::from_value(stored), Ok(value));
        assert_eq!(T::from_ticks(ticks).and_then(|value| value.to_ticks()), Ok(ticks));
    }

    #[cfg(feature = "time")]
    #[test]
    fn times_of_the_crate_time_come_back() {
        let at = time::OffsetDateTime::from_unix_timestamp_nanos(1_406_829_600_123_456_700).unwrap();
        round(at, "2014-07-31T18:00:00.1234567Z");
        let east = at.to_offset(time::UtcOffset::from_hms(2, 0, 0).unwrap());
        assert_eq!(east.to_value(), at.to_value(), "the instant is kept, the offset is not");
        round(time::Date::from_calendar_date(2014, time::Month::July, 31).unwrap(), "2014-07-31");
        assert!(time::Date::MIN.to_value().is_err());
    }

    #[cfg(feature = "chrono")]
    #[test]
    fn times_of_the_crate_chrono_come_back() {
        let at = chrono::DateTime::from_timestamp(1_406_829_600, 123_456_700).unwrap();
        round(at, "2014-07-31T18:00:00.1234567Z");
        round(chrono::DateTime::from_timestamp(-1, 999_999_900).unwrap(), "1969-12-31T23:59:59.9999999Z");
        round(chrono::NaiveDate::from_ymd_opt(2014, 7, 31).unwrap(), "2014-07-31");
        assert!(chrono::NaiveDate::MAX.to_value().is_err());
    }

    #[cfg(feature = "jiff")]
    #[test]
    fn times_of_the_crate_jiff_come_back() {
        let at = jiff::Timestamp::from_nanosecond(1_406_829_600_123_456_700).unwrap();
        round(at, "2014-07-31T18:00:00.1234567Z");
        round(jiff::civil::Date::constant(2014, 7, 31), "2014-07-31");
        assert!(jiff::civil::Date::MIN.to_value().is_err());
    }
}
