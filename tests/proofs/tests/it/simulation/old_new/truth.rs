//! The operations of a run, and the rows that they explain.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use pollster::block_on;
use table_patterns::Error;
use table_store::{Query as StoreQuery, Store, TableName, TableService};

use super::{
    IDS,
    rows::{Kind, RENAMED, Row, STAMP, Unreadable, int, stamp_of, stamped, text, untyped},
};

/// What an operation does with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verb {
    Insert,
    Upsert,
    /// Replaces the version that was read.
    Replace,
    ReplaceAny,
    /// Patches the version that was read.
    Patch,
    Merge,
    UpsertMerge,
    Blind,
    Overwrite,
}

/// The stamps that an operation has read; its closure must be `Send`.
pub(crate) type Bases = Arc<Mutex<Vec<i32>>>;

/// An operation that gives an entity a stamp.
#[derive(Clone, Debug)]
struct Operation {
    kind: Kind,
    verb: Verb,
    id: u8,
    /// The stamps of the versions that it has read.
    bases: Bases,
}

/// A delete, with the stamp of the version that it has read.
#[derive(Clone, Debug)]
struct Deletion {
    kind: Kind,
    id: u8,
    base: Option<i32>,
}

type Later = Box<dyn FnOnce(&mut Truth)>;

/// The operations so far, and all rows of each entity, in order.
#[derive(Default)]
pub(crate) struct Truth {
    last: i32,
    operations: BTreeMap<i32, Operation>,
    deletions: Vec<Deletion>,
    history: BTreeMap<u8, Vec<Option<Row>>>,
    /// Operations that failed: they have no effect.
    failed: BTreeSet<i32>,
    /// Values that a program without the library merges into rows.
    wild: Vec<String>,
    /// Numbers of changes of a row of version 1 to version 2, and of rows with properties that their writer did not
    /// know.
    pub(crate) upgraded: u64,
    pub(crate) kept: u64,
    /// Number of operations that were rejected because of a newer row, or a row of another type.
    pub(crate) rejected: u64,
    pub(crate) wrong: Option<String>,
    /// Checks that follow the next read of the rows.
    later: Vec<Later>,
}

impl Truth {
    pub(crate) fn new() -> Self {
        Self { history: (0..IDS).map(|id| (id, vec![None])).collect(), ..Self::default() }
    }

    /// Registers an operation. Returns its stamp.
    pub(crate) fn begin(&mut self, kind: Kind, verb: Verb, id: u8) -> i32 {
        self.last += 1;
        self.operations.insert(self.last, Operation { kind, verb, id, bases: Bases::default() });
        self.last
    }

    /// Returns the last stamp.
    pub(crate) const fn last(&self) -> i32 {
        self.last
    }

    /// Registers a value that a program without the library merges into a row.
    pub(crate) fn adds_wild(&mut self) -> i32 {
        let value = i32::try_from(self.wild.len()).unwrap();
        self.wild.push(int(value));
        value
    }

    /// Checks something when the rows have been read again.
    fn later(&mut self, check: impl FnOnce(&mut Self) + 'static) {
        self.later.push(Box::new(check));
    }

    /// Checks the effect of an operation that has ended.
    pub(crate) fn ended(&mut self, stamp: i32, result: Result<(), &Error>) {
        let failure = match result {
            Err(error) if error.is_outcome_unknown() => return,
            Err(error) => Some(error.to_string()),
            Ok(()) => None,
        };
        self.later(move |truth| {
            let id = truth.operations[&stamp].id;
            let has_effect = truth.history[&id].iter().flatten().any(|row| stamp_of(row) == Some(stamp));
            match failure {
                None if !has_effect => truth.fail(format!("{stamp} was acknowledged without an effect")),
                Some(failure) => {
                    truth.failed.insert(stamp);
                    if has_effect {
                        truth.fail(format!("{stamp} failed after it took effect: {failure}"));
                    }
                }
                None => {}
            }
        });
    }

    /// Checks that an entity did not exist at some time since the begin of its delete.
    pub(crate) fn deleted(&mut self, id: u8, since: usize) {
        self.later(move |truth| truth.check(id, since, "delete", |row| row.is_none()));
    }

    /// Returns the list of the stamps that an operation has read.
    pub(crate) fn bases(&self, stamp: i32) -> Bases {
        self.operations[&stamp].bases.clone()
    }

    /// Registers that an operation has read a version.
    pub(crate) fn reads(&mut self, stamp: i32, base: i32) {
        self.bases(stamp).lock().unwrap().push(base);
    }

    pub(crate) fn deletes(&mut self, kind: Kind, id: u8, base: Option<i32>) {
        self.deletions.push(Deletion { kind, id, base });
    }

    pub(crate) fn fail(&mut self, what: String) {
        self.wrong.get_or_insert(what);
    }

    /// Returns the number of changes of an entity.
    pub(crate) fn now(&self, id: u8) -> usize {
        self.history[&id].len() - 1
    }

    pub(crate) fn row(&self, id: u8) -> Option<&Row> {
        self.history[&id].last().and_then(Option::as_ref)
    }

    /// Checks a result against all rows of an entity since the begin of the operation.
    pub(crate) fn check(&mut self, id: u8, since: usize, what: &str, is_true: impl Fn(Option<&Row>) -> bool) {
        let rows = &self.history[&id][since..];
        if !rows.iter().any(|row| is_true(row.as_ref())) {
            let what = format!("{what} of {id}: the rows were {rows:?}");
            self.fail(what);
        }
    }

    /// Checks an error against all rows so far.
    pub(crate) fn check_any(&mut self, what: &str, is_true: impl Fn(&Row) -> bool) {
        if !self.history.values().flatten().flatten().any(is_true) {
            self.fail(format!("no such row was stored: {what}"));
        }
    }

    /// Compares the stored rows with the operations.
    pub(crate) fn look(&mut self, store: &Store, table: &str, is_indexed: bool) {
        let rows = read(store, table);
        for id in 0..IDS {
            let found = rows.get(&("a".to_owned(), format!("i_{id:02}"))).cloned();
            let before = self.row(id).cloned();
            if found != before {
                if let Err(wrong) = self.explain(id, before.as_ref(), found.as_ref()) {
                    self.fail(format!("{id} changed from {before:?} to {found:?}: {wrong}"));
                }
                self.history.entry(id).or_default().push(found.clone());
            }
            if is_indexed {
                self.compare(&rows, id, |(partition, row)| {
                    let row = row.strip_prefix("g_").filter(|_| partition == "a");
                    row?.strip_suffix(&format!("_{id:02}"))
                });
            }
        }
        for check in std::mem::take(&mut self.later) {
            check(self);
        }
    }

    /// Compares the rows of an index with an entity. The key of an index row contains the group.
    fn compare(&mut self, rows: &Rows, id: u8, group_of: impl Fn(&(String, String)) -> Option<&str>) {
        // A placeholder row has no values.
        let found = rows.iter().filter(|(_, row)| row.contains_key(STAMP)).filter_map(|(key, row)| {
            let mut row = untyped(row.clone());
            row.insert("group".to_owned(), text(group_of(key)?));
            Some(row)
        });
        let found: Vec<_> = found.collect();
        let entity = self.row(id).filter(|row| row.contains_key("group")).cloned().map(untyped);
        if found != entity.iter().cloned().collect::<Vec<_>>() {
            self.fail(format!("the index rows of {id} are {found:?}, and the entity is {entity:?}"));
        }
    }

    /// Compares the rows of the index in other partitions, after all commits were applied.
    pub(crate) fn compare_far(&mut self, store: &Store, table: &str) {
        let rows = read(store, table);
        for id in 0..IDS {
            self.compare(&rows, id, |(partition, row)| {
                partition.strip_prefix("f_").filter(|_| *row == format!("a_{id:02}"))
            });
        }
    }

    /// Returns why a change of a row is wrong.
    fn explain(&mut self, id: u8, before: Option<&Row>, after: Option<&Row>) -> Result<(), String> {
        let Some(after) = after else {
            let before = before.ok_or("nothing changed")?;
            let is_meant = self.deletions.iter().any(|delete| {
                delete.id == id
                    && delete.base.is_none_or(|base| stamp_of(before) == Some(base))
                    && delete.kind.read(before).is_ok()
            });
            return is_meant.then_some(()).ok_or_else(|| "no such delete".to_owned());
        };
        let stamp = stamp_of(after).ok_or("it has no stamp")?;
        if let Some(before) = before.filter(|before| stamp_of(before) == Some(stamp)) {
            return self.explain_silent(before, after);
        }
        if self.history[&id].iter().flatten().any(|row| stamp_of(row) == Some(stamp)) {
            return Err("an operation took effect twice".to_owned());
        }
        if self.failed.contains(&stamp) {
            return Err("the operation has failed".to_owned());
        }
        let operation = self.operations.get(&stamp).filter(|operation| operation.id == id);
        let Operation { kind, verb, bases, .. } = operation.ok_or("no such operation")?;
        let refused = |why: Unreadable| format!("{verb:?} by {kind:?} over a row that is {why:?}");
        let read = before.ok_or_else(|| format!("{verb:?} of no entity"));
        let expected = match verb {
            Verb::Overwrite => kind.whole(stamp),
            Verb::Insert if before.is_some() => return Err("insert over a row".to_owned()),
            Verb::Insert | Verb::Upsert | Verb::UpsertMerge if before.is_none() => kind.whole(stamp),
            Verb::Blind => stamped(read?, stamp),
            Verb::Merge | Verb::Patch => kind.patched(read?, stamp).map_err(refused)?,
            Verb::UpsertMerge => kind.merged(read?, stamp).map_err(refused)?,
            Verb::Insert | Verb::Upsert | Verb::Replace | Verb::ReplaceAny => {
                kind.replaced(read?, stamp).map_err(refused)?
            }
        };
        let bases = bases.lock().unwrap();
        let is_read = before.and_then(stamp_of).is_some_and(|base| bases.contains(&base));
        if matches!(verb, Verb::Patch | Verb::Replace) && !is_read {
            return Err(format!("{verb:?} of a version that it has not read: it has read {bases:?}"));
        }
        if *after != expected {
            return Err(format!("{verb:?} by {kind:?}, expected {expected:?}"));
        }
        let is_upgrade = before.is_some_and(|before| before.get("EntityType") != after.get("EntityType"));
        self.upgraded += u64::from(is_upgrade && *verb != Verb::Overwrite);
        self.kept += u64::from(after.keys().any(|name| !kind.whole(stamp).contains_key(name)));
        Ok(())
    }

    /// Explains a change without a new stamp: an upgrade, or a merge by a program without the library.
    fn explain_silent(&mut self, before: &Row, after: &Row) -> Result<(), String> {
        let wild = after.get("wild").filter(|wild| self.wild.contains(wild));
        let mut merged = before.clone();
        merged.extend(wild.map(|wild| ("wild".to_owned(), wild.clone())));
        if *after == merged {
            return Ok(());
        }
        if RENAMED.read(before).is_ok_and(|upgraded| upgraded == *after) {
            self.upgraded += 1;
            return Ok(());
        }
        Err("no operation does that".to_owned())
    }
}

type Rows = BTreeMap<(String, String), Row>;

/// Reads the rows, without the properties of the library.
fn read(store: &Store, table: &str) -> Rows {
    let table = TableName::new(table).unwrap();
    let Ok(segment) = block_on(store.query(&table, StoreQuery::default())) else { return Rows::new() };
    let rows = segment.rows.iter().map(|row| {
        let properties = row.properties.iter().filter(|(name, _)| !name.starts_with('_'));
        let properties = properties.map(|(name, value)| (name.to_owned(), format!("{value:?}")));
        let key = (row.partition_key.unwrap().to_owned(), row.row_key.unwrap().to_owned());
        (key, properties.collect())
    });
    rows.collect()
}
