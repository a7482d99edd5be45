//! A client: one thread that makes sequential calls and records each in its journal.

pub(crate) mod accounts;
mod fresh;
mod log;
pub(crate) mod people;
pub(crate) mod rows;
pub(crate) mod tickets;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use table_patterns::{Error, Tables};
use table_tests::seed::Seed;

use crate::faults::journal::{Class, Journal, Outcome, micros};

/// The identity of a client.
#[derive(Clone, Debug)]
pub struct Identity {
    /// Number of the client, counted from 0.
    pub number: usize,
    /// Number of all clients.
    pub clients: usize,
    /// Number of earlier starts.
    pub life: u64,
    pub seed: u64,
    /// Directory of the journals and of the file that ends the run.
    pub folder: PathBuf,
    /// Maximum time during which a request can be in flight.
    pub late: Duration,
    pub only: Only,
}

/// The kinds of data that clients write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Only {
    #[default]
    All,
    /// Own and shared people.
    People,
    /// Only people that every client writes.
    Shared,
    Tickets,
    /// Entities that expire and are soft-deleted.
    Accounts,
    /// Series, wide entities, periods and shards.
    Rows,
}

impl Only {
    pub const ALL: [(&'static str, Self); 6] = [
        ("all", Self::All),
        ("people", Self::People),
        ("shared", Self::Shared),
        ("tickets", Self::Tickets),
        ("accounts", Self::Accounts),
        ("rows", Self::Rows),
    ];
}

/// A running client.
pub(crate) struct Client {
    pub(crate) who: Identity,
    pub(crate) tables: Tables,
    pub(crate) seed: Seed,
    pub(crate) journal: Journal,
    people: people::People,
    tickets: tickets::Tickets,
    accounts: accounts::Accounts,
    rows: rows::Rows,
    lines: log::Lines,
}

/// Returns whether the run has ended.
#[must_use]
pub fn is_over(folder: &Path) -> bool {
    folder.join("over").exists()
}

/// Creates the journal of a role for one life.
///
/// # Errors
///
/// Returns an error if the file cannot be created.
pub fn journal(folder: &Path, role: &str, number: usize, life: u64) -> std::io::Result<Journal> {
    Journal::create(&folder.join(format!("{role}{number}.{life:04}.journal")))
}

/// Runs until the end of the run.
///
/// # Errors
///
/// Returns an error if the journal cannot be created.
pub fn run(who: Identity, tables: Tables) -> std::io::Result<()> {
    let journal = journal(&who.folder, "client", who.number, who.life)?;
    let seed = Seed::new(who.seed).fork(1 + who.number as u64).fork(who.life);
    let lines = log::Lines::new(&tables, &who);
    let mut client = Client {
        who,
        tables,
        seed,
        journal,
        people: people::People::default(),
        tickets: tickets::Tickets::default(),
        accounts: accounts::Accounts::default(),
        rows: rows::Rows::default(),
        lines,
    };
    while !is_over(&client.who.folder) {
        let drawn = client.seed.below(23);
        match (client.who.only, drawn) {
            (Only::People, _) | (Only::All, 0..10) => client.write_person(),
            (Only::Shared, _) => client.write_shared(),
            (Only::Tickets, _) | (Only::All, 10..13) => client.write_ticket(),
            (Only::Rows, _) | (Only::All, 13..18) => client.write_row(),
            (Only::All, 18) => client.write_place(),
            (Only::Accounts, _) | (Only::All, 20..) => client.write_account(),
            (Only::All, _) => client.write_line(),
        }
    }
    Ok(())
}

impl Client {
    /// Returns a unique number. It increases with the time, and ends with the client's number.
    pub(crate) fn stamp(&self) -> i64 {
        // A client makes at most one call per microsecond.
        (micros() * 16) as i64 + self.who.number as i64
    }

    /// Returns a handle that applies its commits, or defers them to workers.
    pub(crate) fn handle(&mut self) -> Tables {
        if self.seed.chance(1, 3) { self.tables.with_deferred_updates() } else { self.tables.clone() }
    }

    /// Makes a call and records it.
    pub(crate) fn call<T>(
        &mut self,
        kind: &str,
        class: Class,
        effects: &[(String, Option<i64>)],
        call: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let number = self.journal.begin(kind, class, effects);
        let result = call();
        match &result {
            Ok(_) => self.journal.end(number, Outcome::Done, ""),
            Err(error) => {
                let outcome = if error.is_outcome_unknown() { Outcome::Unknown } else { Outcome::Refused };
                self.journal.end(number, outcome, &format!("{:?}: {error}", kind_of(error)));
                self.judge(kind, error);
            }
        }
        result
    }

    /// Records an error that must never occur.
    pub(crate) fn judge(&mut self, what: &str, error: &Error) {
        let never = matches!(
            error,
            Error::Decode(_)
                | Error::OutboxDamaged { .. }
                | Error::UnregisteredEntity { .. }
                | Error::IndexConflict(_)
        );
        if never {
            self.journal.violation(&format!("{what} ended with {error}"));
        }
    }
}

/// Returns the name of an error's variant.
fn kind_of(error: &Error) -> String {
    let text = format!("{error:?}");
    text.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

/// A client's knowledge of a register that only this client writes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known<T> {
    /// `None` if the last outcome is unknown.
    value: Option<T>,
    /// Time until which a late copy of an unconditional write may change the value.
    doubtful: Option<Instant>,
}

impl<T: Copy> Known<T> {
    /// Returns the value that is certainly stored now.
    pub(crate) fn certain(&self) -> Option<T> {
        let is_doubtful = self.doubtful.is_some_and(|until| Instant::now() < until);
        self.value.filter(|_| !is_doubtful)
    }

    /// Updates the register after a write of a value.
    pub(crate) fn wrote<R>(&mut self, result: &Result<R, Error>, class: Class, value: T, late: Duration) {
        match result {
            Ok(_) => self.value = Some(value),
            Err(error) if error.is_outcome_unknown() => {
                self.value = None;
                if class == Class::Blind {
                    self.doubtful = Some(Instant::now() + late);
                }
            }
            Err(_) => {}
        }
    }

    /// Returns the state after a start: requests of an earlier life may still take effect.
    pub(crate) fn after_a_start(late: Duration) -> Self {
        Self { value: None, doubtful: Some(Instant::now() + late) }
    }
}
