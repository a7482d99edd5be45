//! Registers with a single writer each. The last acknowledged value is retained, regardless of network faults.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::{cell::RefCell, rc::Rc};

use pollster::block_on;
use table_patterns::prelude::*;
use table_proofs::simulation::{Faults, Schedule, Unreliable, World, runs};
use table_store::{MapStorage, OpenOptions};

/// Two registers in one row: a property and a slot of a series.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Registers", partition = "{shelf}", row = "{id:03}")]
struct Register {
    shelf: String,
    id: u16,
    note: i32,
    #[table(series)]
    hours: [Option<i32>; 4],
}

/// A register in a part of a wide entity.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "WideRegisters", partition = "{shelf}", row = "{id:03}_{part:02}", wide = 2)]
struct Wide {
    shelf: String,
    id: u16,
    note: i32,
    #[table(series)]
    days: [Option<i32>; 4],
}

const FAULTS: Faults = Faults { lost: 60, undone: 40, late: 160, crash: 0, most: 6 };
const VALUES: i32 = 8;

/// The condition of a writer's merge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// By key, in any version.
    ByKey,
    /// With the version of a previous read.
    Versioned,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Property,
    Slot,
    Part,
}

/// The results of a register's writes.
#[derive(Debug, Default)]
struct History {
    acknowledged: i32,
    /// All values of unknown outcome, and those after the last acknowledged value.
    unknown: Vec<i32>,
    unknown_since: Vec<i32>,
}

impl History {
    fn note(&mut self, value: i32, result: &Result<()>) {
        match result {
            Ok(()) => {
                self.acknowledged = value;
                self.unknown_since.clear();
            }
            Err(error) if error.is_outcome_unknown() => {
                self.unknown.push(value);
                self.unknown_since.push(value);
            }
            Err(_) => {}
        }
    }

    /// Returns whether the register may contain a value. A merge by key of unknown outcome may take effect later. A
    /// merge with a version cannot take effect after another write.
    fn allows(&self, form: Form, value: i32) -> bool {
        let unknown = if form == Form::ByKey { &self.unknown } else { &self.unknown_since };
        value == self.acknowledged || unknown.contains(&value)
    }
}

async fn merge(tables: &Tables, place: Place, form: Form, value: i32) -> Result<()> {
    let register = || Register::point("s", 1);
    match (place, form) {
        (Place::Property, Form::ByKey) => tables.merge(Register::patch("s", 1).note(value)).await?,
        (Place::Slot, Form::ByKey) => tables.merge(Register::patch("s", 1).hours(3, value)).await?,
        (Place::Part, Form::ByKey) => tables.merge(Wide::patch("s", 1).days(3, value)).await?,
        (Place::Property, Form::Versioned) => {
            tables.merge(register().get(tables).await?.unwrap().patch().note(value)).await?
        }
        (Place::Slot, Form::Versioned) => {
            tables.merge(register().get(tables).await?.unwrap().patch().hours(3, value)).await?
        }
        (Place::Part, Form::Versioned) => {
            tables.merge(Wide::point("s", 1).get(tables).await?.unwrap().patch().days(3, value)).await?
        }
    };
    Ok(())
}

async fn write(tables: Tables, place: Place, form: Form, history: Rc<RefCell<History>>) {
    for value in 1..=VALUES {
        let result = merge(&tables, place, form, value).await;
        history.borrow_mut().note(value, &result);
    }
}

fn run(form: Form, seed: u64) -> std::result::Result<usize, String> {
    let world = World::new(seed, FAULTS);
    let store = OpenOptions::new().open_map(MapStorage::default()).unwrap();
    let quiet = Tables::new(store.clone());
    let shelf = || "s".to_owned();
    block_on(quiet.insert(&Register { shelf: shelf(), id: 1, note: 0, hours: [Some(0); 4] })).unwrap();
    block_on(quiet.insert(&Wide { shelf: shelf(), id: 1, note: 0, days: [Some(0); 4] })).unwrap();
    let service = Unreliable::new(store, world.clone());
    let mut schedule = Schedule::new(&service, world.clone());
    let mut histories = Vec::new();
    for (place, token) in [(Place::Property, 1), (Place::Slot, 2), (Place::Part, 3)] {
        let history = Rc::new(RefCell::new(History::default()));
        let tables = Tables::new(service.clone()).with_seeded_tokens(seed << 8 | token);
        schedule.client(write(tables, place, form, history.clone()));
        histories.push((place, history));
    }
    schedule.run(|| ());
    world.calm();
    Schedule::land_all(&service);
    let register = block_on(Register::point("s", 1).get(&quiet)).unwrap().unwrap();
    let wide = block_on(Wide::point("s", 1).get(&quiet)).unwrap().unwrap();
    for (place, history) in &histories {
        let value = match place {
            Place::Property => Some(register.note),
            Place::Slot => register.hours.get(3).copied().flatten(),
            Place::Part => wide.days.get(3).copied().flatten(),
        };
        if !value.is_some_and(|value| history.borrow().allows(form, value)) {
            return Err(format!("{place:?} holds {value:?} after {:?}", history.borrow()));
        }
    }
    Ok(histories.iter().map(|(_, history)| history.borrow().unknown.len()).sum())
}

fn search(form: Form) {
    let (mut unknown, count) = (0, runs("SIMULATIONS", 150));
    for seed in 0..count {
        match run(form, seed) {
            Ok(some) => unknown += some,
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules, {unknown} writes of unknown outcome");
    assert!(unknown > 0);
}

#[test]
fn merges_by_key_keep_the_last_acknowledged_value() {
    search(Form::ByKey);
}

#[test]
fn versioned_merges_keep_the_last_acknowledged_value() {
    search(Form::Versioned);
}
