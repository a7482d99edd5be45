//! The record of a migration in the store: the completed steps, and the position in the current job.
//!
//! One row for the name of each of both designs, in the table of the registry: a program reads only the partitions of its
//! tables. Both rows are written in one transaction, so that the next migration of either design finds this one.

use std::fmt::Write;

use serde_json::json;
use sha2::{Digest, Sha256};
use table_designs::schema::Schema;
use table_patterns::{REGISTRY_TABLE, lock::Lock};
use table_store::{Condition, ETag, Entity, Operation, Properties, Row, TableName, Value};

use super::{Migration, position::Position};
use crate::{error::CommandError, location::Location};

const PARTITION: &str = "!migrations";

/// The record. Only its writer changes it: a concurrent writer is detected by the `ETag`.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// The keys of the rows, with their `ETag`s if they exist.
    rows: Vec<(String, Option<ETag>)>,
    /// Digests of both designs and of the plan.
    from: String,
    to: String,
    plan: String,
    /// The names of both designs, as they were given.
    designs: Option<[String; 2]>,
    steps: usize,
    done: usize,
    pub(super) position: Position,
    /// The store contains this record.
    is_stored: bool,
}

impl Record {
    pub(super) fn new(migration: &Migration<'_>) -> Self {
        let stored = |schema: &Schema| Lock::of_schema(schema).to_string();
        let (from, to) = (stored(migration.old), stored(migration.new));
        let steps: Vec<_> = migration.plan.steps.iter().map(step_text).collect();
        let reasons: Vec<_> = migration
            .changes
            .iter()
            .map(|change| [change.code.as_str(), &change.subject, &change.reason])
            .collect();
        let plan = json!([from, to, steps, reasons]).to_string();
        Self {
            rows: row_keys(migration).into_iter().map(|key| (key, None)).collect(),
            from: digest(&from),
            to: digest(&to),
            plan: digest(&plan),
            designs: Some([&migration.arguments.from, &migration.arguments.design].map(Clone::clone)),
            steps: migration.plan.steps.len(),
            done: 0,
            position: Position::default(),
            is_stored: false,
        }
    }

    /// Creates the record of a migration that replaces another record.
    pub(super) fn following(migration: &Migration<'_>, other: Self) -> Self {
        Self { rows: other.rows, ..Self::new(migration) }
    }

    /// Returns the records in the rows of both designs, each with the `ETag`s of all of these rows.
    pub(super) async fn read(place: &Location, migration: &Migration<'_>) -> Result<Vec<Self>, CommandError> {
        let (mut rows, mut found) = (Vec::new(), Vec::new());
        for key in row_keys(migration) {
            let row = match place.tables.get(&table()?, PARTITION, &key, None).await {
                Err(error) if error.is_not_found() => None,
                other => other?,
            };
            rows.push((key, row.as_ref().map(|row| row.etag.clone())));
            found.extend(row.and_then(Row::into_entity));
        }
        Ok(found.iter().map(|row| Self::of(row, rows.clone())).collect())
    }

    fn of(row: &Entity, rows: Vec<(String, Option<ETag>)>) -> Self {
        let text = |name| match row.properties.get(name) {
            Some(Value::String(text)) => Some(text.clone()),
            _ => None,
        };
        let count = |name| match row.properties.get(name) {
            Some(Value::Int64(count)) => u64::try_from(*count).unwrap_or_default(),
            _ => 0,
        };
        let size = |name| usize::try_from(count(name)).unwrap_or_default();
        Self {
            rows,
            from: text("from").unwrap_or_default(),
            to: text("to").unwrap_or_default(),
            plan: text("plan").unwrap_or_default(),
            steps: size("steps"),
            done: size("done"),
            designs: text("older").zip(text("newer")).map(Into::into),
            position: Position {
                runs: count("runs"),
                cursor: text("cursor"),
                entities: count("entities"),
                rows: count("rows"),
                changed: count("changed"),
                lagging: count("lagging"),
                left: count("left"),
            },
            is_stored: true,
        }
    }

    /// Stores the record, unless another process has changed it.
    pub(super) async fn save(&mut self, place: &Location) -> Result<(), CommandError> {
        let table = table()?;
        let write = |(key, etag): &(String, Option<ETag>)| match etag {
            Some(etag) => Operation::Replace(self.row(key), Condition::Matches(etag.clone())),
            None => Operation::Insert(self.row(key)),
        };
        let operations: Vec<_> = self.rows.iter().map(write).collect();
        let is_first = self.rows.iter().all(|(_, etag)| etag.is_none());
        let written = match place.tables.transact(&table, &operations).await {
            Err(error) if error.is_not_found() && is_first => {
                match place.tables.create_table(&table).await {
                    Err(error) if !error.is_conflict() => return Err(error.into()),
                    _ => {}
                }
                place.tables.transact(&table, &operations).await
            }
            other => other,
        };
        match written {
            Ok(written) => {
                for ((_, etag), written) in self.rows.iter_mut().zip(written) {
                    *etag = written.etag().cloned();
                }
                self.is_stored = true;
                Ok(())
            }
            Err(error) if error.is_conflict() => Err(CommandError::Unfinished(
                "another process performs this migration; run the command again when it has ended".to_owned(),
            )),
            Err(error) => Err(error.into()),
        }
    }

    fn row(&self, key: &str) -> Entity {
        let mut properties = Properties::new();
        for (name, text) in [("from", &self.from), ("to", &self.to), ("plan", &self.plan)] {
            properties.set(name, text.as_str());
        }
        if let Some(cursor) = &self.position.cursor {
            properties.set("cursor", cursor.as_str());
        }
        for (name, text) in ["older", "newer"].into_iter().zip(self.designs.iter().flatten()) {
            properties.set(name, text.as_str());
        }
        let Position { runs, entities, rows, changed, lagging, left, .. } = self.position;
        let size = |size| u64::try_from(size).unwrap_or(u64::MAX);
        let counts = [("rows", rows), ("changed", changed), ("lagging", lagging), ("left", left)];
        let sizes = [("steps", size(self.steps)), ("done", size(self.done)), ("runs", runs)];
        for (name, count) in sizes.into_iter().chain([("entities", entities)]).chain(counts) {
            properties.set(name, i64::try_from(count).unwrap_or(i64::MAX));
        }
        Entity { partition_key: PARTITION.to_owned(), row_key: key.to_owned(), properties }
    }

    /// Completes the next step.
    pub(super) fn advance(&mut self) {
        self.done += 1;
        self.position = Position::default();
    }

    /// Starts with the first step.
    pub(super) fn restart(&mut self) {
        self.is_stored = false;
        self.done = 0;
        self.position = Position::default();
    }

    pub(super) const fn done(&self) -> usize {
        self.done
    }

    /// Returns whether no step was performed, so that another migration can take its place.
    pub(super) fn is_unstarted(&self) -> bool {
        self.done == 0 && self.position == Position::default()
    }

    pub(super) const fn is_stored(&self) -> bool {
        self.is_stored
    }

    pub(super) const fn is_complete(&self) -> bool {
        self.done >= self.steps
    }

    /// Returns whether a row of its designs contains another record, or none, although `found` are all of them.
    pub(super) fn is_displaced(&self, found: &[Self]) -> bool {
        found.len() < self.rows.len() || found.iter().any(|other| other.plan != self.plan)
    }

    pub(super) fn is_of(&self, migration: &Migration<'_>) -> bool {
        self.plan == Self::new(migration).plan
    }

    pub(super) fn is_reverse_of(&self, migration: &Migration<'_>) -> bool {
        let other = Self::new(migration);
        self.from == other.to && self.to == other.from
    }

    /// Returns the message for a store with another unfinished migration than the requested one.
    pub(super) fn conflict(&self, migration: &Migration<'_>) -> String {
        let Self { done, steps, .. } = self;
        let other = Self::new(migration);
        if self.from == other.from && self.to == other.to {
            return format!(
                "the registry, or the version of this command, has changed since the start of this migration, which \
                 now has other steps ({done} of {steps} steps were complete); start with the first step, and discard \
                 the record, with --restart"
            );
        }
        let (of, options) = match &self.designs {
            Some([older, newer]) => (
                format!("from {older} to {newer}"),
                [
                    format!(" (--from {older} --design {newer})"),
                    format!(" (--from {newer} --design {older})"),
                ],
            ),
            None => ("of other designs".to_owned(), [String::new(), String::new()]),
        };
        let [complete, back] = options;
        format!(
            "the store contains an unfinished migration {of} ({done} of {steps} steps are complete); complete \
             it{complete}, turn back by exchanging its designs{back}, or discard its record with --restart"
        )
    }
}

fn table() -> Result<TableName, CommandError> {
    REGISTRY_TABLE
        .parse()
        .map_err(|_| CommandError::Called(format!("`{REGISTRY_TABLE}` is not a table name")))
}

fn step_text(step: &table_designs::evolution::PlannedStep<'_>) -> Vec<String> {
    let changes = step.changes.iter().map(|(of, change)| format!("{of} {} {}", change.code, change.subject));
    std::iter::once(step.action.as_str().to_owned()).chain(changes).collect()
}

/// Returns the keys of the rows of a migration: one, if both designs have the same name.
fn row_keys(migration: &Migration<'_>) -> Vec<String> {
    let mut keys = vec![row_key(&migration.old.name), row_key(&migration.new.name)];
    keys.dedup();
    keys
}

/// Returns a name of a design as a row key.
fn row_key(name: &str) -> String {
    let escaped = |character: char| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' => character.to_string(),
        other => format!("_{:x}_", u32::from(other)),
    };
    format!("design_{}", name.chars().map(escaped).collect::<String>())
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(16).fold(String::new(), |mut digest, byte| {
        _ = write!(digest, "{byte:02x}");
        digest
    })
}
