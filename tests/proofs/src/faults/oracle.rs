//! The expected contents of the store, recomputed from raw reads of the primary rows and from the journals.
//!
//! It shares no code with `verify` or with the writing code: every key and every format is implemented again, from the
//! pages of the book.

mod accounts;
mod blobs;
mod lists;
mod logs;
mod people;
mod raw;
mod rows;
mod tickets;
mod totals;

use std::collections::{BTreeMap, BTreeSet};

pub use raw::{Key, Raw, RawBlob, RawRow, tables};
use table_store::Value;

use crate::faults::history::History;

/// The findings of the oracle.
#[derive(Debug, Default)]
pub struct Found {
    /// Violations, with addresses and the related journal entries.
    pub violations: Vec<String>,
    /// Orphaned rows and blobs, which are harmless, by kind.
    pub leftovers: BTreeMap<String, u64>,
    /// Number of comparisons, by kind.
    pub compared: BTreeMap<&'static str, u64>,
}

/// A check in progress.
pub(crate) struct Oracle<'o> {
    pub(crate) raw: &'o Raw,
    pub(crate) history: &'o History,
    pub(crate) found: Found,
    /// Rows and blobs whose existence is explained.
    explained: BTreeSet<Key>,
    explained_blobs: BTreeSet<(String, String)>,
}

/// Compares the stored data with the expected data.
#[must_use]
pub fn judge(raw: &Raw, history: &History) -> Found {
    let mut oracle = Oracle {
        raw,
        history,
        found: Found::default(),
        explained: BTreeSet::new(),
        explained_blobs: BTreeSet::new(),
    };
    oracle.protocol_rows();
    let people = oracle.people();
    oracle.lists_of(&people);
    oracle.photos(&people);
    oracle.totals_of(&people);
    oracle.tickets();
    oracle.accounts();
    oracle.days();
    oracle.years();
    oracle.logins();
    oracle.events();
    oracle.logs();
    oracle.unexplained();
    oracle.found
}

impl Oracle<'_> {
    pub(crate) fn wrong(&mut self, what: String) {
        self.found.violations.push(what);
    }

    pub(crate) fn left_over(&mut self, kind: &str) {
        *self.found.leftovers.entry(kind.to_owned()).or_default() += 1;
    }

    pub(crate) fn count(&mut self, kind: &'static str) {
        *self.found.compared.entry(kind).or_default() += 1;
    }

    pub(crate) fn explain(&mut self, key: Key) {
        self.explained.insert(key);
    }

    pub(crate) fn explain_blob(&mut self, container: &str, name: &str) {
        self.explained_blobs.insert((container.to_owned(), name.to_owned()));
    }

    /// Checks commit records, abort records, placeholders and reservations.
    fn protocol_rows(&mut self) {
        let raw = self.raw;
        for (key, row) in &raw.rows {
            let state = row.text("_st").unwrap_or_default();
            let kind = if key.row_key.starts_with("!o_") {
                if row.text("_k") == Some("a") { "abort record" } else { "pending commit record" }
            } else if key.row_key.starts_with("!x_") {
                "dead-lettered commit record"
            } else if key.row_key.starts_with("!m_") {
                "step record"
            } else if state == "p" {
                "reservation"
            } else if state == "s" && !["team", "city", "owner", "group"].contains(&key.row_key.as_str()) {
                "placeholder"
            } else {
                continue;
            };
            self.left_over(kind);
            self.explain(key.clone());
            if kind.ends_with("commit record") {
                let reason = row.text("_err").unwrap_or("no error noted");
                self.wrong(format!("backlog: {kind} {key}: {reason}"));
            }
        }
    }

    /// Checks that a derived row exists and contains exactly these properties in addition to the library's own.
    pub(crate) fn expect(
        &mut self,
        kind: &'static str,
        key: &Key,
        properties: &[(&str, Expected)],
        register: &str,
    ) {
        self.count(kind);
        self.explain(key.clone());
        let Some(row) = self.raw.rows.get(key) else {
            let known = self.history.tell(register);
            return self.wrong(format!("missing {kind}: {key} of {register}{known}"));
        };
        if row.text("_st").is_some_and(|state| state != "l") {
            let known = self.history.tell(register);
            self.wrong(format!("missing {kind}: {key} is not live; of {register}{known}"));
            return;
        }
        let mut differences = Vec::new();
        for (name, expected) in properties {
            if !expected.is(row.properties.get(*name)) {
                differences.push(format!("{name} is {:?}, not {expected:?}", row.properties.get(*name)));
            }
        }
        let own = |name: &str| name.starts_with('_') || name == "EntityType";
        let more = row
            .properties
            .keys()
            .filter(|name| !own(name) && !properties.iter().any(|(known, _)| known == name));
        differences.extend(more.map(|name| format!("{name} should not be there")));
        if !differences.is_empty() {
            let known = self.history.tell(register);
            self.wrong(format!("wrong {kind}: {key} of {register}: {}{known}", differences.join("; ")));
        }
    }

    /// Checks that a register has a value that the journals allow.
    pub(crate) fn register(&mut self, register: &str, stored: Option<i64>) {
        self.count("register");
        let allowed = self.history.allowed(register);
        if !allowed.contains(&stored) {
            let known = self.history.tell(register);
            self.wrong(format!("lost or revived: {register} is {stored:?}, and may be {allowed:?}{known}"));
        }
    }

    /// Returns the registers with this prefix, without the prefix.
    pub(crate) fn registers(&self, beginning: &str) -> Vec<String> {
        let of = self.history.registers.range(beginning.to_owned()..);
        of.map_while(|(name, _)| name.strip_prefix(beginning)).map(str::to_owned).collect()
    }

    fn unexplained(&mut self) {
        let raw = self.raw;
        for (key, row) in &raw.rows {
            if !self.explained.contains(key) {
                self.wrong(format!("orphan row: {key}: {:?}", row.properties));
            }
        }
        for (name, blob) in &raw.blobs {
            if !self.explained_blobs.contains(name) {
                let kind =
                    if blob.metadata.contains_key("token") { "blob that no entity names" } else { "blob" };
                self.left_over(kind);
                if kind == "blob" {
                    self.wrong(format!("orphan blob: {}/{}", name.0, name.1));
                }
            }
        }
    }
}

/// The expected value of a property.
#[derive(Clone, Debug)]
pub(crate) enum Expected {
    Number(i64),
    Text(String),
    /// Encrypted, so that the oracle checks only the type.
    Binary,
}

impl Expected {
    fn is(&self, value: Option<&Value>) -> bool {
        match (self, value) {
            (Self::Number(expected), Some(Value::Int32(stored))) => *expected == i64::from(*stored),
            (Self::Number(expected), Some(Value::Int64(stored))) => expected == stored,
            (Self::Text(expected), Some(Value::String(stored))) => expected == stored,
            (Self::Binary, Some(Value::Binary(_))) => true,
            _ => false,
        }
    }
}
