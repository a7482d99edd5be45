//! The operations of a run, and the stored rows, read without the library.

use std::collections::BTreeMap;

use pollster::block_on;
use table_store::{Query as StoreQuery, RowRef, Rows, Store, TableName, TableService, ValueRef};

use super::{
    IDS,
    types::{Case, badge_of},
};

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
        if let Some(wrong) = stored.unheld(|id| self.now(id)).or_else(|| stored.unfed()) {
            self.wrong.get_or_insert(wrong);
        }
    }
}

/// The stored rows, read without the library.
#[allow(clippy::struct_excessive_bools, reason = "the patterns of the types")]
pub(crate) struct Places {
    old: Rows,
    new: Rows,
    /// Rows of an index in a table of its own.
    levels: Rows,
    new_type: &'static str,
    is_one_table: bool,
    has_far: bool,
    has_feed: bool,
    is_unique: bool,
}

fn text<'r>(rows: &'r Rows, key: &str, name: &str) -> Option<&'r str> {
    of(rows.iter().find(|row| row.row_key == Some(key))?, name)
}

fn of<'r>(row: RowRef<'r>, name: &str) -> Option<&'r str> {
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
        Self {
            old: rows("Members"),
            new: rows(E::TABLE),
            levels: rows("Levels"),
            new_type: E::TYPE,
            is_one_table: E::TABLE == "Members",
            has_far: E::has_far(),
            has_feed: E::has_feed(),
            is_unique: E::is_unique(),
        }
    }

    /// Returns the value by the authority rule.
    pub(crate) fn value(&self, id: u8) -> Result<Value, String> {
        let (old, new) = (format!("m_{id:02}"), format!("member_{id:04}"));
        let kind = |rows, key| text(rows, key, "EntityType");
        let at_new = kind(&self.new, &new);
        let is_copy = at_new.and_then(|kind| kind.strip_suffix('!')) == Some(self.new_type);
        match (kind(&self.old, &old), at_new) {
            (Some("Member"), Some(kind)) if kind == self.new_type => Err(format!("{id} is in two places")),
            (_, Some(kind)) if kind == self.new_type => Ok(score(&self.new, &new)),
            (Some("Member"), _) => Ok(score(&self.old, &old)),
            (Some("!moved"), Some(_)) if is_copy => {
                let (marker, copy) = (text(&self.old, &old, "_se"), text(&self.new, &new, "_se"));
                Ok(score(&self.new, &new).filter(|_| marker.is_some() && marker == copy))
            }
            _ => Ok(None),
        }
    }

    /// Checks that the records of both change feeds, in their order, give the rows of their types.
    pub(crate) fn unfed(&self) -> Option<String> {
        if !self.has_feed {
            return None;
        }
        let (old_type, new_type) = ("Member", self.new_type);
        let mut fed = [BTreeMap::new(), BTreeMap::new()];
        let tables =
            if self.is_one_table { vec![(0, &self.old)] } else { vec![(0, &self.old), (1, &self.new)] };
        for (table, row) in tables.iter().flat_map(|(table, rows)| rows.iter().map(move |row| (*table, row)))
        {
            let (Some(kind), Some(key)) = (of(row, "_ck"), of(row, "_rk")) else { continue };
            let record = row.row_key.unwrap();
            let is_new = table == 1 || self.is_one_table && record.starts_with(&format!("!f_{new_type}_"));
            let value = match row.properties.get("score") {
                Some(ValueRef::Int64(score)) => u32::try_from(score).ok(),
                _ => None,
            };
            if value.is_some() == (kind == "d") {
                return Some(format!("record {record} is {kind} with {value:?}"));
            }
            let before = match value {
                Some(value) => fed[usize::from(is_new)].insert(key.to_owned(), value),
                None => fed[usize::from(is_new)].remove(key),
            };
            if before.is_none() != (kind == "i") {
                return Some(format!("record {record} is {kind} after {before:?}"));
            }
        }
        let live = |rows: &Rows, name: &str, prefix: &str| -> BTreeMap<String, u32> {
            let own = rows.iter().filter(|row| of(*row, "EntityType") == Some(name));
            let keys = own.filter_map(|row| row.row_key).filter(|key| key.starts_with(prefix));
            keys.map(|key| (key.to_owned(), score(rows, key).unwrap())).collect()
        };
        let stored = [live(&self.old, old_type, "m_"), live(&self.new, new_type, "member_")];
        (fed != stored).then(|| format!("the records are {fed:?}, the rows {stored:?}"))
    }

    /// Checks that a unique value belongs to one entity, and that its row names an address of that entity.
    fn unheld(&self, now: impl Fn(u8) -> Value) -> Option<String> {
        if !self.is_unique {
            return None;
        }
        let mut holders: BTreeMap<u8, u8> = BTreeMap::new();
        for (id, score) in (0..IDS).filter_map(|id| Some((id, now(id)?))) {
            let badge = badge_of(score);
            if let Some(other) = holders.insert(badge, id) {
                return Some(format!("{other} and {id} have badge {badge}"));
            }
            let partition = format!("badge_{badge:02}");
            let mut rows = self.old.iter().chain(self.new.iter()).chain(self.levels.iter());
            let row = rows.find(|row| row.partition_key == Some(&*partition));
            let source = row.and_then(|row| of(row, "_src")).unwrap_or_default();
            if ![format!("m_{id:02}"), format!("member_{id:04}")].iter().any(|key| source.contains(key)) {
                return Some(format!("the row of badge {badge} of {id} names {source:?}"));
            }
        }
        None
    }

    /// Returns what a complete move must not leave: rows of the old type, markers, placeholders, copies, commit records,
    /// and rows of an index in other partitions that do not show an entity at its new key.
    pub(crate) fn left(&self) -> Option<String> {
        let tables = if self.is_one_table { vec![&self.old] } else { vec![&self.old, &self.new] };
        let rows = || tables.iter().flat_map(|rows| rows.iter());
        let is_old = |name: &str| name == "!moved" || name.ends_with('!');
        let named = rows().find(|row| of(*row, "EntityType").is_some_and(is_old));
        let named = named.or_else(|| self.old.iter().find(|row| of(*row, "EntityType") == Some("Member")));
        let record = rows().find(|row| row.properties.get("_tt0").is_some());
        if let Some(row) = named.or(record) {
            return Some(format!("{:?} {:?} is left", row.partition_key, row.row_key));
        }
        let mut far: Vec<(String, u32)> = Vec::new();
        for row in rows().chain(self.levels.iter()) {
            let Some(source) = of(row, "_src") else { continue };
            let digits = row.partition_key.unwrap().trim_start_matches(|c: char| !c.is_ascii_digit());
            far.push((source.to_owned(), digits.parse().unwrap()));
            if of(row, "_st") != Some("l") {
                return Some(format!("the index row of {source} is {:?}", of(row, "_st")));
            }
        }
        let live = self.new.iter().filter(|row| row.row_key.unwrap().starts_with("member_"));
        let table = if self.is_one_table { "Members" } else { "People" };
        let live = live.filter(|_| self.has_far).map(|row| {
            let (partition_key, row_key) = (row.partition_key.unwrap(), row.row_key.unwrap());
            let score = score(&self.new, row_key).unwrap();
            let value = if self.is_unique { badge_of(score).into() } else { score };
            (format!(r#"["{table}","{partition_key}","{row_key}"]"#), value)
        });
        let mut live: Vec<_> = live.collect();
        live.sort_unstable();
        far.sort_unstable();
        (far != live).then(|| format!("the index rows are {far:?}, the entities {live:?}"))
    }
}
