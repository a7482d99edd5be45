//! Writes of people: each client's own people, and people shared by all clients.

use std::collections::BTreeMap;

use pollster::block_on;
use table_patterns::{Stored, Tables, WriteResult, prelude::*};

use super::{Client, Known};
use crate::faults::{
    design::{City, Owner, Person, Pool, TEAMS},
    journal::{Class, Effects},
};

/// Number of people per client and team.
const OWN: u32 = 5;
/// Number of shared people per team.
const SHARED: u32 = 4;

/// The stamps of the client's own people; `None` for a missing person.
#[derive(Debug, Default)]
pub(crate) struct People(BTreeMap<(usize, u32), Known<Option<i64>>>);

/// Returns the register of a person's stamp.
pub(crate) fn stamp_of(team: &str, id: u32) -> String {
    format!("person/{team}/{id:06}")
}

/// Returns the register of a person's note.
pub(crate) fn note_of(team: &str, id: u32) -> String {
    format!("note/{team}/{id:06}")
}

fn effects(person: &Person, note: bool) -> Effects {
    let mut effects = vec![(stamp_of(&person.team, person.id), Some(person.stamp))];
    if note {
        effects.push((note_of(&person.team, person.id), Some(person.note)));
    }
    effects
}

impl Client {
    pub(crate) fn write_person(&mut self) {
        if self.seed.chance(1, 4) {
            self.write_shared();
        } else {
            let team = self.seed.below(TEAMS.len());
            let id = self.who.number as u32 + self.who.clients as u32 * self.seed.below(OWN as usize) as u32;
            self.write_own(team, id);
        }
    }

    fn write_own(&mut self, team: usize, id: u32) {
        let name = TEAMS[team];
        let found = match block_on(Person::point(name, id).get(&self.tables)) {
            Ok(found) => found,
            Err(error) => return self.judge("a read of a person", &error),
        };
        let late = self.who.late;
        let known = *self.people.0.entry((team, id)).or_insert_with(|| Known::after_a_start(late));
        let stored = found.as_ref().map(|person| person.stamp);
        if let Some(certain) = known.certain()
            && certain != stored
        {
            let what = format!(
                "{name}/{id:06} is {stored:?}, and {certain:?} was acknowledged: {}",
                stamp_of(name, id)
            );
            self.journal.violation(&what);
        }
        match found {
            None => self.make(team, id),
            Some(stored) => self.change(team, &stored),
        }
    }

    fn make(&mut self, team: usize, id: u32) {
        let person = Person::new(TEAMS[team], id, self.stamp());
        let (tables, effects) = (self.handle(), effects(&person, true));
        let (kind, upsert) = if self.seed.chance(1, 4) { ("upsert", true) } else { ("insert", false) };
        let result = self.call(kind, Class::Blind, &effects, || {
            block_on(if upsert { tables.upsert(&person) } else { tables.insert(&person) })
        });
        self.conclude(team, &person, Class::Blind, result);
    }

    fn change(&mut self, team: usize, stored: &Stored<Person>) {
        let mut next = Person::new(&stored.team, stored.id, self.stamp());
        next.note = stored.note;
        let tables = self.handle();
        match self.seed.below(16) {
            0..6 => self.replace(team, stored, &next, &tables),
            6..8 => {
                let point = Person::point(&stored.team, stored.id);
                let effects = effects(&next, false);
                let result = self.call("update", Class::Fenced, &effects, || {
                    block_on(tables.update(point, |person| {
                        let note = person.note;
                        *person = next.clone();
                        person.note = note;
                    }))
                });
                let late = self.who.late;
                self.known(team, next.id).wrote(&result, Class::Fenced, Some(next.stamp), late);
            }
            8 => {
                let effects = effects(&next, true);
                let result = self.call("upsert", Class::Blind, &effects, || block_on(tables.upsert(&next)));
                self.conclude(team, &next, Class::Blind, result);
            }
            9..11 => {
                let note = self.stamp();
                let effects = [(note_of(&stored.team, stored.id), Some(note))];
                let patch = stored.patch().note(note);
                let result = self.call("merge of what was read", Class::Fenced, &effects, || {
                    block_on(tables.merge(patch))
                });
                self.look_after_a_merge(team, stored, result);
            }
            11..13 => {
                let note = self.stamp();
                let effects = [(note_of(&stored.team, stored.id), Some(note))];
                let patch = Person::patch(&stored.team, stored.id).note(note);
                let result =
                    self.call("merge by key", Class::Blind, &effects, || block_on(tables.merge(patch)));
                self.look_after_a_merge(team, stored, result);
            }
            13 => self.transact(team, stored, &next, &tables),
            _ => self.delete(team, stored, &tables),
        }
    }

    fn replace(&mut self, team: usize, stored: &Stored<Person>, next: &Person, tables: &Tables) {
        let effects = effects(next, false);
        let mut changed = stored.clone();
        *changed = next.clone();
        let result = self.call("replace", Class::Fenced, &effects, || block_on(tables.replace(&changed)));
        self.conclude(team, next, Class::Fenced, result);
    }

    /// Replaces two people in one transaction.
    fn transact(&mut self, team: usize, stored: &Stored<Person>, next: &Person, tables: &Tables) {
        let other = (stored.id + self.who.clients as u32) % (self.who.clients as u32 * OWN);
        let Ok(Some(mut second)) = block_on(Person::point(&stored.team, other).get(&self.tables)) else {
            return;
        };
        if other == stored.id {
            return;
        }
        let mut after = Person::new(&stored.team, other, next.stamp + 8_000_000_000_000_000);
        after.note = second.note;
        *second = after.clone();
        let mut first = stored.clone();
        *first = next.clone();
        let effects = [effects(next, false), effects(&after, false)].concat();
        let result = self.call("transact", Class::Fenced, &effects, || {
            block_on(tables.transact().replace(&first).replace(&second).commit())
        });
        let late = self.who.late;
        self.known(team, next.id).wrote(&result, Class::Fenced, Some(next.stamp), late);
        self.known(team, other).wrote(&result, Class::Fenced, Some(after.stamp), late);
    }

    fn delete(&mut self, team: usize, stored: &Stored<Person>, tables: &Tables) {
        let effects = [(stamp_of(&stored.team, stored.id), None), (note_of(&stored.team, stored.id), None)];
        let late = self.who.late;
        if self.seed.chance(2, 3) {
            let result = self.call("delete", Class::Fenced, &effects, || block_on(tables.delete(stored)));
            self.known(team, stored.id).wrote(&result, Class::Fenced, None, late);
        } else {
            let point = Person::point(&stored.team, stored.id);
            let result =
                self.call("delete by key", Class::Blind, &effects, || block_on(tables.delete_at(point)));
            self.known(team, stored.id).wrote(&result, Class::Blind, None, late);
        }
    }

    fn known(&mut self, team: usize, id: u32) -> &mut Known<Option<i64>> {
        self.people.0.entry((team, id)).or_default()
    }

    fn conclude(&mut self, team: usize, person: &Person, class: Class, result: Result<WriteResult>) {
        let late = self.who.late;
        self.known(team, person.id).wrote(&result, class, Some(person.stamp), late);
        match result {
            Ok(written) => {
                let is_certain = self.known(team, person.id).certain().is_some();
                if is_certain && self.seed.chance(1, 2) {
                    self.look_after(person, &written);
                }
            }
            Err(Error::Unique(taken)) => {
                let what = format!(
                    "{}: nobody else wants the values of {}",
                    taken,
                    stamp_of(&person.team, person.id)
                );
                self.journal.violation(&what);
            }
            Err(_) => {}
        }
    }

    /// Checks that a merge that changes no index row still shows the rows of earlier writes.
    fn look_after_a_merge(&mut self, team: usize, stored: &Person, result: Result<WriteResult>) {
        let is_certain = self.known(team, stored.id).certain() == Some(Some(stored.stamp));
        if let Ok(written) = result
            && is_certain
            && self.seed.chance(1, 2)
        {
            self.look_after(stored, &written);
        }
    }

    /// Writes shared people. Only general invariants are checked for them.
    pub(crate) fn write_shared(&mut self) {
        let team = TEAMS[self.seed.below(TEAMS.len())];
        let id = Pool::FIRST_SHARED + self.seed.below(SHARED as usize) as u32;
        let next = Person::new(team, id, self.stamp());
        let tables = self.handle();
        let found = match block_on(Person::point(team, id).get(&self.tables)) {
            Ok(found) => found,
            Err(error) => return self.judge("a read of a person", &error),
        };
        let _ = match (found, self.seed.below(8)) {
            (None, _) => {
                self.call("insert, contended", Class::Blind, &[], || block_on(tables.insert(&next)).map(drop))
            }
            (Some(stored), 0..2) => {
                self.call("delete, contended", Class::Fenced, &[], || block_on(tables.delete(&stored)))
            }
            (Some(_), 2) => {
                self.call("upsert, contended", Class::Blind, &[], || block_on(tables.upsert(&next)).map(drop))
            }
            (Some(mut stored), _) => {
                *stored = next;
                self.call("replace, contended", Class::Fenced, &[], || {
                    block_on(tables.replace(&stored)).map(drop)
                })
            }
        };
    }

    /// Inserts and deletes the target entities of counts.
    pub(crate) fn write_place(&mut self) {
        let (tables, stamp) = (self.handle(), self.stamp());
        let (place, gone) = (self.seed.below(3), self.seed.chance(1, 3));
        let _ = match (place, gone) {
            (0, true) => {
                let point = crate::faults::design::Team::point(TEAMS[self.seed.below(2)]);
                self.call("delete of a team", Class::Blind, &[], || {
                    block_on(tables.delete_if_exists(point)).map(drop)
                })
            }
            (0, false) => {
                let team = TEAMS[self.seed.below(2)].to_owned();
                let team = crate::faults::design::Team {
                    team,
                    motto: stamp,
                    members: 0,
                    score: 0,
                    best: None,
                    lead: None,
                };
                self.call("upsert of a team", Class::Blind, &[], || block_on(tables.upsert(&team)).map(drop))
            }
            (1, true) => {
                let point = City::point(crate::faults::design::CITIES[self.seed.below(4)]);
                self.call("delete of a city", Class::Blind, &[], || {
                    block_on(tables.delete_if_exists(point)).map(drop)
                })
            }
            (1, false) => {
                let city = crate::faults::design::CITIES[self.seed.below(4)].to_owned();
                let city = City { city, motto: stamp, people: 0, score: 0, least: None, mayor: None };
                self.call("upsert of a city", Class::Blind, &[], || block_on(tables.upsert(&city)).map(drop))
            }
            _ => {
                let owner = Owner { owner: format!("w{}", self.seed.below(4)), motto: stamp, tickets: 0 };
                self.call("upsert of an owner", Class::Blind, &[], || {
                    block_on(tables.upsert(&owner)).map(drop)
                })
            }
        };
    }
}
