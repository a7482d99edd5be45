//! Random filters are printed and parsed again.

use proptest::{prelude::*, test_runner::RngSeed};
use table_model::{Entity, Filter, Timestamp, Uuid, Value, filter::Comparison};

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4).prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        (0..=Timestamp::MAX.ticks())
            .prop_map(|ticks| Timestamp::from_ticks(ticks).unwrap_or(Timestamp::MAX).into()),
        any::<f64>().prop_map(Value::from),
        any::<u64>().prop_map(|bits| f64::from_bits(bits).into()),
        any::<u128>().prop_map(|bits| Uuid::from_u128(bits).into()),
        any::<i32>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,4}".prop_map(Value::from),
        "[' ()=a\n]{0,4}".prop_map(Value::from),
        // Small numbers, so that some comparisons match stored values.
        (-1..=1_i32).prop_map(Value::from),
        (-1..=1_i64).prop_map(Value::from),
        prop::sample::select(vec![-1.0, -0.0, 0.0, 0.5, 1e16, 1e-7, f64::INFINITY]).prop_map(Value::from),
    ]
}

fn name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["A", "B", "X", "add", "datetime", "PartitionKey", "Größe"])
}

/// Generates trees of every form, including those that are not in normal form.
fn filter() -> impl Strategy<Value = Filter> {
    let operator = prop::sample::select(Comparison::ALL.to_vec());
    let leaf = prop_oneof![
        6 => (name(), operator, value()).prop_map(|(name, operator, value)| Filter::compare(name, operator, value)),
        2 => name().prop_map(Filter::flag),
        1 => any::<bool>().prop_map(Filter::Constant),
    ];
    leaf.prop_recursive(4, 15, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Filter::And),
            prop::collection::vec(inner.clone(), 0..4).prop_map(Filter::Or),
            inner.prop_map(|inner| Filter::Not(Box::new(inner))),
        ]
    })
}

fn entity() -> impl Strategy<Value = Entity> {
    prop::collection::vec((prop::sample::select(vec!["A", "B", "X", "add"]), value()), 0..4).prop_map(
        |pairs| {
            let mut entity = Entity::new("p", "r");
            entity.properties = pairs.into_iter().collect();
            entity
        },
    )
}

fn config() -> ProptestConfig {
    ProptestConfig { rng_seed: RngSeed::Fixed(0x0da7a), failure_persistence: None, ..Default::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn what_is_printed_reads_back_to_the_normal_form(filter in filter(), entities in prop::collection::vec(entity(), 8)) {
        prop_assume!(filter.check().is_ok());
        let printed = filter.to_string();
        let read = Filter::parse(&printed);
        let normal = filter.clone().normalized();
        prop_assert_eq!(read.as_ref(), Ok(&normal), "{}", printed);
        prop_assert_eq!(normal.to_string(), printed);
        prop_assert_eq!(normal.clone().normalized(), normal.clone());
        prop_assert!(normal.check().is_ok());
        for entity in &entities {
            prop_assert_eq!(filter.matches(entity), normal.matches(entity), "{}", normal);
        }
    }

    #[test]
    fn a_tree_and_its_combinators_say_the_same(a in filter(), b in filter(), entity in entity()) {
        let (left, right) = (a.matches(&entity), b.matches(&entity));
        prop_assert_eq!(a.clone().and(b.clone()).matches(&entity), left && right);
        prop_assert_eq!(a.clone().or(b).matches(&entity), left || right);
        prop_assert_eq!((!a).matches(&entity), !left);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,60}") {
        if let Err(error) = Filter::parse(&text) {
            prop_assert!(text.get(error.span()).is_some(), "the span lies on characters: {}", error);
        }
    }

    #[test]
    fn no_mix_of_tokens_makes_the_parser_panic(
        tokens in prop::collection::vec(
            prop::sample::select(vec![
                "A", "eq", "ne", "and", "or", "not", "(", ")", "-", "5", "5L", "1.5", "'x'", "X'0", "X'01'", "true",
                "null", "NaN", "INF", "startswith", "add", "==", "'", "guid'", "é", "1e", ".", ",", "\u{0}",
            ]),
            0..12,
        ),
        spaced in any::<bool>(),
    ) {
        let text = tokens.join(if spaced { " " } else { "" });
        match Filter::parse(&text) {
            Ok(filter) => {
                prop_assert!(filter.check().is_ok(), "what parses passes the check: {}", text);
                prop_assert_eq!(Filter::parse(&filter.to_string()), Ok(filter));
            }
            Err(error) => prop_assert!(text.get(error.span()).is_some(), "{}", error),
        }
    }
}
