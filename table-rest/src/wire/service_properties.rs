//! Service properties: the body of Get and Set Service Properties.

use bytes::Bytes;
use table_model::{
    ErrorCode, Result, TableError,
    settings::{
        CorsMethod, CorsRule, CorsRules, Logging, Metrics, PropertiesChange, Retention, ServiceProperties,
    },
};

use super::xml::{Element, Limits, Writer, parse};

/// Maximum size of a request body.
pub const MOST_BYTES: usize = 64 << 10;

/// The only version of logging and metrics.
const VERSION: &str = "1.0";

/// Writes all properties of a service.
#[must_use]
pub fn write(properties: &ServiceProperties) -> Bytes {
    write_change(&PropertiesChange {
        logging: Some(properties.logging),
        hour_metrics: Some(properties.hour_metrics),
        minute_metrics: Some(properties.minute_metrics),
        cors: Some(properties.cors.clone()),
        default_version: properties.default_version.clone(),
    })
}

/// Writes the properties to change.
#[must_use]
pub fn write_change(change: &PropertiesChange) -> Bytes {
    let PropertiesChange { logging, hour_metrics, minute_metrics, cors, default_version } = change;
    let mut xml = Writer::new();
    xml.element("StorageServiceProperties", |xml| {
        if let Some(logging) = logging {
            xml.element("Logging", |xml| write_logging(xml, *logging));
        }
        for (name, metrics) in [("HourMetrics", hour_metrics), ("MinuteMetrics", minute_metrics)] {
            if let Some(metrics) = metrics {
                xml.element(name, |xml| write_metrics(xml, *metrics));
            }
        }
        if let Some(cors) = cors {
            xml.element("Cors", |xml| {
                for rule in cors.as_slice() {
                    xml.element("CorsRule", |xml| write_rule(xml, rule));
                }
            });
        }
        if let Some(version) = default_version {
            xml.text("DefaultServiceVersion", version);
        }
    });
    xml.finish()
}

fn write_logging(xml: &mut Writer, logging: Logging) {
    xml.text("Version", VERSION);
    xml.value("Delete", logging.delete);
    xml.value("Read", logging.read);
    xml.value("Write", logging.write);
    write_retention(xml, logging.retention);
}

fn write_metrics(xml: &mut Writer, metrics: Metrics) {
    xml.text("Version", VERSION);
    xml.value("Enabled", metrics.per_operation.is_some());
    if let Some(each) = metrics.per_operation {
        xml.value("IncludeAPIs", each);
    }
    write_retention(xml, metrics.retention);
}

fn write_retention(xml: &mut Writer, retention: Retention) {
    xml.element("RetentionPolicy", |xml| {
        xml.value("Enabled", retention.get().is_some());
        if let Some(days) = retention.get() {
            xml.value("Days", days);
        }
    });
}

fn write_rule(xml: &mut Writer, rule: &CorsRule) {
    let methods: Vec<_> = rule.methods.iter().map(|method| method.as_str()).collect();
    xml.text("AllowedOrigins", &rule.origins.join(","));
    xml.text("AllowedMethods", &methods.join(","));
    xml.value("MaxAgeInSeconds", rule.max_age);
    xml.text("ExposedHeaders", &rule.exposed_headers.join(","));
    xml.text("AllowedHeaders", &rule.allowed_headers.join(","));
}

/// Reads the properties to change, from a request; or all properties, from a response.
///
/// # Errors
///
/// Returns `InvalidXmlDocument`, `MissingRequiredXmlNode`, `InvalidXmlNodeValue`, or `UnsupportedXmlNode` for unknown
/// properties and for blob properties that cannot be enabled.
pub fn read(body: &[u8]) -> Result<PropertiesChange> {
    let limits = Limits { bytes: MOST_BYTES, elements: 1_000 };
    let root = parse(body, limits)?.named("StorageServiceProperties")?;
    let mut change = PropertiesChange::default();
    for child in &root.children {
        match &*child.name {
            "Logging" => once(&mut change.logging, read_logging(child)?)?,
            // Before version 2013-08-15, hourly metrics were the only metrics.
            "HourMetrics" | "Metrics" => once(&mut change.hour_metrics, read_metrics(child)?)?,
            "MinuteMetrics" => once(&mut change.minute_metrics, read_metrics(child)?)?,
            "Cors" => once(&mut change.cors, read_rules(child)?)?,
            "DefaultServiceVersion" if child.text.is_empty() => {}
            "DefaultServiceVersion" => once(&mut change.default_version, child.text.clone())?,
            "DeleteRetentionPolicy" | "StaticWebsite" if !read_flag(child, "Enabled")? => {}
            "DeleteRetentionPolicy" | "StaticWebsite" => {
                return Err(unsupported(&child.name, "set its `Enabled` to `false`, or omit it"));
            }
            _ => return Err(unsupported(&child.name, "omit it")),
        }
    }
    Ok(change)
}

fn once<T>(place: &mut Option<T>, value: T) -> Result<()> {
    if place.replace(value).is_some() { Err(ErrorCode::InvalidXmlDocument.into()) } else { Ok(()) }
}

/// Returns the error for a node that is not supported, with its name.
fn unsupported(name: &str, remedy: &str) -> TableError {
    let code = ErrorCode::UnsupportedXmlNode;
    let name: String = name.chars().take(64).collect();
    TableError::with_message(code, format!("{} `{name}` is not supported; {remedy}.", code.message()))
}

fn wrong() -> TableError {
    ErrorCode::InvalidXmlNodeValue.into()
}

fn read_flag(element: &Element, name: &str) -> Result<bool> {
    let text = element.required(name)?.trim();
    match [true, false]
        .into_iter()
        .find(|flag| text.eq_ignore_ascii_case(if *flag { "true" } else { "false" }))
    {
        Some(flag) => Ok(flag),
        None => Err(wrong()),
    }
}

fn check_version(element: &Element) -> Result<()> {
    if element.required("Version")?.trim() == VERSION { Ok(()) } else { Err(wrong()) }
}

fn read_logging(element: &Element) -> Result<Logging> {
    check_version(element)?;
    Ok(Logging {
        delete: read_flag(element, "Delete")?,
        read: read_flag(element, "Read")?,
        write: read_flag(element, "Write")?,
        retention: read_retention(element)?,
    })
}

fn read_metrics(element: &Element) -> Result<Metrics> {
    check_version(element)?;
    let enabled = read_flag(element, "Enabled")?;
    let per_operation = if enabled { Some(read_flag(element, "IncludeAPIs")?) } else { None };
    Ok(Metrics { per_operation, retention: read_retention(element)? })
}

/// The number of days applies only if retention is enabled.
fn read_retention(element: &Element) -> Result<Retention> {
    let policy = element.child("RetentionPolicy").ok_or(ErrorCode::MissingRequiredXmlNode)?;
    if !read_flag(policy, "Enabled")? {
        return Ok(Retention::FOREVER);
    }
    let days = policy.required("Days")?.trim().parse().map_err(|_| wrong())?;
    Retention::days(days)
}

fn read_rules(element: &Element) -> Result<CorsRules> {
    if element.children.iter().any(|child| &*child.name != "CorsRule") {
        return Err(TableError::with_message(
            ErrorCode::UnsupportedXmlNode,
            format!("{} Only `CorsRule` is supported in `Cors`.", ErrorCode::UnsupportedXmlNode.message()),
        ));
    }
    CorsRules::new(element.children.iter().map(read_rule).collect::<Result<_>>()?)
}

fn read_rule(element: &Element) -> Result<CorsRule> {
    let list = |name| -> Result<Vec<String>> {
        let parts = element.required(name)?.split(',').map(str::trim).filter(|part| !part.is_empty());
        Ok(parts.map(str::to_owned).collect())
    };
    let methods = list("AllowedMethods")?;
    Ok(CorsRule {
        origins: list("AllowedOrigins")?,
        methods: methods.iter().map(|method| method.parse::<CorsMethod>()).collect::<Result<_>>()?,
        max_age: element.required("MaxAgeInSeconds")?.trim().parse().map_err(|_| wrong())?,
        exposed_headers: list("ExposedHeaders")?,
        allowed_headers: list("AllowedHeaders")?,
    })
}

#[cfg(test)]
mod tests;
