//! Shard of a key: the number of the partition that stores a row.

use table_schema::{
    key::{KeyKind, KeyValue, STRICT_UNITS},
    template::{KeyForm, Part},
};

use crate::core::key::{EntityKeyError, hole::Named};
use crate::design::{Design, Shard, Template};

/// Name of the template field for the shard.
pub(crate) const SHARD: &str = "shard";

/// Returns the shard for these values. The field is hashed in its encoded key form, including escapes, because all
/// programs share the key.
pub(crate) fn of_values(
    design: &'static Design,
    shard: Shard,
    values: &[Named<'_>],
) -> Result<u32, EntityKeyError> {
    let Some((template, hole)) = hole_of(design, shard.of) else { return Ok(0) };
    let form = KeyForm::new(KeyKind::Partition, hole);
    if let Some((field, Err(reason))) = values.iter().find(|(name, _)| *name == shard.of) {
        return Err(EntityKeyError::value(design.name, template, field, reason.clone()));
    }
    let find = |field: &str| {
        values.iter().find(|(name, _)| *name == field).and_then(|(_, value)| value.as_ref().ok())
    };
    let text = form
        .encode_with(find, STRICT_UNITS)
        .map_err(|error| EntityKeyError::key(design.name, template, error))?;
    let after = match hole {
        [_, Part::Literal(literal)] => literal,
        _ => "",
    };
    Ok(number(text.strip_suffix(after).unwrap_or(&text), shard.count))
}

/// Returns the template field for a shard.
pub(crate) fn value(number: u32) -> Named<'static> {
    (SHARD, Ok(KeyValue::Unsigned(number.into())))
}

fn number(text: &str, count: u32) -> u32 {
    crc32c::crc32c(text.as_bytes()).checked_rem(count).unwrap_or_default()
}

/// Returns the first occurrence of a field in the keys, with the literal that follows it, because the escaping of a
/// string depends on that literal.
fn hole_of(design: &'static Design, field: &str) -> Option<(&'static Template, &'static [Part<'static>])> {
    [&design.partition, &design.row].into_iter().find_map(|template| {
        let parts = template.form.parts();
        let is_it = |part: &Part<'_>| matches!(part, Part::Field { field: name, .. } if *name == field);
        let at = parts.iter().position(is_it)?;
        let end = match parts.get(at + 1) {
            Some(Part::Literal(_)) => at + 2,
            _ => at + 1,
        };
        Some((template, parts.get(at..end)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stored rows depend on these numbers, so they must never change.
    #[test]
    fn shards_of_known_texts() {
        let shards = |text| [2, 16, 100].map(|count| number(text, count));
        // The CRC32C of "123456789" is e3069283 by definition.
        assert_eq!(number("123456789", u32::MAX), 0xe306_9283);
        assert_eq!(shards("123456789"), [1, 3, 55]);
        assert_eq!(shards(""), [0, 0, 0]);
        // Encoded in UTF-8.
        assert_eq!(shards("000223"), [0, 0, 28]);
        assert_eq!(shards("jonesj@contoso.com"), [0, 0, 88]);
        assert_eq!(shards("é"), [0, 12, 4]);
        assert_eq!(number("000223", 1), 0);
        assert_eq!(number("000223", 0), 0, "a count of nothing is no panic");
    }

    #[test]
    fn keys_spread_evenly() {
        let mut counts = [0_u32; 16];
        for id in 0..16_000 {
            counts[number(&format!("{id:06}"), 16) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (900..=1_100).contains(count)), "{counts:?}");
    }
}
