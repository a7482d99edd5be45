use table_model::{Properties, Uuid, Value};

use super::*;

const ROOT: &str = "https://acct.table.core.windows.net";

fn properties() -> Properties {
    let time: Timestamp = "2014-05-07T08:20:53Z".parse().unwrap();
    let id = Uuid::from_u128(0xdd3c_b8f8_93b7_44e2_b74a_c0aa_3b27_a6d2);
    let pairs: [(&'static str, Value); 8] = [
        ("S", "x".into()),
        ("B", true.into()),
        ("Bin", vec![1_u8, 2].into()),
        ("I", 42.into()),
        ("L", 5_432_873_627_392_i64.into()),
        ("D", 4.5.into()),
        ("G", id.into()),
        ("T", time.into()),
    ];
    pairs.into_iter().collect()
}

fn written(level: Level, select: Option<Selected<'_>>, keys: [&str; 2], properties: &Properties) -> String {
    let writer = RowWriter { level, account: "acct", root: ROOT, table: "people", select };
    let timestamp: Timestamp = "2024-03-01T00:00:00.1234567Z".parse().unwrap();
    let [partition_key, row_key] = keys.map(Some);
    let etag = ETag::from(timestamp);
    let head = RowHead { etag: &etag, partition_key, row_key, timestamp: Some(timestamp) };
    let mut text = String::new();
    writer.push_element(&mut text, &head, &properties.refs());
    text
}

#[test]
fn an_entity_is_written_at_each_level() {
    let full = r#"{"odata.metadata":"https://acct.table.core.windows.net/$metadata#people/@Element","odata.type":"acct.people","odata.id":"https://acct.table.core.windows.net/people(PartitionKey='p',RowKey='r')","odata.etag":"W/\"datetime'2024-03-01T00%3A00%3A00.1234567Z'\"","odata.editLink":"people(PartitionKey='p',RowKey='r')","PartitionKey":"p","RowKey":"r","Timestamp@odata.type":"Edm.DateTime","Timestamp":"2024-03-01T00:00:00.1234567Z","S":"x","B":true,"Bin@odata.type":"Edm.Binary","Bin":"AQI=","I":42,"L@odata.type":"Edm.Int64","L":"5432873627392","D":4.5,"G@odata.type":"Edm.Guid","G":"dd3cb8f8-93b7-44e2-b74a-c0aa3b27a6d2","T@odata.type":"Edm.DateTime","T":"2014-05-07T08:20:53Z"}"#;
    assert_eq!(written(Level::Full, None, ["p", "r"], &properties()), full);
    let minimal = full
        .replace(r#""odata.type":"acct.people","#, "")
        .replace(
            r#""odata.id":"https://acct.table.core.windows.net/people(PartitionKey='p',RowKey='r')","#,
            "",
        )
        .replace(r#""odata.editLink":"people(PartitionKey='p',RowKey='r')","#, "")
        .replace(r#""Timestamp@odata.type":"Edm.DateTime","#, "");
    assert_eq!(written(Level::Minimal, None, ["p", "r"], &properties()), minimal);
    assert_eq!(
        written(Level::None, None, ["p", "r"], &properties()),
        r#"{"PartitionKey":"p","RowKey":"r","Timestamp":"2024-03-01T00:00:00.1234567Z","S":"x","B":true,"Bin":"AQI=","I":42,"L":"5432873627392","D":4.5,"G":"dd3cb8f8-93b7-44e2-b74a-c0aa3b27a6d2","T":"2014-05-07T08:20:53Z"}"#
    );
}

#[test]
fn a_selection_is_echoed_and_what_is_missing_is_null() {
    let select = ["I", "Nothing", "RowKey"].map(Name::from);
    let mut some = Properties::new();
    some.set("I", 42);
    let all = Selected { names: &select, text: "I, Nothing,RowKey" };
    let one = Selected { names: &select[1..2], text: "Nothing" };
    assert_eq!(
        written(Level::Minimal, Some(all), ["p", "r"], &some),
        r#"{"odata.metadata":"https://acct.table.core.windows.net/$metadata#people/@Element&$select=I,%20Nothing,RowKey","odata.etag":"W/\"datetime'2024-03-01T00%3A00%3A00.1234567Z'\"","RowKey":"r","I":42,"Nothing":null}"#
    );
    assert_eq!(written(Level::None, Some(one), ["p", "r"], &Properties::new()), r#"{"Nothing":null}"#);
}

#[test]
fn names_and_keys_cannot_leave_their_places() {
    let mut odd = Properties::new();
    odd.set("Größe", f64::NAN);
    let text = written(Level::Full, None, ["a'b\"", "\\ ö%"], &odd);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["PartitionKey"], "a'b\"");
    assert_eq!(json["RowKey"], "\\ ö%");
    assert_eq!(json["odata.editLink"], "people(PartitionKey='a%27%27b%22',RowKey='%5C%20%C3%B6%25')");
    assert_eq!(json["Größe@odata.type"], "Edm.Double");
    assert_eq!(json["Größe"], "NaN");
}

#[test]
fn a_client_reads_what_is_written() {
    let timestamp: Timestamp = "2024-03-01T00:00:00Z".parse().unwrap();
    let mut rows = table_model::Rows::new();
    for row_key in ["1", "2"] {
        let head = table_model::rows::RowHead::whole("p", row_key, timestamp);
        rows.push(head, properties().refs()).unwrap();
    }
    for level in [Level::Minimal, Level::Full] {
        let writer = RowWriter { level, account: "acct", root: ROOT, table: "people", select: None };
        let mut list = String::new();
        writer.push_list(&mut list, rows.iter());
        assert_eq!(super::super::read_rows(list.as_bytes()).unwrap(), rows);
        let mut one = String::new();
        writer.push_row(&mut one, &rows.get(1).unwrap());
        let read = super::super::read_row(one.as_bytes(), None).unwrap();
        assert_eq!(read.get(0), rows.get(1));
    }
    for body in ["", "{}", "{\"value\":1}", "{\"value\":[1]}", "{\"value\":[{\"A\":1}]}", "{\"value\":[]} x"]
    {
        assert!(super::super::read_rows(body.as_bytes()).is_err(), "{body}");
    }
    assert!(super::super::read_rows(b"{\"odata.metadata\":\"x\",\"value\":[]}").unwrap().is_empty());
}
