//! Entities with index rows, and the manual alternative: rows written with direct calls of the store.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    time::{Duration, Instant},
};

use pollster::block_on;
use table_patterns::{Pending, WriteResult, prelude::*};
use table_store::{
    BlockingStore, Entity, OpenOptions, Operation, Properties, RowRef, TableName, TableService as _, ValueRef,
};

use super::{Goal, Row, SMALL, Sample, Unit, clients, ratio};
use crate::{
    bench::{Bench, Subject},
    contender::{CACHE, Kind, Outcome},
    dice::Dice,
    indexed::{Far, Five, One, Plain, Three},
};

const BOTH_WAYS: &[Kind] = &[Kind::Ours, Kind::ByHand];
const BY_HAND: &[Goal] = &[ratio(Kind::ByHand, 0.8)];
const CLIENTS: u32 = 8;
/// Number of entities to look up.
const LOADED: u32 = 10_000;
/// Number of an entity that exists before the clock starts.
const FIRST: u32 = 99_999_999;

pub const ROWS: &[Row] = &[
    Row { name: "index-insert-0", title: "insert, 8 clients", run: inserts::<0>, ..INSERT },
    Row { name: "index-insert-1", title: "insert with 1 index row, 8 clients", run: inserts::<1>, ..INSERT },
    Row { name: "index-insert-3", title: "insert with 3 index rows, 8 clients", run: inserts::<3>, ..INSERT },
    Row { name: "index-insert-5", title: "insert with 5 index rows, 8 clients", run: inserts::<5>, ..INSERT },
    Row {
        name: "index-get",
        title: "point get by an index",
        unit: Unit::PerSecond("gets/s"),
        run: gets,
        ..INSERT
    },
    Row {
        name: "index-lag",
        title: "time until rows elsewhere follow, under load",
        unit: Unit::Milliseconds,
        kinds: &[Kind::Ours],
        goals: &[],
        run: lag,
        ..INSERT
    },
];

const INSERT: Row = Row {
    name: "",
    title: "",
    unit: Unit::PerSecond("inserts/s"),
    sizes: SMALL,
    kinds: BOTH_WAYS,
    goals: BY_HAND,
    on_loaded: false,
    once: false,
    run: inserts::<0>,
};

/// Inserts new entities, each durable with its index rows when the call returns.
fn inserts<const INDEXES: usize>(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let dir = bench.place(&format!("index-insert-{INDEXES}"), subject.kind, subject.size);
    std::fs::create_dir_all(&dir)?;
    let store = OpenOptions::new().cache_bytes(CACHE).open(dir.join("orders.tables"))?;
    let (tables, by_hand) = (Tables::from(store.clone()), store.blocking());
    let table = made(&by_hand)?;
    block_on(insert::<INDEXES>(&tables, FIRST))?;
    let numbers = AtomicU32::new(0);
    let sample = clients::run(CLIENTS, bench.effort.window, &|_, clock| {
        clock.repeat(|| {
            let number = numbers.fetch_add(1, Ordering::Relaxed);
            if subject.kind == Kind::Ours {
                block_on(insert::<INDEXES>(&tables, number))?;
            } else {
                by_hand.transact(&table, rows_of(number, INDEXES))?;
            }
            Ok(())
        })
    });
    drop((tables, by_hand));
    std::fs::remove_dir_all(dir)?;
    sample
}

fn insert<const INDEXES: usize>(tables: &Tables, number: u32) -> Pending<'_, WriteResult> {
    match INDEXES {
        0 => tables.insert(&Plain::of(number)),
        1 => tables.insert(&One::of(number)),
        3 => tables.insert(&Three::of(number)),
        _ => tables.insert(&Five::of(number)),
    }
}

/// Reads entities by an alternate key: through an index, and through the manually written row.
fn gets(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let store = OpenOptions::new().cache_bytes(CACHE).in_memory()?;
    let (tables, by_hand) = (Tables::from(store.clone()), store.blocking());
    let table = made(&by_hand)?;
    for number in 0..LOADED {
        block_on(tables.insert(&One::of(number)))?;
        by_hand.transact(&table, rows_of(number, 1))?;
    }
    clients::run(1, bench.effort.window, &|_, clock| {
        let mut dice = Dice::new(u64::from(subject.round));
        clock.repeat(|| {
            let mail = format!("m{}@contoso.com", dice.below(LOADED));
            let is_there = if subject.kind == Kind::Ours {
                tables.blocking().get(&One::by_mail("north", mail))?.is_some_and(|one| one.code < LOADED)
            } else {
                let key = format!("mail_{mail}");
                let found = block_on(by_hand.store().find(&table, "north", &key, None))?;
                found.get(0).and_then(read).is_some_and(|plain| std::hint::black_box(plain).code < LOADED)
            };
            if is_there { Ok(()) } else { Err("an entity is missing".into()) }
        })
    })
}

/// Eight clients write entities with an index row in another partition and defer it to a worker. Returns the median
/// duration of the passes that applied commit records, which bounds the age of the oldest unapplied record.
fn lag(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let dir = bench.place("index-lag", subject.kind, subject.size);
    std::fs::create_dir_all(&dir)?;
    let tables = Tables::from(OpenOptions::new().cache_bytes(CACHE).open(dir.join("orders.tables"))?);
    block_on(tables.insert(&Far::of(FIRST)))?;
    let (numbers, is_over) = (AtomicU32::new(0), AtomicBool::new(false));
    let ages = std::thread::scope(|scope| -> Outcome<Vec<Duration>> {
        let worker = scope.spawn(|| -> Outcome<Vec<Duration>> {
            let mut ages = Vec::new();
            while !is_over.load(Ordering::Relaxed) {
                let begun = Instant::now();
                if block_on(tables.catch_up())?.followed > 0 {
                    // Records present at the start of a pass are applied at its end.
                    ages.push(begun.elapsed());
                }
            }
            Ok(ages)
        });
        let leaving = tables.with_deferred_updates();
        let written = clients::run(CLIENTS, bench.effort.window, &|_, clock| {
            clock.repeat(|| {
                let number = numbers.fetch_add(1, Ordering::Relaxed);
                block_on(leaving.insert(&Far::of(number)))?;
                Ok(())
            })
        });
        is_over.store(true, Ordering::Relaxed);
        let ages = worker.join().map_err(|_| "the worker has failed")??;
        written.map(|_| ages)
    })?;
    drop(tables);
    std::fs::remove_dir_all(dir)?;
    let mut millis: Vec<f64> = ages.iter().map(|age| age.as_secs_f64() * 1_000.0).collect();
    millis.sort_by(f64::total_cmp);
    Ok(millis.get(millis.len() / 2).copied().unwrap_or_default().into())
}

fn made(store: &BlockingStore) -> Outcome<TableName> {
    let table = TableName::new("ByHand")?;
    store.create_table(&table)?;
    Ok(table)
}

/// Parses an entity from a row, property by property.
fn read(row: RowRef<'_>) -> Option<Plain> {
    let text = |name| match row.properties.get(name) {
        Some(ValueRef::String(text)) => Some(text.to_owned()),
        _ => None,
    };
    let number = |name| match row.properties.get(name) {
        Some(ValueRef::Int64(number)) => u32::try_from(number).ok(),
        _ => None,
    };
    let (zone, row, code) = (row.partition_key?.to_owned(), number("row")?, number("code")?);
    Some(Plain { zone, row, mail: text("mail")?, code, city: text("city")?, note: text("note")? })
}

/// Returns the writes of an entity and its rows under other keys, as written manually.
fn rows_of(number: u32, indexes: usize) -> Vec<Operation> {
    let Plain { zone, row, mail, code, city, note } = Plain::of(number);
    let keys = [
        format!("row_{row:08}"),
        format!("mail_{mail}"),
        format!("code_{code:08}"),
        format!("city_{city}_{row:08}"),
        format!("note_{note}_{row:08}"),
        format!("both_{city}_{mail}"),
    ];
    let rows = keys.into_iter().take(1 + indexes).map(|row_key| {
        let mut properties = Properties::with_capacity(6);
        properties.push_new("row", i64::from(row));
        properties.push_new("mail", mail.as_str());
        properties.push_new("code", i64::from(code));
        properties.push_new("city", city.as_str());
        properties.push_new("note", note.as_str());
        properties.push_new("EntityType", "Plain");
        Operation::Insert(Entity { partition_key: zone.clone(), row_key, properties })
    });
    rows.collect()
}
