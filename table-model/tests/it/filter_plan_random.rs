//! Random filters over a small alphabet of keys: reading the ranges of a plan and checking its residual returns exactly
//! the matching entities, and no range can be omitted or merged.

use proptest::{prelude::*, test_runner::RngSeed};
use table_model::{
    Entity, Filter, Plan, QueryClass, Value,
    filter::Comparison,
    key,
    plan::{Cut, KeyRange},
};

/// Comparison bounds: keys, strings that are not valid keys, adjacent keys, and both sides of the surrogates.
const BOUNDS: [&str; 14] = [
    "",
    " ",
    "a",
    "a ",
    "a  ",
    "a!",
    "ab",
    "b",
    "a/",
    "a\u{0}",
    "a\u{1}b",
    "b\u{9f}",
    "\u{10000}",
    "\u{e000}",
];

/// Each bound that is a valid key, and the smallest key above each bound: one key for every stretch between bounds.
const KEYS: [&str; 19] = [
    "",
    " ",
    "  ",
    "a",
    "a ",
    "a  ",
    "a   ",
    "a!",
    "a! ",
    "a0",
    "ab",
    "ab ",
    "b",
    "b ",
    "b\u{a0}",
    "\u{10000}",
    "\u{10000} ",
    "\u{e000}",
    "\u{e000} ",
];

/// A property that is not a key: absent, or one of two values.
const PROPERTIES: [Option<i32>; 3] = [None, Some(1), Some(2)];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        rng_seed: RngSeed::Fixed(0x51ce),
        failure_persistence: None,
        ..Default::default()
    }
}

fn key_comparison() -> impl Strategy<Value = Filter> {
    let literal = prop_oneof![
        12 => prop::sample::select(BOUNDS.to_vec()).prop_map(Value::from),
        1 => Just(Value::from(5)),
    ];
    let property = prop::sample::select(vec!["PartitionKey", "RowKey"]);
    let operator =
        prop_oneof![3 => Just(Comparison::Eq), 4 => prop::sample::select(Comparison::ALL.to_vec())];
    (property, operator, literal)
        .prop_map(|(property, operator, literal)| Filter::compare(property, operator, literal))
}

fn other_leaf() -> impl Strategy<Value = Filter> {
    prop_oneof![
        (prop::sample::select(Comparison::ALL.to_vec()), 1..=2)
            .prop_map(|(op, n)| Filter::compare("P", op, n)),
        prop::sample::select(vec!["P", "RowKey", "Timestamp"]).prop_map(Filter::flag),
        any::<bool>().prop_map(Filter::Constant),
    ]
}

fn tree(leaf: impl Strategy<Value = Filter> + 'static) -> impl Strategy<Value = Filter> {
    leaf.prop_recursive(4, 15, 3, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 1..4).prop_map(Filter::And),
            3 => prop::collection::vec(inner.clone(), 1..4).prop_map(Filter::Or),
            1 => inner.prop_map(|inner| Filter::Not(Box::new(inner))),
        ]
    })
}

fn entities() -> impl Iterator<Item = Entity> {
    let keys = KEYS.into_iter().flat_map(|partition| KEYS.map(|row| (partition, row)));
    keys.flat_map(|(partition, row)| {
        PROPERTIES.map(|property| {
            let entity = Entity::new(partition, row);
            match property {
                Some(value) => entity.with("P", value),
                None => entity,
            }
        })
    })
}

fn holds(range: &KeyRange, entity: &Entity) -> bool {
    let before = Cut::Before(entity.partition_key.clone(), entity.row_key.clone());
    let after = Cut::After(entity.partition_key.clone(), entity.row_key.clone());
    range.lower <= before && after <= range.upper
}

fn satisfies(plan: &Plan, entity: &Entity) -> bool {
    plan.residual.as_ref().is_none_or(|residual| residual.matches(entity))
}

/// Returns the smallest key at or above a cut; `None` at the end.
fn least_above(cut: &Cut) -> Option<Entity> {
    match cut {
        Cut::Start => Some(Entity::new("", "")),
        Cut::Before(partition, row) => Some(Entity::new(partition, row)),
        Cut::After(partition, row) => Some(Entity::new(partition, format!("{row} "))),
        Cut::AfterPartition(partition) => Some(Entity::new(format!("{partition} "), "")),
        Cut::End => None,
    }
}

fn texts(cut: &Cut) -> [&str; 2] {
    match cut {
        Cut::Start | Cut::End => ["", ""],
        Cut::Before(partition, row) | Cut::After(partition, row) => [partition, row],
        Cut::AfterPartition(partition) => [partition, ""],
    }
}

/// Checks that the ranges are ascending, not empty, separated by at least one key, and bounded by valid keys.
fn check_form(plan: &Plan) -> Result<(), TestCaseError> {
    for range in &plan.ranges {
        let first = least_above(&range.lower);
        prop_assert!(first.is_some_and(|first| holds(range, &first)), "an empty range in {}", plan);
        for text in texts(&range.lower).into_iter().chain(texts(&range.upper)) {
            prop_assert!(!text.chars().any(key::is_forbidden), "{:?}", range);
        }
    }
    for (left, right) in plan.ranges.iter().zip(plan.ranges.iter().skip(1)) {
        let gap = KeyRange { lower: left.upper.clone(), upper: right.lower.clone() };
        let between = least_above(&gap.lower);
        prop_assert!(between.is_some_and(|key| holds(&gap, &key)), "touching or not ascending: {}", plan);
    }
    Ok(())
}

/// Checks the class by counting the partitions and keys in the ranges.
fn check_class(plan: &Plan) -> Result<(), TestCaseError> {
    let in_one_partition =
        |range: &KeyRange| range.upper != Cut::End && texts(&range.lower)[0] == texts(&range.upper)[0];
    let single = plan.ranges.iter().all(in_one_partition);
    let points = plan.ranges.iter().all(|range| range.point().is_some());
    match plan.class {
        QueryClass::Point => prop_assert!(points && plan.ranges.len() <= 1, "{}", plan),
        QueryClass::RowRange => prop_assert!(!points && single && plan.ranges.len() == 1, "{}", plan),
        QueryClass::FanOut => prop_assert!(!points && single && plan.ranges.len() > 1, "{}", plan),
        QueryClass::KeyRange | QueryClass::TableScan => prop_assert!(!single, "{}", plan),
        QueryClass::PartitionScan => {
            let mut names: Vec<_> = plan.ranges.iter().map(|range| texts(&range.lower)[0]).collect();
            names.dedup();
            prop_assert!(single && names.len() == 1, "{}", plan);
        }
        QueryClass::MultiPoint | QueryClass::FanOutScan => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn ranges_and_residual_give_what_the_filter_gives(filter in tree(prop_oneof![3 => key_comparison(), 1 => other_leaf()])) {
        let plan = Plan::of(Some(&filter));
        for entity in entities() {
            let found = plan.ranges.iter().any(|range| holds(range, &entity)) && satisfies(&plan, &entity);
            prop_assert_eq!(found, filter.matches(&entity), "{:?} by {} as {}", entity, filter, plan);
        }
        check_form(&plan)?;
        check_class(&plan)?;
    }

    #[test]
    fn a_filter_on_keys_alone_has_a_residual_only_if_the_ranges_hold_more(filter in tree(key_comparison())) {
        let plan = Plan::of(Some(&filter));
        let mut read = entities().filter(|entity| plan.ranges.iter().any(|range| holds(range, entity)));
        let exact = read.all(|entity| filter.matches(&entity));
        prop_assert_eq!(plan.residual.is_none(), exact, "{} as {}", filter, plan);
        for range in &plan.ranges {
            let useful = entities().any(|entity| holds(range, &entity) && filter.matches(&entity));
            prop_assert!(useful, "{:?} holds nothing of {}", range, filter);
        }
    }
}
