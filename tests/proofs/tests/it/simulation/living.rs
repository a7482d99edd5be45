//! Concurrent repairs and index rebuilds, with clients that write and workers that apply commit records. Calls are late
//! or lost, and participants crash. At the end, one more repair leaves no differences, and derived rows match their
//! entities. If a concurrent repair completed, no second repair is needed.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::duplicated_attributes, reason = "it takes the words of two indexes for words said twice")]

use std::{cell::Cell, rc::Rc};

use table_patterns::{DifferenceKind, prelude::*};
use table_proofs::simulation::{Faults, Schedule, Unreliable, World, runs, settling};
use table_store::{
    Condition, Entity as Row, MapStorage, OpenOptions, Operation, Properties, Query as StoreQuery, Store,
    TableName, TableService,
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Members", partition = "{club}", row = "m_{id:02}")]
#[table(index(by_team, partition = "team_{team}", row = "{club}_{id:02}", copy(score)))]
#[table(index(by_name, row = "name_{name}", unique))]
#[table(lookup(by_score, on = score, ids = "MemberIDs"))]
#[table(lookup(by_mates, on = team))]
struct Member {
    club: String,
    id: u8,
    team: String,
    name: String,
    score: u8,
}

const FAULTS: Faults = Faults { lost: 25, undone: 15, late: 25, crash: 8, most: 3 };
const IDS: usize = 3;

fn member(world: &World, id: u8) -> Member {
    let team = ["a", "b"][world.below(2)].to_owned();
    let name = format!("{}{id}", ["x", "y"][world.below(2)]);
    Member { club: "c".into(), id, team, name, score: u8::try_from(world.below(2)).unwrap() }
}

async fn client(tables: Tables, world: World, steps: usize) {
    for _ in 0..steps {
        let member = member(&world, u8::try_from(world.below(IDS)).unwrap());
        let point = Member::point("c", member.id);
        match world.below(4) {
            0 => drop(tables.upsert(&member).await),
            1 => drop(tables.delete_if_exists(point).await),
            2 => {
                if let Ok(Some(mut stored)) = point.get(&tables).await {
                    *stored = member;
                    drop(tables.replace(&stored).await);
                }
            }
            _ => drop(tables.insert(&member).await),
        }
    }
}

/// Verifies and repairs all rows. Sets `came_through` if it completes and repairs all differences that it finds. A row
/// that lags is left to the commit that names it, so a run with such rows promises nothing about them.
async fn repairer(tables: Tables, came_through: Rc<Cell<bool>>) {
    let mut sweep = tables.verify::<Member>().repair().page_size(2);
    for _ in 0..60 {
        if matches!(sweep.step().await, Ok(false)) {
            let report = sweep.report();
            came_through.set(report.count() == report.repaired && report.lagging == 0);
            return;
        }
    }
}

async fn filler(tables: Tables) {
    for index in ["by_team", "by_name", "by_score", "by_mates"] {
        let mut sweep = tables.reindex::<Member>(index).page_size(2);
        for _ in 0..20 {
            if matches!(sweep.step().await, Ok(false)) {
                break;
            }
        }
    }
}

fn rows(store: &Store) -> Vec<(String, String, Properties)> {
    let table = TableName::new("Members").unwrap();
    let segment = pollster::block_on(store.query(&table, StoreQuery::default())).unwrap();
    let rows = segment.rows.iter().map(|row| {
        let (partition_key, row_key) = (row.partition_key.unwrap(), row.row_key.unwrap());
        (partition_key.to_owned(), row_key.to_owned(), row.properties.to_properties())
    });
    rows.collect()
}

fn fill(store: &Store, world: &World) {
    let tables = Tables::new(store.clone());
    for id in 0..u8::try_from(IDS).unwrap() {
        tables.blocking().insert(&member(world, id)).unwrap();
    }
}

/// Deletes and changes some rows without the library.
fn damage(store: &Store, world: &World) {
    let table = TableName::new("Members").unwrap();
    for (partition_key, row_key, mut properties) in rows(store) {
        let condition = Condition::Exists;
        let operation = match world.below(5) {
            0 => Operation::Delete { partition_key, row_key, condition },
            1 if properties.get("score").is_some() => {
                properties.set("score", i32::try_from(world.below(2)).unwrap());
                Operation::Merge(Row { partition_key, row_key, properties }, condition)
            }
            2 if partition_key.starts_with("team_") => {
                let partition_key = if partition_key == "team_a" { "team_b" } else { "team_a" }.to_owned();
                Operation::InsertOrReplace(Row { partition_key, row_key, properties })
            }
            _ => continue,
        };
        pollster::block_on(store.execute(&table, &operation)).unwrap();
    }
}

/// Fails if derived rows differ from their entities.
fn wrong(tables: &Tables) -> Result<(), String> {
    let b = tables.blocking();
    let text = |error: Error| error.to_string();
    let members = b.all(&Member::rows("c")).map_err(text)?;
    let mut teams: Vec<_> = members.iter().map(|m| (m.team.clone(), m.id, m.score)).collect();
    teams.sort();
    let mut found = Vec::new();
    for team in ["a", "b"] {
        let rows = b.all(&Member::by_team_rows(team)).map_err(text)?;
        found.extend(rows.iter().map(|row| (row.team.clone(), row.id, row.score)));
    }
    found.sort();
    if teams != found {
        return Err(format!("rows of by_team {found:?}, entities say {teams:?}"));
    }
    for m in &members {
        let by_name = b.get(&Member::by_name("c", m.name.as_str())).map_err(text)?;
        if by_name.as_deref() != Some(&**m) {
            return Err(format!("by_name says {by_name:?}, the entity {m:?}"));
        }
    }
    let named = b.all(&Member::by_name_rows("c")).map_err(text)?.len();
    let mut in_lists = 0;
    for score in 0..2 {
        in_lists += b.all(&Member::by_score("c", score)).map_err(text)?.len();
    }
    for team in ["a", "b"] {
        in_lists += b.all(&Member::by_mates("c", team)).map_err(text)?.len();
    }
    if (named, in_lists) != (members.len(), 2 * members.len()) {
        return Err(format!("{named} names and {in_lists} in lists, of {} entities", members.len()));
    }
    Ok(())
}

/// Runs one schedule. Fails if its final state is wrong. Returns whether the concurrent repair completed, in which case
/// the final state needs no other repair.
fn run(seed: u64) -> Result<bool, String> {
    let world = World::new(seed, FAULTS);
    let service = Unreliable::new(OpenOptions::new().open_map(MapStorage::default()).unwrap(), world.clone());
    fill(service.store(), &world);
    damage(service.store(), &world);
    let handles: Vec<_> =
        (0..5).map(|number| Tables::new(service.clone()).with_seeded_tokens(seed << 3 | number)).collect();
    for tables in &handles {
        tables.register_entity::<Member>();
    }
    let mut schedule = Schedule::new(&service, world.clone());
    schedule.client(client(handles[0].clone(), world.clone(), 4));
    schedule.client(client(handles[1].with_deferred_updates(), world.clone(), 4));
    let came_through = Rc::new(Cell::new(false));
    schedule.client(repairer(handles[2].clone(), Rc::clone(&came_through)));
    schedule.client(filler(handles[3].clone()));
    schedule.worker(settling(handles[4].clone()));
    schedule.run(|| {});
    Schedule::calm(&service, &world, seed.is_multiple_of(2));
    let quiet = Tables::new(service.store().clone());
    quiet.register_entity::<Member>();
    let text = |error: Error| error.to_string();
    pollster::block_on(quiet.catch_up()).map_err(text)?;
    if !came_through.get() {
        drop(quiet.blocking().sweep(quiet.verify::<Member>().repair()).map_err(text)?);
    }
    let report = quiet.blocking().sweep(quiet.verify::<Member>()).map_err(text)?;
    // A late request may leave a placeholder row, which is invisible to readers.
    if report.count() > report.count_of(DifferenceKind::Placeholder) || report.lagging > 0 {
        return Err(report.to_string());
    }
    wrong(&quiet)?;
    // Abort records are kept for days.
    let is_marker = |properties: &Properties| properties.get("_k") == Some(&"a".into());
    let is_left =
        |(_, key, properties): &(String, String, Properties)| key.starts_with('!') && !is_marker(properties);
    let left: Vec<_> = rows(service.store()).into_iter().filter(is_left).collect();
    if left.is_empty() { Ok(came_through.get()) } else { Err(format!("left behind: {left:?}")) }
}

#[test]
fn a_repair_beside_writers_leaves_nothing_wrong() {
    let count = runs("SIMULATIONS", 200);
    let mut through = 0;
    for seed in 0..count {
        match run(seed) {
            Ok(came_through) => through += u64::from(came_through),
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules, in {through} of them a repair came through");
    assert!(3 * through > count, "a repair came through in {through} of {count} schedules");
}
