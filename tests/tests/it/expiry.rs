//! Entities that expire: what a sweep deletes, and what it does not, during concurrent writes and faults.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::pedantic, reason = "tests")]

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, SystemTime},
};

use pollster::block_on;
use table_patterns::{
    prelude::*,
    testing::{Faults, TestClock, TestTables},
};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Sessions", partition = "{user}", row = "user")]
struct User {
    user: String,
    #[table(from_source)]
    sessions: i64,
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Sessions", partition = "{user}", row = "s_{id:06}", expires = ends, changes)]
#[table(index(by_place, row = "p_{place}_{id:06}"))]
#[table(index(by_token, table = "Tokens", partition = "{token}", row = "token", unique))]
#[table(counted_in(User::sessions))]
struct Session {
    user: String,
    id: u32,
    place: String,
    token: String,
    #[table(rename = "Ends")]
    ends: Option<Timestamp>,
}

const HOUR: Duration = Duration::from_secs(3_600);

fn clock() -> TestClock {
    TestClock::new("2030-01-01T00:00:00Z".parse().unwrap())
}

fn session(id: u32, ends: Option<Timestamp>) -> Session {
    Session { user: "jo".into(), id, place: "bonn".into(), token: format!("t{id}"), ends }
}

async fn left(tables: &Tables) -> Vec<u32> {
    Session::rows("jo").all(tables).await.unwrap().iter().map(|session| session.id).collect()
}

#[test]
fn expired_entities_are_deleted_with_all_their_rows() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open()?;
        tables.insert(&User { user: "jo".into(), sessions: 0 }).await?;
        let now = clock.now();
        let soon = now.saturating_add(HOUR);
        for (id, ends) in [(1, Some(now)), (2, Some(soon)), (3, None), (4, Some(soon.saturating_add(HOUR)))] {
            tables.insert(&session(id, ends)).await?;
        }
        // An entity expires at its time, not after it.
        assert_eq!(tables.expire::<Session>().run().await?.deleted, 1);
        assert_eq!(left(&tables).await, [2, 3, 4]);

        clock.advance(HOUR);
        assert!(Session::point("jo", 2).get(&tables).await?.unwrap().is_expired(clock.now()));
        let report = tables.expire::<Session>().page_size(1).run().await?;
        assert_eq!((report.deleted, report.failed.len()), (1, 0));
        assert_eq!(left(&tables).await, [3, 4]);
        assert_eq!(tables.expire::<Session>().run().await?.deleted, 0);

        assert_eq!(Session::by_place_rows("jo").count(&tables).await?, 2);
        assert!(Session::by_token("t2").get(&tables).await?.is_none());
        assert_eq!(User::point("jo").get(&tables).await?.unwrap().sessions, 2);
        assert!(tables.verify::<Session>().run().await?.is_clean());
        // The unique token is free again, and each deletion is in the change feed.
        tables.insert(&Session { token: "t2".into(), ..session(9, None) }).await?;
        let changes = tables.changes::<Session>().next_batch().await?.changes;
        assert_eq!(changes.iter().filter(|change| change.new().is_none()).count(), 2);
        Ok(())
    })
}

#[test]
fn an_extension_between_read_and_delete_keeps_the_entity() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open()?;
        tables.insert(&session(1, Some(clock.now()))).await?;
        let (other, now) = (tables.clone(), clock.now());
        let reads = AtomicU32::new(0);
        // The sweep asks for the time once at its start, then after it has read an entity.
        let sweeping = tables.clone().with_clock(move || {
            if reads.fetch_add(1, Ordering::Relaxed) == 1 {
                let extend = other.blocking().update(Session::point("jo", 1), |session| {
                    session.ends = Some(now.saturating_add(HOUR));
                });
                extend.unwrap();
            }
            now
        });
        let report = sweeping.expire::<Session>().run().await?;
        assert_eq!((report.deleted, report.failed.len()), (0, 0));
        assert_eq!(left(&tables).await, [1]);
        Ok(())
    })
}

#[test]
fn faults_do_not_delete_more_and_the_sweep_continues() -> Result<()> {
    block_on(async {
        for nth in 1..=12 {
            for is_lost in [false, true] {
                let (clock, faults) = (clock(), Faults::new());
                let tables = TestTables::new().clock(&clock).faults(&faults).open()?;
                for id in 1..=3 {
                    tables.insert(&session(id, Some(clock.now()).filter(|_| id != 2))).await?;
                }
                if is_lost {
                    faults.lose_nth(nth);
                } else {
                    faults.fail_nth(nth, ErrorCode::ServerBusy);
                }
                let report = tables.expire::<Session>().run().await?;
                assert_eq!((report.deleted, report.failed.len()), (2, 0), "{nth} {is_lost}");
                tables.catch_up().await?;
                assert_eq!(left(&tables).await, [2], "{nth} {is_lost}");
                assert!(tables.verify::<Session>().run().await?.is_clean(), "{nth} {is_lost}");
            }
        }
        Ok(())
    })
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Links", partition = "{owner}", row = "l_{id:06}", entity_type = "Link")]
struct LinkV1 {
    owner: String,
    id: u32,
    until: Timestamp,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Links", partition = "{owner}", row = "l_{id:06}", version = 2, from(LinkV1), expires = ends)]
struct Link {
    owner: String,
    id: u32,
    #[table(was = "until")]
    ends: SystemTime,
}

impl From<LinkV1> for Link {
    fn from(LinkV1 { owner, id, until }: LinkV1) -> Self {
        Self { owner, id, ends: until.into() }
    }
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Links", partition = "{owner}", row = "n_{id:06}")]
struct Note {
    owner: String,
    id: u32,
    ends: Timestamp,
}

#[test]
fn rows_of_older_versions_expire_and_other_types_do_not() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open()?;
        let (past, future) = (clock.now(), clock.now().saturating_add(HOUR));
        for (id, until) in [(1, past), (2, future)] {
            tables.insert(&LinkV1 { owner: "jo".into(), id, until }).await?;
            tables.insert(&Link { owner: "jo".into(), id: id + 2, ends: until.into() }).await?;
            tables.insert(&Note { owner: "jo".into(), id, ends: until }).await?;
        }
        assert_eq!(tables.expire::<Link>().run().await?.deleted, 2);
        let links = Link::rows("jo").all(&tables).await?;
        assert_eq!(links.iter().map(|link| link.id).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(Note::rows("jo").count(&tables).await?, 2);
        Ok(())
    })
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Codes{at:%Y%m}", partition = "{shard:02}", row = "{at:ticks}_{id:06}", expires = ends)]
#[table(shard(of = id, count = 4))]
struct Code {
    at: Timestamp,
    id: u32,
    ends: Timestamp,
}

#[test]
fn a_sweep_over_periods_and_shards_resumes() -> Result<()> {
    block_on(async {
        let clock = clock();
        let tables = TestTables::new().clock(&clock).open()?;
        for id in 1..=8 {
            let at = clock.now().saturating_add(HOUR * 24 * 31 * (id % 2));
            let ends = if id <= 4 { clock.now() } else { clock.now().saturating_add(HOUR) };
            tables.insert(&Code { at, id, ends }).await?;
        }
        let mut first = tables.expire::<Code>().page_size(1);
        assert!(first.step().await?);
        let cursor = first.cursor().unwrap();
        let rest = tables.expire::<Code>().resume(cursor).run().await?;
        assert_eq!((first.report().deleted, rest.deleted), (1, 3));
        let ids: Vec<u32> = {
            let rows = Code::rows().between(clock.now()..=clock.now().saturating_add(HOUR * 24 * 40));
            rows.all(&tables).await?.iter().map(|code| code.id).collect()
        };
        assert_eq!(ids.len(), 4);
        assert!(ids.iter().all(|id| *id > 4), "{ids:?}");
        Ok(())
    })
}
