//! Copied fields, with concurrent clients and workers that lose responses and crash. In every state, a same-partition
//! target contains the fields of its first source, and a cross-partition target contains the fields of its first
//! contribution. At the end, a cross-partition target contains the fields of its first source.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]
#![allow(clippy::struct_field_names, reason = "a key is often named as its entity")]

use std::collections::BTreeMap;

use table_patterns::{DifferenceKind, prelude::*};
use table_proofs::simulation::{
    Below, Faults, Schedule, Unreliable, World, runs, settling, sweeping, verifying_and_repairing,
};
use table_store::{Properties, Query as StoreQuery, TableName, Value};

use super::memory;

/// A target in the partition of its sources.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Clubs", partition = "{club}", row = "club")]
struct Club {
    club: String,
    motto: i64,
    #[table(from_source)]
    captain: Option<Captain>,
}

/// A target in another partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Teams", partition = "teams", row = "t_{team}", allow(append_only))]
struct Team {
    team: String,
    motto: i64,
    #[table(from_source)]
    captain: Option<Captain>,
}

/// The copied fields: a key field, and an optional property.
#[derive(Projection, Clone, Debug, PartialEq)]
#[table(of = Member)]
struct Captain {
    id: u8,
    name: Option<i32>,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Clubs", partition = "{club}", row = "m_{id:02}")]
#[table(copied_to(Club::captain, when = leads), copied_to(Team::captain, when = leads))]
struct Member {
    club: String,
    id: u8,
    team: Option<String>,
    name: Option<i32>,
    leads: bool,
}

const FAULTS: Faults = Faults { lost: 25, undone: 15, late: 25, crash: 8, most: 3 };

/// The operations of the clients of a run.
#[derive(Clone, Copy, Debug)]
enum Program {
    /// All operations.
    All,
    /// Changes of one entity, whose fields are copied to another partition, between two values.
    Toggle,
    /// Inserts and deletes of members without a team. No other operation changes their club.
    Lead,
}

impl Program {
    const fn of(seed: u64) -> Self {
        match seed % 5 {
            0 => Self::Toggle,
            1 => Self::Lead,
            _ => Self::All,
        }
    }
}

/// Returns a random member without a team, or of team `a` or `b`. Its name may be missing.
fn any_member(world: &World, members: usize) -> Member {
    let id = u8::try_from(world.below(members)).unwrap();
    let team = ["a", "b"].get(world.below(3)).map(|team| (*team).to_owned());
    let name = [None, Some(1), Some(2)][world.below(3)];
    Member { club: "c".into(), id, team, name, leads: world.below(3) > 0 }
}

async fn toggle(tables: &Tables, world: &World) {
    let name = i32::try_from(world.below(2)).unwrap();
    let member = Member { club: "c".into(), id: 0, team: Some("a".into()), name: Some(name), leads: true };
    if world.below(4) == 0 {
        drop(tables.upsert(&member).await);
    } else if let Ok(Some(stored)) = Member::point("c", 0).get(tables).await {
        drop(tables.merge(stored.patch().name(name)).await);
    }
}

async fn lead(tables: &Tables, world: &World) {
    let member = Member { team: None, ..any_member(world, 3) };
    match world.below(3) {
        0 => drop(tables.insert(&member).await),
        1 => drop(tables.upsert(&member).await),
        _ => drop(tables.delete_if_exists(Member::point("c", member.id)).await),
    }
}

async fn anything(tables: &Tables, world: &World) {
    let member = any_member(world, 2);
    let (name, motto) = (["a", "b"][world.below(2)].to_owned(), i64::try_from(world.below(9)).unwrap());
    let point = Member::point("c", member.id);
    let captain = Some(Captain { id: 9, name: None });
    let club = Club { club: "c".into(), motto, captain: captain.clone() };
    let team = Team { team: name.clone(), motto, captain };
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
                drop(tables.merge(stored.patch().name(5)).await);
            }
        }
        5 => {
            let other = Member { id: 1 - member.id, leads: !member.leads, ..member.clone() };
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
            Program::Lead => lead(&tables, &world).await,
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

/// The source of copied fields, and the fields.
type Copied = (Option<Value>, Option<Value>, Option<Value>);

const NOBODY: Copied = (None, None, None);

/// Returns the copied fields of a target or contribution, or `NOBODY` without a row.
fn held(row: Option<&Properties>) -> Copied {
    let Some(row) = row else { return NOBODY };
    let property = |name: &str| row.get(name).cloned();
    (property("_src_captain"), property("captain_id"), property("captain_name"))
}

/// Returns the expected copied fields for these members: the fields of the first member that leads.
fn said<'r>(mut members: impl Iterator<Item = (&'r (String, String), &'r Properties)>) -> Copied {
    let Some(((club, key), row)) = members.find(|(_, row)| row.get("leads") == Some(&Value::Boolean(true)))
    else {
        return NOBODY;
    };
    let id = key.strip_prefix("m_").unwrap().parse().unwrap();
    let source = format!(r#"["Clubs","{club}","{key}"]"#);
    (Some(Value::String(source)), Some(Value::Int32(id)), row.get("name").cloned())
}

fn is_state(row: &Properties, state: &str) -> bool {
    row.get("_st") == Some(&Value::String(state.into()))
}

/// Fails if the same-partition target does not contain the fields of its first source. This invariant is valid in every
/// state.
fn near_is_right(service: &Unreliable<impl Below>) -> Result<(), String> {
    let clubs = raw(service, "Clubs");
    let said = said(clubs.iter().filter(|((_, key), _)| key.starts_with("m_")));
    let row = clubs.get(&("c".to_owned(), "club".to_owned()));
    if held(row) != said {
        return Err(format!("the club holds {:?}, its members say {said:?}", held(row)));
    }
    match row {
        Some(row) if is_state(row, "k") && said == NOBODY => Err("a row without club keeps nothing".into()),
        Some(row) if !is_state(row, "k") && row.get("motto").is_none() => Err("a club without motto".into()),
        _ => Ok(()),
    }
}

/// Fails if a cross-partition target does not contain the fields of its first contribution. This invariant is valid in
/// every state.
fn contributions_are_right(service: &Unreliable<impl Below>) -> Result<(), String> {
    let teams = raw(service, "Teams");
    for team in ["a", "b"] {
        let prefix = format!("!c_4_Team3_t_{team}");
        let live = |((_, key), row): &(&(String, String), &Properties)| {
            key.starts_with(&prefix) && is_state(row, "l")
        };
        let said = teams.iter().find(live).map_or(NOBODY, |(_, row)| held(Some(row)));
        let row = teams.get(&("teams".to_owned(), format!("t_{team}")));
        if held(row) != said {
            return Err(format!("team {team} holds {:?}, contributions say {said:?}", held(row)));
        }
        if row.is_some_and(|row| !is_state(row, "k") && row.get("motto").is_none()) {
            return Err(format!("team {team} is there without its motto"));
        }
    }
    Ok(())
}

/// Fails after all work if a cross-partition target does not contain the fields of its first source.
fn far_is_right(service: &Unreliable<impl Below>) -> Result<(), String> {
    let (clubs, teams) = (raw(service, "Clubs"), raw(service, "Teams"));
    for team in ["a", "b"] {
        let is_of = |row: &Properties| row.get("team") == Some(&Value::String(team.into()));
        let said = said(clubs.iter().filter(|((_, key), row)| key.starts_with("m_") && is_of(row)));
        let row = teams.get(&("teams".to_owned(), format!("t_{team}")));
        if held(row) != said {
            return Err(format!("team {team} holds {:?}, its members say {said:?}", held(row)));
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
        schedule.worker(verifying_and_repairing::<Member>(handles[3].clone()));
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
    pollster::block_on(quiet.catch_up()).map_err(|error| error.to_string())?;
    near_is_right(&service)?;
    contributions_are_right(&service)?;
    far_is_right(&service)?;
    let report = pollster::block_on(quiet.verify::<Member>().run()).map_err(|error| error.to_string())?;
    // A placeholder row from a late request remains until the next sweep.
    if report.differences.iter().any(|found| found.what != DifferenceKind::Placeholder) {
        return Err(format!("verify: {report}"));
    }
    Ok(world.calls())
}

#[test]
fn sinks_hold_what_the_first_of_their_sources_says() {
    let (mut calls, count) = (0, runs("SIMULATIONS", 300));
    for seed in 0..count {
        match run(seed, seed % 2 == 0, false, memory()) {
            Ok(made) => calls += made,
            Err(wrong) => panic!("seed {seed}: {wrong}"),
        }
    }
    println!("{count} schedules, {calls} calls");
}

#[test]
fn copied_fields_are_right_beside_maintenance() {
    for seed in 0..runs("SIMULATIONS", 100) {
        run(seed, seed % 2 == 0, true, memory()).unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
    }
}
