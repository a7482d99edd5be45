//! Content of a store as text in a stable format.

use std::fmt::Write;

use table_store::{BlockingStore, Query, Value, service::ListTables};

/// Lists tables, entities and properties, one per line.
pub(crate) fn listing(store: &BlockingStore) -> String {
    let mut text = String::new();
    let tables = store.list_tables(ListTables::default()).unwrap();
    assert!(tables.continuation.is_none());
    for table in tables.tables {
        writeln!(text, "table {}", table.as_str()).unwrap();
        let segment = store.query(&table, Query::new()).unwrap();
        assert!(segment.continuation.is_none());
        for row in segment.rows.iter().map(table_store::RowRef::to_row) {
            let keys = (row.partition_key.unwrap(), row.row_key.unwrap());
            writeln!(text, "  entity {} {}", escaped(&keys.0), escaped(&keys.1)).unwrap();
            writeln!(text, "    Timestamp {}", row.timestamp.unwrap().ticks()).unwrap();
            for (name, value) in &row.properties {
                writeln!(text, "    {name} {}", shown(value)).unwrap();
            }
        }
    }
    text
}

fn escaped(text: &str) -> String {
    format!("\"{}\"", text.escape_default())
}

fn shown(value: &Value) -> String {
    match value {
        Value::Binary(bytes) => {
            bytes.iter().fold("Binary ".to_owned(), |text, byte| text + &format!("{byte:02x}"))
        }
        Value::Boolean(truth) => format!("Boolean {truth}"),
        Value::DateTime(time) => format!("DateTime {}", time.ticks()),
        Value::Double(double) => format!("Double {:016x}", double.to_bits()),
        Value::Guid(guid) => format!("Guid {guid}"),
        Value::Int32(number) => format!("Int32 {number}"),
        Value::Int64(number) => format!("Int64 {number}"),
        Value::String(text) => format!("String {}", escaped(text)),
        other => panic!("{other:?}"),
    }
}
