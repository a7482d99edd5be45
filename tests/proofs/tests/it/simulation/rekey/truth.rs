//! The operations of a run, and the stored rows, read without the library.

use std::collections::BTreeMap;

use pollster::block_on;
use table_store::{Query as StoreQuery, Rows, Store, TableName, TableService, ValueRef};

use super::{IDS, types::Case};

/// A score, which identifies the operation that wrote it. `None` if the entity does not exist.
pub(crate) type Value = Option<u32>;

/// The operations so far, and the values of the entities.
#[derive(Default)]
pub(crate) struct Truth {
    pub(crate) next: u32,
    /// For each value, the values that it may replace: those that the operation has read.
    pub(crate) bases: BTreeMap<u32, Vec<Value>>,
    /// Values that a delete has read.
    pub(crate) deleted: Vec<u32>,
    /// All values of each entity, in order. The last is the current one.
    pub(crate) history: BTreeMap<u8, Vec<Value>>,
    pub(crate) wrong: Option<String>,
}

impl Truth {
    pub(crate) fn now(&self, id: u8) -> Value {
        self.history[&id].last().copied().flatten()
    }

    /// Registers an operation that replaces a value. Returns its own value.
    pub(crate) fn replaces(&mut self, base: Value) -> u32 {
        self.next += 1;
        self.bases.insert(self.next, vec![base]);
        self.next
    }

    pub(crate) fn begin(&self, id: u8) -> usize {
        self.history[&id].len() - 1
    }

    /// Checks a result against all values since the begin of the operation.
    pub(crate) fn check(&mut self, id: u8, since: usize, what: &str, is_true: impl Fn(Value) -> bool) {
        let values = &self.history[&id][since..];
        if !values.iter().any(|value| is_true(*value)) {
            self.wrong.get_or_insert(format!("{what} of {id}: the values were {values:?}"));
        }
    }

    /// Compares the rows with the operations.
    pub(crate) fn look(&mut self, stored: &Places) {
        for id in 0..IDS {
            let (before, found) = (self.now(id), stored.value(id));
            let value = match found {
                Ok(value) => value,
                Err(wrong) => {
                    self.wrong.get_or_insert(wrong);
                    continue;
                }
            };
            if value == before {
                continue;
            }
            let is_meant = match (before, value) {
                (Some(before), None) => self.deleted.contains(&before),
                (before, Some(value)) => {
                    let was = self.history[&id].contains(&Some(value));
                    !was && self.bases.get(&value).is_some_and(|bases| bases.contains(&before))
                }
                (None, None) => true,
            };
            if !is_meant {
                self.wrong.get_or_insert(format!("{id} changed from {before:?} to {value:?}"));
            }
            self.history.entry(id).or_default().push(value);
        }
    }
}

/// The stored rows, read without the library.
pub(crate) struct Places {
    old: Rows,
    new: Rows,
}

fn text<'r>(rows: &'r Rows, key: &str, name: &str) -> Option<&'r str> {
    let row = rows.iter().find(|row| row.row_key == Some(key))?;
    match row.properties.get(name) {
        Some(ValueRef::String(text)) => Some(text),
        _ => None,
    }
}

fn score(rows: &Rows, key: &str) -> Option<u32> {
    let row = rows.iter().find(|row| row.row_key == Some(key))?;
    match row.properties.get("score") {
        Some(ValueRef::Int64(score)) => u32::try_from(score).ok(),
        _ => None,
    }
}

impl Places {
    pub(crate) fn read<E: Case>(store: &Store) -> Self {
        let rows = |table: &str| {
            let table = TableName::new(table).unwrap();
            block_on(store.query(&table, StoreQuery::default()))
                .map_or_else(|_| Rows::new(), |segment| segment.rows)
        };
        Self { old: rows("Members"), new: rows(E::TABLE) }
    }

    /// Returns the value by the authority rule.
    pub(crate) fn value(&self, id: u8) -> Result<Value, String> {
        let (old, new) = (format!("m_{id:02}"), format!("member_{id:04}"));
        let kind = |rows, key| text(rows, key, "EntityType");
        match (kind(&self.old, &old), kind(&self.new, &new)) {
            (Some("Member"), Some("Person")) => Err(format!("{id} is in two places")),
            (_, Some("Person")) => Ok(score(&self.new, &new)),
            (Some("Member"), _) => Ok(score(&self.old, &old)),
            (Some("!moved"), Some("Person!")) => {
                let (marker, copy) = (text(&self.old, &old, "_se"), text(&self.new, &new, "_se"));
                Ok(score(&self.new, &new).filter(|_| marker.is_some() && marker == copy))
            }
            _ => Ok(None),
        }
    }

    pub(crate) fn has(&self, entity_type: &str) -> bool {
        let all = self.old.iter().chain(self.new.iter());
        all.into_iter().any(|row| row.properties.get("EntityType") == Some(ValueRef::String(entity_type)))
    }
}
