//! P8, one table per period: the table of a row, ranges over several tables and their order of rows, and the deletion
//! of a period.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use table_patterns::{OpenOptions, PerPeriod, prelude::*};
use table_store::{TableName, TableService, service::Pending};
use table_tests::{
    counting::{Calls, Counting},
    forward,
};

#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Logins{at:%Y%m%d}", partition = "{user}", row = "{at:inverted_ticks}")]
struct Login {
    user: String,
    at: Timestamp,
    ok: bool,
}

/// The RowKey does not start with the field of the period: a user's rows must be sorted.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Visits{at:%Y%m}", partition = "{user}", row = "{page}_{at:ticks}")]
struct Visit {
    user: String,
    page: String,
    at: Timestamp,
}

/// A number as the period, and two fields in the name.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "R{region:02}Y{year:04}", partition = "{shop}", row = "{region:02}_{year:04}_{number:06}")]
struct Sale {
    region: u8,
    year: u16,
    shop: String,
    number: u32,
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn login(user: &str, time: &str) -> Login {
    Login { user: user.into(), at: at(time), ok: true }
}

fn counted() -> (Tables, Counting<table_patterns::Store>) {
    let counting = Counting::new(OpenOptions::new().in_memory().unwrap());
    (Tables::new(counting.clone()), counting)
}

/// Writes five days, two users, two logins a day each.
fn week(tables: &Tables) {
    let blocking = tables.blocking();
    for day in 1..=5 {
        for user in ["jo", "mo"] {
            for hour in [8, 17] {
                blocking.insert(&login(user, &format!("2014-08-0{day}T{hour:02}:00:00Z"))).unwrap();
            }
        }
    }
}

fn days(logins: &[Stored<Login>]) -> Vec<String> {
    logins.iter().map(|login| login.at.to_string()[8..13].to_owned()).collect()
}

#[test]
fn writes_choose_and_make_the_table() {
    let (tables, counting) = counted();
    let blocking = tables.blocking();
    let written = blocking.insert(&login("jo", "2014-08-01T08:00:00Z")).unwrap();
    assert_eq!(written.address.table().as_str(), "Logins20140801");
    assert_eq!(counting.take(), Calls { writes: 2, creates: 1, ..Calls::default() });
    blocking.insert(&login("jo", "2014-08-01T23:59:59.9999999Z")).unwrap();
    assert_eq!(counting.take(), Calls { writes: 1, ..Calls::default() });
    blocking.upsert(&login("jo", "2014-08-02T00:00:00Z")).unwrap();
    assert_eq!(tables.blocking().periods::<Login>().unwrap().len(), 2);
}

#[test]
fn a_point_takes_the_fields_of_the_keys_which_say_the_table() {
    let (tables, counting) = counted();
    week(&tables);
    let time = at("2014-08-03T08:00:00Z");
    counting.take();
    let found = tables.blocking().get(&Login::point("jo", time)).unwrap().unwrap();
    assert_eq!(found.key().address().unwrap().table().as_str(), "Logins20140803");
    assert_eq!(counting.take(), Calls { finds: 1, ..Calls::default() });
    // With the last part specified, it is a point as well.
    assert!(tables.blocking().get(&Login::rows("jo").at(time)).unwrap().is_some());
    assert_eq!(counting.take().all(), 1);
    // A period that never existed.
    assert!(tables.blocking().get(&Login::point("jo", at("2020-01-01T00:00:00Z"))).unwrap().is_none());

    // A stored entity is changed and deleted in its table.
    let mut found = found;
    found.ok = false;
    tables.blocking().replace(&found).unwrap();
    let denied = Login::scan_partition("jo").filter(|login| login.ok.eq(false));
    assert_eq!(tables.blocking().all(&denied).unwrap().len(), 1);
    tables.blocking().delete_at(Login::point("jo", time)).unwrap();
    assert!(tables.blocking().all(&denied).unwrap().is_empty());

    // A change of the time would require another table: no single transaction supports this.
    let mut other = tables.blocking().get(&Login::point("jo", at("2014-08-04T08:00:00Z"))).unwrap().unwrap();
    other.at = at("2014-08-05T09:00:00Z");
    assert!(matches!(tables.blocking().replace(&other), Err(Error::KeyChanged { .. })));
    assert!(matches!(tables.blocking().rekey(&other), Err(Error::MovesPartition { .. })));
}

#[test]
fn a_key_says_its_table() {
    let key = LoginKey { user: "jo".into(), at: at("2014-08-03T08:00:00Z") };
    let address = key.address().unwrap();
    let parsed = LoginKey::parse(address.partition_key(), address.row_key()).unwrap();
    assert_eq!(parsed.address().unwrap(), address);
}

#[test]
fn points_of_several_tables_are_one_query_and_keep_their_tables() {
    let (tables, _) = counted();
    week(&tables);
    let times = ["2014-08-05T08:00:00Z", "2014-08-01T08:00:00Z", "2014-08-01T17:00:00Z"];
    let points: MultiPoint<Login> = times.map(|time| Login::point("jo", at(time))).into_iter().collect();
    let found = tables.blocking().all(&points).unwrap();
    assert_eq!(days(&found), ["05T08", "01T08", "01T17"]);
    let bags = tables.blocking().all(&points.bag()).unwrap();
    let names: Vec<_> = bags.iter().map(|bag| bag.address().table().as_str()).collect();
    assert_eq!(names, ["Logins20140805", "Logins20140801", "Logins20140801"]);
}

#[test]
fn a_range_reads_its_periods_and_no_other() {
    let (tables, counting) = counted();
    week(&tables);
    counting.take();
    let query = Login::rows("jo").between(at("2014-08-02T12:00:00Z")..at("2014-08-04T00:00:00Z"));
    let report = tables.blocking().report(&query).unwrap();
    // The newest table first, as the newest row is first in each.
    assert_eq!(days(&report.items), ["03T17", "03T08", "02T17"]);
    // Midnight is excluded, so the day that starts with it is not read.
    assert_eq!(counting.take(), Calls { queries: 2, ..Calls::default() });
    assert_eq!(report.stats.to_string(), "fan-out: 2 requests, 2 ranges, 3 read, 3 returned");

    let explain = query.explain().unwrap();
    assert_eq!(explain.class, QueryClass::FanOut);
    let first = "fan-out on Logins{at:%Y%m%d}, 2 tables from Logins20140802 to Logins20140803\n";
    assert!(explain.to_string().starts_with(first), "{explain}");
}

#[test]
fn an_open_end_asks_which_tables_there_are() {
    let (tables, counting) = counted();
    week(&tables);
    // A table of another design whose name has the same prefix.
    tables.blocking().insert(&DynamicEntity::new("LoginsOfOld", "jo", "x").unwrap()).unwrap();
    counting.take();
    let query = Login::rows("jo").between(at("2014-08-04T00:00:00Z")..);
    assert_eq!(days(&tables.blocking().all(&query).unwrap()), ["05T17", "05T08", "04T17", "04T08"]);
    assert_eq!(counting.take(), Calls { lists: 1, queries: 2, ..Calls::default() });
    assert_eq!(tables.blocking().all(&Login::rows("jo")).unwrap().len(), 10);
    assert_eq!(counting.take(), Calls { lists: 1, queries: 5, ..Calls::default() });
    // More periods than justify a request each.
    let years = Login::rows("jo").between(at("1999-01-01T00:00:00Z")..at("2030-01-01T00:00:00Z"));
    assert_eq!(tables.blocking().all(&years).unwrap().len(), 10);
    assert_eq!(counting.take(), Calls { lists: 1, queries: 5, ..Calls::default() });
}

#[test]
fn take_stops_at_the_first_tables() {
    let (tables, counting) = counted();
    week(&tables);
    counting.take();
    let newest = Login::rows("jo").take(3);
    assert_eq!(days(&tables.blocking().all(&newest).unwrap()), ["05T17", "05T08", "04T17"]);
    assert_eq!(counting.take(), Calls { lists: 1, queries: 2, ..Calls::default() });
}

#[test]
fn missing_tables_read_as_empty() {
    let (tables, counting) = counted();
    let range = Login::rows("jo").between(at("2014-08-01T00:00:00Z")..=at("2014-08-03T00:00:00Z"));
    assert!(tables.blocking().all(&range).unwrap().is_empty());
    assert_eq!(counting.take().queries, 3);
    assert!(tables.blocking().all(&Login::rows("jo")).unwrap().is_empty());
    assert!(tables.blocking().all(&Login::scan_table()).unwrap().is_empty());
    assert_eq!(tables.blocking().drop_before::<Login>(at("2014-08-03T00:00:00Z")).unwrap(), []);
}

#[test]
fn an_interval_of_nothing_sends_nothing() {
    let (tables, counting) = counted();
    week(&tables);
    counting.take();
    let none = Login::rows("jo").between(at("2014-08-03T00:00:00Z")..at("2014-08-03T00:00:00Z"));
    assert!(tables.blocking().all(&none).unwrap().is_empty());
    assert_eq!(counting.take(), Calls::default());
    assert!(none.explain().unwrap().to_string().contains("no request is sent"));
}

#[test]
fn rows_that_do_not_begin_with_the_period_are_put_in_order() {
    let (tables, counting) = counted();
    let blocking = tables.blocking();
    for (page, month) in [("b", 1), ("a", 2), ("b", 3), ("a", 1), ("c", 2), ("a", 3)] {
        let at = at(&format!("2014-0{month}-05T00:00:00Z"));
        blocking.insert(&Visit { user: "jo".into(), page: page.into(), at }).unwrap();
    }
    let shown = |visits: Vec<Stored<Visit>>| -> Vec<String> {
        visits.iter().map(|visit| format!("{}{}", visit.page, &visit.at.to_string()[5..7])).collect()
    };
    counting.take();
    let all = Visit::rows("jo");
    assert_eq!(shown(blocking.all(&all).unwrap()), ["a01", "a02", "a03", "b01", "b03", "c02"]);
    assert_eq!(counting.take(), Calls { lists: 1, queries: 3, ..Calls::default() });
    // With a fixed page, the rows sort by time, as do the tables.
    let page = Visit::rows("jo").at("a").between(at("2014-02-01T00:00:00Z")..at("2014-04-01T00:00:00Z"));
    assert_eq!(shown(blocking.all(&page).unwrap()), ["a02", "a03"]);
    assert_eq!(counting.take(), Calls { queries: 2, ..Calls::default() });
    assert_eq!(shown(blocking.all(&Visit::rows("jo").starts_with("b")).unwrap()), ["b01", "b03"]);
}

#[test]
fn a_name_of_two_fields_is_found_by_as_many_as_are_known() {
    let (tables, counting) = counted();
    let blocking = tables.blocking();
    for region in 1..=3 {
        for year in 2012..=2014 {
            blocking.insert(&Sale { region, year, shop: "s".into(), number: 7 }).unwrap();
        }
    }
    counting.take();
    assert_eq!(blocking.all(&Sale::rows("s")).unwrap().len(), 9);
    assert_eq!(counting.take(), Calls { lists: 1, queries: 9, ..Calls::default() });
    let one = Sale::rows("s").at(2);
    assert_eq!(blocking.all(&one).unwrap().len(), 3);
    assert_eq!(counting.take(), Calls { lists: 1, queries: 3, ..Calls::default() });
    assert_eq!(blocking.all(&Sale::rows("s").at(2).at(2013)).unwrap().len(), 1);
    assert_eq!(counting.take(), Calls { queries: 1, ..Calls::default() });
    let years: Vec<u16> =
        blocking.all(&Sale::rows("s").at(2).between(2013..)).unwrap().iter().map(|sale| sale.year).collect();
    assert_eq!(years, [2013, 2014]);
}

#[test]
fn a_table_scan_reads_all_tables_and_goes_on_in_any() {
    let (tables, _) = counted();
    week(&tables);
    let scan = Login::scan_table().filter(|login| login.ok.eq(true)).page_size(3);
    let mut found = Vec::new();
    let mut page = tables.blocking().page(&scan).unwrap();
    loop {
        found.extend(page.items.iter().map(|login| (login.user.clone(), login.at)));
        let Some(cursor) = page.cursor else { break };
        let cursor: Cursor = cursor.to_string().parse().unwrap();
        page = tables.blocking().page(&scan.clone().resume(cursor)).unwrap();
    }
    assert_eq!(found.len(), 20);
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 20);
}

#[test]
fn a_cursor_of_another_query_is_refused() {
    let (tables, _) = counted();
    week(&tables);
    let query = |user: &str| Login::rows(user).between(at("2014-08-01T00:00:00Z")..).page_size(1);
    let cursor = tables.blocking().page(&query("jo")).unwrap().cursor.unwrap();
    assert!(matches!(tables.blocking().page(&query("mo").resume(cursor)), Err(Error::Cursor(_))));
}

#[test]
fn old_periods_are_dropped_oldest_first_and_once() {
    let (tables, counting) = counted();
    week(&tables);
    counting.take();
    let cutoff = at("2014-08-04T12:00:00Z");
    let names =
        |dropped: Vec<TableName>| -> Vec<String> { dropped.iter().map(ToString::to_string).collect() };
    let dropped = tables.blocking().drop_before::<Login>(cutoff).unwrap();
    // The day of the cutoff is kept.
    assert_eq!(names(dropped), ["Logins20140801", "Logins20140802", "Logins20140803"]);
    assert_eq!(counting.take(), Calls { lists: 1, drops: 3, ..Calls::default() });
    assert_eq!(names(tables.blocking().drop_before::<Login>(cutoff).unwrap()), [""; 0]);
    assert_eq!(
        days(&tables.blocking().all(&Login::rows("jo")).unwrap()),
        ["05T17", "05T08", "04T17", "04T08"]
    );
}

#[test]
fn a_drop_that_was_cut_short_goes_on() {
    let (tables, _) = counted();
    week(&tables);
    let gone: TableName = "Logins20140801".parse().unwrap();
    pollster::block_on(tables.service().delete_table(&gone)).unwrap();
    let dropped = tables.blocking().drop_before::<Login>(at("2014-08-03T00:00:00Z")).unwrap();
    assert_eq!(dropped.len(), 1);
    assert_eq!(dropped.first().unwrap().as_str(), "Logins20140802");
}

#[test]
fn a_period_that_was_dropped_can_be_written_again() {
    let (tables, _) = counted();
    week(&tables);
    tables.blocking().drop_before::<Login>(at("2014-08-06T00:00:00Z")).unwrap();
    tables.blocking().insert(&login("jo", "2014-08-03T09:00:00Z")).unwrap();
    assert_eq!(days(&tables.blocking().all(&Login::rows("jo")).unwrap()), ["03T09"]);
}

#[test]
fn verbs_of_one_table_say_that_there_is_none() {
    let (tables, _) = counted();
    let error = pollster::block_on(tables.create::<Login>()).unwrap_err();
    assert!(error.to_string().contains("`Logins{at:%Y%m%d}`"), "{error}");
    assert!(pollster::block_on(tables.delete_table::<Login>()).is_err());
    assert_eq!(<Login as PerPeriod>::FIELD, "at");
}

/// Responds to the first requests for a table with an error that it is still being deleted.
#[derive(Debug)]
struct Sweeping<S> {
    below: S,
    left: Arc<AtomicU32>,
}

impl<S: TableService> TableService for Sweeping<S> {
    forward!(self, to self.below => capabilities delete_table list_tables find query execute transact);

    fn create_table<'a>(&'a self, table: &'a TableName) -> Pending<'a, ()> {
        let was_left = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
        if was_left.is_ok() {
            return Box::pin(async { Err(ErrorCode::TableBeingDeleted.into()) });
        }
        self.below.create_table(table)
    }
}

#[test]
fn a_write_into_a_period_that_is_being_swept_waits_for_it() {
    let left = Arc::new(AtomicU32::new(3));
    let below = OpenOptions::new().in_memory().unwrap();
    let tables = Tables::new(Sweeping { below, left: Arc::clone(&left) });
    tables.blocking().insert(&login("jo", "2014-08-03T09:00:00Z")).unwrap();
    assert_eq!(left.load(Ordering::SeqCst), 0);
}

/// Split over rows, in one table per year, sharded over partitions: all three are computed from one key.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(
    name = "Yearly{year:04}",
    partition = "{shard:02}_{employee}",
    row = "{year:04}_{part:02}",
    wide = 100
)]
#[table(shard(of = employee, count = 4))]
struct Yearly {
    employee: String,
    year: u16,
    #[table(series)]
    days: [Option<i32>; 365],
}

#[test]
fn a_wide_entity_has_its_parts_in_one_period_and_shard() {
    let (tables, _) = counted();
    let mut year = Yearly { employee: "jo".into(), year: 2014, days: [None; 365] };
    (year.days[0], year.days[300]) = (Some(1), Some(2));
    pollster::block_on(async {
        let written = tables.insert(&year).await.unwrap();
        assert_eq!(written.address.table().as_str(), "Yearly2014");
        tables.merge(Yearly::patch("jo", 2014).days(364, 3)).await.unwrap();
        let found = Yearly::point("jo", 2014).get(&tables).await.unwrap().unwrap();
        assert_eq!((found.days[0], found.days[300], found.days[364]), (Some(1), Some(2), Some(3)));
        assert!(Yearly::point("jo", 2015).get(&tables).await.unwrap().is_none());
    });
}
