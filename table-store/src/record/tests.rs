use proptest::prelude::*;
use table_model::{
    Name, Properties, Row, Rows, StorageFault, Timestamp, Uuid, Value, filter::PropertySource,
    rows::Selection, value::ValueRef,
};

use super::*;
use crate::{format_page::documented, keys::TableId};

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

fn timestamp() -> Timestamp {
    "2026-11-20T10:20:30.1234567Z".parse().unwrap()
}

/// Reads a record with every available function.
fn read_all(key: &[u8], bytes: &[u8]) -> bool {
    let Ok(record) = Record::new(key, bytes) else { return false };
    let _ = record.property("PartitionKey");
    let _ = record.property("A");
    row_of(key, &record, None).is_ok()
}

fn row_of(key: &[u8], record: &Record<'_>, select: Option<&[Name]>) -> Result<Row, StorageFault> {
    let mut rows = Rows::new();
    let keys = crate::keys::split(key);
    let keys = keys.as_ref().map(|(partition_key, row_key)| (&**partition_key, &**row_key));
    record.push_to(&mut rows, &mut Selection::new(select), keys)?;
    Ok(rows.into_iter().next().unwrap())
}

proptest! {
    #[test]
    fn an_entity_reads_back_whole_and_property_by_property(properties in properties()) {
        let key = TableId::FIRST.entity_key("p", "r\u{10000}");
        let bytes = encode(&key, timestamp(), &properties).unwrap();
        let record = Record::new(&key, &bytes).unwrap();
        let row = row_of(&key, &record, None).unwrap();
        prop_assert_eq!(&row.properties, &properties);
        prop_assert_eq!(row.partition_key.as_deref(), Some("p"));
        prop_assert_eq!(row.row_key.as_deref(), Some("r\u{10000}"));
        prop_assert_eq!(row.timestamp, Some(timestamp()));
        for (name, value) in &properties {
            prop_assert_eq!(record.property(name).map(|found| found.to_value()), Some(value.clone()));
            let chosen = row_of(&key, &record, Some(std::slice::from_ref(name))).unwrap();
            prop_assert_eq!(chosen.properties.len(), 1);
            prop_assert_eq!(chosen.properties.get(name), Some(value));
            prop_assert_eq!(chosen.partition_key, None);
        }
        prop_assert_eq!(record.property("absent-name"), None);
        prop_assert_eq!(record.property("RowKey"), Some(ValueRef::String("r\u{10000}")));
    }

    #[test]
    fn no_bytes_make_reading_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        let key = TableId::FIRST.entity_key("p", "r");
        prop_assert!(!read_all(&key, &bytes));
        // With a matching checksum, only the layout can be invalid.
        let mut sealed = bytes;
        if let Some(version) = sealed.first_mut() {
            *version = VERSION;
        }
        crate::checksum::seal(&key, &mut sealed);
        let _ = read_all(&key, &sealed);
    }

    #[test]
    fn mutated_layouts_never_panic(properties in properties(), at in any::<prop::sample::Index>(), byte: u8) {
        let key = TableId::FIRST.entity_key("p", "r");
        let mut bytes = encode(&key, timestamp(), &properties).unwrap();
        bytes.truncate(bytes.len() - crate::checksum::SUM_BYTES);
        let at = at.index(bytes.len());
        bytes[at] = byte;
        crate::checksum::seal(&key, &mut bytes);
        let _ = read_all(&key, &bytes);
    }
}

#[test]
fn a_star_selects_all() {
    let key = TableId::FIRST.entity_key("p", "r");
    let properties = Properties::from_iter([("A", 1), ("B", 2)]);
    let bytes = encode(&key, timestamp(), &properties).unwrap();
    let record = Record::new(&key, &bytes).unwrap();
    let row = row_of(&key, &record, Some(&["*".into()])).unwrap();
    assert_eq!(row.properties, properties);
    assert!(row.partition_key.is_some());
}

#[test]
fn the_example_of_the_format_page_is_what_is_stored() {
    let (key, record) = (documented("Its key:"), documented("Its record:"));
    assert_eq!(key, TableId::FIRST.entity_key("Sales", "empid_000223"));
    let row = row_of(&key, &Record::new(&key, &record).unwrap(), None).unwrap();
    let properties = Properties::from_iter([("FirstName", Value::from("Jo")), ("Age", Value::from(34))]);
    assert_eq!(row.properties, properties);
    assert_eq!(row.timestamp.unwrap().to_string(), "2017-08-30T13:20:33.413914Z");
    assert_eq!(encode(&key, row.timestamp.unwrap(), &properties).unwrap(), record);
}
