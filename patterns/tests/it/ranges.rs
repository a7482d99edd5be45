//! Ranges over every kind of key part, with derived entities: the result of a query matches its definition for any key
//! values.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::ops::Bound;

use proptest::{collection::btree_set, prelude::*};
use table_patterns::{QueryClass, prelude::*};

fn run<T>(future: impl Future<Output = T>) -> T {
    pollster::block_on(future)
}

/// Creates tables in memory that contain these entities.
fn tables<E: TableEntity>(entities: &[E]) -> Tables {
    let tables = Tables::in_memory().unwrap();
    run(tables.bulk().insert_all(entities).run()).unwrap().into_result().unwrap();
    tables
}

/// A note with a time; newest first.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Notes", partition = "{who}", row = "{at:inverted_ticks}_{text}")]
struct Note {
    who: String,
    at: Timestamp,
    text: String,
}

/// A visit. The key contains its date, the property its time.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Visits", partition = "{page}", row = "{at:%Y%m%d}_{id:04}")]
struct Visit {
    page: String,
    at: Timestamp,
    id: u16,
}

/// A measurement, ordered by its value.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Values", partition = "{sensor:guid}", row = "{valid}_{value:ord}_{label:esc}_{n:ord}")]
struct Measured {
    sensor: Uuid,
    valid: bool,
    value: f64,
    label: String,
    n: i32,
}

/// A person, ordered by name.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "People", partition = "{country}", row = "{last:esc} {first:esc}")]
struct Person {
    country: String,
    last: String,
    first: String,
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[test]
fn times_are_asked_for_in_their_order_and_come_newest_first() {
    let day = |day: u8| Timestamp::from_date(2014, 7, day).unwrap();
    let notes: Vec<Note> =
        (1..=31).map(|n| Note { who: "jo".into(), at: day(n), text: format!("n{n}") }).collect();
    let tables = tables(&notes);
    let newest = run(Note::rows("jo").take(3).report(&tables)).unwrap();
    assert_eq!(newest.items.iter().map(|note| note.at).collect::<Vec<_>>(), [day(31), day(30), day(29)]);
    assert_eq!(newest.stats.read, 3);
    let week = run(Note::rows("jo").between(day(10)..day(17)).all(&tables)).unwrap();
    assert_eq!(
        week.iter().map(|note| note.at).collect::<Vec<_>>(),
        (10..17).rev().map(day).collect::<Vec<_>>()
    );
    let one = run(Note::rows("jo").at(day(5)).starts_with("n").all(&tables)).unwrap();
    assert_eq!(one.iter().map(|note| &*note.text).collect::<Vec<_>>(), ["n5"]);
}

#[test]
fn a_time_is_kept_whole_where_its_key_holds_the_day() {
    let visit = |id, at: &str| Visit { page: "home".into(), at: time(at), id };
    let visits = [
        visit(1, "2014-07-30T23:59:59Z"),
        visit(2, "2014-07-31T06:00:00Z"),
        visit(3, "2014-07-31T18:00:00.5Z"),
        visit(4, "2014-08-01T00:00:00Z"),
    ];
    let tables = tables(&visits);
    let found = |query: table_patterns::RangeQuery<Visit>| {
        run(query.all(&tables)).unwrap().iter().map(|visit| visit.id).collect::<Vec<_>>()
    };
    let rows = || Visit::rows("home");
    assert_eq!(
        found(rows().between(time("2014-07-31T07:00:00Z")..)),
        [3, 4],
        "the day's first visit is too early"
    );
    assert_eq!(found(rows().between(..=time("2014-07-31T18:00:00Z"))), [1, 2]);
    assert_eq!(found(rows().between(time("2014-07-31T06:00:00Z")..time("2014-07-31T18:00:00.5Z"))), [2]);
    let all = run(Visit::rows("home").all(&tables)).unwrap();
    assert_eq!(all.into_iter().map(Stored::into_inner).collect::<Vec<_>>(), visits, "to the tick");
}

#[test]
fn every_format_comes_back_from_its_key() {
    let sensor = Uuid::from_u128(0x3031_3233_3435_3637_3839_6162_6364_6566);
    let measured = [
        Measured { sensor, valid: false, value: 1e300, label: String::new(), n: i32::MAX },
        Measured { sensor, valid: true, value: f64::NEG_INFINITY, label: "a/b#c?".into(), n: -1 },
        Measured { sensor, valid: true, value: -1.5, label: "_~ \u{7f}".into(), n: i32::MIN },
        Measured { sensor, valid: true, value: 0.0, label: "é𝄞".into(), n: 0 },
        Measured { sensor, valid: true, value: 2.5, label: "x_y".into(), n: 7 },
    ];
    let tables = tables(&measured);
    let all = run(Measured::rows(sensor).all(&tables)).unwrap();
    assert_eq!(
        all.into_iter().map(Stored::into_inner).collect::<Vec<_>>(),
        measured,
        "in the order of their values"
    );
    let valid = || Measured::rows(sensor).at(true);
    assert_eq!(run(valid().between(-2.0..=0.0).all(&tables)).unwrap().len(), 2);
    assert_eq!(run(valid().at(2.5).starts_with("x_").all(&tables)).unwrap().len(), 1);
    assert!(run(valid().at(2.5).at("x_y").at(7).get(&tables)).unwrap().is_some());
    let nan = valid().between(f64::NAN..).explain().unwrap_err();
    assert!(nan.to_string().contains("NaN has no place in an order"), "{nan}");
}

fn bound<T>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Bound<T>>
where
    T: Clone + std::fmt::Debug,
{
    (value, 0_u8..3).prop_map(|(value, kind)| match kind {
        0 => Bound::Included(value),
        1 => Bound::Excluded(value),
        _ => Bound::Unbounded,
    })
}

/// Generates names from characters with unusual sort order: before and after the space, escaped, beyond the basic
/// plane.
fn name() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        proptest::sample::select(vec!['a', 'b', '~', '!', '/', '\u{1}', '\u{e000}', '\u{10000}']),
        1..4,
    )
    .prop_map(|characters| characters.into_iter().collect::<String>())
    .prop_filter("a row key led by text begins above `!`", |name| !name.starts_with(['!', '\u{1}']))
}

fn in_units(one: &str, other: &str) -> std::cmp::Ordering {
    table_model::key::compare(one, other)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_range_of_texts_is_what_its_definition_says(
        names in btree_set((name(), name()), 1..24),
        from in bound(name()),
        to in bound(name()),
    ) {
        let people: Vec<Person> = names
            .into_iter()
            .map(|(last, first)| Person { country: "x".into(), last, first })
            .collect();
        let tables = tables(&people);
        let within = |last: &str| {
            (match &from {
                Bound::Included(from) => in_units(last, from).is_ge(),
                Bound::Excluded(from) => in_units(last, from).is_gt(),
                Bound::Unbounded => true,
            }) && (match &to {
                Bound::Included(to) => in_units(last, to).is_le(),
                Bound::Excluded(to) => in_units(last, to).is_lt(),
                Bound::Unbounded => true,
            })
        };
        let mut expected: Vec<Person> = people.iter().filter(|person| within(&person.last)).cloned().collect();
        expected.sort_by(|a, b| in_units(&a.last, &b.last).then_with(|| in_units(&a.first, &b.first)));
        let text = |bound: &Bound<String>| bound.clone();
        let (from, to) = (text(&from), text(&to));
        let query = Person::rows("x")
            .between((from.as_ref().map(String::as_str), to.as_ref().map(String::as_str)));
        let found = run(query.report(&tables)).unwrap();
        prop_assert_eq!(found.stats.class, QueryClass::RowRange);
        prop_assert_eq!(found.stats.read, found.stats.returned, "a range reads what it returns");
        let found: Vec<Person> = found.items.into_iter().map(Stored::into_inner).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn a_beginning_finds_what_begins_so(names in btree_set(name(), 1..24), beginning in name()) {
        let people: Vec<Person> = names
            .into_iter()
            .map(|last| Person { country: "x".into(), last, first: "y".into() })
            .collect();
        let tables = tables(&people);
        let expected = people.iter().filter(|person| person.last.starts_with(&beginning)).count();
        let found = run(Person::rows("x").starts_with(&beginning).report(&tables)).unwrap();
        prop_assert_eq!(found.items.len(), expected);
        prop_assert_eq!(found.stats.read, found.stats.returned);
    }
}
