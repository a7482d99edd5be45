//! Queries: pages, selections, filters.

use crate::tables::exchange::{Answer, ROOT, Request, Server};

fn filled(count: usize) -> Server {
    let server = Server::with_people();
    for n in 0..count {
        let body = format!(r#"{{"PartitionKey":"p{}","RowKey":"{n:05}","N":{n}}}"#, n % 2);
        server
            .send(Request::new("POST", "/people").json(body).header("prefer", "return-no-content"))
            .expect(204);
    }
    server
}

fn rows(answer: &Answer) -> Vec<i64> {
    answer.json()["value"].as_array().unwrap().iter().map(|row| row["N"].as_i64().unwrap()).collect()
}

/// Returns the number of pages of a query, and all rows.
fn pages(server: &Server, target: &str) -> (usize, Vec<i64>) {
    let (mut count, mut all, mut next) = (0, Vec::new(), String::new());
    loop {
        let page = server.get(&format!("{target}{next}")).expect(200);
        count += 1;
        all.extend(rows(&page));
        let partition_key = page.header("x-ms-continuation-nextpartitionkey");
        let row_key = page.header("x-ms-continuation-nextrowkey");
        assert_eq!(partition_key.is_some(), row_key.is_some());
        let (Some(partition_key), Some(row_key)) = (partition_key, row_key) else { return (count, all) };
        assert!(!row_key.is_empty());
        let plain =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!-_".contains(&byte));
        assert!(plain(partition_key) && plain(row_key), "{partition_key} {row_key}");
        next = format!("&NextPartitionKey={partition_key}&NextRowKey={row_key}");
    }
}

#[test]
fn a_list_names_its_table_and_the_version_of_each_row() {
    let server = filled(1);
    let row = server.get("/people(PartitionKey='p0',RowKey='00000')").expect(200);
    let etag = row.etag().replace('"', "\\\"");
    let timestamp = row.time();
    let members = format!(r#""PartitionKey":"p0","RowKey":"00000","Timestamp":"{timestamp}","N":0"#);
    let list = server.get("/people()").expect(200);
    assert_eq!(list.header("etag"), None);
    assert_eq!(
        list.body,
        format!(
            r#"{{"odata.metadata":"{ROOT}/$metadata#people","value":[{{"odata.etag":"{etag}",{members}}}]}}"#
        )
    );
    let none = Request::new("GET", "/people").accept("application/json;odata=nometadata");
    assert_eq!(server.send(none).expect(200).body, format!(r#"{{"value":[{{{members}}}]}}"#));
    assert_eq!(server.get("/people()?$filter=N%20gt%205").expect(200).json()["value"], serde_json::json!([]));
    let keys = "/people()?$filter=PartitionKey%20eq%20'p0'%20and%20RowKey%20eq%20'x'";
    assert_eq!(rows(&server.get(keys).expect(200)), [] as [i64; 0]);
    server.get("/nobody()").refused(404, "TableNotFound", "The table specified does not exist.");
}

#[test]
fn pages_hold_a_thousand_rows_or_as_many_as_are_asked_for() {
    let server = filled(1001);
    let (count, all) = pages(&server, "/people()?x=1");
    assert_eq!((count, all.len()), (2, 1001));
    let evens: Vec<i64> = (0..1001).step_by(2).collect();
    assert_eq!(all[..501], evens[..]);
    let (count, some) =
        pages(&server, "/people()?$top=100&$filter=PartitionKey%20eq%20'p1'%20and%20N%20lt%20301");
    assert_eq!((count, some.len()), (2, 150));
    let page = server.get("/people()?$top=0").expect(200);
    assert_eq!((rows(&page), page.header("x-ms-continuation-nextpartitionkey")), (vec![], None));
    assert_eq!(server.get("/people()?$top=1001").expect(400).code(), "InvalidInput");
    assert_eq!(server.get("/people()?$top=-1").expect(400).code(), "InvalidInput");
}

#[test]
fn a_token_is_good_where_it_was_given_and_as_it_was_given() {
    let server = filled(3);
    let page = server.get("/people()?$top=1").expect(200);
    let partition_key = page.header("x-ms-continuation-nextpartitionkey").unwrap();
    let row_key = page.header("x-ms-continuation-nextrowkey").unwrap();
    let good = format!("NextPartitionKey={partition_key}&NextRowKey={row_key}");
    assert_eq!(rows(&server.get(&format!("/people()?$top=1&{good}")).expect(200)), [2]);
    server.post("/Tables", r#"{"TableName":"others"}"#).expect(201);
    for target in [
        format!("/others()?$top=1&{good}"),
        format!("/people()?$top=1&$filter=N%20eq%201&{good}"),
        format!("/people()?$top=1&NextPartitionKey={partition_key}"),
        format!("/people()?$top=1&NextPartitionKey={partition_key}&NextRowKey="),
        format!("/people()?$top=1&NextRowKey={row_key}"),
        format!("/people()?$top=1&NextPartitionKey={row_key}&NextRowKey={partition_key}"),
        "/people()?NextPartitionKey=1!4!YQ--&NextRowKey=1!4!YQ--".to_owned(),
    ] {
        assert_eq!(server.get(&target).expect(400).code(), "InvalidInput", "{target}");
    }
}

#[test]
fn a_selection_leaves_out_what_is_not_named_and_says_what_is_missing() {
    let server = filled(1);
    let list = server.get("/people()?$select=N,%20Nothing,RowKey").expect(200).json();
    assert_eq!(list["odata.metadata"], format!("{ROOT}/$metadata#people&$select=N,%20Nothing,RowKey"));
    let row = list["value"][0].as_object().unwrap();
    assert_eq!(row.keys().collect::<Vec<_>>(), ["N", "Nothing", "RowKey", "odata.etag"]);
    assert!(row["Nothing"].is_null());
    let one = server.get("/people(PartitionKey='p0',RowKey='00000')?$select=N").expect(200).json();
    assert_eq!(one.as_object().unwrap().len(), 3);
    assert_eq!(server.get("/people()?$select=").expect(200).json()["value"][0].as_object().unwrap().len(), 5);
    let full = Request::new("GET", "/people()?$select=N").accept("application/json;odata=fullmetadata");
    let full = server.send(full).expect(200).json();
    assert_eq!(full["value"][0]["odata.editLink"], "people(PartitionKey='p0',RowKey='00000')");
    assert_eq!(full["value"][0]["PartitionKey"], serde_json::Value::Null);
}

#[test]
fn filters_come_encoded_as_clients_do() {
    let server = filled(4);
    for target in [
        "/people()?$filter=N%20ge%202%20and%20PartitionKey%20eq%20'p0'",
        "/people?%24filter=N+ge+2+and+PartitionKey+eq+%27p0%27",
        "/people()?$filter=(2%20le%20N)%20and%20not%20(PartitionKey%20eq%20'p1')&$select=N&$format=application/json",
    ] {
        assert_eq!(rows(&server.get(target).expect(200)), [2], "{target}");
    }
    assert_eq!(rows(&server.get("/people()?$filter=&$top=0&$select=").expect(200)), [] as [i64; 0]);
    let message = "Syntax error at position 7 in 'aaa bbb ccc'.";
    server.get("/people()?$filter=aaa%20bbb%20ccc").refused(400, "InvalidInput", message);
    let message = "The requested operation is not implemented on the specified resource.";
    server.get("/people()?$orderby=N").refused(501, "NotImplemented", message);
}

/// Escapes triple the size of the text, so the stored size does not determine that of the response.
#[test]
fn pages_end_at_four_mebibytes_as_sent() {
    let server = Server::with_people();
    for row in 0..30 {
        let text = "ö".repeat(30_000);
        let body = format!(r#"{{"PartitionKey":"p","RowKey":"{row:02}","N":{row},"Text":"{text}"}}"#);
        server
            .send(Request::new("POST", "/people").json(&body).header("prefer", "return-no-content"))
            .expect(204);
    }
    for target in ["/people()?$top=1000", "/people()?$filter=PartitionKey%20eq%20'p'"] {
        let first = server.get(target).expect(200);
        assert!(((4 << 20)..(4 << 20) + 190_000).contains(&first.body.len()), "{}", first.body.len());
        assert_eq!(pages(&server, target), (2, (0..30).collect()));
    }
}
