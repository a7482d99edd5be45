//! Cursors as earlier builds wrote them: they resume their queries, so the digest of a query never changes.

#![allow(clippy::unwrap_used, reason = "tests")]

use table_patterns::{Cursor, FanOut, Query, prelude::*};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{team}", row = "s_{id:06}", entity_type = "Staff")]
struct StaffV1 {
    team: String,
    id: u32,
    years: i32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{team}", row = "s_{id:06}", version = 2, from(StaffV1), soft_delete = gone)]
#[table(index(by_age, row = "age_{age:03}_{id:06}"))]
#[table(index(by_name, partition = "name_{team}", row = "{name}_{id:06}"))]
#[table(lookup(by_city, on = city, place = partition))]
struct Staff {
    team: String,
    id: u32,
    age: i32,
    name: String,
    city: String,
    gone: Option<Timestamp>,
}

impl From<StaffV1> for Staff {
    fn from(old: StaffV1) -> Self {
        Self {
            team: old.team,
            id: old.id,
            age: old.years,
            name: "None".into(),
            city: "Porto".into(),
            gone: None,
        }
    }
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Staff", partition = "{team}", row = "site_{site}")]
struct Site {
    team: String,
    site: String,
}

#[derive(TableUnion, Debug)]
#[table(partition = "{team}", unknown = skip)]
enum Any {
    Staff(#[allow(dead_code, reason = "only its rows count")] Stored<Staff>),
    Site(#[allow(dead_code, reason = "only its rows count")] Stored<Site>),
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Events", partition = "{shard:02}", row = "{at:ticks}_{device:06}")]
#[table(shard(of = device, count = 4))]
struct Event {
    at: Timestamp,
    device: u32,
    level: i32,
}

#[derive(Projection, Debug)]
#[table(of = Staff)]
struct Age {
    #[allow(dead_code, reason = "only its rows count")]
    age: i32,
}

const TEAM: &str = "Sales, north";

fn staff(id: u32) -> Staff {
    Staff {
        team: TEAM.into(),
        id,
        age: 20 + i32::try_from(id).unwrap(),
        name: format!("N{id}"),
        city: "Porto".into(),
        gone: None,
    }
}

fn noon() -> Timestamp {
    "2014-08-01T12:00:00Z".parse().unwrap()
}

fn filled() -> Tables {
    let tables = Tables::in_memory().unwrap();
    let b = tables.blocking();
    for id in 1..=6 {
        b.insert(&staff(id)).unwrap();
        b.insert(&Event { at: noon(), device: id, level: 3 }).unwrap();
    }
    b.insert(&StaffV1 { team: TEAM.into(), id: 9, years: 30 }).unwrap();
    b.insert(&Site { team: TEAM.into(), site: "Porto".into() }).unwrap();
    tables
}

/// Checks the text of the first cursor of a query, and that the query resumes at it.
fn check<Q: Query>(tables: &Tables, name: &str, query: &Q, text: &str) {
    let first = query.stream(tables).cursor().unwrap().to_string();
    assert_eq!(first, text, "{name}");
    let all = tables.blocking().all(query).unwrap().len();
    let cursor: Cursor = text.parse().unwrap();
    assert_eq!(tables.blocking().all(&query.clone().resume(cursor)).unwrap().len(), all, "{name}");
    assert_ne!(all, 0, "{name}");
}

macro_rules! checked {
    ($tables:ident $($name:literal = $text:literal: $query:expr;)*) => {
        $(check(&$tables, $name, &$query, $text);)*
    };
}

#[test]
fn cursors_of_earlier_builds_resume_their_queries() {
    let tables = filled();
    let points = || [4, 2, 7].into_iter().map(|id| Staff::point(TEAM, id));
    checked! { tables
        "rows" = "2.ba08731f3d30f25b.0.s.f3e490b2": Staff::rows(TEAM).between(..);
        "open" = "2.ba08731f3d30f25b.0.s.f3e490b2": Staff::rows(TEAM);
        "between" = "2.a644851844eedea4.0.s.67701c56": Staff::rows(TEAM).between(2..=5);
        "above" = "2.cb2d131f6e5262a6.0.s.6b062fb7": Staff::rows(TEAM).between(3..);
        "select" = "2.a644851844eedea4.0.s.67701c56": Staff::rows(TEAM).between(2..=5).select::<Age>();
        "descending" = "2.3fd469713914ce1c.0.s.9bcfc7a2": Staff::rows(TEAM).between(2..=5).descending();
        "deleted" = "2.00937504855628b2.0.s.f94a1997": Staff::rows(TEAM).between(2..=5).with_deleted();
        "range scan" = "2.1af5f48ab6a794d1.0.s.20ecccad":
            Staff::rows(TEAM).between(2..=5).scan(|staff| staff.age.ge(22) & staff.city.eq("Porto"));
        "partition scan" = "2.ff54884b6435a74a.0.s.d784a8ab":
            Staff::scan_partition(TEAM).filter(|staff| staff.age.ge(22) | staff.name.eq("N1"));
        "table scan" = "2.ece7cef6fe7ff439.0.s.6beed3f4": Staff::scan_table().filter(|staff| staff.age.ge(22));
        "older" = "2.3a6842f02ff60d25.0.s.46a3b6ea": StaffV1::rows(TEAM).between(9..);
        "near" = "2.f47e796df713d2eb.0.s.5dab8779": Staff::by_age_rows(TEAM).between(21..);
        "far" = "2.90114b1e50f6f82a.0.s.df1dfb22": Staff::by_name_rows(TEAM).between("N2".."N5");
        "validated" = "2.967fc6600a188811.0.s.e4cc611c": Staff::by_name_rows(TEAM).validated();
        "far scan" = "2.c9f337774394a4e3.0.s.7feafaab":
            Staff::by_name_rows(TEAM).between("N2"..).scan(|staff| staff.age.ge(22));
        "point" = "2.7fe754c69dce1bf4.0.s.3983964b": MultiPoint::from(Staff::point(TEAM, 3));
        "far point" = "2.e9a226fc98c01100.0.s.f468601e": MultiPoint::from(Staff::by_name(TEAM, "N2", 2));
        "points" = "2.6af27dceae8a7762.0.s.85edca94": points().collect::<MultiPoint<_>>();
        "list" = "2.63d7021be9c19d89.0.s.dc618a94": Staff::by_city(TEAM, "Porto");
        "union" = "2.60a802cd23a07b24.0.s.72b1a3f5": Any::rows(TEAM);
        "shards" = "2.7abf879779e2ea28.0.s.e7b3a219": Event::rows().between(noon()..);
        "shards, descending" = "2.3c962e4e9e649b18.0.s.9090432f":
            Event::rows().between(noon()..).descending();
        "shard scan" = "2.e189fcb6b08b6627.0.s.3c634df9":
            Event::scan_partition().filter(|event| event.level.eq(3));
        "partitions" = "2.794b7575b63f56e4.0.s.2c3a248b":
            [TEAM, "Lab"].into_iter().map(|team| Staff::rows(team).between(2..)).collect::<FanOut<_>>();
    }
}
