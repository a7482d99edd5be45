//! Stored form of the properties of a service.

use super::{Logging, Metrics, Retention, ServiceProperties};
use crate::{
    fields::{Fields, push_text},
    settings::{CorsMethod, CorsRule, CorsRules},
};

const VERSION: u8 = 1;

impl ServiceProperties {
    /// Encodes properties as the content of a record.
    #[doc(hidden)]
    pub fn encode(&self) -> Vec<u8> {
        encode(self)
    }

    /// Decodes the content of a record. Returns `None` if it is invalid.
    #[doc(hidden)]
    pub fn decode(content: &[u8]) -> Option<Self> {
        decode(content)
    }
}

fn encode(properties: &ServiceProperties) -> Vec<u8> {
    let ServiceProperties { logging, hour_metrics, minute_metrics, cors, default_version } = properties;
    let mut content = vec![VERSION];
    let Logging { delete, read, write, retention } = *logging;
    content.push(u8::from(delete) | u8::from(read) << 1 | u8::from(write) << 2);
    push_days(&mut content, retention);
    for Metrics { per_operation, retention } in [hour_metrics, minute_metrics] {
        content.push(per_operation.map_or(0, |each| 1 + u8::from(each)));
        push_days(&mut content, *retention);
    }
    push_text(&mut content, default_version.as_deref().unwrap_or_default());
    // There are at most five rules, of 64 entries each.
    content.push(u8::try_from(cors.as_slice().len()).unwrap_or(u8::MAX));
    for rule in cors.as_slice() {
        let CorsRule { origins, methods, max_age, exposed_headers, allowed_headers } = rule;
        content.push(methods.iter().fold(0, |bits, method| bits | bit(*method)));
        content.extend_from_slice(&max_age.to_le_bytes());
        for texts in [origins, exposed_headers, allowed_headers] {
            content.push(u8::try_from(texts.len()).unwrap_or(u8::MAX));
            for text in texts {
                push_text(&mut content, text);
            }
        }
    }
    content
}

fn decode(content: &[u8]) -> Option<ServiceProperties> {
    let mut fields = Fields::new(content);
    if fields.byte()? != VERSION {
        return None;
    }
    let logged = fields.byte().filter(|bits| *bits < 8)?;
    let logging = Logging {
        delete: logged & 1 != 0,
        read: logged & 2 != 0,
        write: logged & 4 != 0,
        retention: days(&mut fields)?,
    };
    let (hour_metrics, minute_metrics) = (metrics(&mut fields)?, metrics(&mut fields)?);
    let version = fields.text()?;
    let default_version = (!version.is_empty()).then(|| version.to_owned());
    let count = fields.byte()?;
    let rules = (0..count).map(|_| rule(&mut fields)).collect::<Option<Vec<_>>>()?;
    fields.end()?;
    let cors = CorsRules::new(rules).ok()?;
    Some(ServiceProperties { logging, hour_metrics, minute_metrics, cors, default_version })
}

/// Returns the bit of a method. Bits are in name order.
fn bit(method: CorsMethod) -> u8 {
    let index = CorsMethod::ALL.iter().position(|known| *known == method).unwrap_or(0);
    1_u8.rotate_left(u32::try_from(index).unwrap_or(0))
}

fn rule(fields: &mut Fields<'_>) -> Option<CorsRule> {
    let bits = fields.byte()?;
    let methods = CorsMethod::ALL.into_iter().filter(|method| bits & bit(*method) != 0).collect();
    let max_age = fields.word()?;
    let mut texts = || -> Option<Vec<String>> {
        let count = fields.byte()?;
        (0..count).map(|_| fields.text().map(str::to_owned)).collect()
    };
    let (origins, exposed_headers, allowed_headers) = (texts()?, texts()?, texts()?);
    Some(CorsRule { origins, methods, max_age, exposed_headers, allowed_headers })
}

fn metrics(fields: &mut Fields<'_>) -> Option<Metrics> {
    let per_operation = match fields.byte()? {
        0 => None,
        1 => Some(false),
        2 => Some(true),
        _ => return None,
    };
    Some(Metrics { per_operation, retention: days(fields)? })
}

fn push_days(content: &mut Vec<u8>, retention: Retention) {
    content.extend_from_slice(&retention.get().unwrap_or(0).to_le_bytes());
}

/// 0 means unlimited.
fn days(fields: &mut Fields<'_>) -> Option<Retention> {
    match fields.short()? {
        0 => Some(Retention::FOREVER),
        days => Retention::days(days).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written_and_no_part_of_it_is_one() {
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        let rule = |methods| CorsRule {
            origins: texts(&["http://a.com", "http://b.com"]),
            methods,
            max_age: 500,
            exposed_headers: texts(&["x-ms-meta-data*"]),
            allowed_headers: texts(&[]),
        };
        let rules = vec![rule(CorsMethod::ALL.to_vec()), rule(vec![CorsMethod::Put])];
        let set = ServiceProperties {
            logging: Logging {
                delete: true,
                read: false,
                write: true,
                retention: Retention::days(7).unwrap(),
            },
            hour_metrics: Metrics { per_operation: Some(true), retention: Retention::days(365).unwrap() },
            minute_metrics: Metrics { per_operation: Some(false), retention: Retention::FOREVER },
            cors: CorsRules::new(rules).unwrap(),
            default_version: Some("2019-02-02".to_owned()),
        };
        for properties in [ServiceProperties::default(), set] {
            let content = encode(&properties);
            for end in 0..content.len() {
                assert_eq!(decode(&content[..end]), None, "{end}");
            }
            assert_eq!(decode(&content), Some(properties));
        }
    }
}
