//! A request that takes effect after a later one was acknowledged, through the HTTP client and real sockets.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]
#![expect(clippy::struct_field_names, reason = "hours have hours")]

use pollster::block_on;
use table_patterns::prelude::*;
use table_proofs::remote::{Proxy, Served};
use table_rest::ServiceKind;

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "LateHours", partition = "{who}", row = "{year:04}")]
struct Hours {
    who: String,
    year: u16,
    note: i32,
    #[table(series)]
    hours: [Option<i32>; 4],
}

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "LateDays", partition = "{who}", row = "{year:04}_{part:02}", wide = 2)]
struct Days {
    who: String,
    year: u16,
    #[table(series)]
    days: [Option<i32>; 6],
}

/// A register of one entity: its merges by key and with a version, and its value.
type Merge = fn(&Tables, i32) -> Result<()>;
type Read = fn(&Tables) -> Option<i32>;

fn hours(tables: &Tables) -> Stored<Hours> {
    block_on(Hours::point("a", 1).get(tables)).unwrap().unwrap()
}

fn days(tables: &Tables) -> Stored<Days> {
    block_on(Days::point("a", 1).get(tables)).unwrap().unwrap()
}

const REGISTERS: [(&str, Merge, Merge, Read); 3] = [
    (
        "property",
        |tables, value| block_on(tables.merge(Hours::patch("a", 1).note(value))).map(drop),
        |tables, value| block_on(tables.merge(hours(tables).patch().note(value))).map(drop),
        |tables| Some(hours(tables).note),
    ),
    (
        "slot of a series",
        |tables, value| block_on(tables.merge(Hours::patch("a", 1).hours(3, value))).map(drop),
        |tables, value| block_on(tables.merge(hours(tables).patch().hours(3, value))).map(drop),
        |tables| hours(tables).hours[3],
    ),
    (
        "part of a wide entity",
        |tables, value| block_on(tables.merge(Days::patch("a", 1).days(3, value))).map(drop),
        |tables, value| block_on(tables.merge(days(tables).patch().days(3, value))).map(drop),
        |tables| days(tables).days[3],
    ),
];

/// Returns a server, and handles of which one sends its requests to tables through a proxy.
fn site() -> (Served, Tables, Tables, Proxy) {
    let served = Served::new().unwrap();
    let proxy = Proxy::new(served.address(ServiceKind::Table).unwrap()).unwrap();
    let (direct, through) = (served.tables().unwrap(), served.tables_through(&proxy).unwrap());
    block_on(direct.insert(&Hours { who: "a".into(), year: 1, note: 0, hours: [Some(0); 4] })).unwrap();
    block_on(direct.insert(&Days { who: "a".into(), year: 1, days: [Some(0); 6] })).unwrap();
    (served, direct, through, proxy)
}

#[test]
fn late_merges_by_key_were_not_acknowledged() {
    let (_served, direct, through, proxy) = site();
    for (name, by_key, _, read) in REGISTERS {
        proxy.hold_next_write();
        let error = by_key(&through, 1).unwrap_err();
        assert!(matches!(error, Error::OutcomeUnknown(_)), "{name}: {error}");
        by_key(&through, 2).unwrap();
        assert_eq!(read(&direct), Some(2), "{name}");
        // It overwrites a later value, which is why it is not acknowledged.
        assert_eq!(proxy.deliver().unwrap(), 204, "{name}");
        assert_eq!(read(&direct), Some(1), "{name}");
    }
}

#[test]
fn late_merges_with_a_version_fail() {
    let (_served, direct, through, proxy) = site();
    for (name, _, with_version, read) in REGISTERS {
        proxy.hold_next_write();
        with_version(&through, 1).unwrap();
        with_version(&through, 2).unwrap();
        assert_eq!(proxy.deliver().unwrap(), 412, "{name}");
        assert_eq!(read(&direct), Some(2), "{name}");
    }
}
