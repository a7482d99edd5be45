//! Reads, each with a separate snapshot.

use std::time::{Duration, Instant};

use super::{BOTH, Goal, Row, SMALL, STORES, Sample, Unit, clients, ratio};
use crate::{
    bench::{Bench, Subject},
    contender::{Kind, Outcome, Reader},
    dice::Dice,
    order::{LEVELS, ROWS as PARTITION, Seen},
};

const BY_HAND: Goal = ratio(Kind::ByHand, 0.9);
const SQLITE: Goal = ratio(Kind::Sqlite, 1.0);
const NATIVE: Goal = ratio(Kind::NativeDb, 1.0);
const ENTITIES: Unit = Unit::PerSecond("entities/s");
/// The level that the filter selects.
const WANTED: u32 = 42;

pub const ROWS: &[Row] = &[
    Row { name: "point-get-1", title: "point get, 1 thread", run: gets::<1>, ..GET },
    Row { name: "point-get-2", title: "point get, 2 threads", run: gets::<2>, ..GET },
    Row {
        name: "range",
        title: "range of 1,000",
        sizes: BOTH,
        goals: &[ratio(Kind::Redb, 0.25), BY_HAND, SQLITE, NATIVE],
        run: ranges,
        ..SCAN
    },
    Row {
        name: "range-in-place",
        title: "range of 1,000, in place",
        sizes: BOTH,
        goals: &[ratio(Kind::Redb, 0.6), BY_HAND, SQLITE, NATIVE],
        run: visits,
        ..SCAN
    },
    Row {
        name: "filter",
        title: "partition scan, 1 of 100 kept",
        goals: &[ratio(Kind::Redb, 0.5), BY_HAND, SQLITE, NATIVE],
        run: filters,
        ..SCAN
    },
    Row { name: "projection", title: "one property of 1,000", run: projections, ..SCAN },
    Row { name: "pages", title: "a table, page by page", run: pages, ..SCAN },
];

const GET: Row = Row {
    name: "",
    title: "",
    unit: Unit::PerSecond("gets/s"),
    sizes: BOTH,
    kinds: STORES,
    goals: &[ratio(Kind::Redb, 0.6), BY_HAND, SQLITE, NATIVE],
    on_loaded: true,
    once: false,
    run: gets::<1>,
};
const SCAN: Row = Row { unit: ENTITIES, sizes: SMALL, goals: &[BY_HAND, SQLITE, NATIVE], run: ranges, ..GET };

fn gets<const THREADS: u32>(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let orders = bench.effort.orders;
    repeat(bench, subject, THREADS, &|reader, dice| {
        let number = dice.below(orders);
        let (zone, row) = (number / PARTITION, number % PARTITION);
        expect(reader.get(zone, row)?, Seen::of_rows([row]))
    })
}

fn ranges(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    partitions(bench, subject, 0..PARTITION, |reader, zone| reader.range(zone, 0, PARTITION))
}

fn visits(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    partitions(bench, subject, 0..PARTITION, |reader, zone| reader.visit(zone, 0, PARTITION))
}

fn filters(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let kept = (0..PARTITION).filter(|row| Seen::of_rows([*row]).levels == i64::from(WANTED));
    partitions(bench, subject, kept, |reader, zone| reader.filter(zone, WANTED.cast_signed()))
}

fn projections(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    partitions(bench, subject, 0..PARTITION, |reader, zone| reader.levels(zone))
}

/// Sends requests that each read a complete partition; returns the number of scanned entities per second.
fn partitions(
    bench: &Bench,
    subject: Subject,
    expected: impl Iterator<Item = u32>,
    read: impl Fn(&mut dyn Reader, u32) -> Outcome<Seen> + Sync,
) -> Outcome<Sample> {
    let (expected, partitions) = (Seen::of_rows(expected), bench.effort.orders / PARTITION);
    let requests =
        repeat(bench, subject, 1, &|reader, dice| expect(read(reader, dice.below(partitions))?, expected))?;
    Ok((requests.value * f64::from(PARTITION)).into())
}

fn pages(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let mut reader = bench.store(subject.kind, subject.size)?.reader()?;
    let begun = Instant::now();
    let seen = reader.pages()?;
    let took = begun.elapsed();
    expect(seen, Seen::of_rows(0..bench.effort.orders))?;
    Ok((f64::from(bench.effort.orders) / took.as_secs_f64()).into())
}

/// Repeats requests from threads with warm readers.
fn repeat(
    bench: &Bench,
    subject: Subject,
    threads: u32,
    request: &(impl Fn(&mut dyn Reader, &mut Dice) -> Outcome + Sync),
) -> Outcome<Sample> {
    let store = bench.store(subject.kind, subject.size)?;
    clients::run(threads, bench.effort.window, &|thread, clock| {
        let mut reader = store.reader()?;
        let mut dice = Dice::new(u64::from(subject.round) << 32 | u64::from(thread));
        warm(bench.effort.window / 4, || request(&mut *reader, &mut dice))?;
        clock.repeat(|| request(&mut *reader, &mut dice))
    })
}

fn warm(time: Duration, mut each: impl FnMut() -> Outcome) -> Outcome {
    let begun = Instant::now();
    while begun.elapsed() < time {
        each()?;
    }
    Ok(())
}

fn expect(seen: Seen, expected: Seen) -> Outcome {
    if seen == expected { Ok(()) } else { Err(format!("read {seen:?}, but there is {expected:?}").into()) }
}

const _: () = assert!(WANTED < LEVELS);
