//! A program that uses all verbs, and compares what it reads.

use std::{cell::RefCell, rc::Rc};

use table_patterns::prelude::*;
use table_proofs::simulation::World;

use super::{
    IDS,
    rows::{Kind, Row, Unreadable, untyped},
    truth::{Truth, Verb},
    types::{ByKey, Program},
};

pub(crate) type Known = Rc<RefCell<Truth>>;

/// A program of one type.
pub(crate) struct Client {
    pub(crate) tables: Tables,
    pub(crate) world: World,
    pub(crate) truth: Known,
    pub(crate) steps: usize,
    /// An overwrite of a row of another type would leave index rows.
    pub(crate) may_overwrite: bool,
}

/// Returns all properties of an entity, except the type.
fn row_of<P: Program>(stored: &Stored<P>) -> Row {
    let mut row = stored.row();
    row.extend(stored.unread().map(|(name, value)| (name.to_owned(), format!("{value:?}"))));
    row
}

impl Client {
    /// Runs until the registry rejects the type.
    pub(crate) async fn run<P: Program>(self) {
        for _ in 0..self.steps {
            let id = self.some_id();
            let since = self.truth.borrow().now(id);
            let done = match self.world.below(18) {
                drawn @ 0..12 => self.write::<P>(drawn, id).await,
                12 => self.several::<P>().await,
                13 => self.get::<P>(id, since).await,
                14 | 15 => self.scan::<P>().await,
                16 => self.slim::<P>().await,
                _ => self.near::<P>().await,
            };
            match done {
                Err(Error::Registry(_)) => return,
                Err(Error::Decode(error)) => {
                    let expected = if error.is_newer() { Unreadable::Newer } else { Unreadable::Foreign };
                    let mut truth = self.truth.borrow_mut();
                    truth.rejected += 1;
                    truth.check_any(&format!("{error}"), |row| P::KIND.read(row) == Err(expected));
                }
                _ => {}
            }
        }
    }

    fn some_id(&self) -> u8 {
        u8::try_from(self.world.below(IDS.into())).unwrap()
    }

    fn begin<P: Program>(&self, verb: Verb, id: u8) -> (i32, P) {
        let stamp = self.truth.borrow_mut().begin(P::KIND, verb, id);
        (stamp, P::new(id, stamp))
    }

    fn ended<T>(&self, stamp: i32, result: Result<T, Error>) -> Result<(), Error> {
        let result = result.map(drop);
        self.truth.borrow_mut().ended(stamp, result.as_ref().copied());
        result
    }

    /// Sends one write.
    async fn write<P: Program>(&self, drawn: usize, id: u8) -> Result<(), Error> {
        let Self { tables, truth, .. } = self;
        match drawn {
            0 => {
                let (stamp, entity) = self.begin::<P>(Verb::Insert, id);
                self.ended(stamp, tables.insert(&entity).await)
            }
            1 => {
                let (stamp, entity) = self.begin::<P>(Verb::Upsert, id);
                self.ended(stamp, tables.upsert(&entity).await)
            }
            2 => {
                let (stamp, entity) = self.begin::<P>(Verb::ReplaceAny, id);
                self.ended(stamp, tables.replace_any(&entity).await)
            }
            3 => {
                let (stamp, entity) = self.begin::<P>(Verb::Replace, id);
                let bases = truth.borrow().bases(stamp);
                let updated = P::update(tables, id, |found| {
                    bases.lock().unwrap().push(found.stamp());
                    *found = entity.clone();
                });
                self.ended(stamp, updated.await)
            }
            4 | 5 => {
                let Some(mut stored) = P::get(tables, id).await? else { return Ok(()) };
                let (stamp, entity) = self.begin::<P>(Verb::Replace, id);
                truth.borrow_mut().reads(stamp, stored.stamp());
                *stored = entity;
                self.ended(stamp, tables.replace(&stored).await)
            }
            6 | 7 => {
                let Some(stored) = P::get(tables, id).await? else { return Ok(()) };
                let (stamp, _) = self.begin::<P>(Verb::Patch, id);
                truth.borrow_mut().reads(stamp, stored.stamp());
                self.ended(stamp, P::patch(tables, &stored, stamp).await)
            }
            8 => {
                let Some(stored) = P::get(tables, id).await? else { return Ok(()) };
                truth.borrow_mut().deletes(P::KIND, id, Some(stored.stamp()));
                tables.delete(&stored).await
            }
            9 => {
                truth.borrow_mut().deletes(P::KIND, id, None);
                let since = truth.borrow().now(id);
                let deleted = P::delete_at(tables, id).await.map(drop);
                if deleted.is_ok() {
                    truth.borrow_mut().deleted(id, since);
                }
                deleted
            }
            10 if self.may_overwrite && self.world.below(2) == 0 => {
                let (stamp, entity) = self.begin::<P>(Verb::Overwrite, id);
                self.ended(stamp, tables.overwrite(&entity).await)
            }
            _ => self.by_key::<P>(id).await,
        }
    }

    async fn by_key<P: Program>(&self, id: u8) -> Result<(), Error> {
        let (how, verb) = [
            (ByKey::Merge, Verb::Merge),
            (ByKey::UpsertMerge, Verb::UpsertMerge),
            (ByKey::Blind, Verb::Blind),
        ][self.world.below(3)];
        let (stamp, _) = self.begin::<P>(verb, id);
        match P::by_key(&self.tables, how, id, stamp) {
            Some(sent) => self.ended(stamp, sent.await),
            None => Ok(()),
        }
    }

    /// Writes several entities by a transaction or a bulk.
    async fn several<P: Program>(&self) -> Result<(), Error> {
        let is_transaction = self.world.below(2) == 0;
        let (first, second) = (self.some_id(), self.some_id());
        let (one, upserted) = self.begin::<P>(Verb::Upsert, first);
        if first == second {
            let report = self.tables.bulk().upsert(&upserted).run().await?;
            return self.ended(one, report.into_result());
        }
        let (other, replaced) = self.begin::<P>(Verb::ReplaceAny, second);
        if is_transaction {
            let sent = self.tables.transact().upsert(&upserted).replace_any(&replaced).commit().await;
            let result = self.ended(one, sent.map(drop));
            self.truth.borrow_mut().ended(other, result.as_ref().copied());
            return result;
        }
        let report = self.tables.bulk().upsert(&upserted).replace_any(&replaced).run().await?;
        // One of them may have failed.
        if let Ok(2) = report.into_result() {
            self.ended(one, Ok(()))?;
            self.ended(other, Ok(()))?;
        }
        Ok(())
    }

    async fn get<P: Program>(&self, id: u8, since: usize) -> Result<(), Error> {
        let found = P::get(&self.tables, id).await?.as_ref().map(row_of);
        let mut truth = self.truth.borrow_mut();
        truth.check(id, since, &format!("{:?} read {found:?}", P::KIND), |row| {
            row.map(|row| P::KIND.read(row).map(untyped)).transpose() == Ok(found.clone())
        });
        Ok(())
    }

    /// Returns the number of changes of each entity.
    fn now(&self) -> Vec<usize> {
        (0..IDS).map(|id| self.truth.borrow().now(id)).collect()
    }

    /// Compares the entities of a range with what they were since the begin of the read.
    fn compare<T: PartialEq + std::fmt::Debug>(
        &self,
        what: &str,
        since: &[usize],
        found: &[(u8, T)],
        expected: impl Fn(&Row) -> Option<T>,
    ) {
        for id in 0..IDS {
            let ours: Vec<_> = found.iter().filter(|(number, _)| *number == id).map(|(_, row)| row).collect();
            let what = format!("{what} found {ours:?}");
            self.truth.borrow_mut().check(id, since[usize::from(id)], &what, |row| {
                let expected = row.and_then(&expected);
                ours == expected.iter().collect::<Vec<_>>()
            });
        }
    }

    async fn scan<P: Program>(&self) -> Result<(), Error> {
        let (choice, skips) = (self.world.below(4), self.world.below(2) == 0);
        let last = usize::try_from(self.truth.borrow().last()).unwrap();
        let value = i32::try_from(self.world.below(last + 2)).unwrap();
        let since = self.now();
        let found = P::scan(&self.tables, choice, value, skips).await?;
        let found: Vec<_> = found.iter().map(|stored| (stored.id(), row_of(stored))).collect();
        let kind: Kind = P::KIND;
        self.compare(&format!("{kind:?}: filter {choice} with {value}"), &since, &found, |row| {
            let read = kind.read(row);
            // A newer row would be an error.
            if !skips && read == Err(Unreadable::Newer) {
                return Some(Row::new());
            }
            read.ok().filter(|row| kind.accepts(row, choice, value)).map(untyped)
        });
        Ok(())
    }

    async fn slim<P: Program>(&self) -> Result<(), Error> {
        let since = self.now();
        let found = P::slim(&self.tables).await?;
        let found: Vec<_> = found.into_iter().map(|(id, stamp, amount)| (id, (stamp, amount))).collect();
        self.compare(&format!("{:?}: projection", P::KIND), &since, &found, |row| match P::KIND.read(row) {
            Err(Unreadable::Newer) => Some((-1, -1)),
            Err(Unreadable::Foreign) => None,
            Ok(row) => Some(P::KIND.slim(&row)),
        });
        Ok(())
    }

    async fn near<P: Program>(&self) -> Result<(), Error> {
        let since = self.now();
        let Some(found) = P::near(&self.tables) else { return Ok(()) };
        let found = found.await?;
        let found: Vec<_> = found.iter().map(|stored| (stored.id(), row_of(stored))).collect();
        self.compare(&format!("{:?}: index", P::KIND), &since, &found, |row| match P::KIND.read(row) {
            Err(Unreadable::Newer) => Some(Row::new()),
            Err(Unreadable::Foreign) => None,
            Ok(row) => Some(untyped(row)),
        });
        Ok(())
    }
}
