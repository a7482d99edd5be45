//! Two entities of one lookup list: the first joined and left the list, the second joins it. Two workers apply the
//! commit records of the two partitions concurrently. The test runs every interleaving of their calls with at most four
//! switches, each on a separate list. At the end, the list must contain exactly the second entity.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::{future::Future, pin::Pin};

use table_patterns::prelude::*;
use table_proofs::simulation::{Faults, Stepped, Unreliable, World};
use table_store::{
    MapStorage, OpenOptions,
    blob::{ContainerName, ListBlobs},
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "RowMembers", partition = "{club}", row = "m_{id:02}")]
#[table(lookup(by_team, on = team, place = table, ids = "MemberIDs"))]
struct RowMember {
    club: String,
    id: u8,
    team: String,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "BlobMembers", partition = "{club}", row = "m_{id:02}")]
#[table(lookup(by_team, on = team, place = blob))]
struct BlobMember {
    club: String,
    id: u8,
    team: String,
}

type Part<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Operations on one of the two entity types.
struct Place {
    join: fn(&Tables, club: &str, id: u8, team: &str),
    leave: fn(&Tables, club: &str, id: u8),
    work: for<'a> fn(&'a Tables, club: &'a str) -> Part<'a>,
    members: fn(&Tables, team: &str) -> Vec<u8>,
    is_verified: fn(&Tables) -> bool,
    register: fn(&Tables),
}

macro_rules! place {
    ($entity:ident) => {
        Place {
            join: |tables, club, id, team| {
                let entity = $entity { club: club.into(), id, team: team.into() };
                tables.blocking().insert(&entity).unwrap();
            },
            leave: |tables, club, id| tables.blocking().delete_at($entity::point(club, id)).unwrap(),
            work: |tables, club| {
                Box::pin(async move {
                    tables.catch_up_partition(&$entity::rows(club)).await.unwrap();
                })
            },
            members: |tables, team| {
                let found = tables.blocking().all(&$entity::by_team(team)).unwrap();
                let mut found: Vec<u8> = found.into_iter().map(|member| member.id).collect();
                found.sort_unstable();
                found
            },
            is_verified: |tables| tables.blocking().sweep(tables.verify::<$entity>()).unwrap().is_clean(),
            register: |tables| {
                tables.register_entity::<$entity>();
            },
        }
    };
}

const ROWS: Place = place!(RowMember);
const BLOBS: Place = place!(BlobMember);

/// Room for one member of a list. Other members are in separate rows or blobs.
const SMALL: usize = 24;
/// The member that fills a list.
const FILLER: u8 = 90;
/// The member that joins and leaves, and the member that only joins.
const LEAVER: u8 = 1;
const NEWCOMER: u8 = 2;

/// A store and two workers that advance one call at a time.
struct Race {
    place: Place,
    /// The list has spilled before the two members join.
    spilled: bool,
    tables: Tables,
    workers: [Tables; 2],
    runs: u32,
    wrong: Vec<String>,
}

impl Race {
    fn new(place: Place, spilled: bool) -> Self {
        let room = if spilled { SMALL } else { usize::MAX };
        let world = World::new(1, Faults::default());
        let service = Unreliable::new(OpenOptions::new().open_map(MapStorage::default()).unwrap(), world);
        let worker = || Tables::new(service.clone()).with_blobs(service.clone()).with_list_room(room);
        let tables = Tables::from(service.store().clone()).with_list_room(room);
        let workers = [worker(), worker()];
        for tables in [&tables, &workers[0], &workers[1]] {
            (place.register)(tables);
        }
        Self { place, spilled, tables, workers, runs: 0, wrong: Vec::new() }
    }

    fn catch_up(&self) {
        pollster::block_on(self.tables.catch_up()).unwrap();
    }

    fn spill(&self, team: &str, club: &str) {
        for id in [FILLER, FILLER + 1] {
            (self.place.join)(&self.tables, club, id, team);
        }
        (self.place.leave)(&self.tables, club, FILLER + 1);
        self.catch_up();
    }

    /// Runs one interleaving. Returns `false` if a worker completed early, because the interleaving then equals another
    /// one.
    fn run(&mut self, newcomer: u8, switches: [usize; 4]) -> bool {
        self.runs += 1;
        let number = self.runs;
        let (team, left, joined) =
            (format!("t{number:04}"), format!("c{number:04}"), format!("d{number:04}"));
        if self.spilled {
            self.spill(&team, &format!("b{number:04}"));
        }
        let later = self.tables.with_deferred_updates();
        (self.place.join)(&later, &left, LEAVER, &team);
        (self.place.leave)(&later, &left, LEAVER);
        (self.place.join)(&later, &joined, newcomer, &team);
        let [first, second] = &self.workers;
        let mut leave = Stepped::new((self.place.work)(first, &left));
        let mut join = Stepped::new((self.place.work)(second, &joined));
        let [a, b, c, d] = switches;
        let is_new = join.advance(a) && leave.advance(b) && join.advance(c) && leave.advance(d);
        join.finish();
        leave.finish();
        self.catch_up();
        let mut expected = vec![newcomer];
        expected.extend(self.spilled.then_some(FILLER));
        let found = (self.place.members)(&self.tables, &team);
        if is_new && found != expected {
            self.wrong.push(format!("{switches:?}: {found:?}"));
        }
        is_new
    }

    /// Runs all interleavings. No interleaving may lose a member.
    fn enumerate(mut self, newcomer: u8) {
        let mut count = 0;
        for a in 0..6 {
            for b in 1..8 {
                for c in 1..4 {
                    count += (1..5).take_while(|d| self.run(newcomer, [a, b, c, *d])).count();
                }
            }
        }
        println!("{count} interleavings");
        assert!(count > 150, "{count} interleavings only");
        assert!(self.wrong.is_empty(), "{} of {count}: {:?}", self.wrong.len(), self.wrong.first());
        assert!((self.place.is_verified)(&self.tables));
    }
}

/// Returns a member that is stored in the same overflow blob as the member that leaves.
fn neighbour() -> u8 {
    let is_beside = |id: &u8| {
        let race = Race::new(BLOBS, true);
        race.spill("t", "b");
        (BLOBS.join)(&race.tables, "c0000", LEAVER, "t");
        (BLOBS.join)(&race.tables, "d0000", *id, "t");
        race.catch_up();
        let container = ContainerName::new("blobmembers").unwrap();
        let listing = race.tables.blobs().unwrap().list_blobs(&container, ListBlobs::new());
        // The blob has room for one of the two members, so the other member is in a blob one level below.
        let blobs = pollster::block_on(listing).unwrap().items;
        blobs.iter().any(|blob| blob.name().split(".jsonl/").last().unwrap().len() == "1/2".len())
    };
    (NEWCOMER..FILLER).find(is_beside).unwrap()
}

#[test]
fn two_members_of_a_row_list_race() {
    Race::new(ROWS, false).enumerate(NEWCOMER);
}

#[test]
fn two_members_of_a_blob_list_race() {
    Race::new(BLOBS, false).enumerate(NEWCOMER);
}

#[test]
fn two_members_of_a_spilled_row_list_race() {
    Race::new(ROWS, true).enumerate(NEWCOMER);
}

#[test]
fn two_members_of_a_blob_below_a_full_one_race() {
    let newcomer = neighbour();
    Race::new(BLOBS, true).enumerate(newcomer);
}
