//! P8 and P12 against a model: random rows in periods and shards, random ranges, pages and resumes, tables dropped
//! between pages. The result of a query must equal the result of a sorted map, regardless of the requests.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;

use proptest::prelude::*;
use table_patterns::{PerPeriod, Query, prelude::*};

/// One table per day, newest first.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Newest{at:%Y%m%d}", partition = "{user}", row = "{at:inverted_ticks}_{id:02}")]
struct Newest {
    user: User,
    at: Timestamp,
    id: u8,
    size: i32,
}

/// One table per day; rows sort by another field first.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Mixed{at:%Y%m%d}", partition = "{user}", row = "{id:02}_{at:ticks}")]
struct Mixed {
    user: User,
    at: Timestamp,
    id: u8,
    size: i32,
}

/// One table, five partitions per user.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Sharded", partition = "{user}_{shard:01}", row = "{at:ticks}_{id:02}")]
#[table(shard(of = id, count = 5))]
struct Sharded {
    user: User,
    at: Timestamp,
    id: u8,
    size: i32,
}

/// Both: three partitions in one table per day.
#[derive(TableEntity, Clone, Debug, PartialEq)]
#[table(name = "Both{at:%Y%m%d}", partition = "{shard:02}_{user}", row = "{at:ticks}_{id:02}")]
#[table(shard(of = id, count = 3))]
struct Both {
    user: User,
    at: Timestamp,
    id: u8,
    size: i32,
}

/// Few users.
#[derive(KeyPart, TableValue, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct User(String);

#[derive(Clone, Debug)]
struct Made {
    user: u8,
    /// Ticks of a quarter of a day: several rows have the same time.
    quarter: u8,
    id: u8,
    size: i32,
}

/// Returns the first quarter.
fn start() -> Timestamp {
    "2014-02-26T00:00:00Z".parse().unwrap()
}

fn at(quarter: u8) -> Timestamp {
    start().saturating_add(std::time::Duration::from_secs(u64::from(quarter) * 6 * 3600))
}

fn user(number: u8) -> User {
    User(format!("user{number}"))
}

fn made() -> impl Strategy<Value = Made> {
    (0..2_u8, 0..24_u8, 0..8_u8, 0..100).prop_map(|(user, quarter, id, size)| Made {
        user,
        quarter,
        id,
        size,
    })
}

/// A query of one user: a range of quarters, each end included, excluded or unbounded.
#[derive(Clone, Debug)]
struct Asked {
    from: std::ops::Bound<u8>,
    to: std::ops::Bound<u8>,
    page_size: u32,
    take: Option<u64>,
    /// A number of days dropped before the page with this number.
    drop: Option<(usize, u8)>,
    /// `true` if a scan filters rows with values below 50.
    filtered: bool,
}

fn end() -> impl Strategy<Value = std::ops::Bound<u8>> {
    use std::ops::Bound::{Excluded, Included, Unbounded};
    prop_oneof![Just(Unbounded), (0..24_u8).prop_map(Included), (0..24_u8).prop_map(Excluded)]
}

fn asked() -> impl Strategy<Value = Asked> {
    (
        (end(), end()),
        1..5_u32,
        prop::option::of(0..12_u64),
        prop::option::of((1..4_usize, 0..7_u8)),
        any::<bool>(),
    )
        .prop_map(|((from, to), page_size, take, drop, filtered)| Asked {
            from,
            to,
            page_size,
            take,
            drop,
            filtered,
        })
}

/// Rows in the expected order of a query.
type Model<K> = BTreeMap<K, (u8, i32)>;

fn is_within(quarter: u8, asked: &Asked) -> bool {
    use std::ops::{Bound, RangeBounds};
    // `contains` of a range with crossed ends is `false` for all values.
    (asked.from, asked.to).contains(&quarter)
        && !matches!((asked.from, asked.to), (Bound::Excluded(from), Bound::Excluded(to)) if from >= to)
}

/// Runs a query page by page with a cursor that is formatted and parsed, and compares each page with the model: the
/// items are the next items of the model after the last item, regardless of dropped tables.
fn compare<K, Q, E>(
    tables: &Tables,
    query: &Q,
    asked: &Asked,
    model: &mut Model<K>,
    key_of: impl Fn(&E) -> K,
    mut drop: impl FnMut(&Tables, &mut Model<K>, u8),
) -> Result<(), TestCaseError>
where
    K: Ord + Clone + std::fmt::Debug,
    E: TableEntity,
    Q: Query<Row = E>,
{
    let wanted = |model: &Model<K>, behind: Option<&K>| -> Vec<K> {
        let rows = model.iter().filter(|(key, (quarter, size))| {
            is_within(*quarter, asked)
                && (!asked.filtered || *size >= 50)
                && behind.is_none_or(|last| *key > last)
        });
        rows.map(|(key, _)| key.clone()).collect()
    };
    let limit = asked.take.map_or(usize::MAX, |take| usize::try_from(take).unwrap());

    // All items together, and one by one.
    let all: Vec<K> = tables.blocking().all(query).unwrap().iter().map(|found| key_of(found)).collect();
    let expected: Vec<K> = wanted(model, None).into_iter().take(limit).collect();
    prop_assert_eq!(&all, &expected);

    // A stream that stops at each item in turn continues from there.
    let mut stream = query.stream(tables);
    let mut streamed = Vec::new();
    loop {
        let Some(found) = pollster::block_on(stream.try_next()).unwrap() else { break };
        streamed.push(key_of(&found.into_inner()));
        let Some(cursor) = stream.cursor() else { break };
        stream = query.clone().resume(cursor.to_string().parse().unwrap()).stream(tables);
    }
    prop_assert_eq!(&streamed, &expected);

    let mut last: Option<K> = None;
    let mut given = 0;
    let mut cursor: Option<Cursor> = None;
    for number in 0.. {
        prop_assert!(number < 1_000, "a run has an end");
        if let Some((at, day)) = asked.drop
            && at == number
        {
            drop(tables, model, day);
        }
        let page = match cursor.take() {
            None => query.clone(),
            Some(cursor) => query.clone().resume(cursor.to_string().parse().unwrap()),
        };
        let page = tables.blocking().page(&page).unwrap();
        let items: Vec<K> = page.items.iter().map(|found| key_of(found)).collect();
        let expected: Vec<K> =
            wanted(model, last.as_ref()).into_iter().take(limit - given).take(items.len()).collect();
        prop_assert_eq!(&items, &expected, "page {}", number);
        given += items.len();
        last = items.last().cloned().or(last);
        match page.cursor {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    let left = wanted(model, last.as_ref()).len();
    prop_assert!(given == limit || left == 0, "{} left", left);
    Ok(())
}

/// Drops the tables of days before a day.
fn drop_before<E: PerPeriod<Time = Timestamp>, K: Ord + Clone>(
    tables: &Tables,
    model: &mut Model<K>,
    day: u8,
) {
    pollster::block_on(tables.drop_before::<E>(at(day * 4))).unwrap();
    model.retain(|_, (quarter, _)| *quarter >= day * 4);
}

macro_rules! against_a_model {
    ($test:ident, $entity:ident, $key:expr, $ranged:expr, $drop:expr) => {
        #[test]
        fn $test() {
            let config = ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() };
            let mut runner = proptest::test_runner::TestRunner::new_with_rng(
                config,
                proptest::test_runner::TestRng::deterministic_rng(
                    proptest::test_runner::RngAlgorithm::ChaCha,
                ),
            );
            let cases = (prop::collection::vec(made(), 0..60), prop::collection::vec(asked(), 1..4));
            runner
                .run(&cases, |(rows, questions)| {
                    let tables = Tables::in_memory().unwrap();
                    let mut model = Model::new();
                    for Made { user: number, quarter, id, size } in rows {
                        let row = $entity { user: user(number), at: at(quarter), id, size };
                        tables.blocking().upsert(&row).unwrap();
                        if number == 0 {
                            model.insert($key(&row), (quarter, size));
                        }
                    }
                    for asked in questions {
                        let mut asked: Asked = asked;
                        let ends = (asked.from.map(at), asked.to.map(at));
                        let range = $ranged(ends, &mut asked);
                        let sized = range.page_size(asked.page_size);
                        if asked.filtered {
                            let scan = sized.scan(|row| row.size.ge(50));
                            let scan = match asked.take {
                                Some(take) => scan.take(take),
                                None => scan,
                            };
                            compare(&tables, &scan, &asked, &mut model, $key, $drop)?;
                        } else {
                            let sized = match asked.take {
                                Some(take) => sized.take(take),
                                None => sized,
                            };
                            compare(&tables, &sized, &asked, &mut model, $key, $drop)?;
                        }
                    }
                    Ok(())
                })
                .unwrap();
        }
    };
}

type Ends = (std::ops::Bound<Timestamp>, std::ops::Bound<Timestamp>);

against_a_model!(
    periods_newest_first,
    Newest,
    |row: &Newest| (std::cmp::Reverse(row.at), row.id),
    |ends: Ends, _: &mut Asked| Newest::rows(user(0)).between(ends),
    drop_before::<Newest, _>
);

against_a_model!(
    periods_put_in_order,
    Mixed,
    |row: &Mixed| (row.id, row.at),
    |_: Ends, asked: &mut Asked| {
        // The time is not the next part: the query is unbounded in time.
        (asked.from, asked.to) = (std::ops::Bound::Unbounded, std::ops::Bound::Unbounded);
        Mixed::rows(user(0)).between(..)
    },
    drop_before::<Mixed, _>
);

against_a_model!(
    shards_put_in_order,
    Sharded,
    |row: &Sharded| (row.at, row.id),
    |ends: Ends, _: &mut Asked| Sharded::rows(user(0)).between(ends),
    |_: &Tables, _: &mut Model<_>, _: u8| {}
);

against_a_model!(
    shards_in_periods,
    Both,
    |row: &Both| (row.at, row.id),
    |ends: Ends, _: &mut Asked| Both::rows(user(0)).between(ends),
    drop_before::<Both, _>
);
