//! Every stored type, literal type and operator, compared with the documented rules as data.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a helper of a test fails as a test does")]

use table_model::{
    EdmType, Entity, Filter, Row, Timestamp, Uuid, Value,
    filter::{Comparison, PropertySource},
};

/// Returns two values of a type, the smaller one first.
fn pair(kind: EdmType) -> [Value; 2] {
    match kind {
        EdmType::Binary => [vec![1].into(), vec![1, 0].into()],
        EdmType::Boolean => [false.into(), true.into()],
        EdmType::DateTime => [Timestamp::MIN_STORED.into(), Timestamp::MAX.into()],
        EdmType::Double => [1.0.into(), 2.0.into()],
        EdmType::Guid => [Uuid::from_u128(1).into(), Uuid::from_u128(2).into()],
        EdmType::Int32 => [1.into(), 2.into()],
        EdmType::Int64 => [1_i64.into(), 2_i64.into()],
        EdmType::String => ["a".into(), "b".into()],
        other => panic!("a type without samples: {other}"),
    }
}

/// Returns whether literals of a type are comparable with a stored type: equal types, and narrower numbers.
fn comparable(stored: EdmType, literal: EdmType) -> bool {
    use EdmType::{Double, Int32, Int64};
    stored == literal || matches!((stored, literal), (Int64, Int32) | (Double, Int32 | Int64))
}

/// Expected results of the six operators, in the order of `Comparison::ALL`: eq, ne, gt, ge, lt, le.
const LESS: [bool; 6] = [false, true, false, false, true, true];
const EQUAL: [bool; 6] = [true, false, false, true, false, true];
const GREATER: [bool; 6] = [false, true, true, true, false, false];
const ABSENT: [bool; 6] = [false; 6];

fn answers(source: &dyn PropertySource, literal: &Value) -> [bool; 6] {
    Comparison::ALL.map(|operator| {
        let filter = Filter::compare("P", operator, literal.clone());
        let answer = filter.matches(source);
        assert_eq!((!filter.clone()).matches(source), !answer, "not turns {filter} round");
        // The printed filter has the same result, also with exchanged operands.
        let printed = filter.to_string();
        assert_eq!(Filter::parse(&printed).unwrap().matches(source), answer, "{printed}");
        let (left, right) = printed.split_once(&format!(" {operator} ")).unwrap();
        let flipped = format!("{right} {} {left}", operator.flipped());
        assert_eq!(Filter::parse(&flipped).unwrap().matches(source), answer, "{flipped}");
        answer
    })
}

#[test]
fn the_table_of_types_and_operators_holds() {
    let mut cells = 0;
    for stored in EdmType::ALL {
        for literal in EdmType::ALL {
            for (at, value) in pair(stored).into_iter().enumerate() {
                let entity = Entity::new("p", "r").with("P", value);
                for (against, literal_value) in pair(literal).iter().enumerate() {
                    let expected = match at.cmp(&against) {
                        _ if !comparable(stored, literal) => LESS,
                        std::cmp::Ordering::Less => LESS,
                        std::cmp::Ordering::Equal => EQUAL,
                        std::cmp::Ordering::Greater => GREATER,
                    };
                    assert_eq!(answers(&entity, literal_value), expected, "{entity:?} {literal_value:?}");
                    cells += 6;
                }
            }
        }
    }
    assert_eq!(cells, 8 * 8 * 4 * 6);
}

#[test]
fn a_missing_property_fails_every_comparison() {
    let entity = Entity::new("p", "r").with("Q", 1);
    for kind in EdmType::ALL {
        for literal in pair(kind) {
            assert_eq!(answers(&entity, &literal), ABSENT, "{literal:?}");
        }
    }
}

#[test]
fn a_nan_is_unequal_and_nothing_else() {
    let unordered = [false, true, false, false, false, false];
    let nan = Entity::new("p", "r").with("P", f64::NAN);
    let one = Entity::new("p", "r").with("P", 1.0);
    assert_eq!(answers(&nan, &1.into()), unordered);
    assert_eq!(answers(&nan, &f64::NAN.into()), unordered);
    assert_eq!(answers(&one, &f64::NAN.into()), unordered);
    // Only doubles are comparable with doubles: an Int32 is less because of its type.
    assert_eq!(answers(&Entity::new("p", "r").with("P", 1), &f64::NAN.into()), LESS);
}

#[test]
fn a_bare_property_is_true_for_the_boolean_true_only() {
    for kind in EdmType::ALL {
        for value in pair(kind) {
            let expected = value == Value::Boolean(true);
            let entity = Entity::new("p", "r").with("P", value);
            assert_eq!(Filter::flag("P").matches(&entity), expected);
            assert_eq!(Filter::parse("not P").unwrap().matches(&entity), !expected);
        }
    }
    let without = Entity::new("p", "r");
    assert!(!Filter::parse("P").unwrap().matches(&without));
    assert!(Filter::parse("not P").unwrap().matches(&without));
    assert!(!Filter::parse("PartitionKey").unwrap().matches(&without));
}

#[test]
fn keys_and_timestamp_are_properties() {
    let row = Row {
        etag: Timestamp::MAX.into(),
        partition_key: Some("p".to_owned()),
        row_key: Some("r".to_owned()),
        timestamp: Some(Timestamp::MAX),
        properties: [("partitionkey", "other")].into_iter().collect(),
    };
    for (filter, expected) in [
        ("PartitionKey eq 'p' and RowKey eq 'r'", true),
        ("PartitionKey eq 'other'", false),
        ("partitionkey eq 'other'", true),
        ("PartitionKey lt 5 and RowKey ne guid'00000000-0000-0000-0000-000000000000'", true),
        ("PartitionKey gt 5", false),
        ("Timestamp ge datetime'2014-01-01'", true),
        ("Timestamp ge '2014-01-01'", false),
        ("Timestamp lt '2014-01-01'", true),
    ] {
        assert_eq!(Filter::parse(filter).unwrap().matches(&row), expected, "{filter}");
    }
}

#[test]
fn only_the_properties_that_decide_are_asked_for() {
    use std::cell::RefCell;
    use table_model::value::ValueRef;

    struct Asked(RefCell<Vec<String>>);
    impl PropertySource for Asked {
        fn property(&self, name: &str) -> Option<ValueRef<'_>> {
            self.0.borrow_mut().push(name.to_owned());
            Some(ValueRef::Int32(1))
        }
    }
    let source = Asked(RefCell::default());
    assert!(Filter::parse("A eq 1 and (B eq 1 or C eq 1)").unwrap().matches(&source));
    assert!(!Filter::parse("D eq 2 and E eq 1").unwrap().matches(&source));
    assert_eq!(source.0.into_inner(), ["A", "B", "D"]);
}
