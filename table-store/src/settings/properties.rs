use super::{CorsRules, ServiceKind};
use crate::{ErrorCode, Result};

/// The properties of a service. Logs and metrics are kept as they were set, and not acted upon.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceProperties {
    /// What is logged.
    pub logging: Logging,
    /// What is counted by the hour.
    pub hour_metrics: Metrics,
    /// What is counted by the minute.
    pub minute_metrics: Metrics,
    /// What pages of other origins may ask.
    pub cors: CorsRules,
    /// The version of requests that name none; blobs only.
    pub default_version: Option<String>,
}

/// Which requests are logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Logging {
    /// Those that delete.
    pub delete: bool,
    /// Those that read.
    pub read: bool,
    /// Those that write.
    pub write: bool,
    /// How long logs are kept.
    pub retention: Retention,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// None if nothing is; else whether each operation is counted by itself.
    pub per_operation: Option<bool>,
    /// How long figures are kept.
    pub retention: Retention,
}

/// For how many days something is kept: 1 to 365, or for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention(Option<u16>);

impl Retention {
    /// For ever.
    pub const FOREVER: Self = Self(None);

    /// For some days.
    ///
    /// # Errors
    /// `InvalidXmlNodeValue` unless 1 to 365.
    pub fn days(days: u16) -> Result<Self> {
        match days {
            1..=365 => Ok(Self(Some(days))),
            _ => Err(ErrorCode::InvalidXmlNodeValue.into()),
        }
    }

    /// The days; none for ever.
    #[must_use]
    pub const fn get(self) -> Option<u16> {
        self.0
    }
}

/// What a request sets of a service's properties; what it does not name stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertiesChange {
    /// Logs.
    pub logging: Option<Logging>,
    /// Figures by the hour.
    pub hour_metrics: Option<Metrics>,
    /// Figures by the minute.
    pub minute_metrics: Option<Metrics>,
    /// Rules for other origins; an empty list removes all.
    pub cors: Option<CorsRules>,
    /// The version of requests that name none.
    pub default_version: Option<String>,
}

impl PropertiesChange {
    /// Checks what only the service can tell.
    ///
    /// # Errors
    /// `UnsupportedXmlNode` for a property that the service does not have, `InvalidXmlNodeValue` for a version that is none.
    pub fn check_for(&self, kind: ServiceKind) -> Result<()> {
        match &self.default_version {
            Some(_) if kind != ServiceKind::Blob => Err(ErrorCode::UnsupportedXmlNode.into()),
            Some(version) if !is_version(version) => Err(ErrorCode::InvalidXmlNodeValue.into()),
            _ => Ok(()),
        }
    }

    /// The properties as they are then.
    #[must_use]
    pub fn apply(self, properties: &ServiceProperties) -> ServiceProperties {
        ServiceProperties {
            logging: self.logging.unwrap_or(properties.logging),
            hour_metrics: self.hour_metrics.unwrap_or(properties.hour_metrics),
            minute_metrics: self.minute_metrics.unwrap_or(properties.minute_metrics),
            cors: self.cors.unwrap_or_else(|| properties.cors.clone()),
            default_version: self.default_version.or_else(|| properties.default_version.clone()),
        }
    }
}

/// `2019-02-02`
fn is_version(text: &str) -> bool {
    let digit = |(index, byte): (usize, u8)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == 10 && text.bytes().enumerate().all(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_named_stays() {
        let week = Metrics { per_operation: Some(true), retention: Retention::days(7).unwrap() };
        let before = ServiceProperties {
            logging: Logging { read: true, ..Logging::default() },
            default_version: Some("2019-02-02".to_owned()),
            ..ServiceProperties::default()
        };
        let change = PropertiesChange { hour_metrics: Some(week), ..PropertiesChange::default() };
        let after = change.apply(&before);
        assert_eq!(after, ServiceProperties { hour_metrics: week, ..before });
    }

    #[test]
    fn days_are_those_of_a_year() {
        assert_eq!(Retention::days(365).unwrap().get(), Some(365));
        for days in [0, 366] {
            assert_eq!(Retention::days(days).unwrap_err().code(), ErrorCode::InvalidXmlNodeValue);
        }
    }

    #[test]
    fn only_blobs_have_a_version_for_those_that_name_none() {
        let change = |version: &str| PropertiesChange {
            default_version: Some(version.to_owned()),
            ..PropertiesChange::default()
        };
        let code = |version, kind| change(version).check_for(kind).err().map(|error| error.code());
        assert_eq!(code("2019-02-02", ServiceKind::Blob), None);
        assert_eq!(code("2019-2-2", ServiceKind::Blob), Some(ErrorCode::InvalidXmlNodeValue));
        assert_eq!(code("2019-02-02", ServiceKind::Table), Some(ErrorCode::UnsupportedXmlNode));
    }
}
