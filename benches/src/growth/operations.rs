//! Each operation, repeated at random positions, with the median time.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use table_patterns::{Query, TableEntity, Tables, Transaction};

use super::{GAP, Shape, open};
use crate::{
    contender::Outcome,
    dice::Dice,
    order::{Order, ROWS, Size},
    rows::clients::percentiles,
};

type Timed = (&'static str, f64);

/// Duration of the repetitions of each operation.
const WINDOW: Duration = Duration::from_millis(500);
const OF_GROUP: u32 = 100;
/// Rows of a range, hits of a filtered page, and rows of a page.
const RANGE: u64 = 100;
const HITS: u32 = 10;
const PAGE: u32 = 1000;

/// Measures the operations on an open store.
pub fn on_open(tables: &Tables, shape: Shape, entities: u32) -> Outcome<Vec<Timed>> {
    let (store, mut dice) = (tables.blocking(), Dice::new(u64::from(entities)));
    let mut number = || dice.below(entities);
    let get = repeat(|_| {
        let (zone, row) = shape.key(number());
        found(store.get(&Order::point(zone, row))?.is_some())
    })?;
    let range = repeat(|_| {
        let (zone, row) = start(shape, number());
        let rows = store.all(&Order::rows(zone).between(row..).take(RANGE))?;
        found(rows.len() as u64 == RANGE)
    })?;
    let filtered = repeat(|_| {
        let (zone, row) = start(shape, number());
        let wanted = (row * 37 % 100).cast_signed();
        let scan = Order::rows(zone).between(row..).scan(|order| order.level.eq(wanted)).page_size(HITS);
        found(!store.page(&scan)?.items.is_empty())
    })?;
    let whole = Order::scan_table().page_size(PAGE);
    let mut next = whole.clone();
    let page = repeat(|_| {
        let page = store.page(&next)?;
        next = page.cursor.map_or_else(|| whole.clone(), |cursor| whole.clone().resume(cursor));
        Ok(())
    })?;
    let upsert = repeat(|_| {
        store.overwrite(&shape.order(number(), 1))?;
        Ok(())
    })?;
    let group = repeat(|_| {
        let first = number() / OF_GROUP * OF_GROUP;
        let orders: Vec<_> = (first..first + OF_GROUP).map(|number| shape.order(number, 2)).collect();
        store.commit(orders.iter().fold(tables.transact(), Transaction::overwrite))?;
        Ok(())
    })?;
    let insert = repeat(|nth| {
        // Visits each position once, over the complete table: the factor and a power of ten are coprime. Each power of
        // ten uses different positions.
        let place = u64::from(nth) * 7919 % u64::from(entities);
        let (zone, row) = shape.key(u32::try_from(place)?);
        store.insert(&Order::at(zone, row + 1 + entities.ilog10() % (GAP - 1), 0, Size::Small))?;
        Ok(())
    })?;
    Ok(vec![
        ("point get", get),
        ("range of 100", range),
        ("filtered page, 10 found", filtered),
        ("page of 1,000", page),
        ("upsert, durable", upsert),
        ("insert, durable", insert),
        ("transaction of 100", group),
    ])
}

/// Measures opening a file that was closed.
pub fn opening(file: &Path) -> Outcome<Timed> {
    let mut times = Vec::new();
    for _ in 0..5 {
        let begun = Instant::now();
        let tables = open(file)?;
        times.push(begun.elapsed());
        drop(tables);
    }
    Ok(("open", middle(times)?))
}

/// Measures deleting the table until it is acknowledged. This works only once per file.
pub fn dropping(file: &Path) -> Outcome<Timed> {
    let tables = open(file)?;
    let begun = Instant::now();
    tables.blocking().delete_table::<Order>()?;
    Ok(("drop, acknowledged", begun.elapsed().as_secs_f64()))
}

/// Returns a key that is followed by many rows of its partition.
fn start(shape: Shape, number: u32) -> (u32, u32) {
    match shape {
        Shape::One => shape.key(number / 2),
        Shape::Many => shape.key(number / ROWS * ROWS),
    }
}

fn repeat(mut each: impl FnMut(u32) -> Outcome) -> Outcome<f64> {
    let (begun, mut times) = (Instant::now(), Vec::new());
    while begun.elapsed() < WINDOW {
        let one = Instant::now();
        each(u32::try_from(times.len())?)?;
        times.push(one.elapsed());
    }
    middle(times)
}

fn middle(times: Vec<Duration>) -> Outcome<f64> {
    Ok(percentiles(times).ok_or("nothing was measured")?[0].as_secs_f64())
}

fn found(is: bool) -> Outcome {
    if is { Ok(()) } else { Err("something is gone".into()) }
}
