use proptest::prelude::*;

use super::{PropertiesRef, pack};
use crate::{Properties, Timestamp, Uuid, Value, value::ValueRef};

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..20).prop_map(Value::Binary),
        any::<bool>().prop_map(Value::Boolean),
        (0..=Timestamp::MAX.ticks()).prop_map(|ticks| Value::DateTime(Timestamp::from_ticks(ticks).unwrap())),
        any::<u64>().prop_map(|bits| Value::Double(f64::from_bits(bits))),
        any::<u128>().prop_map(|id| Value::Guid(Uuid::from_u128(id))),
        any::<i32>().prop_map(Value::Int32),
        any::<i64>().prop_map(Value::Int64),
        "\\PC{0,12}".prop_map(Value::String),
    ]
}

/// Generates properties of all types.
fn properties() -> impl Strategy<Value = Properties> {
    prop::collection::vec(("[A-Za-z_é]{1,8}", value()), 0..12).prop_map(Properties::from_iter)
}

fn packed(properties: &Properties) -> (usize, Vec<u8>) {
    let mut bytes = Vec::new();
    let count = pack(properties.refs(), &mut bytes).unwrap();
    (count.into(), bytes)
}

proptest! {
    #[test]
    fn what_is_packed_reads_back_in_order_by_name_and_by_cursor(
        properties in properties(),
        asked in prop::collection::vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let (count, bytes) = packed(&properties);
        let read = PropertiesRef::new(count, &bytes).unwrap();
        prop_assert!(read.is_sound());
        prop_assert_eq!(read.to_properties(), properties.clone());
        prop_assert_eq!(read.get("absent-name"), None);
        prop_assert_eq!(read.last(), read.iter().last());
        let mut in_order = read.cursor();
        for (name, value) in &properties {
            prop_assert_eq!(read.get(name), Some(value.as_ref()));
            prop_assert_eq!(in_order.get(name), Some(value.as_ref()));
            prop_assert_eq!(in_order.get("absent-name"), None);
        }
        let pairs: Vec<_> = properties.iter().collect();
        let mut in_any_order = read.cursor();
        for index in asked.iter().filter(|_| !pairs.is_empty()) {
            let (name, value) = index.get(&pairs);
            prop_assert_eq!(in_any_order.get(name), Some(value.as_ref()));
        }
    }

    #[test]
    fn no_bytes_make_reading_panic(count in 0..6_usize, bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let Some(read) = PropertiesRef::new(count, &bytes) else { return Ok(()) };
        let _ = (read.is_sound(), read.get("A"), read.cursor().get(""), read.iter().count(), format!("{read:?}"));
    }

    #[test]
    fn a_changed_byte_is_another_content_or_none(properties in properties(), at in any::<prop::sample::Index>()) {
        let (count, mut bytes) = packed(&properties);
        prop_assume!(!bytes.is_empty());
        let at = at.index(bytes.len());
        bytes[at] ^= 0x40;
        if let Some(read) = PropertiesRef::new(count, &bytes).filter(|read| read.is_sound()) {
            prop_assert_ne!(read.to_properties(), properties);
        }
    }
}

#[test]
fn what_is_too_long_is_not_packed() {
    let long = "x".repeat(1 << 24);
    let mut bytes = Vec::new();
    assert_eq!(pack([("A", ValueRef::String(&long))].into_iter(), &mut bytes), None);
}
