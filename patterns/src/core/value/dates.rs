//! Dates in keys and properties. The date types of other crates are converted to [`Date`].

use table_schema::static_design::ValueKind;

use super::{ValueError, times::outside};
use crate::{Date, core::key::Time};

impl Time for Date {
    const KIND: Option<ValueKind> = Some(ValueKind::Date);

    fn to_ticks(&self) -> Result<i64, ValueError> {
        Ok(self.midnight().ticks())
    }

    fn from_ticks(ticks: i64) -> Result<Self, ValueError> {
        let at = table_model::Timestamp::from_ticks(ticks).ok_or_else(outside)?;
        let date = Self::from(at);
        if date.midnight() == at {
            Ok(date)
        } else {
            Err(ValueError::out_of_range(at, "a date must be at midnight (UTC)"))
        }
    }
}

#[cfg(feature = "time")]
impl Time for time::Date {
    const KIND: Option<ValueKind> = Some(ValueKind::Date);

    fn to_ticks(&self) -> Result<i64, ValueError> {
        Date::new(self.year(), self.month().into(), self.day()).ok_or_else(outside)?.to_ticks()
    }

    fn from_ticks(ticks: i64) -> Result<Self, ValueError> {
        let date = Date::from_ticks(ticks)?;
        let month = time::Month::try_from(date.month()).map_err(|_| outside())?;
        Self::from_calendar_date(date.year(), month, date.day()).map_err(|_| outside())
    }
}

#[cfg(feature = "chrono")]
impl Time for chrono::NaiveDate {
    const KIND: Option<ValueKind> = Some(ValueKind::Date);

    fn to_ticks(&self) -> Result<i64, ValueError> {
        use chrono::Datelike;

        let part = |number: u32| u8::try_from(number).map_err(|_| outside());
        Date::new(self.year(), part(self.month())?, part(self.day())?).ok_or_else(outside)?.to_ticks()
    }

    fn from_ticks(ticks: i64) -> Result<Self, ValueError> {
        let date = Date::from_ticks(ticks)?;
        Self::from_ymd_opt(date.year(), date.month().into(), date.day().into()).ok_or_else(outside)
    }
}

#[cfg(feature = "jiff")]
impl Time for jiff::civil::Date {
    const KIND: Option<ValueKind> = Some(ValueKind::Date);

    fn to_ticks(&self) -> Result<i64, ValueError> {
        let part = |number: i8| u8::try_from(number).map_err(|_| outside());
        Date::new(self.year().into(), part(self.month())?, part(self.day())?).ok_or_else(outside)?.to_ticks()
    }

    fn from_ticks(ticks: i64) -> Result<Self, ValueError> {
        let date = Date::from_ticks(ticks)?;
        let part = |number: u8| i8::try_from(number).map_err(|_| outside());
        let year = i16::try_from(date.year()).map_err(|_| outside())?;
        Self::new(year, part(date.month())?, part(date.day())?).map_err(|_| outside())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TableValue;

    #[test]
    fn a_date_is_stored_as_its_midnight() {
        let date = Date::new(2014, 7, 31).unwrap();
        let value = date.to_value().unwrap();
        assert_eq!(value, table_model::Timestamp::from_date(2014, 7, 31).unwrap().into());
        assert_eq!(Date::from_value(value), Ok(date));
        assert!(Date::from_ticks(date.midnight().ticks() + 1).is_err(), "a time of day is no date");
    }
}
