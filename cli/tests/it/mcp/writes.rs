//! Tools that write.

use serde_json::{Value, json};

use crate::{location::Company, mcp::client::Client};

fn keys(row: &str) -> Value {
    json!({ "table": "Employees", "partition": "Sales", "row": row })
}

fn with(mut arguments: Value, name: &str, value: impl Into<Value>) -> Value {
    arguments[name] = value.into();
    arguments
}

#[test]
fn an_entity_is_written_merged_and_deleted_by_its_version() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &["--write"]);
    let properties = json!({ "Name": "Jo", "Salary": "5000000000", "Salary@odata.type": "Edm.Int64" });
    let new = with(keys("new"), "properties", properties);
    let first = client.object("upsert_entity", new.clone())["etag"].clone();
    let entity = client.object("get_entity", keys("new"));
    assert_eq!((&entity["odata.etag"], &entity["Salary"]), (&first, &"5000000000".into()));

    let change = with(keys("new"), "properties", json!({ "Age": 34 }));
    let second = client.object("merge_entity", with(change.clone(), "etag", first.clone()))["etag"].clone();
    let entity = client.object("get_entity", keys("new"));
    assert_eq!((&entity["Age"], &entity["Name"], &entity["odata.etag"]), (&34.into(), &"Jo".into(), &second));

    let error = client.call("merge_entity", with(change.clone(), "etag", first.clone())).unwrap_err();
    assert!(
        error.contains("UpdateConditionNotSatisfied") && error.contains("remedy: another client"),
        "{error}"
    );
    let error = client.call("upsert_entity", with(new, "etag", first.clone())).unwrap_err();
    assert!(error.contains("UpdateConditionNotSatisfied"), "{error}");
    let error = client.call("delete_entity", with(keys("new"), "etag", first)).unwrap_err();
    assert!(error.contains("UpdateConditionNotSatisfied"), "{error}");

    let replaced = with(with(keys("new"), "properties", json!({ "Age": 1 })), "etag", second);
    let third = client.object("upsert_entity", replaced)["etag"].clone();
    assert_eq!(client.object("get_entity", keys("new")).get("Name"), None);
    assert_eq!(client.object("delete_entity", with(keys("new"), "etag", third)), json!({ "deleted": true }));
    let error = client.call("delete_entity", with(keys("new"), "etag", "*")).unwrap_err();
    assert!(error.contains("ResourceNotFound"), "{error}");
    assert_eq!(client.end().code, Some(0));
}

#[test]
fn invalid_writes_change_nothing() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &["--write"]);
    for (tool, arguments, part) in [
        ("merge_entity", with(keys("0001"), "properties", json!({})), "`etag` is required"),
        ("delete_entity", keys("0001"), "`etag` is required"),
        ("upsert_entity", keys("0001"), "`properties` is required"),
        ("upsert_entity", with(keys("0001"), "properties", json!({ "RowKey": "2" })), "contains a key"),
        ("upsert_entity", with(keys("0001"), "properties", json!({ "A": { "B": 1 } })), "InvalidInput"),
        ("upsert_entity", with(keys("a/b"), "properties", json!({ "A": 1 })), "error: "),
        (
            "upsert_entity",
            with(with(keys("1"), "properties", json!({})), "table", "Unknown"),
            "TableNotFound",
        ),
    ] {
        let error = client.call(tool, arguments.clone()).unwrap_err();
        assert!(error.contains(part), "{tool} {arguments}: {error}");
    }
    let table = client.object("scan_table", json!({ "table": "Employees" }));
    assert_eq!(table["entities"], 250);
    assert_eq!(client.object("get_entity", keys("0001"))["Age"], 21);
}

#[test]
fn a_hidden_credential_is_not_overwritten_by_its_placeholder() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &["--write"]);
    let secret = "AccountName=a;AccountKey=c2VjcmV0c2VjcmV0;";
    client.object("upsert_entity", with(keys("k"), "properties", json!({ "Connect": secret, "Age": 1 })));
    let read = client.object("get_entity", keys("k"));
    let (shown, etag) = (read["Connect"].clone(), read["odata.etag"].clone());
    assert_eq!(shown, "AccountName=a;AccountKey=(hidden);");
    for tool in ["upsert_entity", "merge_entity"] {
        let back = with(keys("k"), "properties", json!({ "Connect": shown, "Age": 2 }));
        let error = client.call(tool, with(back, "etag", etag.clone())).unwrap_err();
        assert!(error.contains("`properties` contains (hidden)") && error.contains("remedy: "), "{error}");
    }
    assert_eq!(client.object("get_entity", keys("k"))["odata.etag"], etag);
}

#[test]
fn an_invalid_property_is_named_with_the_expected_form() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &["--write"]);
    let properties = json!({ "Name": "Jo", "Salary": "x", "Salary@odata.type": "Edm.Int64" });
    let error = client.call("upsert_entity", with(keys("1"), "properties", properties)).unwrap_err();
    assert!(error.contains("property `Salary`: ") && error.contains("remedy: pass a string, "), "{error}");
}

#[test]
fn concurrent_calls_wait_for_the_file() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &["--write"]);
    let write = |row| {
        let arguments = with(keys(&format!("c{row:02}")), "properties", json!({ "A": 1 }));
        json!({ "name": "upsert_entity", "arguments": arguments })
    };
    let read = json!({ "name": "get_entity", "arguments": keys("0001") });
    let mut open: Vec<u64> = Vec::new();
    for row in 0..10 {
        open.push(client.ask("tools/call", write(row)));
        open.push(client.ask("tools/call", read.clone()));
    }
    for _ in 0..20 {
        let response = client.receive();
        assert_eq!(response["result"]["isError"], false, "{response}");
        open.retain(|id| response["id"] != *id);
    }
    assert_eq!(open, [] as [u64; 0]);
    let rows = json!({ "table": "Employees", "partition": "Sales", "filter": "RowKey ge 'c'" });
    assert_eq!(client.object("query_entities", rows)["count"], 10);
}

#[test]
fn a_store_with_a_kept_log_is_written_only_with_it() {
    let company = Company::new();
    let kept = company.file("kept");
    let path = company.path();
    std::fs::create_dir(&kept).unwrap();
    let log = table_store::KeepLog::in_folder(&kept);
    let store = table_store::OpenOptions::new().keep_log(log).open(&path).unwrap().blocking();
    store.close().unwrap();
    let write = with(keys("new"), "properties", json!({ "A": 1 }));
    let error = Client::on(&path, &["--write"]).call("upsert_entity", write.clone()).unwrap_err();
    assert!(error.contains("continue it with --keep-log DIR"), "{error}");
    let mut client = Client::on(&path, &["--write", "--keep-log", kept.to_str().unwrap()]);
    client.object("upsert_entity", write);
    assert_eq!(client.object("get_entity", keys("new"))["A"], 1);
}
