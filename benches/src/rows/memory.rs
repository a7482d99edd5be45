//! Peak memory of a process that loads a store and then reads from it.

use super::{BOTH, Row, STORES, Sample, Unit};
use crate::{
    bench::{Bench, Subject},
    child,
    contender::Outcome,
};

pub const ROWS: &[Row] = &[Row {
    name: "memory",
    title: "peak memory of load and reads",
    unit: Unit::Mebibytes,
    sizes: BOTH,
    kinds: STORES,
    goals: &[],
    on_loaded: false,
    once: true,
    run,
}];

fn run(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let dir = bench.place("memory", subject.kind, subject.size);
    let output = child::command("memory", subject, &dir, bench.effort.orders).output()?;
    std::fs::remove_dir_all(dir)?;
    if !output.status.success() {
        return Err(format!("the child failed: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    let kibibytes: f64 = String::from_utf8(output.stdout)?.trim().parse()?;
    Ok((kibibytes / 1024.0).into())
}
