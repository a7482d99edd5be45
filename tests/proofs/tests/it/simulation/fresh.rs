//! Read guarantees with concurrent clients, slow workers, late and lost calls, and crashes. A read with `caught_up`
//! includes every write that was acknowledged before. A read with `validated` returns no row that contradicts its
//! entity.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests")]

use std::{cell::Cell, rc::Rc};

use table_patterns::prelude::*;
use table_proofs::simulation::{Faults, Schedule, Unreliable, World, runs, settling};
use table_store::{MapStorage, OpenOptions};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Members", partition = "{club}", row = "m_{id:02}")]
#[table(index(by_team, partition = "team_{team}", row = "{club}_{id:02}", copy(score)))]
struct Member {
    club: String,
    id: u8,
    team: String,
    score: u8,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Players", partition = "{club}", row = "p_{id:02}")]
#[table(lookup(by_grade, on = grade, place = table))]
struct Player {
    club: String,
    id: u8,
    grade: u8,
    score: u8,
}

const FAULTS: Faults = Faults { lost: 25, undone: 15, late: 25, crash: 8, most: 3 };
const TEAMS: [&str; 2] = ["a", "b"];

/// The numbers of reads that saw or missed an acknowledged write.
#[derive(Debug, Default)]
struct Tally {
    seen: Cell<u64>,
    missed_by_plain: Cell<u64>,
    stale_by_plain: Cell<u64>,
}

fn count(cell: &Cell<u64>) {
    cell.set(cell.get() + 1);
}

/// Writes one member that no other client writes. After each write, another process reads.
async fn client(id: u8, writer: Tables, reader: Tables, world: World, tally: Rc<Tally>) {
    for _ in 0..5 {
        let (team, score) = (TEAMS[world.below(2)], u8::try_from(world.below(3)).unwrap());
        let member = Member { club: "c".into(), id, team: team.into(), score };
        if writer.upsert(&member).await.is_err() {
            continue;
        }
        let own = Member::rows("c");
        let is_it = |row: &table_patterns::IndexRow<MemberByTeam>| row.id == id && row.score == score;
        let plain = Member::by_team_rows(team).all(&reader).await;
        if plain.is_ok_and(|rows| !rows.iter().any(is_it)) {
            count(&tally.missed_by_plain);
        }
        let other = TEAMS.into_iter().find(|other| *other != team).unwrap();
        if Member::by_team_rows(other)
            .all(&reader)
            .await
            .is_ok_and(|rows| rows.iter().any(|row| row.id == id))
        {
            count(&tally.stale_by_plain);
        }
        // If the service fails, the read returns an error and no wrong rows.
        if let Ok(rows) = Member::by_team_rows(team).caught_up(&own).all(&reader).await {
            assert!(rows.iter().any(is_it), "{member:?} was missed: {rows:?}");
            count(&tally.seen);
        }
        if let Ok(rows) = Member::by_team_rows(other).validated().all(&reader).await {
            assert!(!rows.iter().any(|row| row.id == id), "{member:?} is in another team: {rows:?}");
        }
    }
}

/// Writes one member that no other client writes. Another process reads with the result of each write. Most writes
/// change only the score, so that an earlier commit adds the member to the list of the grade.
async fn client_after(id: u8, writer: Tables, reader: Tables, world: World, tally: Rc<Tally>) {
    for _ in 0..5 {
        let (grade, score) = (u8::from(world.below(4) == 0), u8::try_from(world.below(3)).unwrap());
        let player = Player { club: "c".into(), id, grade, score };
        let Ok(written) = writer.upsert(&player).await else { continue };
        if let Ok(rows) = Player::by_grade(grade).all(&reader).await
            && !rows.iter().any(|row| row.id == id)
        {
            count(&tally.missed_by_plain);
        }
        if let Ok(rows) = Player::by_grade(grade).after(&written).all(&reader).await {
            assert!(rows.iter().any(|row| row.id == id), "{player:?} was missed after its write: {rows:?}");
            count(&tally.seen);
        }
    }
}

/// The two clients of a schedule.
#[derive(Clone, Copy)]
enum Clients {
    OfPartitions,
    OfWrites,
}

fn run(seed: u64, clients: Clients, tally: &Rc<Tally>) {
    let world = World::new(seed, FAULTS);
    let service = Unreliable::new(OpenOptions::new().open_map(MapStorage::default()).unwrap(), world.clone());
    let handle = |number| Tables::new(service.clone()).with_seeded_tokens(seed << 3 | number);
    let mut schedule = Schedule::new(&service, world.clone());
    for (id, number) in [(0, 0), (1, 2)] {
        let (writer, reader) = (handle(number).with_deferred_updates(), handle(number + 1));
        let (world, tally) = (world.clone(), Rc::clone(tally));
        match clients {
            Clients::OfPartitions => schedule.client(client(id, writer, reader, world, tally)),
            Clients::OfWrites => schedule.client(client_after(id, writer, reader, world, tally)),
        }
    }
    let follower = handle(4);
    follower.register_entity::<Member>();
    follower.register_entity::<Player>();
    schedule.worker(settling(follower));
    schedule.run(|| {});
}

#[test]
fn a_settled_read_misses_nothing_and_a_checked_one_finds_nothing_stale() {
    let count = runs("SIMULATIONS", 300);
    let tally = Rc::new(Tally::default());
    for seed in 0..count {
        run(seed, Clients::OfPartitions, &tally);
    }
    println!("{count} schedules, {tally:?}");
    // Without an explicit option, reads return stale states.
    assert!(tally.missed_by_plain.get() > count / 10 && tally.stale_by_plain.get() > count / 10, "{tally:?}");
    assert!(tally.seen.get() > count, "{tally:?}");
}

#[test]
fn a_read_after_a_write_sees_the_written_entity() {
    let count = runs("SIMULATIONS", 200);
    let tally = Rc::new(Tally::default());
    for seed in 0..count {
        run(seed, Clients::OfWrites, &tally);
    }
    println!("{count} schedules, {tally:?}");
    assert!(tally.missed_by_plain.get() > count / 10 && tally.seen.get() > count, "{tally:?}");
}
