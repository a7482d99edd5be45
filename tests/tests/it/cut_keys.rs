//! Keys that contain less than a field, or a field that is also a property: index rows lead back to them, and return
//! the complete field.

#![expect(clippy::unwrap_used, reason = "a broken promise ends the test")]
#![allow(clippy::duplicated_attributes, reason = "several indexes are unique")]

use pollster::block_on;
use table_patterns::{DifferenceKind, RepairStatus, Timestamp, prelude::*};

/// The key contains the day, a property the complete time; the number is in both as well.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Visits", partition = "{user}", row = "day_{at:%Y%m%d}_{id:06}")]
#[table(index(by_page, row = "page_{page}_{at:%Y%m%d}_{id:06}"))]
#[table(index(by_number, row = "number_{id:06}", unique, copy(page)))]
#[table(index(by_time, row = "at_{at:ticks}_{id:06}"))]
#[table(index(on_page, partition = "on_{page}", row = "latest", unique))]
#[table(index(
    anywhere,
    table = "Anywhere",
    partition = "{id:06}",
    row = "{at:inverted_ticks}",
    unique,
    copy()
))]
struct Visit {
    user: String,
    #[table(store, rename = "Number")]
    id: u32,
    at: Timestamp,
    page: String,
}

#[derive(Projection, Debug, PartialEq)]
#[table(of = Visit)]
struct Seen {
    at: Timestamp,
    page: String,
}

fn at(hour: i64) -> Timestamp {
    Timestamp::from_ticks(Timestamp::from_date(2014, 8, 3).unwrap().ticks() + hour * 36_000_000_000).unwrap()
}

fn visit() -> Visit {
    Visit { user: "jo".into(), id: 7, at: at(13), page: "home".into() }
}

fn with_one() -> Tables {
    let tables = Tables::in_memory().unwrap();
    tables.blocking().insert(&visit()).unwrap();
    tables
}

#[test]
fn a_copy_gives_the_whole_field_and_leads_back() {
    let tables = with_one();
    let b = tables.blocking();
    assert_eq!(*b.get(&Visit::point("jo", at(1), 7)).unwrap().unwrap(), visit(), "any time of the day");
    assert_eq!(*b.get(&Visit::by_page("jo", "home", at(23), 7)).unwrap().unwrap(), visit());
    assert_eq!(*b.get(&Visit::by_time("jo", at(13), 7)).unwrap().unwrap(), visit());
    let copy = b.get(&Visit::by_number("jo", 7)).unwrap().unwrap();
    assert_eq!((copy.at, copy.page.as_str()), (at(13), "home"));
    assert_eq!(*block_on(copy.load(&tables)).unwrap().unwrap(), visit());
    let copy = b.get(&Visit::on_page("home")).unwrap().unwrap();
    assert_eq!(*block_on(copy.load(&tables)).unwrap().unwrap(), visit());
    let copy = b.get(&Visit::anywhere(7, at(13))).unwrap().unwrap();
    assert_eq!((copy.user.as_str(), copy.id, copy.at), ("jo", 7, at(13)));
    assert_eq!(*block_on(copy.load(&tables)).unwrap().unwrap(), visit());
}

#[test]
fn a_selection_of_a_copy_asks_for_what_leads_back() {
    let tables = with_one();
    let b = tables.blocking();
    let seen = Seen { at: at(13), page: "home".into() };
    assert_eq!(b.get(&Visit::on_page("home").select::<Seen>()).unwrap().unwrap(), seen);
    assert_eq!(b.get(&Visit::by_page("jo", "home", at(0), 7).select::<Seen>()).unwrap().unwrap(), seen);
}

#[test]
fn rows_follow_and_are_verified_and_repaired() {
    let tables = with_one();
    let b = tables.blocking();
    let mut stored = b.get(&Visit::point("jo", at(13), 7)).unwrap().unwrap();
    (stored.at, stored.page) = (at(14), "help".into());
    b.replace(&stored).unwrap();
    assert!(b.get(&Visit::by_time("jo", at(13), 7)).unwrap().is_none());
    assert_eq!(b.get(&Visit::by_time("jo", at(14), 7)).unwrap().unwrap().page, "help");
    assert!(b.sweep(tables.verify::<Visit>()).unwrap().is_clean());

    b.delete_at(DynamicEntity::point("Visits", "on_help", "latest")).unwrap();
    let report = b.sweep(tables.verify::<Visit>().repair()).unwrap();
    assert_eq!(report.count(), 1);
    assert_eq!(report.differences[0].what, DifferenceKind::Missing);
    assert!(matches!(report.differences[0].repair, RepairStatus::Done));
    assert!(b.sweep(tables.verify::<Visit>()).unwrap().is_clean());

    b.delete_at(Visit::point("jo", at(14), 7)).unwrap();
    assert!(b.get(&Visit::on_page("help")).unwrap().is_none());
    assert!(b.sweep(tables.verify::<Visit>()).unwrap().is_clean());
}
