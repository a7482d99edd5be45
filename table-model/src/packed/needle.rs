use super::kind;
use crate::{Filter, Value, filter::Comparison, name::SYSTEM};

/// Returns bytes that the encoding of every matching entity contains, so that a backend can skip other records without
/// decoding them: the longest value that a part of the filter requires by `eq`. `None` if no part requires one.
///
/// The bytes can also be in an entity that does not match. A number is not used, as it equals numbers of other types.
/// Recursive: [`Filter::check`] limits the depth.
///
/// ```
/// use table_model::{Filter, packed};
///
/// let filter = Filter::parse("City eq 'Oslo' and (Age gt 30 or Remote)")?;
/// assert_eq!(packed::needle(&filter), Some(b"Oslo".to_vec()));
/// assert_eq!(packed::needle(&Filter::parse("not (City eq 'Oslo')")?), None);
/// # Ok::<(), table_model::TableError>(())
/// ```
#[must_use]
pub fn needle(filter: &Filter) -> Option<Vec<u8>> {
    match filter {
        Filter::Compare { property, operator: Comparison::Eq, value }
            if !SYSTEM.contains(&property.as_ref()) =>
        {
            let mut bytes = Vec::new();
            if let Value::Binary(_) | Value::DateTime(_) | Value::Guid(_) | Value::String(_) = value {
                kind::push(&mut bytes, &value.as_ref());
            }
            (!bytes.is_empty()).then_some(bytes)
        }
        Filter::And(parts) => parts.iter().filter_map(needle).max_by_key(Vec::len),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Properties, Timestamp, Uuid, packed::pack};

    /// Each value of some types, compared with each by `eq`: an entity that matches contains the needle.
    #[test]
    fn each_matching_entity_contains_it() {
        let values = [
            Value::from("Oslo"),
            Value::from(""),
            Value::from(7),
            Value::from(7_i64),
            Value::from(7.0),
            Value::from(true),
            Value::Guid(Uuid::from_bytes([7; 16])),
            Value::DateTime(Timestamp::from_ticks(7).unwrap()),
            Value::Binary(b"Oslo".to_vec()),
        ];
        let (mut matching, mut needles) = (0, 0);
        for stored in &values {
            let properties: Properties = [("A", Value::from(1)), ("B", stored.clone())].into_iter().collect();
            let entity = crate::Entity { properties, ..crate::Entity::new("p", "r") };
            let mut packed = Vec::new();
            pack(entity.properties.refs(), &mut packed).unwrap();
            for literal in &values {
                let filter = Filter::eq("B", literal.clone()).and(Filter::eq("A", 1));
                let found = needle(&filter);
                needles += usize::from(found.is_some());
                if filter.matches(&entity) {
                    matching += 1;
                    let has = |needle: &Vec<u8>| packed.windows(needle.len()).any(|part| part == needle);
                    assert!(found.as_ref().is_none_or(has), "{stored:?} {literal:?}");
                }
            }
        }
        assert_eq!((matching, needles), (12, 4 * values.len()));
        for none in ["RowKey eq 'x'", "A ne 'x'", "A eq 'x' or B eq 'x'", "A", "true"] {
            assert_eq!(needle(&Filter::parse(none).unwrap()), None, "{none}");
        }
    }
}
