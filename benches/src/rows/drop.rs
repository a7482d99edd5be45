//! Dropping a table.

use std::time::Instant;

use super::{Goal, Row, SMALL, STORES, Sample, Unit};
use crate::{
    bench::{Bench, Subject, load},
    contender::Outcome,
};

pub const ROWS: &[Row] = &[
    Row {
        name: "drop-acknowledged",
        title: "drop of a table, until told",
        goals: &[Goal::AtMost(10.0)],
        run: run::<false>,
        ..DROP
    },
    Row { name: "drop-swept", title: "drop of a table, until its space is free", run: run::<true>, ..DROP },
];

const DROP: Row = Row {
    name: "",
    title: "",
    unit: Unit::Milliseconds,
    sizes: SMALL,
    kinds: STORES,
    goals: &[],
    on_loaded: false,
    once: false,
    run: run::<false>,
};

fn run<const SWEPT: bool>(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let dir = bench.place("drop", subject.kind, subject.size);
    let store = subject.kind.open(&dir)?;
    load(&*store, subject.size, bench.effort.dropped)?;
    let begun = Instant::now();
    store.drop_table()?;
    if SWEPT {
        store.swept()?;
    }
    let took = begun.elapsed();
    drop(store);
    std::fs::remove_dir_all(dir)?;
    Ok((took.as_secs_f64() * 1000.0).into())
}
