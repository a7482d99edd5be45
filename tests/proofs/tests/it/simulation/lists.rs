//! Lookup lists of members from several partitions, stored in rows, in one row or in blobs. Clients and workers run
//! concurrently, lose responses and crash. At the end, each list equals its group of entities. In half of the runs, a
//! list has room for one member, so that all other members need separate rows or blobs.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use table_patterns::{DifferenceKind, prelude::*};
use table_proofs::simulation::{
    Below, Faults, Schedule, Unreliable, World, reindexing, runs, settling, sweeping, verifying_and_repairing,
};
use table_store::{Query as StoreQuery, TableName};

use super::memory;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Members", partition = "{club}", row = "m_{id:02}")]
#[table(lookup(by_rows, on = team, place = table))]
#[table(lookup(by_list, on = team, place = table, ids = "MemberDetails"))]
#[table(lookup(by_blob, on = team, place = blob))]
struct Member {
    club: String,
    id: u8,
    team: String,
    score: u8,
}

const FAULTS: Faults = Faults { lost: 25, undone: 15, late: 25, crash: 8, most: 3 };
/// Room for one member of a list.
const SMALL: usize = 16;

async fn client(tables: Tables, world: World, steps: usize, toggles: bool) {
    for _ in 0..steps {
        let id = if toggles { 0 } else { u8::try_from(world.below(3)).unwrap() };
        let club = if toggles { "c" } else { ["c", "d"][world.below(2)] };
        let team = ["a", "b"][world.below(2)].to_owned();
        let member = Member { club: club.into(), id, team, score: u8::try_from(world.below(2)).unwrap() };
        let point = Member::point(club, id);
        // Errors are ignored; the next step starts again.
        match world.below(5) {
            0 => drop(tables.insert(&member).await),
            1 => drop(tables.upsert(&member).await),
            2 => drop(tables.delete_if_exists(point).await),
            3 => {
                let others = (3..6).map(|id| Member { id, ..member.clone() });
                let all: Vec<Member> = others.chain([member.clone()]).collect();
                drop(tables.bulk().upsert_all(&all).run().await);
            }
            _ => {
                if let Ok(Some(mut stored)) = point.get(&tables).await {
                    *stored = member;
                    drop(tables.replace(&stored).await);
                }
            }
        }
    }
}

/// Fails if a list differs from its group after all work, or if any work remains.
fn lists_are_right(service: &Unreliable<impl Below>, tables: &Tables) -> Result<(), String> {
    let text = |error: Error| error.to_string();
    let b = tables.blocking();
    let mut members = Vec::new();
    for club in ["c", "d"] {
        members.extend(b.all(&Member::rows(club)).map_err(text)?.into_iter().map(Stored::into_inner));
    }
    for team in ["a", "b"] {
        let group: Vec<_> = members.iter().filter(|member| member.team == team).cloned().collect();
        for (place, query) in [
            ("list", Member::by_list(team)),
            ("blob", Member::by_blob(team)),
            ("rows", Member::by_rows(team)),
        ] {
            let report = pollster::block_on(query.report(tables)).map_err(text)?;
            let found: Vec<_> = report.items.into_iter().map(Stored::into_inner).collect();
            if found != group || report.stats.skipped > 0 {
                let stats = report.stats;
                return Err(format!("{team} in {place}: {found:?} ({stats}), entities say {group:?}"));
            }
        }
    }
    let report = b.sweep(tables.verify::<Member>()).map_err(text)?;
    if report.count() > report.count_of(DifferenceKind::Placeholder) || report.lagging > 0 {
        return Err(report.to_string());
    }
    let rows =
        pollster::block_on(service.store().query(&TableName::new("Members").unwrap(), StoreQuery::default()));
    let rows = rows.map(|segment| segment.rows).unwrap_or_default();
    let left = rows.iter().filter(|row| row.row_key.is_some_and(|key| key.starts_with("!o_")));
    let left = left.filter(|row| row.properties.get("_k") == Some(table_store::ValueRef::String("c")));
    if left.count() > 0 { Err("records are left".to_owned()) } else { Ok(()) }
}

/// Runs one schedule, with or without maintenance jobs. Fails if its final state is wrong.
pub(super) fn run(seed: u64, maintained: bool, store: impl Below) -> Result<u64, String> {
    let room = if seed % 2 == 1 { SMALL } else { usize::MAX };
    let world = World::new(seed, FAULTS);
    let service = Unreliable::new(store, world.clone());
    let handle = |number| {
        let tables = Tables::new(service.clone()).with_blobs(service.clone());
        tables.with_seeded_tokens(seed << 3 | number).with_list_room(room)
    };
    let handles: Vec<_> = (0..4).map(handle).collect();
    for tables in &handles {
        tables.register_entity::<Member>();
    }
    // Every third run only moves one entity between two groups.
    let toggles = seed.is_multiple_of(3);
    let mut schedule = Schedule::new(&service, world.clone());
    schedule.client(client(handles[0].clone(), world.clone(), 5, toggles));
    schedule.client(client(handles[1].with_deferred_updates(), world.clone(), 5, toggles));
    schedule.worker(settling(handles[2].clone()));
    schedule.worker(settling(handles[3].clone()));
    if seed % 4 == 3 {
        schedule.worker(sweeping(&handles[3]));
    }
    match (maintained, seed / 2 % 2) {
        (true, 0) => schedule.worker(verifying_and_repairing::<Member>(handles[3].clone())),
        (true, _) => {
            schedule.worker(reindexing::<Member>(handles[3].clone(), &["by_rows", "by_list", "by_blob"]));
        }
        _ => {}
    }
    schedule.run(|| {});
    Schedule::calm(&service, &world, seed % 4 < 2);
    let quiet: Tables = service.store().clone().into();
    let quiet = quiet.with_list_room(room);
    quiet.register_entity::<Member>();
    pollster::block_on(quiet.catch_up()).map_err(|error| error.to_string())?;
    lists_are_right(&service, &quiet).map(|()| world.calls())
}

#[test]
fn lists_elsewhere_are_their_groups_when_all_is_quiet() {
    let (mut calls, count) = (0, runs("SIMULATIONS", 300));
    for seed in 0..count {
        match run(seed, false, memory()) {
            Ok(made) => calls += made,
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules, {calls} calls");
}

#[test]
fn lists_elsewhere_are_right_beside_maintenance() {
    for seed in 0..runs("SIMULATIONS", 40) {
        run(seed, true, memory()).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    }
}
