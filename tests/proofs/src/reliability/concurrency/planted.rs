//! Bugs that have occurred in real stores, injected between the clients and the store: the checkers must find them.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    thread,
};

use super::{
    call::{Answer, Ask, Change, Place, ROWS, Refusal, Seen, Verb},
    recording::MOST_PARTITIONS,
    service::{Service, Sound},
};
use crate::reliability::Violation;

/// A bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// A condition is checked first, and the write is executed later without it: an update is lost.
    CheckThenWrite,
    /// An insert checks whether the row exists and writes later: two inserts succeed.
    CheckThenInsert,
    /// The writes of a transaction are executed separately: readers observe half of it.
    NoTransaction,
    /// A range is read row by row, a table partition by partition: the result is not from one instant.
    NoSnapshot,
    /// Some reads are served from a cache that writes of other clients do not clear.
    StaleCache,
}

impl Bug {
    /// All bugs.
    pub const ALL: [Self; 5] = [
        Self::CheckThenWrite,
        Self::CheckThenInsert,
        Self::NoTransaction,
        Self::NoSnapshot,
        Self::StaleCache,
    ];
}

/// The store with a bug.
#[derive(Debug)]
pub struct Planted {
    store: Sound,
    bug: Bug,
    cache: Mutex<HashMap<(Place, u8), Cached>>,
}

#[derive(Debug)]
struct Cached {
    /// Number of reads that it still serves.
    left: u8,
    seen: Option<Seen>,
}

/// Number of reads that one entry of the stale cache serves.
const STALE_READS: u8 = 2;

impl Planted {
    /// Creates a store with a bug.
    #[must_use]
    pub fn new(store: Sound, bug: Bug) -> Self {
        Self { store, bug, cache: Mutex::default() }
    }

    fn get(&self, place: Place, row: u8) -> Result<Option<Seen>, Violation> {
        match self.store.ask(place, &Ask::Get(row))? {
            Answer::Row(seen) => Ok(seen),
            other => Err(Violation::Visible { what: format!("a get was answered with {other:?}") }),
        }
    }

    fn check_then_write(&self, place: Place, change: &Change) -> Result<Answer, Violation> {
        match self.get(place, change.row)? {
            None => return Ok(Answer::Refused(Refusal::Missing, None)),
            Some(seen) if change.version.is_some_and(|version| version != seen.version) => {
                return Ok(Answer::Refused(Refusal::Moved, None));
            }
            Some(_) => {}
        }
        thread::yield_now();
        self.store.ask(place, &Ask::Write(Change { version: None, ..change.clone() }))
    }

    fn check_then_insert(&self, place: Place, change: &Change) -> Result<Answer, Violation> {
        if self.get(place, change.row)?.is_some() {
            return Ok(Answer::Refused(Refusal::Exists, None));
        }
        thread::yield_now();
        let verb = Verb::InsertOrReplace;
        self.store.ask(place, &Ask::Write(Change { verb, ..change.clone() }))
    }

    fn one_by_one(&self, place: Place, changes: &[Change]) -> Result<Answer, Violation> {
        let mut versions = Vec::new();
        for (index, change) in changes.iter().enumerate() {
            match self.store.ask(place, &Ask::Write(change.clone()))? {
                Answer::Done(more) => versions.extend(more),
                Answer::Refused(reason, _) => return Ok(Answer::Refused(reason, Some(index))),
                other => return Ok(other),
            }
        }
        Ok(Answer::Done(versions))
    }

    fn row_by_row(&self, place: Place, from: u8, to: u8) -> Result<Answer, Violation> {
        let mut rows = Vec::new();
        for row in from..to {
            rows.extend(self.get(place, row)?.map(|seen| (row, seen)));
            thread::yield_now();
        }
        Ok(Answer::Rows(rows))
    }

    fn partition_by_partition(&self, table: u8) -> Result<Answer, Violation> {
        let mut found = Vec::new();
        for partition in 0..MOST_PARTITIONS {
            let place = Place { table, partition };
            match self.store.ask(place, &Ask::Scan(0, ROWS))? {
                Answer::Rows(rows) if !rows.is_empty() => found.push((partition, rows)),
                _ => {}
            }
            thread::yield_now();
        }
        Ok(Answer::Table(found))
    }

    fn cached(&self, place: Place, row: u8) -> Result<Answer, Violation> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        match cache.get_mut(&(place, row)) {
            Some(cached) if cached.left > 0 => {
                cached.left -= 1;
                Ok(Answer::Row(cached.seen))
            }
            _ => {
                let seen = self.get(place, row)?;
                cache.insert((place, row), Cached { left: STALE_READS, seen });
                Ok(Answer::Row(seen))
            }
        }
    }
}

impl Service for Planted {
    fn ask(&self, place: Place, ask: &Ask) -> Result<Answer, Violation> {
        match (self.bug, ask) {
            (Bug::CheckThenWrite, Ask::Write(change))
                if matches!(change.verb, Verb::Replace | Verb::Merge | Verb::Delete) =>
            {
                self.check_then_write(place, change)
            }
            (Bug::CheckThenInsert, Ask::Write(change)) if change.verb == Verb::Insert => {
                self.check_then_insert(place, change)
            }
            (Bug::NoTransaction, Ask::Transact(changes)) => self.one_by_one(place, changes),
            (Bug::NoSnapshot, Ask::Scan(from, to)) => self.row_by_row(place, *from, *to),
            (Bug::NoSnapshot, Ask::Table) => self.partition_by_partition(place.table),
            (Bug::StaleCache, Ask::Get(row)) => self.cached(place, *row),
            _ => self.store.ask(place, ask),
        }
    }
}
