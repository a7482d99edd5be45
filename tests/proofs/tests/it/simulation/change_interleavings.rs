//! An entity changes, and changes back while a worker applies the first commit record. A second worker concurrently
//! applies both records. It finds the correct content in the derived row, but must write the row anyway, so that the
//! write of the first worker fails. The test runs every interleaving of their calls with at most four switches, each on
//! a separate entity.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::{future::Future, pin::Pin};

use table_patterns::prelude::*;
use table_proofs::simulation::{Faults, Stepped, Unreliable, World};
use table_store::{MapStorage, OpenOptions};

/// An entity with an index row in another partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Members", partition = "{club}", row = "member")]
#[table(index(by_team, partition = "teams", row = "{club}", copy(score)))]
struct Member {
    club: String,
    score: i32,
}

/// An entity that contributes to an aggregate in another partition.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Players", partition = "{club}", row = "player", summed_in(Team::score, of = score))]
struct Player {
    club: String,
    score: i32,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Teams", partition = "teams", row = "{club}", allow(append_only))]
struct Team {
    club: String,
    #[table(from_source)]
    score: i64,
}

type Part<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// Operations on one of the two entity types.
struct Place {
    register: fn(&Tables),
    put: fn(&Tables, club: &str, score: i32),
    work: for<'a> fn(&'a Tables, club: &'a str) -> Part<'a>,
    /// Reads the score from the other partition.
    shown: fn(&Tables, club: &str) -> i64,
}

macro_rules! place {
    ($entity:ident, $shown:expr) => {
        Place {
            register: |tables| {
                tables.register_entity::<$entity>();
            },
            put: |tables, club, score| {
                tables.blocking().upsert(&$entity { club: club.into(), score }).unwrap();
            },
            work: |tables, club| {
                Box::pin(async move {
                    tables.catch_up_partition(&$entity::rows(club)).await.unwrap();
                })
            },
            shown: $shown,
        }
    };
}

const ROW: Place = place!(Member, |tables, club| {
    i64::from(tables.blocking().get(&Member::by_team(club)).unwrap().unwrap().score)
});
const TOTAL: Place =
    place!(Player, |tables, club| tables.blocking().get(&Team::point(club)).unwrap().unwrap().score);

/// A store and two workers that advance one call at a time.
struct Race {
    place: Place,
    tables: Tables,
    workers: [Tables; 2],
}

impl Race {
    fn new(place: Place) -> Self {
        let service = Unreliable::new(
            OpenOptions::new().open_map(MapStorage::default()).unwrap(),
            World::new(1, Faults::default()),
        );
        let (tables, worker) = (Tables::from(service.store().clone()), || Tables::new(service.clone()));
        let workers = [worker(), worker()];
        for tables in [&tables, &workers[0], &workers[1]] {
            (place.register)(tables);
        }
        Self { place, tables, workers }
    }

    /// Runs one interleaving. Returns the score in the derived row at the end.
    fn run(&self, club: &str, [a, b, c]: [usize; 3]) -> i64 {
        self.tables.blocking().upsert(&Team { club: club.into(), score: 0 }).unwrap();
        (self.place.put)(&self.tables, club, 0);
        let (later, [first, second]) = (self.tables.with_deferred_updates(), &self.workers);
        (self.place.put)(&later, club, 1);
        let mut slow = Stepped::new((self.place.work)(first, club));
        slow.advance(a);
        (self.place.put)(&later, club, 0);
        let mut fast = Stepped::new((self.place.work)(second, club));
        fast.advance(b);
        slow.advance(c);
        fast.finish();
        slow.finish();
        pollster::block_on(self.tables.catch_up()).unwrap();
        (self.place.shown)(&self.tables, club)
    }

    /// Runs all interleavings. Each must end with the last score.
    fn enumerate(&self) {
        let (mut count, mut wrong) = (0, Vec::new());
        for a in 0..8 {
            for b in 0..12 {
                for c in 0..5 {
                    count += 1;
                    let shown = self.run(&format!("c{count:04}"), [a, b, c]);
                    if shown != 0 {
                        wrong.push([a, b, c]);
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{} of {count}: {:?}", wrong.len(), wrong.first());
    }
}

#[test]
fn row_shows_entity_that_changed_back() {
    Race::new(ROW).enumerate();
}

#[test]
fn total_shows_entity_that_changed_back() {
    Race::new(TOTAL).enumerate();
}
