//! Stored form of policies.

use super::{StoredPolicies, StoredPolicy};
use crate::{
    Timestamp,
    fields::{Fields, push_text},
};

const START: u8 = 1;
const EXPIRY: u8 = 2;
const PERMISSION: u8 = 4;

impl StoredPolicies {
    /// Encodes policies as the content of a record.
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

fn encode(policies: &StoredPolicies) -> Vec<u8> {
    // There are at most five policies.
    let mut content = vec![u8::try_from(policies.as_slice().len()).unwrap_or(u8::MAX)];
    for policy in policies.as_slice() {
        let StoredPolicy { id, start, expiry, permission } = policy;
        push_text(&mut content, id);
        let bit = |there: bool, bit| if there { bit } else { 0 };
        content.push(
            bit(start.is_some(), START)
                | bit(expiry.is_some(), EXPIRY)
                | bit(permission.is_some(), PERMISSION),
        );
        for time in [start, expiry].into_iter().flatten() {
            content.extend_from_slice(&time.ticks().to_le_bytes());
        }
        if let Some(permission) = permission {
            push_text(&mut content, permission);
        }
    }
    content
}

fn decode(content: &[u8]) -> Option<StoredPolicies> {
    let mut fields = Fields::new(content);
    let count = fields.byte()?;
    let mut policies = Vec::new();
    for _ in 0..count {
        let id = fields.text()?.to_owned();
        let there = fields.byte()?;
        if there > START | EXPIRY | PERMISSION {
            return None;
        }
        let time = |fields: &mut Fields<'_>, bit| -> Option<Option<Timestamp>> {
            if there & bit == 0 { Some(None) } else { fields.time().map(Some) }
        };
        let (start, expiry) = (time(&mut fields, START)?, time(&mut fields, EXPIRY)?);
        let permission = if there & PERMISSION == 0 { None } else { Some(fields.text()?.to_owned()) };
        policies.push(StoredPolicy { id, start, expiry, permission });
    }
    fields.end()?;
    StoredPolicies::new(policies).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written_and_no_part_of_it_is_one() {
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        let all = StoredPolicy::new("all")
            .start(time("2015-01-01T12:10:00Z"))
            .expiry(time("9999-12-31T23:59:59.9999999Z"))
            .permission("raud");
        let some = StoredPolicy::new("é").expiry(time("2015-01-01")).permission("");
        for policies in [vec![], vec![StoredPolicy::new("none")], vec![all, some]] {
            let policies = StoredPolicies::new(policies).unwrap();
            let content = encode(&policies);
            for end in 0..content.len() {
                assert_eq!(decode(&content[..end]), None, "{end}");
            }
            assert_eq!(decode(&content), Some(policies));
        }
        assert_eq!(decode(&[1, 1, 0, b'a', 8]), None);
    }
}
