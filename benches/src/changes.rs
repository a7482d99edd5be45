//! The time of the job of each change of a design, on a file with entities of 1,000 per partition.
//!
//! The waits between the states of a registered change are not slept but added up: the clocks of the handle skip them.

mod designs;

use std::{
    fmt::Write as _,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use pollster::FutureExt as _;
use table_patterns::{
    IndexChange, IndexStep, LeaseClock, Migration, MigrationStep, MoveState, MovedFrom, OpenOptions,
    prelude::*,
};

use crate::{
    contender::{CACHE, Outcome},
    machine::Machine,
    probe::Probe,
    show,
};
use designs::{Indexed, Prefixed, Sharded, TicketV1, TicketV2};

const ENTITIES: u32 = 100_000;

/// Nanoseconds that the clocks are ahead of the machine.
#[derive(Clone, Debug)]
struct Skipped(Arc<AtomicU64>, Instant);

impl Skipped {
    fn skip(&self, wait: Duration) {
        self.0.fetch_add(u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn all(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}

impl LeaseClock for Skipped {
    fn now(&self) -> Duration {
        self.1.elapsed() + self.all()
    }
}

impl table_store::Clock for Skipped {
    fn now(&self) -> Timestamp {
        Timestamp::now().saturating_add(self.all())
    }
}

/// One measured job.
struct Line {
    classes: &'static str,
    job: &'static str,
    seconds: f64,
    waits: Duration,
}

/// A job that runs on a store with the entities.
type Job = fn(&Tables, &Skipped) -> Outcome;

const JOBS: [(&str, &str, Job); 9] = [
    ("C04 to C07", "`upgrade` to the next version", |tables, _| upgrade(tables)),
    ("C09", "`add_index`, same partition", |tables, skipped| add(tables, skipped, "by_title")),
    ("C09, C14", "`add_index`, another partition", |tables, skipped| add(tables, skipped, "by_level")),
    ("C09, C11", "`reindex` without the registry", |tables, _| {
        Ok(tables.reindex::<Indexed>("by_level").run().block_on().map(drop)?)
    }),
    ("C12", "`check_index` of equal values", |tables, _| {
        Ok(tables.check_index::<Indexed>("by_title").run().block_on().map(drop)?)
    }),
    ("C10", "`drop_index`, another partition, after `add_index`", |tables, skipped| {
        change(&tables.drop_index::<Indexed>("by_level"), skipped)
    }),
    ("C17", "`migration` within the partition, to `gone`", |tables, skipped| {
        moved(&tables.migration::<Prefixed>(), skipped)
    }),
    ("C15, C17, C18", "`migration` to another table, to `gone`", |tables, skipped| {
        moved(&tables.migration::<Sharded>(), skipped)
    }),
    ("all", "`verify`", |tables, _| Ok(tables.verify::<TicketV1>().run().block_on().map(drop)?)),
];

/// Measures all jobs and writes the table.
pub fn run(arguments: &[String], home: &Path) -> Outcome {
    let entities = match arguments {
        [] => ENTITIES,
        [option, number] if option == "--entities" => number.parse()?,
        _ => return Err("after `changes` may follow: --entities NUMBER".into()),
    };
    let place = home.join("target/data");
    std::fs::create_dir_all(&place)?;
    let dir = tempfile::tempdir_in(place)?;
    let machine = Machine::this(dir.path(), &Probe::new(dir.path())?)?;
    let loaded = dir.path().join("loaded.tables");
    load(&loaded, entities)?;
    let mut lines = Vec::new();
    for (classes, job, measured) in JOBS {
        let file = dir.path().join("changed.tables");
        std::fs::copy(&loaded, &file)?;
        let skipped = Skipped(Arc::default(), Instant::now());
        let tables = clocked(&file, &skipped)?;
        if job.starts_with("`drop_index`") {
            add(&tables, &skipped, "by_level")?;
        }
        let (waited, start) = (skipped.all(), Instant::now());
        measured(&tables, &skipped)?;
        let (seconds, waits) = (start.elapsed().as_secs_f64(), skipped.all().saturating_sub(waited));
        println!("{job}: {seconds:.2} s, and {} s of waits", waits.as_secs());
        lines.push(Line { classes, job, seconds, waits });
        drop(tables);
        std::fs::remove_file(&file)?;
    }
    std::fs::write(home.join("CHANGES.md"), report(&machine, entities, &lines)?)?;
    Ok(())
}

fn load(file: &Path, entities: u32) -> Outcome {
    let tables = Tables::new(OpenOptions::new().cache_bytes(CACHE).open(file)?);
    let tickets: Vec<TicketV1> = (0..entities)
        .map(|number| {
            let (tenant, level) = (format!("tenant{:04}", number / 1000), i32::try_from(number % 1000));
            TicketV1 { tenant, number, title: format!("Ticket {number}"), level: level.unwrap_or(0) }
        })
        .collect();
    tables.blocking().run(tables.bulk().insert_all(&tickets))?.into_result()?;
    // As in production, where the entities were there before the change.
    tables.with_registry().register::<TicketV1>().block_on()?;
    Ok(())
}

/// Opens a file with the registry. The clocks of the store and of the program can skip time.
fn clocked(file: &Path, skipped: &Skipped) -> Outcome<Tables> {
    let store = OpenOptions::new().cache_bytes(CACHE).clock(skipped.clone()).open(file)?;
    let wall = skipped.clone();
    let tables = Tables::new(store).with_clock(move || table_store::Clock::now(&wall));
    Ok(tables.with_steady_clock(skipped.clone()).with_registry())
}

fn upgrade(tables: &Tables) -> Outcome {
    Ok(tables.upgrade::<TicketV2>().run().block_on().map(drop)?)
}

fn add(tables: &Tables, skipped: &Skipped, index: &str) -> Outcome {
    change(&tables.add_index::<Indexed>(index), skipped)
}

fn change(change: &IndexChange, skipped: &Skipped) -> Outcome {
    loop {
        match change.step().block_on()? {
            IndexStep::Done => return Ok(()),
            IndexStep::Wait(wait) => skipped.skip(wait),
            IndexStep::Stuck(entities) => return Err(format!("{entities:?}").into()),
            _ => {}
        }
    }
}

fn moved<E: MovedFrom>(migration: &Migration<E>, skipped: &Skipped) -> Outcome {
    loop {
        match migration.step_to(MoveState::Gone).block_on()? {
            MigrationStep::Done => return Ok(()),
            MigrationStep::Wait(wait) => skipped.skip(wait),
            MigrationStep::Stuck(entities) => return Err(format!("{entities:?}").into()),
            _ => {}
        }
    }
}

fn report(machine: &Machine, entities: u32, lines: &[Line]) -> Result<String, std::fmt::Error> {
    let mut out = format!(
        "# Changes of a design\n\nWritten by `benches/run changes`. The time of each job for {} entities in a file, of \
         1,000 per partition,\nwith pages of 200 rows and durable writes, and the waits between the states of a \
         registered change, which the\nclocks of this run skip.\n\n",
        show::count(f64::from(entities))
    );
    writeln!(out, "{machine}")?;
    writeln!(
        out,
        "| classes | job | time | entities per second | waits |\n| --- | --- | ---: | ---: | ---: |"
    )?;
    for Line { classes, job, seconds, waits } in lines {
        let rate = f64::from(entities) / seconds;
        writeln!(out, "| {classes} | {job} | {seconds:.1} s | {rate:.0} | {} s |", waits.as_secs())?;
    }
    Ok(out)
}
