//! Retirement of a version: programs of the old and of the new version write while two processes retire the old one,
//! workers of both apply commits, and time passes. Calls are late or lost, and participants crash. From the moment at
//! which the registry says that the version is retired, no row of it exists, in any state of the store.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::{cell::RefCell, sync::Arc, time::Duration};

use pollster::block_on;
use table_patterns::{LEASE, MAX_REQUEST_AGE, REGISTRY_TABLE, RegistryError, RetirementStep, prelude::*};
use table_proofs::simulation::{Calendar, Faults, Network, Schedule, Unreliable, World, runs, settling};
use table_store::{
    Clock, MapStorage, OpenOptions, Query as StoreQuery, Store, TableService, service::ListTables,
};

use super::registry_use::By;

const FAULTS: Faults = Faults { lost: 20, undone: 10, late: 25, crash: 8, most: 4 };
const IDS: usize = 3;

/// Defines a program that writes one of the versions. Rejected writes and lost responses do not end it.
macro_rules! client {
    ($name:ident: $type:ident by $convert:expr) => {
        pub(super) async fn $name(tables: Tables, world: World, steps: usize) {
            for _ in 0..steps {
                let member: $type = $convert(some_member(&world));
                let point = $type::point("c", member.id);
                match world.below(6) {
                    0 | 1 => drop(tables.insert(&member).await),
                    2 => drop(tables.upsert(&member).await),
                    3 => drop(tables.delete_if_exists(point).await),
                    4 => drop(tables.merge($type::patch("c", member.id).note(member.note)).await),
                    _ => {
                        if let Ok(Some(mut stored)) = point.get(&tables).await {
                            *stored = member;
                            drop(tables.replace(&stored).await);
                        }
                    }
                }
            }
        }
    };
}

/// Defines both versions of a type, with indexes or without, in a table or several, and their programs.
macro_rules! family {
    ($module:ident in $table:literal: $($index:meta),*) => {
        #[allow(dead_code, reason = "methods of the derive")]
        mod $module {
            use std::time::Duration;

            use table_patterns::{RetirementStep, prelude::*};
            use table_proofs::simulation::{Calendar, World, pause};

            use super::IDS;

            /// The type in the old version of the program.
            #[derive(TableEntity, Clone, Debug)]
            #[table(name = $table, partition = "{club}", row = "m_{id:02}", entity_type = "Member")]
            $(#[$index])*
            pub(super) struct MemberV1 {
                pub(super) club: String,
                pub(super) id: u8,
                pub(super) team: String,
                pub(super) score: u8,
                pub(super) note: u8,
            }

            /// The type in the new version.
            #[derive(TableEntity, Clone, Debug)]
            #[table(name = $table, partition = "{club}", row = "m_{id:02}", version = 2, from(MemberV1))]
            $(#[$index])*
            pub(super) struct Member {
                pub(super) club: String,
                pub(super) id: u8,
                pub(super) team: String,
                pub(super) score: u8,
                pub(super) note: u8,
                pub(super) rank: Option<u8>,
            }

            impl From<MemberV1> for Member {
                fn from(MemberV1 { club, id, team, score, note }: MemberV1) -> Self {
                    Self { club, id, team, score, note, rank: None }
                }
            }

            pub(super) fn some_member(world: &World) -> MemberV1 {
                let id = u8::try_from(world.below(IDS)).unwrap();
                let team = ["a", "b"][world.below(2)].to_owned();
                let score = u8::try_from(world.below(2)).unwrap();
                MemberV1 { club: "c".into(), id, team, score, note: score }
            }

            client!(old_client: MemberV1 by std::convert::identity);
            client!(new_client: Member by Member::from);

            /// Retires the old version. The registry stores the progress.
            pub(super) async fn retiring(tables: Tables, world: World, calendar: Calendar) {
                let retirement = tables.retire::<Member>().page_size(2);
                for _ in 0..200 {
                    match retirement.step().await {
                        Ok(RetirementStep::Done) => return,
                        Ok(RetirementStep::Wait(rest)) => {
                            // Other participants run while time passes.
                            for _ in 0..4 {
                                calendar.pass(rest / 4 + Duration::from_millis(1));
                                for _ in 0..world.below(30) {
                                    pause().await;
                                }
                            }
                        }
                        Ok(_) | Err(_) if world.below(60) == 0 => drop(retirement.cancel().await),
                        Ok(_) | Err(_) => {}
                    }
                }
            }
        }
    };
}

family!(
    indexed in "Members": table(index(by_team, partition = "team_{team}", row = "{club}_{id:02}", copy())),
    table(index(by_score, row = "score_{score:03}_{id:02}", copy()))
);
// Writes that are sent alone.
family!(plain in "Members":);
// A table for each member.
family!(spread in "Members{id:02}":);

/// Returns whether the registry says that the old version is retired, and the rows of the old version.
fn look(store: &Store) -> (bool, Vec<String>) {
    let registry = REGISTRY_TABLE.parse().unwrap();
    let is_retired = ["members", "members{id:02}"].into_iter().any(|table| {
        let row = block_on(store.get(&registry, table, "schema_Member", None)).ok().flatten();
        row.is_some_and(|row| row.properties.get("floor").is_some())
    });
    if !is_retired {
        return (false, Vec::new());
    }
    let is_old = |row: &table_store::Row| {
        row.properties.get("EntityType").is_some_and(|name| *name == table_store::Value::from("Member"))
    };
    let mut old = Vec::new();
    let tables = block_on(store.list_tables(ListTables::default())).unwrap().tables;
    for table in tables.iter().filter(|table| table.as_str().starts_with("Members")) {
        let segment = block_on(store.query(table, StoreQuery::default())).unwrap();
        let rows = segment.rows.into_iter().filter(is_old);
        old.extend(rows.map(|row| format!("{table} {:?} {:?}", row.partition_key, row.row_key)));
    }
    (true, old)
}

/// Runs one schedule. Returns whether the version was retired.
fn run(seed: u64, by: By) -> Result<bool, String> {
    let calendar = Calendar::new();
    let world = World::new(seed, FAULTS);
    world.keep_time(calendar.clone(), MAX_REQUEST_AGE);
    let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
    let service = Unreliable::new(store, world.clone());
    let quiet = Tables::new(service.store().clone());
    macro_rules! write_some {
        ($family:ident) => {{
            for _ in 0..IDS {
                quiet.blocking().upsert(&$family::some_member(&world)).unwrap();
            }
            block_on(quiet.register::<$family::MemberV1>()).unwrap();
        }};
    }
    match seed % 5 {
        3 => write_some!(plain),
        4 => write_some!(spread),
        _ => write_some!(indexed),
    }
    let handle = |number: u64| {
        let (tables, calendar) = (Tables::new(service.clone()), calendar.clone());
        tables.with_clock(move || Clock::now(&calendar)).with_seeded_tokens(seed << 3 | number)
    };
    let new = |number| handle(number).with_registry_by(Arc::new(calendar.clone()));
    let old = |number| by.handle(handle(number), &calendar);
    let wrong = RefCell::new(None);
    let check = || {
        if let (true, rows) = look(service.store())
            && !rows.is_empty()
        {
            wrong.borrow_mut().get_or_insert(format!("retired, and these rows exist: {rows:?}"));
        }
    };
    let mut schedule = Schedule::new(&service, world.clone());
    let [old_worker, new_worker] = [old(5), new(6)];
    macro_rules! start {
        ($family:ident, $steps:literal, $second:expr) => {{
            schedule.client($family::old_client(old(0), world.clone(), $steps));
            schedule.client($family::old_client($second, world.clone(), $steps));
            schedule.client($family::new_client(new(2), world.clone(), 8));
            for number in [3, 4] {
                schedule.client($family::retiring(new(number), world.clone(), calendar.clone()));
            }
        }};
    }
    match seed % 5 {
        3 => start!(plain, 24, old(1)),
        4 => start!(spread, 24, old(1)),
        _ => {
            start!(indexed, 16, old(1).with_deferred_updates());
            // Slower workers of both versions.
            old_worker.register_entity::<indexed::MemberV1>();
            new_worker.register_entity::<indexed::Member>();
            quiet.register_entity::<indexed::Member>();
            schedule.worker(settling(old_worker));
            schedule.worker(settling(new_worker));
        }
    }
    schedule.run(check);
    if world.below(2) == 0 {
        Schedule::land_each(&service, check);
    } else {
        world.forget_late();
    }
    block_on(quiet.catch_up()).map_err(|error| error.to_string())?;
    check();
    match wrong.take() {
        Some(wrong) => Err(wrong),
        None => Ok(look(service.store()).0),
    }
}

#[test]
fn no_row_of_a_retired_version_exists() {
    let (first, count) = (runs("FIRST_SEED", 0), runs("SIMULATIONS", 120));
    let mut retired = 0;
    for seed in first..first + count {
        match run(seed, By::Registry) {
            Ok(is_retired) => retired += u64::from(is_retired),
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules: the version was retired in {retired}");
    assert!(2 * retired > count, "{retired} retired in {count} schedules");
}

/// The registry is necessary: programs that ignore it write rows of the retired version.
#[test]
fn programs_that_pass_the_registry_by_are_noticed() {
    assert!((0..1_000).any(|seed| run(seed, By::Nothing).is_err()));
}

/// The lease is necessary: programs that never read the registry again write rows of the retired version.
#[test]
fn programs_that_go_by_what_they_read_long_ago_are_noticed() {
    assert!((0..1_000).any(|seed| run(seed, By::OldKnowledge).is_err()));
}

/// Programs of both versions and the retirement, each on its own connection to a server.
#[test]
fn a_version_is_retired_through_a_server() {
    let calendar = Calendar::new();
    let store = OpenOptions::new().clock(calendar.clone()).open_map(MapStorage::default()).unwrap();
    let world = World::new(1, Faults::default());
    let program = || {
        let tables = Network::new(store.clone(), world.clone()).tables().unwrap();
        tables.with_registry_by(Arc::new(calendar.clone()))
    };
    let (old, new) = (program(), program());
    for id in 0..3 {
        let member = indexed::MemberV1 { club: "c".into(), id, team: "a".into(), score: id, note: 0 };
        block_on(old.insert(&member)).unwrap();
    }
    let retirement = new.retire::<indexed::Member>().page_size(2);
    let mut waits = 0;
    loop {
        match block_on(retirement.step()).unwrap() {
            RetirementStep::Done => break,
            RetirementStep::Wait(rest) => {
                waits += 1;
                calendar.pass(LEASE);
                let rejected = block_on(old.insert(&indexed::some_member(&world)));
                assert!(
                    matches!(&rejected, Err(Error::Registry(error)) if matches!(**error, RegistryError::VersionTooOld { .. })),
                    "{rejected:?}"
                );
                calendar.pass(rest.saturating_sub(LEASE) + Duration::from_millis(1));
            }
            RetirementStep::Advanced(_) | RetirementStep::Rows(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(waits, 1);
    let versions = block_on(new.registered_versions()).unwrap();
    let floor = versions[0].floor.unwrap();
    // Each entity has two index rows.
    assert_eq!((floor.version, floor.rows), (2, 9));
    assert_eq!(block_on(indexed::Member::rows("c").all(&new)).unwrap().len(), 3);
    assert!(look(&store).1.is_empty());
}
