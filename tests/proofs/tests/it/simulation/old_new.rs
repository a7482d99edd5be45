//! Programs of old and new versions of a type, and of another type at the same keys, write and read one table. Calls are
//! late or lost, and participants crash. After each call, one operation explains each row: it keeps what its program
//! does not know, no version falls, and no other type is written over. Each read returns what was true, or an error that
//! was true.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

mod client;
mod rows;
mod truth;
mod types;

use std::{cell::RefCell, rc::Rc, sync::Arc, time::Duration};

use pollster::block_on;
use table_patterns::{DifferenceKind, IndexStep, MAX_REQUEST_AGE, prelude::*};
use table_proofs::simulation::{
    Calendar, Faults, Schedule, Unreliable, World, pause, reindexing, runs, settling, verifying_and_repairing,
};
use table_store::{Condition, Entity, MapStorage, OpenOptions, Operation, TableName, TableService};

use self::{
    client::{Client, Known},
    rows::{EXTRA, OTHER, PLAIN},
    truth::{Truth, Verb},
    types::{Program, bare, dropped, extended, indexed},
};

const FAULTS: Faults = Faults { lost: 25, undone: 10, late: 25, crash: 6, most: 4 };
const IDS: u8 = 3;

/// The programs of a table.
trait Family {
    const TABLE: &'static str;
    const IS_INDEXED: bool;
    /// The new program adds an index by the registry.
    const ADDS: Option<&'static str>;
    type Plain: Program;
    type Extra: Program;
    type Renamed: Program;
    type Other: Program;
}

/// Implements [`Family`].
macro_rules! family {
    ($name:ident: $module:ident, $table:literal, $is_indexed:literal, $adds:expr) => {
        struct $name;

        impl Family for $name {
            const TABLE: &'static str = $table;
            const IS_INDEXED: bool = $is_indexed;
            const ADDS: Option<&'static str> = $adds;
            type Plain = $module::Plain;
            type Extra = $module::Extra;
            type Renamed = $module::Renamed;
            type Other = $module::Other;
        }
    };
}

family!(Bare: bare, "Items", false, None);
family!(Indexed: indexed, "Things", true, None);
family!(Extended: extended, "Things", true, Some("late"));
family!(Dropped: dropped, "Things", true, None);

/// A program without the library, which adds a property that no type declares.
async fn stranger(service: &Unreliable, table: &TableName, world: World, truth: Known, steps: usize) {
    for _ in 0..steps {
        let row = format!("i_{:02}", world.below(IDS.into()));
        let value = truth.borrow_mut().adds_wild();
        let properties = [("wild", value)].into_iter().collect();
        let entity = Entity { partition_key: "a".into(), row_key: row, properties };
        drop(service.execute(table, &Operation::Merge(entity, Condition::Exists)).await);
    }
}

/// Upgrades all rows, again and again.
async fn upgrading<E: TableEntity>(tables: Tables) {
    loop {
        let mut upgrade = tables.upgrade::<E>().page_size(2);
        while matches!(upgrade.step().await, Ok(true)) {}
        pause().await;
    }
}

/// Adds an index. The registry stores the progress.
async fn adding<E: TableEntity>(tables: Tables, world: World, calendar: Calendar, index: &'static str) {
    let change = tables.add_index::<E>(index).page_size(2);
    for _ in 0..200 {
        match change.step().await {
            Ok(IndexStep::Done) => return,
            Ok(IndexStep::Wait(rest)) => {
                // Other participants run while time passes.
                for _ in 0..4 {
                    calendar.pass(rest / 4 + Duration::from_millis(1));
                    for _ in 0..world.below(30) {
                        pause().await;
                    }
                }
            }
            Ok(_) | Err(_) => {}
        }
    }
}

/// Result of a schedule.
#[derive(Clone, Copy, Default)]
struct Ran {
    calls: u64,
    /// Changes of a row of version 1 to version 2.
    upgraded: u64,
    /// Rows with properties that their writer did not know.
    kept: u64,
    /// Operations that were rejected because of a newer row, or a row of another type.
    rejected: u64,
}

fn run<F: Family>(seed: u64) -> Result<Ran, String> {
    let (calendar, world) = (Calendar::new(), World::new(seed, FAULTS));
    world.keep_time(calendar.clone(), MAX_REQUEST_AGE);
    let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
    let service = Unreliable::new(store, world.clone());
    let table = TableName::new(F::TABLE).unwrap();
    let truth: Known = Rc::new(RefCell::new(Truth::new()));
    let quiet = Tables::new(service.store().clone());
    quiet.register_entity::<F::Renamed>();
    let look = || truth.borrow_mut().look(service.store(), F::TABLE, F::IS_INDEXED);
    block_on(service.store().create_table(&table)).unwrap();
    for id in 0..IDS {
        match world.below(4) {
            0 => {}
            1 => {
                let stamp = truth.borrow_mut().begin(OTHER, Verb::Insert, id);
                quiet.blocking().insert(&F::Other::new(id, stamp)).unwrap();
            }
            _ => {
                let stamp = truth.borrow_mut().begin(EXTRA, Verb::Insert, id);
                Tables::new(service.store().clone()).blocking().insert(&F::Extra::new(id, stamp)).unwrap();
            }
        }
        look();
    }
    if F::ADDS.is_some() {
        block_on(quiet.register::<F::Plain>()).unwrap();
    }
    let by_registry = |tables: Tables| match F::ADDS {
        Some(_) => tables.with_registry_by(Arc::new(calendar.clone())),
        None => tables,
    };
    let handle =
        |number: u64| by_registry(Tables::new(service.clone()).with_seeded_tokens(seed << 4 | number));
    let client = |number: u64, steps: usize| Client {
        tables: handle(number),
        world: world.clone(),
        truth: Rc::clone(&truth),
        steps,
        may_overwrite: !F::IS_INDEXED,
    };
    let mut schedule = Schedule::new(&service, world.clone());
    schedule.client(client(0, 8).run::<F::Plain>());
    schedule.client(client(1, 8).run::<F::Extra>());
    schedule.client(client(2, 8).run::<F::Renamed>());
    schedule.client(client(3, 4).run::<F::Other>());
    if !F::IS_INDEXED {
        schedule.client(stranger(&service, &table, world.clone(), Rc::clone(&truth), 3));
    }
    let job = |number: u64, kinds: &dyn Fn(&Tables)| {
        let tables = handle(number);
        kinds(&tables);
        tables
    };
    let old = |tables: &Tables| tables.register_entity::<F::Plain>();
    let new = |tables: &Tables| tables.register_entity::<F::Renamed>();
    if let Some(index) = F::ADDS {
        schedule.client(adding::<F::Renamed>(job(4, &new), world.clone(), calendar.clone(), index));
    }
    if F::IS_INDEXED {
        schedule.worker(settling(job(5, &old)));
        schedule.worker(settling(job(6, &new)));
        match seed % 4 {
            0 => schedule.worker(verifying_and_repairing::<F::Plain>(job(7, &old))),
            1 => schedule.worker(verifying_and_repairing::<F::Renamed>(job(7, &new))),
            2 => schedule.worker(reindexing::<F::Plain>(job(7, &old), &["near", "far"])),
            _ => schedule.worker(reindexing::<F::Renamed>(job(7, &new), &["near", "far"])),
        }
    }
    if seed.is_multiple_of(3) {
        schedule.worker(upgrading::<F::Renamed>(job(8, &new)));
    }
    schedule.run(look);
    world.calm();
    if seed.is_multiple_of(2) {
        Schedule::land_each(&service, look);
    } else {
        world.forget_late();
    }
    finish::<F>(&service, &by_registry(quiet), &calendar, &truth)?;
    let truth = truth.borrow();
    Ok(Ran { calls: world.calls(), upgraded: truth.upgraded, kept: truth.kept, rejected: truth.rejected })
}

/// Completes the change of the index.
fn complete<E: TableEntity>(quiet: &Tables, calendar: &Calendar, index: &str) -> Result<(), Error> {
    let change = quiet.add_index::<E>(index);
    loop {
        match block_on(change.step())? {
            IndexStep::Done => return Ok(()),
            IndexStep::Wait(rest) => calendar.pass(rest + Duration::from_millis(1)),
            _ => {}
        }
    }
}

/// Applies all commits, upgrades all rows, and compares everything that is stored.
fn finish<F: Family>(
    service: &Unreliable,
    quiet: &Tables,
    calendar: &Calendar,
    truth: &Known,
) -> Result<(), String> {
    let text = |error: Error| error.to_string();
    if let Some(wrong) = truth.borrow_mut().wrong.take() {
        return Err(wrong);
    }
    block_on(quiet.catch_up()).map_err(text)?;
    if let Some(index) = F::ADDS {
        complete::<F::Renamed>(quiet, calendar, index).map_err(text)?;
    }
    let mut upgrade = quiet.upgrade::<F::Renamed>();
    while block_on(upgrade.step()).map_err(text)? {}
    block_on(quiet.catch_up()).map_err(text)?;
    let mut truth = truth.borrow_mut();
    truth.look(service.store(), F::TABLE, F::IS_INDEXED);
    if F::IS_INDEXED {
        truth.compare_far(service.store(), F::TABLE);
        let report = block_on(quiet.verify::<F::Renamed>().run()).map_err(text)?;
        // A placeholder row from a late request remains until the next sweep.
        if report.count() > report.count_of(DifferenceKind::Placeholder) || report.lagging > 0 {
            return Err(report.to_string());
        }
    }
    let older = (0..IDS).find(|id| truth.row(*id).is_some_and(|row| PLAIN.read(row).is_ok()));
    if let Some(id) = older {
        return Err(format!("{id} is of version 1 after the upgrade"));
    }
    truth.wrong.take().map_or(Ok(()), Err)
}

fn all<F: Family>(schedules: u64) {
    let (first, count) = (runs("FIRST_SEED", 0), runs("SIMULATIONS", schedules));
    let mut sum = Ran::default();
    for seed in first..first + count {
        match run::<F>(seed) {
            Ok(ran) => {
                sum.calls += ran.calls;
                sum.upgraded += ran.upgraded;
                sum.kept += ran.kept;
                sum.rejected += ran.rejected;
            }
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    let Ran { calls, upgraded, kept, rejected } = sum;
    println!(
        "{count} schedules, {calls} calls, {upgraded} upgrades, {kept} rows kept, {rejected} rejections"
    );
    assert!(2 * upgraded > count && 2 * kept > count && rejected > count, "{upgraded} {kept} {rejected}");
}

#[test]
fn old_and_new_programs_keep_what_they_do_not_know() {
    all::<Bare>(400);
}

#[test]
fn old_and_new_programs_share_indexes() {
    all::<Indexed>(150);
}

#[test]
fn new_programs_add_an_index_while_old_programs_run() {
    all::<Extended>(60);
}

#[test]
fn new_programs_drop_and_rename_what_old_programs_derive() {
    all::<Dropped>(100);
}
