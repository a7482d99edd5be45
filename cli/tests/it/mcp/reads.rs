//! Tools that read a store.

use serde_json::{Value, json};
use table_store::{Entity, Operation};

use crate::{
    location::{Company, tables, text},
    mcp::client::Client,
};

#[test]
fn contents_and_schemas_of_tables_are_returned() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &[]);
    let contents = client.object("list_contents", json!({}));
    assert_eq!(contents["tables"], json!([{ "name": "Employees" }]));
    assert_eq!(contents["queues"], json!([{ "name": "work", "messages": 1 }]));
    assert_eq!(contents["containers"], json!([{ "name": "photos" }]));
    let table = client.object("scan_table", json!({ "table": "Employees" }));
    assert_eq!(
        (&table["entities"], &table["partitions"], &table["complete"]),
        (&250.into(), &2.into(), &true.into())
    );
    let properties = table["properties"].as_array().unwrap();
    let salary = properties.iter().find(|property| property["name"] == "Salary").unwrap();
    assert_eq!(salary["types"], json!({ "Edm.Int64": 2 }));
    let versions = client.object("count_versions", json!({}));
    assert_eq!(
        versions["versions"],
        json!([{ "table": "Employees", "entity": null, "version": null, "rows": 250 }])
    );
    assert_eq!(versions["complete"], true);
    let missing = client.object("count_versions", json!({ "entities": ["Employee"] }));
    assert_eq!(missing["without_rows"], json!(["Employee"]));
}

#[test]
fn an_entity_is_read_by_its_keys() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &[]);
    let keys = json!({ "table": "Employees", "partition": "Sales", "row": "0007" });
    let entity = client.object("get_entity", keys.clone());
    assert_eq!((&entity["Name"], &entity["Salary"]), (&"Jo".into(), &"7".into()));
    assert_eq!(entity["Salary@odata.type"], "Edm.Int64");
    assert!(entity["odata.etag"].as_str().unwrap().starts_with("W/\"datetime'"), "{entity}");
    let mut selected = keys.clone();
    selected["select"] = json!(["Age"]);
    let selected = client.object("get_entity", selected);
    assert_eq!((&selected["Age"], selected.get("Name")), (&27.into(), None));
    let mut missing = keys.clone();
    missing["row"] = "9999".into();
    let error = client.call("get_entity", missing).unwrap_err();
    assert!(error.starts_with("error: no entity has these keys\nremedy: "), "{error}");
    let mut missing = keys;
    missing["table"] = "Unknown".into();
    let error = client.call("get_entity", missing).unwrap_err();
    assert!(error.contains("TableNotFound") && error.contains("remedy: call `list_contents`"), "{error}");
}

/// Reads all pages of a query, and returns the RowKeys and the number of pages.
fn all(client: &mut Client, mut arguments: Value) -> (Vec<String>, usize) {
    let (mut rows, mut pages) = (Vec::new(), 0);
    loop {
        let page = client.object("query_entities", arguments.clone());
        let entities = page["entities"].as_array().unwrap();
        assert_eq!(page["count"], entities.len());
        rows.extend(entities.iter().map(|entity| entity["RowKey"].as_str().unwrap().to_owned()));
        pages += 1;
        if page["continuation"].is_null() {
            return (rows, pages);
        }
        arguments["continuation"] = page["continuation"].clone();
    }
}

#[test]
fn a_query_is_read_page_by_page() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &[]);
    let arguments =
        json!({ "table": "Employees", "partition": "Sales", "filter": "RowKey ge '0010'", "top": 80 });
    let (rows, pages) = all(&mut client, arguments);
    assert_eq!(rows, (10..200).map(|row| format!("{row:04}")).collect::<Vec<_>>());
    assert_eq!(pages, 3);
    let default = json!({ "table": "Employees", "partition": "Sales", "filter": "RowKey ge '0010'" });
    assert_eq!(client.object("query_entities", default)["count"], 50);
    let other = json!({ "table": "Employees", "partition": "Sales", "row": "0001", "continuation": "x" });
    let error = client.call("query_entities", other).unwrap_err();
    assert!(error.contains("remedy: "), "{error}");
}

#[test]
fn scans_must_be_allowed() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &[]);
    let mut scan = json!({ "table": "Employees", "filter": "Age ge 59" });
    let error = client.call("query_entities", scan.clone()).unwrap_err();
    assert!(
        error.contains("the query reads the entire table, and `scan` is not true\ntable-scan"),
        "{error}"
    );
    assert!(error.contains("remedy: select a partition: `partition`, or"), "{error}");
    scan["scan"] = true.into();
    let found = client.object("query_entities", scan);
    assert_eq!((&found["class"], &found["count"]), (&"table-scan".into(), &6.into()));

    // The first entities require no scan, unless other entities must be checked.
    let error = client.call("query_entities", json!({ "table": "Employees" })).unwrap_err();
    assert!(error.ends_with("; or read the first entities: `top`"), "{error}");
    let found = client.object("query_entities", json!({ "table": "Employees", "top": 3 }));
    assert_eq!((&found["class"], &found["count"]), (&"key-range".into(), &3.into()));
    let filtered = json!({ "table": "Employees", "filter": "Age ge 59", "top": 3 });
    assert!(client.call("query_entities", filtered).is_err());
}

#[test]
fn a_page_ends_before_its_limit_of_bytes_and_no_entity_is_lost() {
    let company = Company::new();
    let store = company.open();
    let table = "Large".parse().unwrap();
    store.create_table(&table).unwrap();
    for row in 0..30_usize {
        let entity = Entity::new("p", format!("{row:02}")).with("Text", "x".repeat(row % 7 * 2_000));
        store.execute(&table, Operation::Insert(entity)).unwrap();
    }
    let huge = Entity::new("q", "1")
        .with("Text", "x".repeat(30_000))
        .with("More", "y".repeat(30_000))
        .with("Age", 7);
    store.execute(&table, Operation::Insert(huge)).unwrap();
    store.close().unwrap();
    let mut client = Client::on(&company.path(), &[]);
    let (rows, pages) = all(&mut client, json!({ "table": "Large", "partition": "p", "scan": true }));
    assert_eq!(rows, (0..30).map(|row| format!("{row:02}")).collect::<Vec<_>>());
    assert!((4..10).contains(&pages), "{pages}");
    let query = json!({ "table": "Large", "partition": "q", "row": "1" });
    let error = client.call("query_entities", query.clone()).unwrap_err();
    assert!(error.contains("the next entity has more than 47 KiB\nremedy: name the properties"), "{error}");
    let mut selected = query;
    selected["select"] = json!(["Age"]);
    assert_eq!(client.object("query_entities", selected)["entities"][0]["Age"], 7);
}

#[test]
fn other_programs_can_use_the_file_between_calls() {
    let company = Company::new();
    let mut client = Client::on(&company.path(), &[]);
    client.object("list_contents", json!({}));
    let store = company.open();
    let error = client.call("list_contents", json!({})).unwrap_err();
    assert!(error.contains("in use by another process") && error.contains("remedy: "), "{error}");
    store.close().unwrap();
    client.object("list_contents", json!({}));
    let missing = company.file("missing.tables");
    let error = Client::on(&missing, &[]).call("list_contents", json!({})).unwrap_err();
    assert!(error.contains("the store does not exist"), "{error}");
    assert!(!missing.exists());
}

#[test]
fn a_read_only_file_is_not_changed() {
    let company = Company::new();
    let before = std::fs::read(company.path()).unwrap();
    let mut client = Client::on(&company.path(), &[]);
    client.object("scan_table", json!({ "table": "Employees" }));
    client.object("query_entities", json!({ "table": "Employees", "scan": true, "top": 1000 }));
    assert_eq!(client.end().code, Some(0));
    assert!(std::fs::read(company.path()).unwrap() == before);
    assert_eq!(tables(&["scrub", "--store", text(&company.path())]).code, 0);
}
