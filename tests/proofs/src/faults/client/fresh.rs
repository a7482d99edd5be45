//! `.after(&written)` returns the written entity by each of its indexes, or an error.

use pollster::block_on;
use table_patterns::{Query, WriteResult, prelude::*};

use super::{Client, people::stamp_of};
use crate::faults::design::Person;

impl Client {
    /// Reads a person by an index or a lookup, after a write whose outcome is certain.
    pub(crate) fn look_after(&mut self, person: &Person, written: &WriteResult) {
        let (index, found) = match self.seed.below(7) {
            0 => ("by_email", self.by_email(person, written)),
            1 => ("by_badge", self.by_badge(person, written)),
            2 => ("by_city", self.by_city(person, written)),
            3 => ("by_rank", self.by_rank(person, written)),
            4 => ("by_skill", self.members(&Person::by_skill(&person.skill).after(written), person)),
            5 => ("by_office", self.members(&Person::by_office(&person.office).after(written), person)),
            _ => ("by_hobby", self.members(&Person::by_hobby(&person.hobby).after(written), person)),
        };
        match found {
            Ok(true) => self.journal.note("read after a write", index),
            Ok(false) => {
                let register = stamp_of(&person.team, person.id);
                let what = format!("`.after` misses stamp {} by {index}: {register}", person.stamp);
                self.journal.violation(&what);
            }
            Err(error) => {
                self.judge(index, &error);
                self.journal.note("read after a write failed", &error.to_string());
            }
        }
    }

    fn by_email(&self, person: &Person, written: &WriteResult) -> Result<bool> {
        let found = block_on(Person::by_email(&person.team, &person.email).after(written).get(&self.tables))?;
        Ok(found.is_some_and(|found| found.stamp == person.stamp))
    }

    fn by_badge(&self, person: &Person, written: &WriteResult) -> Result<bool> {
        let Some(badge) = person.badge else { return Ok(true) };
        let found = block_on(Person::by_badge(badge).after(written).get(&self.tables))?;
        Ok(found.is_some_and(|found| found.stamp == person.stamp))
    }

    fn by_city(&self, person: &Person, written: &WriteResult) -> Result<bool> {
        let Some(city) = &person.city else { return Ok(true) };
        let found = block_on(Person::by_city_rows(city).at(&person.team).after(written).all(&self.tables))?;
        Ok(found.iter().any(|found| found.id == person.id && found.stamp == person.stamp))
    }

    fn by_rank(&self, person: &Person, written: &WriteResult) -> Result<bool> {
        let found =
            block_on(Person::by_rank_rows(person.rank).at(&person.team).after(written).all(&self.tables))?;
        Ok(found.iter().any(|found| {
            found.id == person.id && found.stamp == person.stamp && found.secret == person.secret
        }))
    }

    fn members<Q: Query>(&self, query: &Q, person: &Person) -> Result<bool>
    where
        Q::Row: FromRow<Out = Stored<Person>>,
    {
        let found = block_on(query.all(&self.tables))?;
        Ok(found
            .iter()
            .any(|found| found.id == person.id && found.team == person.team && found.stamp == person.stamp))
    }
}
