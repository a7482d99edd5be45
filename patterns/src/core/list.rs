//! A lookup list in one row: the row keys of the entities that have a value in common.

mod blob;
mod pairs;

pub(crate) use blob::{ListBlob, MOST_BYTES};
pub(crate) use pairs::{Pair, Pairs};

use table_model::{PropertiesRef, ValueRef, key::compare};
use table_schema::design::LookupDesign;

use crate::{ValueError, core::error::property::PropertyError};

/// Property that marks a full list, whose further members are stored in separate rows. From then on, new members get
/// separate rows, so that concurrent writers no longer conflict on one row.
pub(crate) const SPILLED: &str = "_spill";

/// The members in the list's row: unique, and sorted in row order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ids(Vec<String>);

impl Ids {
    /// Reads a list's row. A row without the property, which another client may have left, has no members.
    pub(crate) fn read(property: &'static str, row: PropertiesRef<'_>) -> Result<Self, PropertyError> {
        let unreadable = |reason| PropertyError { property: property.into(), reason };
        let text = match row.get(property) {
            None => return Ok(Self::default()),
            Some(ValueRef::String(text)) => text,
            Some(other) => return Err(unreadable(wrong_type(other))),
        };
        let read: Result<Vec<String>, _> = serde_json::from_str(text);
        let mut ids = read.map_err(|error| unreadable(ValueError::Json(error.to_string())))?;
        ids.sort_by(|left, right| compare(left, right));
        ids.dedup();
        Ok(Self(ids))
    }

    /// Encodes the members as a JSON array.
    pub(crate) fn text(&self) -> String {
        serde_json::Value::from(self.0.as_slice()).to_string()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn contains(&self, id: &str) -> bool {
        self.place(id).is_ok()
    }

    /// Inserts a member if the list has room.
    pub(crate) fn insert(&mut self, id: &str) -> bool {
        let Err(at) = self.place(id) else { return true };
        self.0.insert(at, id.to_owned());
        let fits = self.text().encode_utf16().count() <= LookupDesign::ROW_CHARACTERS;
        if !fits {
            self.0.remove(at);
        }
        fits
    }

    /// Removes a member. Returns whether the list contained it.
    pub(crate) fn remove(&mut self, id: &str) -> bool {
        self.place(id).map(|at| self.0.remove(at)).is_ok()
    }

    /// Returns the members starting at `first`, or all members.
    pub(crate) fn from(mut self, first: Option<&str>) -> Vec<String> {
        let start = first.map_or(0, |first| self.place(first).unwrap_or_else(|at| at));
        self.0.split_off(start)
    }

    fn place(&self, id: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|known| compare(known, id))
    }
}

fn wrong_type(found: ValueRef<'_>) -> ValueError {
    ValueError::Type { expected: table_model::EdmType::String, found: found.to_value().edm_type() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_sorted_as_rows_are_and_stand_once() {
        let mut ids = Ids::default();
        for id in ["b", "\u{ffff}", "a", "\u{10000}", "b"] {
            assert!(ids.insert(id));
        }
        assert_eq!(ids.text(), "[\"a\",\"b\",\"\u{10000}\",\"\u{ffff}\"]");
        assert!(ids.remove("a") && !ids.remove("a"));
        assert_eq!(ids.clone().from(Some("c")).len(), 2);
        assert_eq!(ids.from(None).len(), 3);
    }

    #[test]
    fn a_full_list_takes_nobody_in_and_stays_as_it_was() {
        let mut ids = Ids::default();
        let mut count = 0;
        while ids.insert(&format!("{count:06}")) {
            count += 1;
        }
        // Each member requires six digits, two quotes and a comma.
        assert_eq!(count, LookupDesign::ROW_CHARACTERS / 9);
        assert!(ids.text().encode_utf16().count() <= LookupDesign::ROW_CHARACTERS);
        assert!(!ids.contains(&format!("{count:06}")));
        assert!(ids.remove("000000") && ids.insert("999999"));
    }
}
