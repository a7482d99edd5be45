//! Every body parses as an entity or an error. A written entity round-trips, and rows round-trip at each metadata
//! level.

#![no_main]

use libfuzzer_sys::fuzz_target;
use table_rest::wire::{
    entity::{EntityBody, RowWriter, read_row, read_rows},
    level::Level,
    odata_error, tables,
};
use table_store::{Entity, Properties, Rows, Timestamp, Value, rows::RowHead};

/// Normalizes values that the wire format does not distinguish: NaNs and signed zeros.
fn plain(properties: Properties) -> Properties {
    let plain = |value| match value {
        Value::Double(number) if number.is_nan() => Value::Double(f64::NAN),
        Value::Double(number) => Value::Double(number + 0.0),
        other => other,
    };
    let mut pairs = Properties::new();
    for (name, value) in properties {
        pairs.push_new(name, plain(value));
    }
    pairs
}

fn rows_read_back(rows: &Rows) {
    for level in [Level::None, Level::Minimal, Level::Full] {
        let writer = RowWriter {
            level,
            account: "acct",
            root: "http://127.0.0.1/acct",
            table: "people",
            select: None,
        };
        let (mut list, mut one) = (String::new(), String::new());
        writer.push_list(&mut list, rows.iter());
        let row = rows.get(0).expect("there is one");
        writer.push_row(&mut one, &row);
        assert!(list.is_ascii());
        let (list, one) = (read_rows(list.as_bytes()), read_row(one.as_bytes(), Some(row.etag)));
        let (list, one) = (list.expect("it was written"), one.expect("it was written"));
        if level == Level::None {
            assert_eq!((list.len(), one.len()), (1, 1));
        } else {
            assert_eq!((&list, &one), (rows, rows));
        }
    }
}

fuzz_target!(|data: &[u8]| {
    let _ = (read_rows(data), read_row(data, None), tables::read_list(data), tables::read_request(data));
    let _ = odata_error::read(400, data);
    let Ok(read) = EntityBody::read(data) else { return };
    let entity = Entity {
        partition_key: read.partition_key.unwrap_or_default(),
        row_key: read.row_key.unwrap_or_default(),
        properties: plain(read.properties),
    };
    let again = EntityBody::read(EntityBody::write(&entity).as_bytes()).expect("it was written");
    assert_eq!(again.partition_key.as_ref(), Some(&entity.partition_key));
    assert_eq!(again.row_key.as_ref(), Some(&entity.row_key));
    assert_eq!(plain(again.properties), entity.properties);
    let mut rows = Rows::new();
    let head = RowHead::whole(&entity.partition_key, &entity.row_key, Timestamp::MIN_STORED);
    if rows.push(head, entity.properties.refs()).is_ok() {
        rows_read_back(&rows);
    }
});
