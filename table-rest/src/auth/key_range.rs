use std::cmp::Ordering;

use table_model::{Filter, key};

/// A range of entity keys that a signature for a table covers. Both ends are inclusive, in the key order of the
/// service.
///
/// ```
/// use table_rest::auth::KeyRange;
///
/// let range = KeyRange::all().from("Oslo", Some("5")).to("Rome", None);
/// assert!(range.contains("Oslo", "5") && range.contains("Paris", "1") && range.contains("Rome", "9"));
/// assert!(!range.contains("Oslo", "4") && !range.contains("Rome!", ""));
/// let filter = "(PartitionKey gt 'Oslo' or PartitionKey eq 'Oslo' and RowKey ge '5') and PartitionKey le 'Rome'";
/// assert_eq!(range.filter().unwrap().to_string(), filter);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyRange {
    start: Option<End>,
    end: Option<End>,
}

/// A PartitionKey and an optional RowKey in that partition.
type End = (String, Option<String>);

impl KeyRange {
    /// Creates a range that contains all entities.
    #[must_use]
    pub fn all() -> Self {
        Self::default()
    }

    /// Sets the start of the range: a PartitionKey, and optionally a RowKey in that partition.
    #[must_use]
    pub fn from(mut self, partition_key: impl Into<String>, row_key: Option<&str>) -> Self {
        self.start = Some((partition_key.into(), row_key.map(String::from)));
        self
    }

    /// Sets the end of the range: a PartitionKey, and optionally a RowKey in that partition.
    #[must_use]
    pub fn to(mut self, partition_key: impl Into<String>, row_key: Option<&str>) -> Self {
        self.end = Some((partition_key.into(), row_key.map(String::from)));
        self
    }

    /// Returns the start of the range: `spk` and `srk` of a signature.
    #[must_use]
    pub fn start(&self) -> Option<(&str, Option<&str>)> {
        self.start.as_ref().map(parts)
    }

    /// Returns the end of the range: `epk` and `erk` of a signature.
    #[must_use]
    pub fn end(&self) -> Option<(&str, Option<&str>)> {
        self.end.as_ref().map(parts)
    }

    /// Returns `true` if the range contains the entity with these keys.
    #[must_use]
    pub fn contains(&self, partition_key: &str, row_key: &str) -> bool {
        let side = |end: Option<(&str, Option<&str>)>, outside: Ordering| {
            end.is_none_or(|(partition, row)| {
                let order = key::compare(partition_key, partition);
                order != outside
                    && (order.is_ne() || row.is_none_or(|row| key::compare(row_key, row) != outside))
            })
        };
        side(self.start(), Ordering::Less) && side(self.end(), Ordering::Greater)
    }

    /// Returns a filter that matches the entities of the range, or `None` if the range contains all entities.
    #[must_use]
    pub fn filter(&self) -> Option<Filter> {
        let (partition, row) = ("PartitionKey", "RowKey");
        let start = self.start.clone().map(|(key, from)| match from {
            None => Filter::ge(partition, key),
            Some(from) => {
                Filter::gt(partition, key.clone()).or(Filter::eq(partition, key).and(Filter::ge(row, from)))
            }
        });
        let end = self.end.clone().map(|(key, to)| match to {
            None => Filter::le(partition, key),
            Some(to) => {
                Filter::lt(partition, key.clone()).or(Filter::eq(partition, key).and(Filter::le(row, to)))
            }
        });
        match (start, end) {
            (Some(start), Some(end)) => Some(start.and(end)),
            (start, end) => start.or(end),
        }
    }
}

fn parts((partition_key, row_key): &End) -> (&str, Option<&str>) {
    (partition_key, row_key.as_deref())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use table_model::Entity;

    use super::*;

    fn key_text() -> impl Strategy<Value = String> {
        let characters: Vec<char> = "ab\u{e000}\u{ffff}\u{10000}".chars().collect();
        prop::collection::vec(prop::sample::select(characters), 0..3).prop_map(String::from_iter)
    }

    fn end() -> impl Strategy<Value = Option<End>> {
        prop::option::of((key_text(), prop::option::of(key_text())))
    }

    /// The rule of the specification for each of the four parameters.
    fn expected(range: &KeyRange, keys: (&str, &str)) -> bool {
        let above = |(partition, row): (&str, Option<&str>)| {
            let order = key::compare(keys.0, partition);
            order.is_gt() || order.is_eq() && row.is_none_or(|row| key::compare(keys.1, row).is_ge())
        };
        let below = |(partition, row): (&str, Option<&str>)| {
            let order = key::compare(keys.0, partition);
            order.is_lt() || order.is_eq() && row.is_none_or(|row| key::compare(keys.1, row).is_le())
        };
        range.start().is_none_or(above) && range.end().is_none_or(below)
    }

    proptest! {
        #[test]
        fn the_filter_and_the_range_hold_the_same(start in end(), end in end(), p in key_text(), r in key_text()) {
            let range = KeyRange { start, end };
            let inside = range.contains(&p, &r);
            prop_assert_eq!(inside, expected(&range, (&p, &r)));
            let entity = Entity::new(p, r);
            let matches = range.filter().is_none_or(|filter| filter.matches(&entity));
            prop_assert_eq!(matches, inside);
        }
    }
}
