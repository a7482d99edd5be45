//! Latency of durable writes over a minute: the slowest operations show checkpoints and merges, which a short row misses.

use std::{
    fmt::Write as _,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use crate::{
    bench::load,
    contender::{Contender, Kind, Outcome},
    dice::Dice,
    machine::Machine,
    order::{Order, ROWS as PARTITION, Size},
    probe::Probe,
    show,
};

const ORDERS: u32 = 300_000;
const SECONDS: u64 = 60;
const KINDS: [Kind; 5] = [Kind::Ours, Kind::Redb, Kind::Sqlite, Kind::RocksDb, Kind::NativeDb];

/// Clients that write, and readers beside them.
const CASES: [(&str, u32, u32); 2] = [("64 clients write", 64, 0), ("8 clients write, 1 reads", 8, 1)];

/// Times of all operations of one sort.
struct Line {
    case: &'static str,
    sort: &'static str,
    kind: Kind,
    times: Vec<Duration>,
    window: Duration,
}

/// Measures all cases and writes the table.
pub fn run(arguments: &[String], home: &Path) -> Outcome {
    let seconds = match arguments {
        [] => SECONDS,
        [option, number] if option == "--seconds" => number.parse()?,
        _ => return Err("after `tail` may follow: --seconds NUMBER".into()),
    };
    let place = home.join("target/data");
    std::fs::create_dir_all(&place)?;
    let dir = tempfile::tempdir_in(place)?;
    let machine = Machine::this(dir.path(), &Probe::new(dir.path())?)?;
    let window = Duration::from_secs(seconds);
    let mut lines = Vec::new();
    for kind in KINDS.into_iter().filter(|kind| kind.is_built()) {
        for (case, writers, readers) in CASES {
            let path = dir.path().join(kind.name());
            let store = kind.open(&path)?;
            load(&*store, Size::Small, ORDERS)?;
            let [writes, reads] = measure(&*store, window, writers, readers)?;
            drop(store);
            std::fs::remove_dir_all(path)?;
            for (sort, mut times) in [("upsert", writes), ("point get", reads)] {
                if times.is_empty() {
                    continue;
                }
                times.sort_unstable();
                let line = Line { case, sort, kind, times, window };
                print!("{}", line.text());
                lines.push(line);
            }
        }
    }
    lines.sort_by_key(|line| (line.sort, line.case));
    std::fs::write(home.join("TAIL.md"), report(&machine, seconds, &lines)?)?;
    Ok(())
}

/// Returns the times of all writes and of all reads.
fn measure(
    store: &dyn Contender,
    window: Duration,
    writers: u32,
    readers: u32,
) -> Outcome<[Vec<Duration>; 2]> {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let start = |client: u32| {
            let is_over = &is_over;
            scope.spawn(move || -> Outcome<Vec<Duration>> {
                let mut dice = Dice::new(u64::from(client));
                if client < writers {
                    let mut writer = store.writer()?;
                    return repeat(is_over, || {
                        let version = u64::from(dice.below(u32::MAX)) + 1;
                        writer.upsert(Order::of(dice.below(ORDERS), version, Size::Small))
                    });
                }
                let mut reader = store.reader()?;
                repeat(is_over, || {
                    let number = dice.below(ORDERS);
                    reader.get(number / PARTITION, number % PARTITION).map(drop)
                })
            })
        };
        let threads: Vec<_> = (0..writers + readers).map(start).collect();
        std::thread::sleep(window);
        is_over.store(true, Ordering::Relaxed);
        let mut times = [Vec::new(), Vec::new()];
        for (client, thread) in (0..).zip(threads) {
            let [of_writers, of_readers] = &mut times;
            let own = thread.join().map_err(|_| "a client panicked")??;
            if client < writers { of_writers.extend(own) } else { of_readers.extend(own) }
        }
        Ok(times)
    })
}

fn repeat(is_over: &AtomicBool, mut each: impl FnMut() -> Outcome) -> Outcome<Vec<Duration>> {
    let mut times = Vec::with_capacity(1 << 16);
    while !is_over.load(Ordering::Relaxed) {
        let begun = Instant::now();
        each()?;
        times.push(begun.elapsed());
    }
    Ok(times)
}

impl Line {
    /// Returns the line of the table.
    fn text(&self) -> String {
        let Self { case, sort, kind, times, window } = self;
        let at = |thousandth: usize| times.get(times.len() * thousandth / 1000).copied().unwrap_or_default();
        let shown = |time: Duration| show::time(time.as_secs_f64());
        let rate = show::number(times.len() as f64 / window.as_secs_f64());
        let most = times.last().copied().unwrap_or_default();
        format!(
            "| {sort} | {case} | {} | {rate} | {} | {} | {} | {} |\n",
            kind.title(),
            shown(at(500)),
            shown(at(990)),
            shown(at(999)),
            shown(most)
        )
    }
}

fn report(machine: &Machine, seconds: u64, lines: &[Line]) -> Result<String, std::fmt::Error> {
    let mut out = format!(
        "# Slow operations\n\nWritten by `benches/run tail`. Each case ran for {seconds} s, one store after another, on \
         {} entities of 200 B.\nThe upserts are at random keys, and durable when they return.\n\n",
        show::count(f64::from(ORDERS))
    );
    writeln!(out, "{machine}")?;
    writeln!(out, "| operation | case | store | per second | median | p99 | p99.9 | slowest |")?;
    writeln!(out, "| --- | --- | --- | ---: | ---: | ---: | ---: | ---: |")?;
    out.extend(lines.iter().map(Line::text));
    Ok(out)
}
