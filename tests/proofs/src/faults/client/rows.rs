//! Writes of series, wide entities, tables per period, and sharded keys.

use std::time::Duration;

use pollster::block_on;
use table_patterns::prelude::*;

use super::Client;
use crate::faults::{
    design::{Day, Event, Login, SLOTS, Year},
    journal::Class,
};

/// The first period.
pub(crate) const FIRST_HOUR: &str = "2030-01-01T00:00:00Z";

#[derive(Debug, Default)]
pub(crate) struct Rows {
    made: u64,
}

impl Client {
    pub(crate) fn write_row(&mut self) {
        match self.seed.below(8) {
            0..3 => self.write_day(),
            3..6 => self.write_year(),
            6 => self.write_login(),
            _ => self.write_event(),
        }
    }

    fn write_day(&mut self) {
        let Ok(day) = "2030-01-01".parse::<Date>() else { return };
        let (who, slot, stamp) = (format!("c{}", self.who.number), self.seed.below(4), self.stamp());
        let effects = [(format!("day/{who}/{slot:02}"), Some(stamp))];
        let patch = Day::patch(&who, day).hours(slot, stamp);
        let tables = self.tables.clone();
        let _ = if self.seed.chance(1, 2) {
            self.call("merge of a slot", Class::Blind, &effects, || block_on(tables.merge(patch)))
        } else {
            self.call("upsert_merge of a slot", Class::Blind, &effects, || {
                block_on(tables.upsert_merge(patch))
            })
        };
    }

    fn write_year(&mut self) {
        let (who, slot, stamp) = (format!("c{}", self.who.number), self.seed.below(SLOTS), self.stamp());
        let effects = [(format!("year/{who}/{slot:02}"), Some(stamp))];
        let tables = self.tables.clone();
        if self.seed.chance(1, 2) {
            let patch = Year::patch(&who, 2030).days(slot, stamp);
            let _ = self.call("merge of a part", Class::Blind, &effects, || block_on(tables.merge(patch)));
            return;
        }
        let mut found = match block_on(Year::point(&who, 2030).get(&tables)) {
            Ok(Some(found)) => found,
            Ok(None) => {
                let mut year = Year { who, year: 2030, days: [None; SLOTS] };
                year.days[slot] = Some(stamp);
                let _ =
                    self.call("insert of parts", Class::Blind, &effects, || block_on(tables.insert(&year)));
                return;
            }
            Err(error) => return self.judge("a read of a wide entity", &error),
        };
        found.days[slot] = Some(stamp);
        let _ = self.call("replace of parts", Class::Fenced, &effects, || block_on(tables.replace(&found)));
    }

    fn write_login(&mut self) {
        let Ok(first) = FIRST_HOUR.parse::<Timestamp>() else { return };
        self.rows.made += 1;
        let hour = self.seed.below(12) as u64 * 3_600;
        // Within the hour each row has a unique time.
        let tick = (self.who.life % 100) * 30_000 + self.rows.made % 30_000;
        let at = first.saturating_add(Duration::from_secs(hour) + Duration::from_millis(tick));
        let (who, stamp) = (format!("c{}", self.who.number), self.stamp());
        let effects = [(format!("login/{who}/{}", at.ticks()), Some(stamp))];
        let (tables, login) = (self.tables.clone(), Login { who, at, stamp });
        let _ = self.call("insert into a period", Class::Blind, &effects, || block_on(tables.insert(&login)));
    }

    fn write_event(&mut self) {
        self.rows.made += 1;
        let (at, stamp) = (Timestamp::now(), self.stamp());
        let device = (self.who.number * 1_000 + self.seed.below(20)) as u32;
        let effects = [(format!("event/{}/{device:06}", at.ticks()), Some(stamp))];
        let event = Event { at, device, stamp, text: format!("text {stamp}") };
        let tables = self.tables.clone();
        let _ = self.call("insert into shards", Class::Blind, &effects, || block_on(tables.insert(&event)));
    }
}
