//! Aggregates, with concurrent clients and workers that lose responses and crash. In every state, a same-partition
//! aggregate equals the sum of its sources, and a cross-partition aggregate equals the sum of its contributions. At the
//! end, a cross-partition aggregate equals the sum of its sources.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::struct_field_names, reason = "a key is often named as its entity")]

use std::collections::BTreeMap;

use table_patterns::prelude::*;
use table_proofs::simulation::{
    Below, Fate, Faults, Schedule, Unreliable, World, runs, settling, sweeping, verifying_and_repairing,
};
use table_store::{Properties, Query as StoreQuery, TableName, Value};

use super::memory;

/// An aggregate in the partition of its sources.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Clubs", partition = "{club}", row = "club")]
struct Club {
    club: String,
    motto: i64,
    #[table(from_source)]
    members: i64,
    #[table(from_source)]
    score: i64,
    #[table(from_source)]
    best: Option<i32>,
}

/// An aggregate with only a maximum, which most writes do not change.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Clubs", partition = "{club}", row = "record")]
struct Record {
    club: String,
    #[table(from_source)]
    best: Option<i32>,
}

/// An aggregate in another partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Teams", partition = "teams", row = "t_{team}", allow(append_only))]
struct Team {
    team: String,
    motto: i64,
    #[table(from_source)]
    members: i64,
    #[table(from_source)]
    score: i64,
    #[table(from_source)]
    best: Option<i32>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Clubs", partition = "{club}", row = "m_{id:02}")]
#[table(counted_in(Club::members), summed_in(Club::score, of = score), max_in(Club::best, of = score))]
#[table(counted_in(Team::members), summed_in(Team::score, of = score), max_in(Team::best, of = score))]
struct Member {
    club: String,
    id: u8,
    team: Option<String>,
    score: i32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Clubs", partition = "{club}", row = "j_{id:02}", max_in(Record::best, of = height))]
struct Jump {
    club: String,
    id: u8,
    height: i32,
}

/// A source with cross-partition aggregates only.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Players", partition = "{club}", row = "p_{id:02}")]
#[table(counted_in(Team::members), summed_in(Team::score, of = score), max_in(Team::best, of = score))]
struct Player {
    club: String,
    id: u8,
    team: String,
    score: i32,
}

const FAULTS: Faults = Faults { lost: 25, undone: 15, late: 25, crash: 8, most: 3 };

/// The operations of the clients of a run.
#[derive(Clone, Copy, Debug)]
enum Program {
    /// All operations.
    All,
    /// Changes of one entity, which contributes to another partition, between two values.
    Toggle,
    /// Inserts and deletes of sources of an aggregate with only a maximum.
    Jump,
}

impl Program {
    const fn of(seed: u64) -> Self {
        match seed % 5 {
            0 => Self::Toggle,
            1 => Self::Jump,
            _ => Self::All,
        }
    }
}

async fn toggle(tables: &Tables, world: &World) {
    let score = i32::try_from(world.below(2)).unwrap();
    let player = Player { club: "c".into(), id: 0, team: "a".into(), score };
    if world.below(4) == 0 {
        drop(tables.upsert(&player).await);
    } else if let Ok(Some(stored)) = Player::point("c", 0).get(tables).await {
        drop(tables.merge(stored.patch().score(score)).await);
    }
}

async fn jump(tables: &Tables, world: &World) {
    let (id, height) = (u8::try_from(world.below(3)).unwrap(), i32::try_from(world.below(4)).unwrap());
    let jump = Jump { club: "c".into(), id, height };
    match world.below(3) {
        0 => drop(tables.insert(&jump).await),
        1 => drop(tables.upsert(&jump).await),
        _ => drop(tables.delete_if_exists(Jump::point("c", id)).await),
    }
}

async fn anything(tables: &Tables, world: &World) {
    let id = u8::try_from(world.below(2)).unwrap();
    let team = ["a", "b"].get(world.below(3)).map(|team| (*team).to_owned());
    let score = i32::try_from(world.below(3)).unwrap();
    let (name, motto) = (["a", "b"][world.below(2)].to_owned(), i64::try_from(world.below(9)).unwrap());
    let member = Member { club: "c".into(), id, team, score };
    let point = Member::point("c", id);
    let club = Club { club: "c".into(), motto, members: 9, score: 9, best: None };
    let team = Team { team: name.clone(), motto, members: 9, score: 9, best: None };
    match world.below(12) {
        0 => drop(tables.insert(&member).await),
        1 => drop(tables.upsert(&member).await),
        2 => drop(tables.delete_if_exists(point).await),
        3 => {
            if let Ok(Some(mut stored)) = point.get(tables).await {
                *stored = member;
                drop(tables.replace(&stored).await);
            }
        }
        4 => {
            if let Ok(Some(stored)) = point.get(tables).await {
                drop(tables.merge(stored.patch().score(score)).await);
            }
        }
        5 => {
            let other = Member { id: 1 - id, ..member.clone() };
            drop(tables.transact().upsert(&member).upsert(&other).upsert(&club).commit().await);
        }
        6 => drop(tables.insert(&club).await),
        7 => drop(tables.delete_if_exists(Club::point("c")).await),
        8 => drop(tables.merge(Club::patch("c").motto(motto)).await),
        9 => drop(tables.upsert(&team).await),
        10 => drop(tables.delete_if_exists(Team::point(&name)).await),
        _ => drop(tables.update(Team::point(&name), |team| team.motto = motto).await),
    }
}

/// Runs one client. Errors are ignored; the next step starts again.
async fn client(tables: Tables, world: World, steps: usize, program: Program) {
    for _ in 0..steps {
        match program {
            Program::All => anything(&tables, &world).await,
            Program::Toggle => toggle(&tables, &world).await,
            Program::Jump => jump(&tables, &world).await,
        }
    }
}

/// The rows of a table by their keys.
type Raw = BTreeMap<(String, String), Properties>;

fn raw(service: &Unreliable<impl Below>, table: &str) -> Raw {
    let table = TableName::new(table).unwrap();
    let Ok(segment) = pollster::block_on(service.store().query(&table, StoreQuery::default())) else {
        return Raw::new();
    };
    let rows = segment.rows.iter().map(|row| {
        let keys = (row.partition_key.unwrap().to_owned(), row.row_key.unwrap().to_owned());
        (keys, row.properties.to_properties())
    });
    rows.collect()
}

/// The count, sum and maximum of scores.
type Totals = (i64, i64, Option<i32>);

fn total(scores: impl Iterator<Item = i32> + Clone) -> Totals {
    let count = i64::try_from(scores.clone().count()).unwrap();
    (count, scores.clone().map(i64::from).sum(), scores.max())
}

fn int(row: &Properties, name: &str) -> i64 {
    match row.get(name) {
        Some(Value::Int64(number)) => *number,
        Some(Value::Int32(number)) => i64::from(*number),
        _ => 0,
    }
}

/// Returns the values of an aggregate. A missing row is an empty aggregate.
fn kept(row: Option<&Properties>) -> Totals {
    let Some(row) = row else { return (0, 0, None) };
    let best = row.get("best").map(|_| i32::try_from(int(row, "best")).unwrap());
    (int(row, "members"), int(row, "score"), best)
}

fn is_state(row: &Properties, state: &str) -> bool {
    row.get("_st") == Some(&Value::String(state.into()))
}

/// Fails if a same-partition aggregate differs from its sources. This invariant is valid in every state.
fn near_is_right(service: &Unreliable<impl Below>) -> Result<(), String> {
    let clubs = raw(service, "Clubs");
    let members = clubs.iter().filter(|((_, key), _)| key.starts_with("m_"));
    let added = total(members.map(|(_, row)| i32::try_from(int(row, "score")).unwrap()));
    let row = clubs.get(&("c".to_owned(), "club".to_owned()));
    if kept(row) != added {
        return Err(format!("the club keeps {:?}, its members add {added:?}", kept(row)));
    }
    let record = clubs.get(&("c".to_owned(), "record".to_owned()));
    let jumps = clubs.iter().filter(|((_, key), _)| key.starts_with("j_"));
    let highest = jumps.map(|(_, row)| i32::try_from(int(row, "height")).unwrap()).max();
    if kept(record).2 != highest {
        return Err(format!("the record is {:?}, the highest {highest:?}", kept(record).2));
    }
    match row {
        Some(row) if is_state(row, "k") && added == (0, 0, None) => {
            Err("a row without club keeps nothing".into())
        }
        Some(row) if !is_state(row, "k") && row.get("motto").is_none() => Err("a club without motto".into()),
        _ => Ok(()),
    }
}

/// Fails if a cross-partition aggregate differs from its contributions. This invariant is valid in every state.
fn contributions_are_right(service: &Unreliable<impl Below>) -> Result<(), String> {
    let teams = raw(service, "Teams");
    for team in ["a", "b"] {
        let prefix = format!("!c_4_Team3_t_{team}");
        let said = teams.iter().filter(|((_, key), row)| key.starts_with(&prefix) && is_state(row, "l"));
        let said = total(said.map(|(_, row)| i32::try_from(int(row, "score")).unwrap()));
        let row = teams.get(&("teams".to_owned(), format!("t_{team}")));
        if kept(row) != said {
            return Err(format!("team {team} keeps {:?}, contributions say {said:?}", kept(row)));
        }
        if row.is_some_and(|row| !is_state(row, "k") && row.get("motto").is_none()) {
            return Err(format!("team {team} is there without its motto"));
        }
    }
    Ok(())
}

/// Fails after all work if a cross-partition aggregate differs from its sources.
fn far_is_right(service: &Unreliable<impl Below>) -> Result<(), String> {
    let (mut clubs, teams) = (raw(service, "Clubs"), raw(service, "Teams"));
    clubs.extend(raw(service, "Players"));
    for team in ["a", "b"] {
        let is_of = |row: &Properties| row.get("team") == Some(&Value::String(team.into()));
        let members = clubs.values().filter(|row| is_of(row));
        let added = total(members.map(|row| i32::try_from(int(row, "score")).unwrap()));
        let row = teams.get(&("teams".to_owned(), format!("t_{team}")));
        if kept(row) != added {
            return Err(format!("team {team} keeps {:?}, its members add {added:?}", kept(row)));
        }
    }
    // Abort records remain.
    let is_record = |row: &Properties| row.get("_k") == Some(&Value::String("c".into()));
    let left: Vec<_> = clubs.iter().filter(|(_, row)| is_record(row)).map(|(keys, _)| keys).collect();
    if left.is_empty() { Ok(()) } else { Err(format!("left behind: {left:?}")) }
}

/// Runs one schedule, with or without maintenance jobs. Fails if a state is wrong. Returns the number of calls.
pub(super) fn run(seed: u64, always: bool, maintained: bool, store: impl Below) -> Result<u64, String> {
    let (world, program) = (World::new(seed, FAULTS), Program::of(seed));
    let service = Unreliable::new(store, world.clone());
    let mut wrong = Ok(());
    let handles: Vec<_> =
        (0..4).map(|number| Tables::new(service.clone()).with_seeded_tokens(seed << 3 | number)).collect();
    for tables in &handles {
        tables.register_entity::<Member>();
        tables.register_entity::<Player>();
    }
    let mut schedule = Schedule::new(&service, world.clone());
    schedule.client(client(handles[0].clone(), world.clone(), 5, program));
    schedule.client(client(handles[1].with_deferred_updates(), world.clone(), 5, program));
    schedule.worker(settling(handles[2].clone()));
    schedule.worker(settling(handles[3].clone()));
    if seed % 4 == 3 {
        schedule.worker(sweeping(&handles[3]));
    }
    if maintained {
        schedule.worker(verifying_and_repairing::<Member>(handles[2].clone()));
        schedule.worker(verifying_and_repairing::<Player>(handles[3].clone()));
    }
    schedule.run(|| {
        if always && wrong.is_ok() {
            wrong = near_is_right(&service).and_then(|()| contributions_are_right(&service));
        }
    });
    wrong?;
    Schedule::calm(&service, &world, seed.is_multiple_of(2));
    let quiet = Tables::new(service.store().clone());
    quiet.register_entity::<Member>();
    quiet.register_entity::<Player>();
    pollster::block_on(quiet.catch_up()).map_err(|error| error.to_string())?;
    near_is_right(&service)?;
    contributions_are_right(&service)?;
    far_is_right(&service)?;
    Ok(world.calls())
}

#[test]
fn sinks_keep_what_their_sources_add() {
    let (mut calls, count) = (0, runs("SIMULATIONS", 300));
    for seed in 0..count {
        match run(seed, seed % 2 == 0, false, memory()) {
            Ok(made) => calls += made,
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules, {calls} calls");
}

/// The first request of the insert is rejected, because the row exists. A second request must not contain the
/// aggregates of that row, because the row can be gone when the request arrives.
#[test]
fn delayed_inserts_do_not_restore_aggregates() {
    let world = World::new(0, Faults::default());
    let service = Unreliable::new(memory(), world.clone());
    let (slow, quiet) = (Tables::new(service.clone()), Tables::new(service.store().clone()));
    let club = Club { club: "c".into(), motto: 1, members: 0, score: 0, best: None };
    let member = Member { club: "c".into(), id: 0, team: None, score: 2 };
    pollster::block_on(quiet.insert(&club)).unwrap();
    pollster::block_on(quiet.insert(&member)).unwrap();

    world.plan([Fate::Well, Fate::Late]);
    let error = pollster::block_on(slow.insert(&club)).unwrap_err();
    assert_eq!(error.code(), Some(ErrorCode::EntityAlreadyExists), "{error}");

    pollster::block_on(quiet.delete_if_exists(Member::point("c", 0))).unwrap();
    pollster::block_on(quiet.delete_if_exists(Club::point("c"))).unwrap();
    Schedule::land_all(&service);
    near_is_right(&service).unwrap();
}

#[test]
fn totals_are_right_beside_maintenance() {
    for seed in 0..runs("SIMULATIONS", 100) {
        run(seed, seed % 2 == 0, true, memory()).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    }
}
