//! The changes from an existing design to another one, and what they cost once.

use super::{Designed, Options, improve::standing, violation::violations};
use crate::{Model, Transactions, access::OtherRows, facts::up};
use table_designs::{
    evolution::{Change, ChangeCode, compare},
    schema::{Schema, Workload},
};

/// A change of stored rows.
#[derive(Clone, Debug)]
pub struct Migration {
    /// The entity, or the entity and its index: `Ticket.by_status`.
    pub subject: String,
    /// The differences between the designs. Several if the key of an entity changes.
    pub changes: Vec<Change>,
    /// What is done with stored rows, in order.
    pub jobs: Vec<Job>,
    /// How much less the design costs per month than without the change. Negative if the change buys fewer late reads or fewer
    /// rows read, `None` if a limit requires it.
    pub saving: Option<f64>,
}

/// A pass over stored rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Job {
    /// What is done: `write`, `delete`, `copy`, `verify`, `switch` or `drop`.
    pub name: &'static str,
    /// Rows that are read, written or deleted.
    pub rows: f64,
    /// Requests.
    pub requests: f64,
    /// The cost, once.
    pub usd: f64,
}

impl Migration {
    /// Returns the cost of all jobs, once.
    #[must_use]
    pub fn usd(&self) -> f64 {
        self.jobs.iter().map(|job| job.usd).sum()
    }

    /// Returns the months after which the saving exceeds the cost. `None` if it never does.
    #[must_use]
    pub fn months(&self) -> Option<f64> {
        self.saving.filter(|saving| *saving > 0.0).map(|saving| self.usd() / saving)
    }
}

/// Returns the changes to a design, those that save most first.
pub(super) fn migrations(
    workload: &Workload,
    options: &Options,
    old: &Schema,
    designed: &Designed,
) -> Vec<Migration> {
    let new = &designed.schema;
    // The older design with the load of the workload.
    let old = Schema {
        load: new.load.clone(),
        prices: new.prices.clone(),
        targets: new.targets.clone(),
        ..old.clone()
    };
    let pair = Pair { old: &old, new };
    let exceeded = violations(workload, designed).len();
    let mut migrations: Vec<Migration> = Vec::new();
    for change in compare(&old, new) {
        let (entity, _) = parts(&change);
        let is_same = |known: &&mut Migration| {
            known.subject == change.subject || pair.move_together(parts_of(&known.subject).0, entity)
        };
        if let Some(known) = migrations.iter_mut().find(is_same) {
            known.changes.push(change);
            continue;
        }
        let saving = pair.without(&change).and_then(|without| {
            let without = standing(workload, &without, options)?;
            let is_allowed = violations(workload, &without).len() <= exceeded;
            is_allowed.then_some(without.figures.usd - designed.figures.usd)
        });
        let subject = if pair.is_moved(entity) { entity.to_owned() } else { change.subject.clone() };
        let jobs = pair.jobs(&change);
        migrations.push(Migration { subject, changes: vec![change], jobs, saving });
    }
    let worth = |one: &Migration| one.saving.unwrap_or(f64::INFINITY);
    migrations.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
    migrations
}

/// Returns the entity and its index, or an empty string.
fn parts_of(subject: &str) -> (&str, &str) {
    subject.split_once('.').unwrap_or((subject, ""))
}

fn parts(change: &Change) -> (&str, &str) {
    parts_of(&change.subject)
}

/// The older and the newer design.
struct Pair<'d> {
    old: &'d Schema,
    new: &'d Schema,
}

impl Pair<'_> {
    /// Returns whether the key or the table of an entity changes.
    fn is_moved(&self, entity: &str) -> bool {
        let pair = self.old.entity(entity).zip(self.new.entity(entity));
        pair.is_some_and(|(old, new)| {
            (&old.table, &old.partition, &old.row) != (&new.table, &new.partition, &new.row)
        })
    }

    /// Returns whether the keys of two entities change, and both get one table.
    fn move_together(&self, one: &str, other: &str) -> bool {
        let table = |name: &str| self.new.entity(name).and_then(|entity| entity.table.as_ref());
        self.is_moved(one) && self.is_moved(other) && table(one) == table(other)
    }

    /// Returns the newer design without a change. `None` if the change is not one of keys or indexes.
    fn without(&self, change: &Change) -> Option<Schema> {
        let (entity, part) = parts(change);
        if self.is_moved(entity) {
            let mut schema = self.new.clone();
            let is_in = |name: &str| self.move_together(name, entity);
            for moved in schema.entities.iter_mut().filter(|one| is_in(&one.name)) {
                if let Some(before) = self.old.entity(&moved.name) {
                    moved.clone_from(before);
                }
            }
            schema.queries.retain(|query| !is_in(&query.find));
            schema.queries.extend(self.old.queries.iter().filter(|query| is_in(&query.find)).cloned());
            return Some(schema);
        }
        let stored = || self.old.entity(entity)?.indexes.iter().find(|index| index.name == part).cloned();
        let mut schema = match change.code {
            ChangeCode::C09 => return Some(super::improve::without(self.new, entity, part)),
            ChangeCode::C10 => self.new.clone(),
            ChangeCode::C11 => super::improve::without(self.new, entity, part),
            _ => return None,
        };
        schema.entities.iter_mut().find(|one| one.name == entity)?.indexes.push(stored()?);
        Some(schema)
    }

    /// Returns the passes over stored rows that a change requires.
    fn jobs(&self, change: &Change) -> Vec<Job> {
        let (entity, part) = parts(change);
        let (before, after) = (Model::new(self.old), Model::new(self.new));
        let is_moved = self.is_moved(entity);
        let is_in = |name: &str| name == entity || is_moved && self.move_together(name, entity);
        let (source, target) = (Stored::of(&before, is_in), Stored::of(&after, is_in));
        let job = |name, rows, of: Transactions| Job {
            name,
            rows,
            requests: of.sum(),
            usd: after.priced(of).sum(),
        };
        let none = Transactions::default();
        if is_moved {
            let dropped = if source.is_alone {
                Transactions { delete: source.tables, ..none }
            } else {
                Transactions { scan: source.pages, delete: source.rows, ..none }
            };
            return vec![
                job("copy", target.rows, Transactions { scan: source.pages, write: target.rows, ..none }),
                job(
                    "verify",
                    source.rows + target.rows,
                    Transactions { scan: source.pages + target.pages, ..none },
                ),
                job("switch", 0.0, none),
                job("drop", source.rows, dropped),
            ];
        }
        let rows = |stored: &Stored| {
            stored.paths.iter().filter(|(name, _)| name == part).map(|(_, rows)| rows).sum::<f64>()
        };
        match change.code {
            ChangeCode::C09 | ChangeCode::C11 => {
                let (rows, scan) = (rows(&target), target.pages);
                vec![
                    job("write", rows, Transactions { scan, write: rows, ..none }),
                    job("verify", target.rows, Transactions { scan, ..none }),
                ]
            }
            ChangeCode::C10 => {
                let (rows, scan) = (rows(&source), source.pages);
                vec![job("delete", rows, Transactions { scan, delete: rows, ..none })]
            }
            _ => Vec::new(),
        }
    }
}

/// The stored rows of some entities that share a table.
struct Stored {
    /// The paths with their rows.
    paths: Vec<(String, f64)>,
    /// All rows.
    rows: f64,
    /// Requests that read all rows of their tables.
    pages: f64,
    /// The number of tables.
    tables: f64,
    /// `true` if the tables have no other rows.
    is_alone: bool,
}

impl Stored {
    fn of(model: &Model<'_>, is_in: impl Fn(&str) -> bool) -> Self {
        let all = || model.rows().filter(|(facts, _)| is_in(&facts.entity.name));
        let paths: Vec<(String, f64)> = all().map(|(_, path)| (path.name.to_owned(), path.rows)).collect();
        let rows = paths.iter().map(|(_, rows)| rows).sum();
        let (in_table, tables) = all().next().map_or((0.0, 0.0), |(facts, own)| {
            (own.rows + model.in_table(own), facts.tables(&own.kind.table))
        });
        let pages = up(in_table / model.schema.targets.page).max(tables);
        Self { paths, rows, pages, tables, is_alone: in_table <= rows }
    }
}
