//! The calls of a client.

use std::collections::HashMap;

use super::call::{Answer, Ask, Change, Place, ROWS, Slots, Verb, Version};
use crate::reliability::Seed;

/// The behavior of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Habit {
    /// All operations, sometimes without waiting for the response.
    Free,
    /// Every write that changes something receives a time: the client deletes only together with another write, and
    /// waits for responses.
    Timed,
}

/// One client. It remembers the versions that it has observed, and uses some of them in conditions.
#[derive(Debug)]
pub struct Client {
    number: u8,
    habit: Habit,
    seed: Seed,
    places: Vec<Place>,
    known: HashMap<(Place, u8), Version>,
    sent: i64,
}

impl Client {
    /// Creates a client that works on these partitions.
    #[must_use]
    pub fn new(number: u8, habit: Habit, seed: Seed, places: Vec<Place>) -> Self {
        Self { number, habit, seed, places, known: HashMap::new(), sent: 0 }
    }

    /// Returns the next call: its partition, its request, and whether to wait for its response.
    pub fn next_call(&mut self) -> (Place, Ask, bool) {
        let place = self.seed.pick(&self.places).copied().unwrap_or(Place { table: 0, partition: 0 });
        let ask = match self.seed.below(20) {
            // A checker of single partitions cannot use this call.
            0 if self.habit == Habit::Timed => Ask::Table,
            0..=4 => Ask::Get(self.row()),
            5..=7 => {
                let (one, other) = (self.row(), self.row());
                Ask::Scan(one.min(other), one.max(other) + 1)
            }
            8..=15 => {
                let row = self.row();
                Ask::Write(self.change(place, row, self.habit == Habit::Free))
            }
            _ => Ask::Transact(self.changes(place)),
        };
        let waits = self.habit == Habit::Timed || ask.changes().is_empty() || !self.seed.chance(1, 100);
        (place, ask, waits)
    }

    /// Remembers the versions in a response.
    pub fn learn(&mut self, place: Place, ask: &Ask, answer: &Answer) {
        match (ask, answer) {
            (Ask::Get(row), Answer::Row(Some(seen))) => self.note(place, *row, seen.version),
            (Ask::Scan(..), Answer::Rows(rows)) => {
                for (row, seen) in rows {
                    self.note(place, *row, seen.version);
                }
            }
            (_, Answer::Done(versions)) => {
                for (change, version) in ask.changes().iter().zip(versions) {
                    if let Some(version) = version {
                        self.note(place, change.row, *version);
                    }
                }
            }
            _ => {}
        }
    }

    fn note(&mut self, place: Place, row: u8, version: Version) {
        self.known.insert((place, row), version);
    }

    fn row(&mut self) -> u8 {
        u8::try_from(self.seed.below(usize::from(ROWS))).unwrap_or(0)
    }

    /// Returns two to four writes of different rows. The first write of a timed client is not a delete.
    fn changes(&mut self, place: Place) -> Vec<Change> {
        let (first, count) = (self.row(), 2 + self.seed.below(3));
        let rows = (0..ROWS).cycle().skip(usize::from(first)).take(count);
        rows.map(|row| self.change(place, row, self.habit == Habit::Free || row != first)).collect()
    }

    fn change(&mut self, place: Place, row: u8, may_delete: bool) -> Change {
        let verbs = [
            Verb::Insert,
            Verb::Replace,
            Verb::Merge,
            Verb::InsertOrReplace,
            Verb::InsertOrMerge,
            Verb::Replace,
            Verb::Delete,
        ];
        let verbs = verbs.get(..if may_delete { 7 } else { 6 }).unwrap_or(&verbs);
        let verb = self.seed.pick(verbs).copied().unwrap_or(Verb::InsertOrReplace);
        let conditional = matches!(verb, Verb::Replace | Verb::Merge | Verb::Delete);
        let version = self.known.get(&(place, row)).copied();
        let version = version.filter(|_| conditional && self.seed.chance(3, 4));
        let slots = if verb == Verb::Delete { Slots::default() } else { self.slots() };
        Change { row, verb, slots, version }
    }

    /// Returns one to three unique numbers.
    fn slots(&mut self) -> Slots {
        let mut slots = Slots::default();
        let which = 1 + self.seed.below(7);
        for (bit, slot) in slots.iter_mut().enumerate() {
            if which >> bit & 1 == 1 {
                self.sent += 1;
                *slot = Some(i64::from(self.number) * 1_000_000_000 + self.sent);
            }
        }
        slots
    }
}
