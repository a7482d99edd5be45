//! Replacement of stored data by hashes.

use std::hash::{BuildHasher, Hash, RandomState};

use table_model::{Filter, Timestamp, Uuid, Value};

use super::RecordOptions;

/// Digits of the hash of a part of a key, or of a string.
const DIGITS: usize = 12;

/// Replaces values by hashes of the same type. Its key is random, so that a hash does not reveal a value to a search of likely
/// values.
#[derive(Debug)]
pub(super) struct Mask {
    options: RecordOptions,
    key: RandomState,
}

impl Mask {
    pub(super) fn new(options: RecordOptions) -> Self {
        Self { options, key: RandomState::new() }
    }

    /// Replaces each part of a key between ASCII punctuation, except the known words.
    pub(super) fn key(&self, key: &str) -> String {
        if self.options.values {
            return key.to_owned();
        }
        let mut masked = String::with_capacity(key.len());
        let mut rest = key;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|next: char| next.is_ascii_punctuation()).unwrap_or(rest.len());
            let (part, behind) = rest.split_at(if end == 0 { first.len_utf8() } else { end });
            if end == 0 || self.options.words.contains(part) {
                masked.push_str(part);
            } else {
                masked.push_str(&self.string(part));
            }
            rest = behind;
        }
        masked
    }

    /// Replaces the literals of a filter.
    pub(super) fn filter(&self, filter: &Filter) -> Filter {
        let all = |parts: &[Filter]| parts.iter().map(|part| self.filter(part)).collect();
        match filter {
            Filter::Compare { property, operator, value } => Filter::Compare {
                property: property.clone(),
                operator: *operator,
                value: match value {
                    _ if self.options.values => value.clone(),
                    Value::String(key) if matches!(property.as_ref(), "PartitionKey" | "RowKey") => {
                        Value::String(self.key(key))
                    }
                    value => self.value(value),
                },
            },
            Filter::And(parts) => Filter::And(all(parts)),
            Filter::Or(parts) => Filter::Or(all(parts)),
            Filter::Not(inner) => Filter::Not(Box::new(self.filter(inner))),
            other => other.clone(),
        }
    }

    /// Returns a value of the same type, equal for equal values. Known words stay.
    #[expect(clippy::cast_precision_loss, reason = "any number serves")]
    fn value(&self, value: &Value) -> Value {
        let known = match value {
            Value::String(text) => self.options.words.contains(text),
            Value::Boolean(_) => true,
            Value::Int32(number) => self.options.words.contains(&number.to_string()),
            Value::Int64(number) => self.options.words.contains(&number.to_string()),
            Value::Double(number) => self.options.words.contains(&number.to_string()),
            _ => false,
        };
        if known {
            return value.clone();
        }
        match value {
            Value::String(text) => Value::String(self.string(text)),
            Value::Binary(bytes) => Value::Binary(self.hash(bytes).to_be_bytes().to_vec()),
            Value::Int32(number) => Value::Int32((self.hash(number) >> 33) as i32),
            Value::Int64(number) => Value::Int64((self.hash(number) >> 1).cast_signed()),
            Value::Double(number) => Value::Double((self.hash(&number.to_bits()) >> 12) as f64),
            Value::Guid(id) => {
                let (high, low) = (self.hash(id), self.hash(&(id, "low")));
                Value::Guid(Uuid::from_u64_pair(high, low))
            }
            Value::DateTime(time) => {
                let range = Timestamp::MAX.ticks().abs_diff(Timestamp::MIN.ticks());
                let ticks = Timestamp::MIN.ticks().saturating_add_unsigned(self.hash(time) % range);
                Value::DateTime(Timestamp::from_ticks(ticks).unwrap_or(Timestamp::MIN))
            }
            // The service has no other type.
            _ => Value::String(String::new()),
        }
    }

    fn string(&self, text: &str) -> String {
        let mut hash = format!("#{:016x}", self.hash(text));
        hash.truncate(1 + DIGITS);
        hash
    }

    fn hash(&self, value: &(impl Hash + ?Sized)) -> u64 {
        self.key.hash_one(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask() -> Mask {
        let words = ["status", "r", "open", "7"].map(str::to_owned).into();
        Mask::new(RecordOptions { values: false, words, limit: 0 })
    }

    #[test]
    fn keys_keep_their_punctuation_and_the_known_words() {
        let mask = mask();
        let hash = |text| mask.string(text);
        assert_eq!(mask.key("status_open_00042"), format!("status_open_{}", hash("00042")));
        assert_eq!(
            mask.key("jo@example.com`"),
            format!("{}@{}.{}`", hash("jo"), hash("example"), hash("com"))
        );
        assert_eq!(mask.key("Åse Ø\u{1f600}"), hash("Åse Ø\u{1f600}"));
        assert_eq!(mask.key("_r__"), "_r__");
        assert_eq!(mask.key(""), "");
        assert_ne!(hash("open"), hash("closed"));
        assert_ne!(hash("open"), self::mask().string("open"), "each recording has its own key");
    }

    #[test]
    fn literals_keep_their_type_and_their_equality() {
        let text = "PartitionKey eq 'sales_7' and (Name eq 'canary' or Name eq 'other') and not (Age ge 41) and Big lt 42L \
                    and Ratio gt 4.25 and Id eq guid'a455c695-df98-5678-aaaa-81d3367e5a34' and Raw eq X'cafe' and Remote \
                    and At le datetime'2026-01-02T03:04:05Z' and Nick eq 'canary' and Same eq 41";
        let (filter, mask) = (Filter::parse(text).unwrap(), mask());
        let masked = mask.filter(&filter);
        let printed = masked.to_string();
        for secret in ["sales", "canary", "41", "42L", "4.25", "a455c695", "cafe", "2026"] {
            assert!(!printed.contains(secret) || secret.len() == 2, "{secret} in {printed}");
        }
        assert_eq!(Filter::parse(&printed).unwrap(), masked, "{printed}");
        assert_eq!(masked.without_literals().to_string(), filter.without_literals().to_string());
        let known = "Status eq 'open' and Age eq 7 and Big eq 7L and Active eq false";
        assert_eq!(mask.filter(&Filter::parse(known).unwrap()).to_string(), known);
        let canary = mask.string("canary");
        assert_eq!(printed.matches(&format!("'{canary}'")).count(), 2, "{printed}");
    }
}
