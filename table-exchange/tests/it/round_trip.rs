//! Every value round-trips through a file.

use std::collections::BTreeMap;

use proptest::prelude::*;
use table_exchange::{Columns, Dialect, Format, Writer};
use table_model::{Entity, Timestamp, Uuid, Value};

use crate::{Form, Table, sorted};

/// String fragments that break incorrect handling of quotes, line breaks, commas, marks and escapes.
const PIECES: [&str; 24] = [
    "", "\"", "\"\"", ",", "\n", "\r", "\r\n", "#", "\u{feff}", "'", ";", "\t", " ", "\\", "\\n", "\0", "ß",
    "𝄞", "\u{2028}", "null", "=1+1", "{", "}", "a",
];

fn nasty() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::collection::vec(prop::sample::select(&PIECES[..]), 0..8).prop_map(|pieces| pieces.concat()),
        any::<String>(),
    ]
}

fn values() -> impl Strategy<Value = Value> {
    let ticks = Timestamp::MIN_STORED.ticks()..=Timestamp::MAX.ticks();
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..20).prop_map(Value::Binary),
        any::<bool>().prop_map(Value::Boolean),
        ticks.prop_map(|ticks| Value::DateTime(Timestamp::from_ticks(ticks).unwrap())),
        // Zero has no sign in a file.
        any::<f64>().prop_map(|number| Value::Double(number + 0.0)),
        prop::sample::select(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY][..]).prop_map(Value::Double),
        any::<u128>().prop_map(|id| Value::Guid(Uuid::from_u128(id))),
        any::<i32>().prop_map(Value::Int32),
        any::<i64>().prop_map(Value::Int64),
        nasty().prop_map(Value::String),
    ]
}

/// Normalizes NaN: many bit patterns exist in memory, but only one in a file.
fn plain(value: Value) -> Value {
    match value {
        Value::Double(number) if number.is_nan() => Value::Double(f64::NAN),
        other => other,
    }
}

fn entities() -> impl Strategy<Value = Vec<Entity>> {
    let keys = ("[ -.0-9:-~ßa]{0,6}", "[a-z0-9]{0,4}");
    let legal = |key: &String| !key.contains(['/', '\\', '#', '?', '!']);
    let keys = keys.prop_filter("a key", move |(partition, row)| legal(partition) && legal(row));
    let properties = prop::collection::btree_map("[A-Za-zß_][A-Za-z0-9]{0,2}", values(), 0..6);
    prop::collection::btree_map(keys, properties, 0..12).prop_map(|entities: BTreeMap<_, _>| {
        let entity = |((partition, row), properties): ((String, String), BTreeMap<String, Value>)| Entity {
            properties: properties.into_iter().map(|(name, value)| (name, plain(value))).collect(),
            ..Entity::new(partition, row)
        };
        entities.into_iter().map(entity).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_a_table_holds_comes_back_in_every_form(entities in entities()) {
        let table = Table::new();
        let blocking = table.store.blocking();
        blocking.create_table(&table.name).unwrap();
        for entity in &entities {
            blocking.execute(&table.name, table_model::Operation::Insert(entity.clone())).unwrap();
        }
        let content = sorted(table.content());
        prop_assert_eq!(content.len(), entities.len());
        for form in Form::ALL {
            let file = table.export(form);
            let again = Table::of(form.format(), &file);
            prop_assert_eq!(sorted(again.content()), content.clone(), "{:?}: {}", form, String::from_utf8_lossy(&file));
        }
    }
}

#[test]
fn an_export_has_the_form_that_others_write() {
    let file = "PartitionKey,RowKey,Timestamp,Name,Name@type,Age,Age@type\n\
        p,1,2023-02-14T18:04:21.2458108Z,\"Jo, \"\"the\"\" Ö\",String,,\n\
        p,2,2023-02-14T18:04:21Z,,String,34,Int64\n";
    let table = Table::of(Format::Csv, file.as_bytes());
    let timeless = |file: Vec<u8>| -> String {
        let text = String::from_utf8(file).unwrap();
        let stamps = table.store.blocking().query(&table.name, table_model::Query::new()).unwrap().rows;
        stamps.iter().fold(text, |text, row| text.replace(&row.timestamp.unwrap().to_string(), "T"))
    };
    assert_eq!(
        timeless(table.export(Form::Csv(Dialect::Edm))),
        "PartitionKey,RowKey,Timestamp,Name,Name@type,Age,Age@type\n\
         p,1,T,\"Jo, \"\"the\"\" Ö\",Edm.String,,\n\
         p,2,T,,Edm.String,34,Edm.Int64\n"
    );
    assert_eq!(
        timeless(table.export(Form::JsonLines)),
        "{\"PartitionKey\":\"p\",\"RowKey\":\"1\",\"Timestamp\":\"T\",\"Name\":\"Jo, \\\"the\\\" \\u00d6\"}\n\
         {\"PartitionKey\":\"p\",\"RowKey\":\"2\",\"Timestamp\":\"T\",\"Name\":\"\",\
         \"Age@odata.type\":\"Edm.Int64\",\"Age\":\"34\"}\n"
    );
}

#[test]
fn a_property_without_a_column_is_not_left_out_unsaid() {
    let table = Table::of(Format::JsonLines, br#"{"PartitionKey":"p","RowKey":"r","A":1,"B":2}"#);
    let rows = table.store.blocking().query(&table.name, table_model::Query::new()).unwrap().rows;
    let columns: Columns = ["A"].into_iter().collect();
    let mut writer = Writer::csv(Vec::new(), columns, Dialect::Plain).unwrap();
    assert!(writer.write(&rows.get(0).unwrap()).is_err());
}
