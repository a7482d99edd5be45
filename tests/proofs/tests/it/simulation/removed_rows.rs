//! The job that deletes the rows of a removed index, while other clients write at the keys of these rows. A row that
//! changes between the read and the delete is judged again, so that no property and no row of another client is lost.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    rc::Rc,
};

use pollster::block_on;
use table_patterns::{RemovedRows, prelude::*};
use table_proofs::simulation::{Faults, Schedule, Unreliable, World, pause, runs};
use table_store::{
    Condition, Entity as Row, MapStorage, OpenOptions, Operation, Query as StoreQuery, Store, TableName,
    TableService,
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Notes", partition = "{book}", row = "n_{id:02}")]
#[table(index(near, row = "w_{word}_{id:02}"))]
#[table(index(far, partition = "far_{word}", row = "{book}_{id:02}"))]
struct Note {
    book: String,
    id: u8,
    word: String,
}

const FAULTS: Faults = Faults { lost: 25, undone: 15, late: 25, crash: 4, most: 4 };
const NOTES: u8 = 6;

fn note(id: u8) -> Note {
    Note { book: "a".into(), id, word: "w".into() }
}

/// The keys of the index rows of a note.
fn keys(id: u8) -> [(String, String); 2] {
    [("a".into(), format!("w_w_{id:02}")), ("far_w".into(), format!("a_{id:02}"))]
}

/// A key and a property that a client knows to be stored.
type Kept = Rc<RefCell<BTreeSet<((String, String), String)>>>;

/// A program without the library. It adds properties to index rows with odd numbers, and replaces those with even ones.
async fn stranger(service: Unreliable, table: TableName, world: World, kept: Kept) {
    for step in 0..8 {
        let id = u8::try_from(world.below(NOTES.into())).unwrap();
        let key = keys(id)[world.below(2)].clone();
        let name = if id % 2 == 0 { "mine".to_owned() } else { format!("p{step}") };
        let mut row = Row::new(key.0.as_str(), key.1.as_str());
        row.properties.set(name.clone(), "v");
        let operation = if id % 2 == 0 {
            // As an entity of the type that has another key: only the missing mark tells.
            row.properties.set("EntityType", "Note");
            Operation::InsertOrReplace(row)
        } else {
            Operation::Merge(row, Condition::Exists)
        };
        if service.execute(&table, &operation).await.is_ok() {
            kept.borrow_mut().insert((key, name));
        }
        pause().await;
    }
}

async fn removing(tables: Tables, removed: Rc<Cell<u64>>) {
    for index in ["near", "far"] {
        let mut job = tables.remove_index_rows::<Note>(index).page_size(3);
        while matches!(job.step().await, Ok(true)) {}
        removed.set(removed.get() + job.report().removed);
    }
}

fn stored(store: &Store, table: &TableName) -> BTreeSet<((String, String), String)> {
    let segment = block_on(store.query(table, StoreQuery::default())).unwrap();
    let rows = segment.rows.iter().flat_map(|row| {
        let key = (row.partition_key.unwrap().to_owned(), row.row_key.unwrap().to_owned());
        let names: Vec<String> = row.properties.iter().map(|(name, _)| name.to_owned()).collect();
        names.into_iter().map(move |name| (key.clone(), name))
    });
    rows.collect()
}

fn run(seed: u64) -> (u64, usize) {
    let world = World::new(seed, FAULTS);
    let service = Unreliable::new(OpenOptions::new().open_map(MapStorage::default()).unwrap(), world.clone());
    let table = TableName::new("Notes").unwrap();
    let quiet = Tables::new(service.store().clone());
    for id in 0..NOTES {
        quiet.blocking().insert(&note(id)).unwrap();
    }
    let (kept, removed) = (Kept::default(), Rc::new(Cell::new(0)));
    let mut schedule = Schedule::new(&service, world.clone());
    for _ in 0..2 {
        let (service, table) = (service.clone(), table.clone());
        schedule.client(stranger(service, table, world.clone(), Rc::clone(&kept)));
    }
    let tables = Tables::new(service.clone()).with_seeded_tokens(seed);
    schedule.client(removing(tables, Rc::clone(&removed)));
    schedule.run(|| {
        let stored = stored(service.store(), &table);
        let lost: Vec<_> = kept.borrow().difference(&stored).cloned().collect();
        assert!(lost.is_empty(), "seed {seed}: {lost:?}");
    });
    world.calm();
    world.forget_late();
    // The next run deletes the remaining rows of the library, and lists exactly the others.
    let mut left = BTreeSet::new();
    for index in ["near", "far"] {
        let report: RemovedRows = block_on(quiet.remove_index_rows::<Note>(index).run()).unwrap();
        assert_eq!(report.left_count, report.left.len() as u64);
        left.extend(
            report
                .left
                .iter()
                .map(|row| (row.address.partition_key().to_owned(), row.address.row_key().to_owned())),
        );
    }
    let stored = stored(service.store(), &table);
    let at_index: BTreeSet<_> = stored
        .iter()
        .map(|(key, _)| key.clone())
        .filter(|key| (0..NOTES).any(|id| keys(id).contains(key)))
        .collect();
    assert_eq!(left, at_index, "seed {seed}");
    let kept = kept.borrow();
    assert!(kept.is_subset(&stored), "seed {seed}: {kept:?} {stored:?}");
    for id in 0..NOTES {
        assert_eq!(block_on(Note::point("a", id).get(&quiet)).unwrap().as_deref(), Some(&note(id)));
    }
    (removed.get(), kept.len())
}

#[test]
fn a_row_that_changes_while_its_index_is_removed_is_judged_again() {
    let count = runs("SIMULATIONS", 400);
    let (mut removed, mut kept) = (0, 0);
    for seed in 0..count {
        let (some, more) = run(seed);
        removed += some;
        kept += more as u64;
    }
    println!("{count} schedules, {removed} rows removed, {kept} properties kept");
    assert!(removed > 2 * count && kept > 2 * count, "{removed} {kept}");
}
