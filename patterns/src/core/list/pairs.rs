//! Members of a list in another partition, with both keys.

use std::cmp::Ordering;

use table_model::{PropertiesRef, ValueRef, key::compare};

use super::wrong_type;
use crate::{Address, ValueError, core::error::property::PropertyError};

/// Keys of one entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// PartitionKey, `!`, and RowKey: the suffix of a member row.
    id: String,
    /// Length of the PartitionKey.
    split: usize,
}

impl Pair {
    pub(crate) fn new(partition_key: &str, row_key: &str) -> Self {
        Self { id: format!("{partition_key}!{row_key}"), split: partition_key.len() }
    }

    pub(crate) fn of(address: &Address) -> Self {
        Self::new(&address.partition_key, &address.row_key)
    }

    /// Returns the sort key.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    pub(crate) fn keys(&self) -> (&str, &str) {
        let (partition_key, rest) = self.id.split_at_checked(self.split).unwrap_or((&self.id, ""));
        (partition_key, rest.strip_prefix('!').unwrap_or_default())
    }

    /// Encodes the pair as a JSON array with two elements.
    fn json(&self) -> String {
        // Serializing two strings cannot fail.
        serde_json::to_string(&self.keys()).unwrap_or_default()
    }

    /// Returns the size in a list, including the separator.
    fn size(&self) -> usize {
        self.json().len() + 1
    }
}

/// Members of a list, in key order, without duplicates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pairs {
    pairs: Vec<Pair>,
    /// Size of the encoded members, in bytes.
    size: usize,
}

impl PartialEq for Pairs {
    fn eq(&self, other: &Self) -> bool {
        self.pairs == other.pairs
    }
}

impl Pairs {
    fn of(keys: &[(String, String)], size: usize) -> Self {
        let mut pairs = Self { pairs: keys.iter().map(|(pk, rk)| Pair::new(pk, rk)).collect(), size };
        pairs.sort();
        pairs
    }

    fn sort(&mut self) {
        if self.pairs.is_sorted_by(|left, right| compare(&left.id, &right.id) == Ordering::Less) {
            return;
        }
        self.pairs.sort_by(|left, right| compare(&left.id, &right.id));
        self.pairs.dedup();
    }

    /// Reads the members of a list row. A row without the property has no members.
    pub(crate) fn read(property: &'static str, row: PropertiesRef<'_>) -> Result<Self, PropertyError> {
        let unreadable = |reason| PropertyError { property: property.into(), reason };
        match row.get(property) {
            None => Ok(Self::default()),
            Some(ValueRef::String(text)) => serde_json::from_str::<Vec<(String, String)>>(text)
                .map(|keys| Self::of(&keys, text.len()))
                .map_err(|error| unreadable(ValueError::Json(error.to_string()))),
            Some(other) => Err(unreadable(wrong_type(other))),
        }
    }

    /// Reads the lines of a blob.
    pub(crate) fn parse(lines: &[u8]) -> Result<Self, ValueError> {
        let read: Result<Vec<(String, String)>, _> =
            serde_json::Deserializer::from_slice(lines).into_iter::<(String, String)>().collect();
        read.map(|keys| Self::of(&keys, lines.len())).map_err(|error| ValueError::Json(error.to_string()))
    }

    /// Encodes the members as a JSON array of arrays with two elements.
    pub(crate) fn text(&self) -> String {
        let keys: Vec<(&str, &str)> = self.pairs.iter().map(Pair::keys).collect();
        serde_json::to_string(&keys).unwrap_or_default()
    }

    /// Encodes the members as one line of JSON each.
    pub(crate) fn lines(&self) -> String {
        let mut lines = String::with_capacity(self.size);
        for pair in &self.pairs {
            lines.push_str(&pair.json());
            lines.push('\n');
        }
        lines
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    pub(crate) fn contains(&self, pair: &Pair) -> bool {
        self.place(&pair.id).is_ok()
    }

    /// Adds a member, unless the list would exceed `most` bytes. Returns `true` if the list contains the member.
    pub(crate) fn insert(&mut self, pair: &Pair, most: usize) -> bool {
        let Err(at) = self.place(&pair.id) else { return true };
        let size = self.size + pair.size();
        let fits = size <= most;
        if fits {
            self.pairs.insert(at, pair.clone());
            self.size = size;
        }
        fits
    }

    /// Removes a member.
    pub(crate) fn remove(&mut self, pair: &Pair) {
        if let Ok(at) = self.place(&pair.id) {
            self.size = self.size.saturating_sub(self.pairs.remove(at).size());
        }
    }

    /// Adds all members of other lists.
    pub(crate) fn extend(&mut self, others: Vec<Self>) {
        for other in others {
            self.size += other.size;
            self.pairs.extend(other.pairs);
        }
        self.sort();
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter()
    }

    /// Returns the members starting at `first`, or all members without it.
    pub(crate) fn from(mut self, first: Option<&str>) -> Vec<Pair> {
        let start = first.map_or(0, |first| self.place(first).unwrap_or_else(|at| at));
        self.pairs.split_off(start)
    }

    fn place(&self, id: &str) -> Result<usize, usize> {
        self.pairs.binary_search_by(|known| compare(&known.id, id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_survive_as_text_and_as_lines_sorted_and_once() {
        let mut pairs = Pairs::default();
        for (partition_key, row_key) in [("Sales", "b"), ("A!B", "\"x\""), ("Sales", "a"), ("Sales", "b")] {
            assert!(pairs.insert(&Pair::new(partition_key, row_key), usize::MAX));
        }
        assert_eq!(pairs.text(), r#"[["A!B","\"x\""],["Sales","a"],["Sales","b"]]"#);
        assert_eq!(pairs.lines().lines().count(), 3);
        assert_eq!(Pairs::parse(pairs.lines().as_bytes()), Ok(pairs.clone()));
        assert_eq!(pairs.iter().next().map(Pair::keys), Some(("A!B", "\"x\"")));
        assert_eq!(pairs.clone().from(Some("Sales!aa")).len(), 1);
        pairs.remove(&Pair::new("Sales", "a"));
        assert!(!pairs.contains(&Pair::new("Sales", "a")) && !pairs.is_empty());
    }

    #[test]
    fn what_has_no_room_stays_out() {
        let (sales, most) = (Pair::new("Sales", "a"), r#"["Sales","a"],"#.len());
        let mut pairs = Pairs::default();
        assert!(!pairs.insert(&sales, most - 1) && pairs.insert(&sales, most));
        assert!(!pairs.insert(&Pair::new("Sales", "b"), most) && pairs.insert(&sales, most));
        pairs.remove(&sales);
        assert!(pairs.insert(&Pair::new("Sales", "b"), most));
        assert_eq!(pairs.text(), r#"[["Sales","b"]]"#);
    }
}
