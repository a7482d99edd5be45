mod record;

use super::{CorsRules, ServiceKind};
use crate::{ErrorCode, Result};

/// Properties of a service. Settings for logs and metrics are stored, but have no effect.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServiceProperties {
    /// Log settings.
    pub logging: Logging,
    /// Hourly metrics.
    pub hour_metrics: Metrics,
    /// Minute metrics.
    pub minute_metrics: Metrics,
    /// CORS rules.
    pub cors: CorsRules,
    /// Service version of requests that specify none; blobs only.
    pub default_version: Option<String>,
}

/// Log settings of a service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Logging {
    /// Delete requests are logged.
    pub delete: bool,
    /// Read requests are logged.
    pub read: bool,
    /// Write requests are logged.
    pub write: bool,
    /// Retention of logs.
    pub retention: Retention,
}

/// Metrics settings of a service.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Metrics {
    /// `None` if metrics are disabled; otherwise whether each operation is counted separately.
    pub per_operation: Option<bool>,
    /// Retention of metrics.
    pub retention: Retention,
}

/// Retention period: 1 to 365 days, or unlimited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Retention(Option<u16>);

impl Retention {
    /// Unlimited retention.
    pub const FOREVER: Self = Self(None);

    /// Creates a retention period in days.
    ///
    /// # Errors
    /// `InvalidXmlNodeValue` unless `days` is 1 to 365.
    pub fn days(days: u16) -> Result<Self> {
        match days {
            1..=365 => Ok(Self(Some(days))),
            _ => Err(ErrorCode::InvalidXmlNodeValue.into()),
        }
    }

    /// Returns the number of days; `None` if unlimited.
    #[must_use]
    pub const fn get(self) -> Option<u16> {
        self.0
    }
}

/// Change of the properties of a service. Fields that are `None` stay unchanged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PropertiesChange {
    /// Log settings.
    pub logging: Option<Logging>,
    /// Hourly metrics.
    pub hour_metrics: Option<Metrics>,
    /// Minute metrics.
    pub minute_metrics: Option<Metrics>,
    /// CORS rules; an empty list removes all rules.
    pub cors: Option<CorsRules>,
    /// Service version of requests that specify none.
    pub default_version: Option<String>,
}

impl PropertiesChange {
    /// Checks the parts that depend on the kind of service.
    ///
    /// # Errors
    /// `UnsupportedXmlNode` for a property that the service does not support, `InvalidXmlNodeValue` for an invalid
    /// version.
    pub fn check_for(&self, kind: ServiceKind) -> Result<()> {
        match &self.default_version {
            Some(_) if kind != ServiceKind::Blob => Err(ErrorCode::UnsupportedXmlNode.into()),
            Some(version) if !is_version(version) => Err(ErrorCode::InvalidXmlNodeValue.into()),
            _ => Ok(()),
        }
    }

    /// Returns the changed properties.
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

/// Returns whether a string has the form of a version, such as `2019-02-02`.
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
