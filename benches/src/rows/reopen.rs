//! Opening a store whose process was killed during writes.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use super::{Goal, Row, SMALL, STORES, Sample, Unit};
use crate::{
    bench::{Bench, Subject, load},
    child,
    contender::{Kind, Outcome},
    dice::Dice,
    order::{Order, Seen, Size},
};

pub const ROWS: &[Row] = &[Row {
    name: "reopen",
    title: "open and first get after kill -9",
    unit: Unit::Milliseconds,
    sizes: SMALL,
    kinds: STORES,
    goals: &[Goal::AtMost(1000.0)],
    on_loaded: false,
    once: false,
    run,
}];

const CLIENTS: u32 = 8;
/// Number of writes that must be acknowledged before the kill.
const WRITES: u32 = 200;

fn run(bench: &Bench, subject: Subject) -> Outcome<Sample> {
    let dir = bench.place("reopen", subject.kind, subject.size);
    if !dir.exists() {
        load(&*subject.kind.open(&dir)?, subject.size, bench.effort.orders)?;
    }
    let mut child = child::command("write", subject, &dir, bench.effort.orders).spawn()?;
    let mut line = String::new();
    BufReader::new(child.stdout.take().ok_or("the child has no output")?).read_line(&mut line)?;
    // Kill at a varying step of a write.
    std::thread::sleep(Duration::from_micros(u64::from(Dice::new(u64::from(subject.round)).below(5_000))));
    child.kill()?;
    child.wait()?;
    if line.trim() != "writing" {
        return Err("the child did not write".into());
    }
    let begun = Instant::now();
    let store = subject.kind.open(&dir)?;
    let seen = store.reader()?.get(0, 1)?;
    let took = begun.elapsed();
    if seen != Seen::of_rows([1]) {
        return Err("an entity is gone".into());
    }
    Ok((took.as_secs_f64() * 1000.0).into())
}

/// Runs the child process.
pub fn write_until_killed(kind: Kind, size: Size, dir: &Path, orders: u32) -> Outcome {
    let store = kind.open(dir)?;
    let written = AtomicU32::new(0);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..CLIENTS)
            .map(|client| {
                let (store, written) = (&*store, &written);
                scope.spawn(move || -> Outcome {
                    let (mut writer, mut dice) = (store.writer()?, Dice::new(u64::from(client)));
                    loop {
                        writer.upsert(Order::of(dice.below(orders), 1, size))?;
                        if written.fetch_add(1, Ordering::Relaxed) == WRITES {
                            println!("writing");
                            std::io::stdout().flush()?;
                        }
                    }
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a client panicked")?)
    })
}
