//! Writes that are on stable storage when they return.

use super::{BOTH, Goal, Row, STORES, Sample, Unit, clients, ratio};
use crate::{
    bench::{Bench, Subject},
    contender::{Kind, Outcome},
    dice::Dice,
    order::{Order, ROWS as PARTITION},
};

const WITH_PROBE: &[Kind] =
    &[Kind::Probe, Kind::Ours, Kind::ByHand, Kind::Redb, Kind::Sqlite, Kind::RocksDb, Kind::NativeDb];
const OF_GROUP: u32 = 100;
const BY_HAND: Goal = ratio(Kind::ByHand, 0.9);
const NATIVE: Goal = ratio(Kind::NativeDb, 1.0);
const SQLITE: Goal = ratio(Kind::Sqlite, 1.2);
const ROCKS: Goal = ratio(Kind::RocksDb, 1.0);

pub const ROWS: &[Row] = &[
    Row {
        name: "upsert-1",
        title: "durable upsert, 1 client",
        goals: &[ratio(Kind::Redb, 0.85), ratio(Kind::Probe, 0.16), BY_HAND, SQLITE, ROCKS, NATIVE],
        run: upserts::<1>,
        ..UPSERT
    },
    Row {
        name: "upsert-8",
        title: "durable upsert, 8 clients",
        goals: &[ratio(Kind::Redb, 0.7), ratio(Kind::Probe, 0.45), BY_HAND, SQLITE, ROCKS, NATIVE],
        run: upserts::<8>,
        ..UPSERT
    },
    Row {
        name: "upsert-64",
        title: "durable upsert, 64 clients",
        goals: &[ratio(Kind::Redb, 0.7), ratio(Kind::Probe, 1.2), BY_HAND, SQLITE, ROCKS, NATIVE],
        run: upserts::<64>,
        ..UPSERT
    },
    Row { name: "egt-1", title: "transaction of 100, 1 client", run: groups::<1>, ..GROUP },
    Row { name: "egt-8", title: "transaction of 100, 8 clients", run: groups::<8>, ..GROUP },
];

const UPSERT: Row = Row {
    name: "",
    title: "",
    unit: Unit::PerSecond("upserts/s"),
    sizes: BOTH,
    kinds: WITH_PROBE,
    goals: &[],
    on_loaded: true,
    once: false,
    run: upserts::<1>,
};
const GROUP: Row = Row {
    unit: Unit::PerSecond("transactions/s"),
    kinds: STORES,
    goals: &[ratio(Kind::Redb, 0.7), BY_HAND, SQLITE, ROCKS, NATIVE],
    ..UPSERT
};

/// Overwrites random entities; each client writes sequentially.
fn upserts<const CLIENTS: u32>(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let (window, orders) = (bench.effort.window, bench.effort.orders);
    if subject.kind == Kind::Probe {
        let times = bench.probe.run(window)?;
        let value = times.len() as f64 / times.iter().sum::<std::time::Duration>().as_secs_f64();
        return Ok(Sample { value, latency: clients::percentiles(times) });
    }
    let store = bench.store(subject.kind, subject.size)?;
    clients::run(CLIENTS, window, &|client, clock| {
        let (mut writer, mut dice) = (store.writer()?, dice(subject, client));
        clock.repeat(|| writer.upsert(Order::of(dice.below(orders), version(&mut dice), subject.size)))
    })
}

/// Runs transactions on 100 adjacent entities, at random positions.
fn groups<const CLIENTS: u32>(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let partitions = bench.effort.orders / PARTITION;
    let store = bench.store(subject.kind, subject.size)?;
    clients::run(CLIENTS, bench.effort.window, &|client, clock| {
        let (mut writer, mut dice) = (store.writer()?, dice(subject, client));
        clock.repeat(|| {
            let (version, place) = (version(&mut dice), dice.below(PARTITION / OF_GROUP));
            let first = dice.below(partitions) * PARTITION + place * OF_GROUP;
            let orders = (first..first + OF_GROUP).map(|number| Order::of(number, version, subject.size));
            writer.transact(orders.collect())
        })
    })
}

/// Returns the same generator for all contenders of a round.
fn dice(subject: Subject, client: u32) -> Dice {
    Dice::new(u64::from(subject.round) << 32 | u64::from(client))
}

fn version(dice: &mut Dice) -> u64 {
    u64::from(dice.below(u32::MAX)) + 1
}
