//! Many new entities in few calls.

use std::time::Instant;

use super::{BOTH, Row, Sample, Unit, ratio};
use crate::{
    bench::{Bench, Subject, orders},
    contender::{Kind, Outcome},
};

pub const ROWS: &[Row] = &[Row {
    name: "bulk",
    title: "bulk load",
    unit: Unit::PerSecond("entities/s"),
    sizes: BOTH,
    kinds: &[
        Kind::Ours,
        Kind::ByHand,
        Kind::Redb,
        Kind::RedbCursor,
        Kind::Sqlite,
        Kind::RocksDb,
        Kind::NativeDb,
    ],
    goals: &[
        ratio(Kind::Redb, 0.6),
        ratio(Kind::RedbCursor, 0.6),
        ratio(Kind::ByHand, 0.9),
        ratio(Kind::Sqlite, 1.0),
        ratio(Kind::NativeDb, 1.0),
    ],
    on_loaded: false,
    once: false,
    run,
}];

/// Loads into a new store, in parts that fit in memory. Only the load is measured.
fn run(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    const AT_ONCE: u32 = 50_000;
    let dir = bench.place("bulk", subject.kind, subject.size);
    let store = subject.kind.open(&dir)?;
    let mut took = std::time::Duration::ZERO;
    for first in (0..bench.effort.orders).step_by(AT_ONCE as usize) {
        let some = orders(first..bench.effort.orders.min(first + AT_ONCE), subject.size);
        let load = store.load(some)?;
        let begun = Instant::now();
        load()?;
        took += begun.elapsed();
    }
    drop(store);
    std::fs::remove_dir_all(dir)?;
    Ok((f64::from(bench.effort.orders) / took.as_secs_f64()).into())
}
