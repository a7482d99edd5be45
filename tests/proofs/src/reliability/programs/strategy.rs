//! Strategies for programs, which also define their reduction: towards the first alternative.

use proptest::{bool::weighted, collection::vec, option, prelude::*, sample::select, strategy::Union};
use table_store::{Filter, Timestamp, Uuid, Value, filter::Comparison};

use super::step::{Act, Ask, Flaw, Keys, NAMES, Program, Selected, Step, Table, Verb, Version};
use crate::reliability::clock::START;

/// Returns programs with this average number of steps.
pub fn program(mean: usize) -> BoxedStrategy<Program> {
    let steps = vec(step(), 1..=2 * mean);
    (any::<bool>(), steps).prop_map(|(relaxed, steps)| Program { relaxed, steps }).boxed()
}

fn step() -> impl Strategy<Value = Step> {
    Union::new_weighted(vec![
        (6, table().prop_map(Step::Create).boxed()),
        (40, (table(), act()).prop_map(|(table, act)| Step::Write(table, act)).boxed()),
        (16, transaction().boxed()),
        (
            12,
            (table(), keys(), selected())
                .prop_map(|(table, keys, names)| Step::Get(table, keys, names))
                .boxed(),
        ),
        (
            20,
            (table(), ask(), any::<bool>())
                .prop_map(|(table, ask, all)| Step::Query(table, ask, all))
                .boxed(),
        ),
        (8, Just(Step::Resume).boxed()),
        (3, (table(), any::<bool>()).prop_map(|(table, wait)| Step::Drop(table, wait)).boxed()),
        (
            3,
            (option::of(filter(vec!["TableName"])), top())
                .prop_map(|(filter, top)| Step::List(filter, top))
                .boxed(),
        ),
        (1, table().prop_map(Step::Bulk).boxed()),
        (2, Just(Step::Flush).boxed()),
        (2, Just(Step::Reopen).boxed()),
        (2, Just(Step::Copy).boxed()),
        (2, (-100_000_000..100_000_000_i64).prop_map(Step::Jump).boxed()),
    ])
}

/// Returns mostly the first table, so that steps affect the same table.
fn table() -> impl Strategy<Value = Table> {
    prop_oneof![6 => Just(0), 2 => Just(1), 1 => Just(2)]
}

fn keys() -> impl Strategy<Value = Keys> {
    (0..5_u8, 0..5_u8)
}

fn top() -> impl Strategy<Value = Option<u32>> {
    select(vec![None, Some(1), Some(2), Some(3), Some(7), Some(1000), Some(0), Some(1001)])
}

fn selected() -> impl Strategy<Value = Selected> {
    option::of(vec(0..8_u8, 0..4))
}

fn ask() -> impl Strategy<Value = Ask> {
    let filter = option::weighted(0.8, filter(NAMES.into_iter().take(7).collect()));
    (filter, selected(), top(), weighted(0.3)).prop_map(|(filter, select, top, descending)| Ask {
        filter,
        select,
        top,
        descending,
    })
}

fn version() -> impl Strategy<Value = Version> {
    select(vec![Version::Any, Version::Current, Version::Current, Version::Before, Version::Never])
}

fn act() -> impl Strategy<Value = Act> {
    let verb = prop_oneof![
        3 => Just(Verb::Insert),
        2 => Just(Verb::InsertOrReplace),
        2 => Just(Verb::InsertOrMerge),
        2 => version().prop_map(Verb::Replace),
        2 => version().prop_map(Verb::Merge),
        2 => version().prop_map(Verb::Delete),
    ];
    let properties = vec((0..3_u8, value()), 0..3);
    (verb, keys(), properties).prop_map(|(verb, keys, properties)| Act { verb, keys, properties })
}

fn transaction() -> impl Strategy<Value = Step> {
    let flaw = prop_oneof![
        20 => Just(Flaw::None),
        1 => Just(Flaw::Empty),
        1 => Just(Flaw::Twice),
        1 => Just(Flaw::Elsewhere),
        1 => Just(Flaw::TooMany),
    ];
    (table(), vec(act(), 1..6), flaw).prop_map(|(table, acts, flaw)| Step::Transact(table, acts, flaw))
}

/// Returns a value of any type; few values per type, so that they are often equal.
fn value() -> impl Strategy<Value = Value> {
    let numbers = vec![0.0, -0.0, 1.0, -1.5, 2.0, f64::INFINITY, f64::NAN];
    prop_oneof![
        3 => (-1..3_i32).prop_map(Value::Int32),
        2 => (-1..3_i64).prop_map(Value::Int64),
        2 => select(numbers).prop_map(Value::Double),
        2 => select(vec!["", "a", "a\u{ffff}", "a\u{10000}", "it's"]).prop_map(Value::from),
        1 => any::<bool>().prop_map(Value::Boolean),
        1 => vec(0..3_u8, 0..3).prop_map(Value::Binary),
        1 => (0..2_u128).prop_map(|number| Value::Guid(Uuid::from_u128(number << 120))),
        1 => time().prop_map(Value::DateTime),
    ]
}

/// Returns a time near the assigned times of the store.
fn time() -> impl Strategy<Value = Timestamp> {
    (0..400_i64).prop_map(|step| Timestamp::from_ticks(START + step * 1_000).unwrap_or(Timestamp::MAX))
}

/// Returns a filter of up to four levels; a few exceed the allowed number of comparisons.
fn filter(names: Vec<&'static str>) -> impl Strategy<Value = Filter> {
    let literal = prop_oneof![
        2 => select(vec!["a", "", "a\u{ffff}", "a\u{10000}", "b"]).prop_map(Value::from),
        2 => value(),
    ];
    let name = select(names);
    let compare = (name.clone(), select(Comparison::ALL.to_vec()), literal);
    let leaf = prop_oneof![
        12 => compare.prop_map(|(name, operator, literal)| Filter::compare(name, operator, literal)),
        1 => name.prop_map(Filter::flag),
        1 => any::<bool>().prop_map(Filter::Constant),
    ];
    leaf.prop_recursive(4, 20, 4, |inner| {
        prop_oneof![
            3 => vec(inner.clone(), 0..4).prop_map(Filter::And),
            3 => vec(inner.clone(), 0..4).prop_map(Filter::Or),
            1 => inner.prop_map(|inner| Filter::Not(Box::new(inner))),
        ]
    })
}
