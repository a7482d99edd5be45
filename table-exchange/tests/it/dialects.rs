//! Reading of all notations of a file.

use table_exchange::{Format, ReadError, Reader};
use table_model::{Entity, Value};

use crate::lines;

fn csv(file: &str) -> Vec<Entity> {
    lines(Format::Csv, file.as_bytes()).into_iter().collect::<Result<_, _>>().unwrap()
}

#[test]
fn columns_come_in_any_order_and_types_in_both_dialects() {
    let plain = "Age,PartitionKey,Age@type,RowKey,Timestamp\n34,p,Int32,r,never\n";
    let edm = "RowKey,Age@type,Timestamp,PartitionKey,odata.etag,Age\r\nr,Edm.Int32,,p,W/x,34\r\n";
    let entity = Entity::new("p", "r").with("Age", 34);
    for file in [plain, edm] {
        assert_eq!(csv(file), std::slice::from_ref(&entity), "{file}");
    }
}

#[test]
fn an_empty_field_is_absent_without_a_type_and_empty_with_one() {
    let file = "PartitionKey,RowKey,A,A@type,B,B@type,C\n,,,,,String,\np,r,,Binary,x,,y\n";
    let nothing = Entity::new("", "").with("B", "");
    let some = Entity::new("p", "r").with("A", Vec::<u8>::new()).with("B", "x").with("C", "y");
    assert_eq!(csv(file), [nothing, some]);
}

#[test]
fn comments_empty_lines_and_a_mark_are_passed_over() {
    let file =
        "\u{feff}# made by hand\n\nPartitionKey,RowKey,A\n# \"one\n\r\np,1,\"#1\n# not \"\"one\"\"\"\n\n#";
    assert_eq!(csv(file), [Entity::new("p", "1").with("A", "#1\n# not \"one\"")]);
    let json = "\u{feff}\n{\"PartitionKey\":\"p\",\"RowKey\":\"1\"}\r\n  \n{\"PartitionKey\":\"p\",\"RowKey\":\"2\"}";
    let json: Vec<_> =
        lines(Format::JsonLines, json.as_bytes()).into_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(json, [Entity::new("p", "1"), Entity::new("p", "2")]);
}

#[test]
fn values_are_read_as_the_service_reads_them() {
    let read = |text: &str, edm_type: &str| {
        let file = format!("PartitionKey,RowKey,A,A@type\np,r,{text},{edm_type}\n");
        csv(&file)[0].properties.get("A").cloned().unwrap()
    };
    let time = |text: &str| Value::DateTime(text.parse().unwrap());
    assert_eq!(read("2020-01-01T02:00:00.1234567+02:00", "DateTime"), time("2020-01-01T00:00:00.1234567Z"));
    assert_eq!(read("NaN", "Edm.Double"), Value::Double(f64::NAN));
    assert_eq!(read("-Infinity", "Double"), Value::Double(f64::NEG_INFINITY));
    assert_eq!(read("10", "Double"), Value::Double(10.0));
    assert_eq!(read("True", "Boolean"), Value::Boolean(true));
    assert_eq!(read("-9223372036854775808", "Int64"), Value::Int64(i64::MIN));
    assert_eq!(read("AQI=", "Binary"), Value::Binary(vec![1, 2]));
}

#[test]
fn what_the_service_sends_is_read_at_each_level() {
    let file = br#"{"odata.metadata":"x","odata.etag":"W/\"x\"","PartitionKey":"p","RowKey":"r","Timestamp@odata.type":"Edm.DateTime","Timestamp":"2020-01-01","N":null,"B@odata.type":"Edm.Int64","B":"7"}"#;
    assert_eq!(lines(Format::JsonLines, file), [Ok(Entity::new("p", "r").with("B", 7_i64))]);
}

#[test]
fn a_file_whose_first_line_names_no_columns_of_a_table_is_refused() {
    let reason = |file: &[u8]| match Reader::new(Format::Csv, file) {
        Err(ReadError::Columns(reason)) => reason,
        other => format!("{other:?}"),
    };
    assert_eq!(reason(b""), "the file is empty");
    assert_eq!(reason(b"# only this\n"), "the file is empty");
    assert_eq!(reason(b"RowKey,A\n"), "line 1: there is no column `PartitionKey`");
    assert_eq!(reason(b"#\nPartitionKey,A\n"), "line 2: there is no column `RowKey`");
    assert_eq!(reason(b"PartitionKey,RowKey,A,B,A\n"), "line 1: `A` stands twice");
    assert_eq!(reason(b"PartitionKey,RowKey,A@type\n"), "line 1: `A@type` is the type of no column");
    assert_eq!(reason(b"PartitionKey,RowKey,1/22/20\n"), "line 1: `1/22/20`: The property name is invalid.");
    assert_eq!(reason(b"PartitionKey,RowKey,\xff\n"), "line 1: it is not UTF-8");
    assert!(reason(b"PartitionKey,RowKey,\"A\n").contains("a quote in it is not closed"));
}
