//! Random filters on rows of random shapes: a prepared filter, which remembers positions from row to row, has the result
//! of the filter itself.

#![expect(clippy::expect_used, reason = "a helper of a test fails as a test does")]

use proptest::{prelude::*, test_runner::RngSeed};
use table_model::{
    Filter, Properties, Rows, Timestamp, Value,
    filter::{Comparison, RowFilter},
    rows::RowHead,
};

/// Names with equal lengths, prefixes of each other, and the names that are not properties of the row.
const NAMES: [&str; 8] = ["A", "B", "Ab", "Bb", "Abc", "PartitionKey", "RowKey", "Timestamp"];
const PROPERTIES: usize = 5;

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 2000,
        rng_seed: RngSeed::Fixed(0x0f17),
        failure_persistence: None,
        ..Default::default()
    }
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        (0..3).prop_map(Value::from),
        (0..3_i64).prop_map(Value::from),
        prop::sample::select(vec!["", "a", "b", "ab", "\u{e000}", "\u{10000}"]).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        prop::sample::select(vec![0.0, -0.0, 1.0, f64::NAN]).prop_map(Value::from),
        Just(Value::from(Timestamp::UNIX_EPOCH)),
    ]
}

fn filter() -> impl Strategy<Value = Filter> {
    let name = || prop::sample::select(NAMES.to_vec());
    let leaf = prop_oneof![
        8 => (name(), prop::sample::select(Comparison::ALL.to_vec()), value())
            .prop_map(|(name, operator, value)| Filter::compare(name, operator, value)),
        2 => name().prop_map(Filter::flag),
        1 => any::<bool>().prop_map(Filter::Constant),
    ];
    leaf.prop_recursive(4, 15, 3, |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Filter::And),
            3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Filter::Or),
            1 => inner.prop_map(|inner| Filter::Not(Box::new(inner))),
        ]
    })
}

/// Some properties in any order. Most rows repeat the shape of the row before.
fn rows() -> impl Strategy<Value = Rows> {
    let names = prop::sample::subsequence(NAMES.get(..PROPERTIES).unwrap_or_default(), 0..=PROPERTIES);
    let shape = names.prop_shuffle().prop_flat_map(|names| {
        let values = prop::collection::vec(value(), names.len());
        let of_shape =
            values.prop_map(move |values| names.iter().copied().zip(values).collect::<Properties>());
        prop::collection::vec((prop::sample::select(vec!["", "a", "b"]), of_shape), 1..4)
    });
    prop::collection::vec(shape, 1..4).prop_map(|shapes| {
        let mut rows = Rows::new();
        for (key, properties) in shapes.iter().flatten() {
            let head = RowHead::whole(key, "a", Timestamp::UNIX_EPOCH);
            rows.push(head, properties.refs()).expect("few rows");
        }
        rows
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_prepared_filter_has_the_result_of_the_filter(filter in filter(), rows in rows()) {
        let mut prepared = RowFilter::new(&filter);
        for row in &rows {
            prop_assert_eq!(prepared.matches(&row, row.properties), filter.matches(&row.to_row()), "{}", row.properties.len());
        }
    }
}
