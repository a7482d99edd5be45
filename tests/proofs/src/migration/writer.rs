//! A writer: it changes entities of its own, and adds to entities that all writers change.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use pollster::block_on;
use table_patterns::{Error, Moved, Moving, Tables};
use table_tests::seed::Seed;

use crate::migration::{
    book::Book,
    design::{Order, SHARED},
    journal::{Journal, Line},
    plan::{Plan, SHARED_COUNT},
};

/// One writer, on a thread of its own.
#[derive(Debug)]
pub struct Writer {
    number: u32,
    of: u32,
    entities: u32,
    book: Book,
    journal: Journal,
    seed: Seed,
}

/// What the writers of a process share.
#[derive(Debug, Default)]
pub struct Signals {
    /// Number of calls so far.
    pub calls: AtomicU64,
    pub stop: AtomicBool,
}

impl Writer {
    /// Reads the journal of the earlier lives of a writer.
    ///
    /// # Errors
    ///
    /// Returns an error if the journal cannot be read.
    pub fn new(plan: &Plan, number: u32, life: u64) -> std::io::Result<Self> {
        let path = plan.journal(number);
        let (book, journal) = (Book::read(&path, plan.entities)?, Journal::open(&path)?);
        let seed = Seed::new(plan.seed).fork(u64::from(number) + 1).fork(life);
        Ok(Self { number, of: plan.writers, entities: plan.entities, book, journal, seed })
    }

    /// Writes until it is stopped.
    pub fn run(mut self, tables: &Tables, signals: &Signals) {
        let orders = tables.moving::<Order>();
        self.settle(orders);
        while !signals.stop.load(Ordering::Relaxed) {
            if self.seed.chance(1, 16) {
                self.share(orders);
            } else {
                self.act(orders);
            }
            signals.calls.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reads the entities whose last write did not end before the process was killed.
    fn settle(&mut self, orders: Moving<'_, Order>) {
        for number in self.book.uncertain() {
            if let Ok(found) = self.read(orders, number) {
                self.note(Line::Found(number, found.map(|order| order.total)));
            }
        }
    }

    fn act(&mut self, orders: Moving<'_, Order>) {
        // A tenth of the entities does not exist at first.
        let below = u64::from(self.entities) * 11 / 10 / u64::from(self.of);
        let below = usize::try_from(below).unwrap_or(usize::MAX);
        let drawn = u32::try_from(self.seed.below(below)).unwrap_or_default();
        let number = drawn * self.of + self.number;
        // The outcome of an earlier call is unknown: a late request can still change the entity.
        let [known] = self.book.known(number)[..] else { return };
        let value = self.book.next();
        match (known, self.seed.below(8)) {
            (_, 0..3) => drop(self.read(orders, number)),
            (None, _) => {
                let result = self.call(Line::Set(number, Some(value)), || {
                    block_on(orders.insert(&Order::new(number, value))).map(drop)
                });
                self.must(result, number, "insert");
            }
            (Some(_), 3) => {
                let result =
                    self.call(Line::Set(number, None), || block_on(orders.delete_at(&Order::key_of(number))));
                if self.must(result, number, "delete") == Some(false) {
                    self.wrong(&format!("the delete of {number} found no entity"));
                }
            }
            (Some(_), 4) => {
                let Ok(Some(mut order)) = self.read(orders, number) else { return };
                order.total = value;
                let result =
                    self.call(Line::Set(number, Some(value)), || block_on(orders.replace(&order)).map(drop));
                // The migration may have moved the entity since it was read.
                if !result.as_ref().is_err_and(Error::is_conflict) {
                    self.must(result, number, "replace");
                }
            }
            (Some(_), _) => {
                let result = self.call(Line::Set(number, Some(value)), || {
                    block_on(orders.update(&Order::key_of(number), |order| order.total = value)).map(drop)
                });
                self.must(result, number, "update");
            }
        }
    }

    /// Adds one to an entity that all writers change.
    fn share(&mut self, orders: Moving<'_, Order>) {
        let number = SHARED + u32::try_from(self.seed.below(SHARED_COUNT as usize)).unwrap_or_default();
        let result = self.call(Line::Add(number), || {
            block_on(orders.update(&Order::key_of(number), |order| order.total += 1)).map(drop)
        });
        // So many concurrent writers can exhaust the attempts of an update.
        if !matches!(result, Err(Error::Contended { .. })) {
            self.must(result, number, "addition");
        }
    }

    /// Reads an entity of its own, and compares it.
    fn read(&mut self, orders: Moving<'_, Order>, number: u32) -> Result<Option<Moved<Order>>, ()> {
        let found = block_on(orders.get(&Order::key_of(number)));
        let found = self.must(found, number, "read").ok_or(())?;
        let (value, known) = (found.as_ref().map(|order| order.total), self.book.known(number));
        if !known.contains(&value) {
            self.wrong(&format!("{number} is {value:?}, expected one of {known:?}"));
        }
        Ok(found)
    }

    fn call<T>(&mut self, line: Line, call: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
        self.note(line);
        let result = call();
        match &result {
            Ok(_) => self.note(Line::Done),
            // The next line ends the call with an unknown outcome.
            Err(error) if error.is_outcome_unknown() => {}
            Err(_) => self.note(Line::Refused),
        }
        result
    }

    /// Reports an error, unless its outcome is unknown.
    fn must<T>(&mut self, result: Result<T, Error>, number: u32, what: &str) -> Option<T> {
        match result {
            Ok(value) => return Some(value),
            Err(error) if error.is_outcome_unknown() => {}
            Err(error) => self.wrong(&format!("{what} of {number}: {error}")),
        }
        None
    }

    fn wrong(&mut self, what: &str) {
        self.note(Line::Wrong(what.to_owned()));
    }

    fn note(&mut self, line: Line) {
        self.journal.write(&line);
        self.book.add(line);
    }
}
