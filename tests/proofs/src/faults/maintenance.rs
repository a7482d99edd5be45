//! Runs every maintenance operation, sequentially, while clients and workers run.

use std::{path::Path, thread, time::Duration};

use pollster::block_on;
use table_patterns::{ExpireReport, Tables, prelude::*};
use table_store::Store;
use table_tests::seed::Seed;

use crate::faults::{
    client::{self, rows::FIRST_HOUR},
    design::{Account, City, Day, Event, Group, Login, Owner, Person, Team, Ticket},
    journal::Journal,
};

/// Time for which soft-deleted accounts are kept.
const KEPT: Duration = Duration::from_secs(100 * 24 * 60 * 60);

/// The kinds of operations; the last two need a store in this process.
const KINDS: [&str; 16] = [
    "sweep",
    "verify",
    "repair",
    "reindex",
    "collect",
    "catch up",
    "catch up a partition",
    "retry dead letters",
    "lag",
    "drop_before",
    "upgrade",
    "retry poisoned",
    "expire",
    "purge",
    "backup",
    "scrub",
];

/// Runs until the end of the run, with `pause` between operations.
///
/// # Errors
///
/// Returns an error if the journal cannot be created.
pub fn run(
    folder: &Path,
    life: u64,
    seed: &mut Seed,
    tables: &Tables,
    store: Option<&Store>,
    pause: Duration,
) -> std::io::Result<()> {
    let mut journal = client::journal(folder, "maintenance", 0, life)?;
    let kinds = if store.is_some() { &KINDS[..] } else { &KINDS[..14] };
    while !client::is_over(folder) {
        let kind = kinds[seed.below(kinds.len())];
        let result = once(kind, seed, tables, store, folder, &mut journal);
        match result {
            Ok(()) => journal.note(&format!("maintenance: {kind}"), ""),
            Err(error) => {
                journal.note(&format!("maintenance failed: {kind}"), &error.to_string());
                let never =
                    matches!(error, Error::Decode(_) | Error::OutboxDamaged { .. } | Error::IndexConflict(_));
                if never {
                    journal.violation(&format!("{kind} ended with {error}"));
                }
            }
        }
        thread::sleep(pause.mul_f64(seed.below(1_000) as f64 / 500.0));
    }
    Ok(())
}

fn once(
    kind: &str,
    seed: &mut Seed,
    tables: &Tables,
    store: Option<&Store>,
    folder: &Path,
    journal: &mut Journal,
) -> Result<()> {
    match kind {
        "sweep" => block_on(tables.sweep().page_size(50).run()).map(drop),
        "verify" => verify(seed, tables, false),
        "repair" => verify(seed, tables, true),
        "reindex" => reindex(seed, tables),
        "collect" => {
            let age = Duration::from_secs(seed.below(3) as u64 * 5);
            block_on(tables.collect_blobs::<Person>().older_than(age).run()).map(drop)
        }
        "catch up" => block_on(tables.catch_up()).map(drop),
        "catch up a partition" => block_on(tables.catch_up_partition(&Person::rows("t0"))).map(drop),
        "retry dead letters" => block_on(tables.retry_dead_letters()).map(drop),
        "retry poisoned" => block_on(tables.retry_poisoned::<Archive<Ticket>>()).map(drop),
        "lag" => block_on(tables.lag()).map(|lag| {
            let backlog = lag.pending.or(lag.wake_ups).unwrap_or_default();
            journal.note("backlog", &backlog.to_string());
        }),
        "expire" => {
            block_on(tables.expire::<Account>().page_size(3).run()).map(|report| swept(&report, journal))
        }
        "purge" => {
            let purge = tables.purge::<Account>(KEPT).page_size(3);
            block_on(purge.run()).map(|report| swept(&report, journal))
        }
        "drop_before" => drop_before(seed, tables, journal),
        "upgrade" => match seed.below(3) {
            0 => block_on(tables.upgrade::<Person>().run()).map(drop),
            1 => block_on(tables.upgrade::<Ticket>().run()).map(drop),
            _ => block_on(tables.upgrade::<Event>().run()).map(drop),
        },
        "backup" => {
            backup(store, folder, journal);
            Ok(())
        }
        _ => match store.map(|store| block_on(store.scrub())).transpose()? {
            Some(report) if !report.is_sound() => {
                journal.violation(&format!("scrub: {report:?}"));
                Ok(())
            }
            _ => Ok(()),
        },
    }
}

/// Records what a sweep deleted, and what it could not read.
fn swept(report: &ExpireReport, journal: &mut Journal) {
    for _ in 0..report.deleted {
        journal.note("swept account", "");
    }
    for (address, error) in &report.failed {
        if matches!(error, Error::Decode(_)) {
            journal.violation(&format!("a sweep cannot read {address}: {error}"));
        }
    }
}

fn verify(seed: &mut Seed, tables: &Tables, repair: bool) -> Result<()> {
    macro_rules! of {
        ($entity:ty) => {{
            let verify = tables.verify::<$entity>().page_size(50);
            block_on(if repair { verify.repair().run() } else { verify.run() }).map(drop)
        }};
    }
    match seed.below(8) {
        0..2 => of!(Person),
        6 => of!(Account),
        7 => of!(Group),
        2 => of!(Ticket),
        3 => of!(Team),
        4 => of!(City),
        _ => of!(Day),
    }
}

fn reindex(seed: &mut Seed, tables: &Tables) -> Result<()> {
    let of_people = [
        "by_email",
        "by_name",
        "by_badge",
        "by_city",
        "by_rank",
        "by_skill",
        "by_office",
        "by_hobby",
        "by_group",
        "by_shift",
    ];
    if seed.chance(1, 6) {
        let index = ["by_login", "by_name"][seed.below(2)];
        return block_on(tables.reindex::<Account>(index).run()).map(drop);
    }
    if seed.chance(1, 4) {
        let index = ["by_owner", "by_tag", "by_topic"][seed.below(3)];
        return block_on(tables.reindex::<Ticket>(index).run()).map(drop);
    }
    block_on(tables.reindex::<Person>(of_people[seed.below(of_people.len())]).run()).map(drop)
}

/// Drops periods, the oldest first. Each drop is recorded before it starts.
fn drop_before(seed: &mut Seed, tables: &Tables, journal: &mut Journal) -> Result<()> {
    let first: Timestamp = FIRST_HOUR.parse()?;
    let cutoff = first.saturating_add(Duration::from_secs(3_600 * seed.below(5) as u64));
    journal.note("cutoff", &cutoff.ticks().to_string());
    block_on(tables.drop_before::<Login>(cutoff)).map(drop)?;
    let _ = tables.describe::<Owner>();
    Ok(())
}

/// Copies the store, and opens the copy.
fn backup(store: Option<&Store>, folder: &Path, journal: &mut Journal) {
    let Some(store) = store else { return };
    let path = folder.join("backup.tables");
    let _ = std::fs::remove_file(&path);
    if let Err(error) = store.blocking().backup(&path) {
        return journal.violation(&format!("backup: {error}"));
    }
    if let Err(error) = Store::open(&path) {
        journal.violation(&format!("a backup cannot be opened: {error}"));
    }
    let _ = std::fs::remove_file(&path);
}
