//! Disk usage of a closed store, relative to the bytes of its keys and records.

use std::{os::unix::fs::MetadataExt, path::Path};

use super::{Goal, Row, SMALL, STORES, Sample, Unit};
use crate::{
    bench::{Bench, Subject, load},
    contender::{Contender, Outcome},
    dice::Dice,
    order::Order,
    record,
};

pub const ROWS: &[Row] = &[
    Row { name: "disk-loaded", title: "disk after a load", goals: &[Goal::AtMost(1.6)], run: loaded, ..DISK },
    Row {
        name: "disk-overwritten",
        title: "disk after all was overwritten once",
        goals: &[Goal::AtMost(2.2)],
        run: overwritten,
        ..DISK
    },
];

const DISK: Row = Row {
    name: "",
    title: "",
    unit: Unit::Times,
    sizes: SMALL,
    kinds: STORES,
    goals: &[],
    on_loaded: false,
    once: true,
    run: loaded,
};

fn loaded(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    measure(bench, subject, |_| Ok(()))
}

/// Overwrites random entities from 64 clients, with as many single writes as there are entities.
fn overwritten(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    const CLIENTS: u32 = 64;
    let orders = bench.effort.orders;
    measure(bench, subject, |store| {
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..CLIENTS)
                .map(|client| {
                    scope.spawn(move || -> Outcome {
                        let (mut writer, mut dice) = (store.writer()?, Dice::new(u64::from(client)));
                        (0..orders / CLIENTS)
                            .try_for_each(|_| writer.upsert(Order::of(dice.below(orders), 1, subject.size)))
                    })
                })
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a client panicked")?)
        })
    })
}

fn measure(bench: &Bench, subject: Subject, then: impl FnOnce(&dyn Contender) -> Outcome) -> Outcome<Sample> {
    let dir = bench.place("disk", subject.kind, subject.size);
    let store = subject.kind.open(&dir)?;
    load(&*store, subject.size, bench.effort.orders)?;
    then(&*store)?;
    drop(store);
    let bytes = used(&dir)?;
    std::fs::remove_dir_all(dir)?;
    let logical = u64::from(bench.effort.orders) * (subject.size.bytes() + record::key(0, 0).len()) as u64;
    Ok((bytes as f64 / logical as f64).into())
}

/// Returns the disk usage of the files in a directory, in bytes.
fn used(dir: &Path) -> Outcome<u64> {
    const BLOCK: u64 = 512;
    let mut bytes = 0;
    for entry in std::fs::read_dir(dir)? {
        bytes += entry?.metadata()?.blocks() * BLOCK;
    }
    Ok(bytes)
}
