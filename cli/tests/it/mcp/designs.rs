//! Tools on designs.

use std::fs;

use serde_json::{Value, json};

use crate::mcp::client::Client;

const DESIGN: &str = "\
tables = 1
[entity.Employee]
table = \"Employees\"
partition = \"{department}\"
row = \"empid_{id:06}\"
[entity.Employee.fields]
department = \"string(40)\"
id = \"u32\"
age = \"i32?\"
[query.older]
find = \"Employee\"
where = \"department = ? and age > 20%\"
rate = \"4/s\"
[load.Employee]
count = 100_000
values.department = { distinct = 40 }
";

#[test]
fn a_design_is_advised_on_as_text_and_as_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("company.toml"), DESIGN).unwrap();
    let mut client = Client::session(&["--files", folder.path().to_str().unwrap()]);
    let by_text = client.call("advise", json!({ "design": DESIGN })).unwrap();
    assert!(by_text.contains("**warning Q02**, `older`, line 12"), "{by_text}");
    assert!(by_text.contains("| `older` | `department = ? and age > 20%` | partition-scan |"), "{by_text}");
    let by_file = client.call("advise", json!({ "file": "company.toml" })).unwrap();
    assert_eq!(by_file.split_once('\n').unwrap().1, by_text.split_once('\n').unwrap().1);
    let load = "tables = 1\n[load.Employee]\ncount = 5\n";
    let loaded = client.call("advise", json!({ "design": DESIGN, "load": load })).unwrap();
    assert!(loaded.contains("rows: 5\n") && by_text.contains("rows: 100,000\n"), "{loaded}");
}

/// Returns arguments from the examples of a tool.
fn examples(client: &mut Client, tool: &str, names: &[&str]) -> Value {
    let listed = client.request("tools/list", json!({}));
    let tool = listed["tools"].as_array().unwrap().iter().find(|listed| listed["name"] == tool).unwrap();
    let example =
        |name: &&str| ((*name).to_owned(), tool["inputSchema"]["properties"][name]["examples"][0].clone());
    Value::Object(names.iter().map(example).collect())
}

#[test]
fn examples_succeed() {
    let mut client = Client::session(&[]);
    for (tool, names) in [
        ("advise", &["design", "load"][..]),
        ("explain_rule", &["code"]),
        ("design_from_rust", &["source", "name"]),
        ("explain_query", &["partition", "filter", "backend"]),
    ] {
        let arguments = examples(&mut client, tool, names);
        client.call(tool, arguments).unwrap();
    }
}

#[test]
fn an_invalid_design_is_an_error_with_its_lines() {
    let mut client = Client::session(&[]);
    let design = DESIGN.replace("{department}", "{departement}");
    let error = client.call("advise", json!({ "design": design })).unwrap_err();
    assert!(
        error.starts_with("error[D008]: `Employee` has no field `departement`\n --> design:4:"),
        "{error}"
    );
    assert!(error.contains("did you mean `department`?"), "{error}");
    for arguments in [json!({}), json!({ "design": DESIGN, "file": "a.toml" })] {
        let error = client.call("advise", arguments).unwrap_err();
        assert_eq!(error, "error: expected one of `design` and `file`");
    }
    let error = client.call("advise", json!({ "file": "/etc/passwd" })).unwrap_err();
    assert!(error.contains("no file with the extension .toml below"), "{error}");
}

#[test]
fn entities_of_rust_sources_become_a_design() {
    let source = "#[derive(TableEntity)]\n#[table(name = \"Employees\", partition = \"{department}\", row = \"{id:06}\")]\n\
                  struct Employee { department: String, id: u32 }\n";
    let mut client = Client::session(&[]);
    let design = client.call("design_from_rust", json!({ "source": source, "name": "company" })).unwrap();
    assert!(design.contains("[entity.Employee]") && design.contains("\"company\""), "{design}");
    client.call("advise", json!({ "design": design })).unwrap();
    let error = client.call("design_from_rust", json!({ "source": "struct Plain;" })).unwrap_err();
    assert_eq!(error, "error: no struct in these files derives TableEntity");
    let error = client.call("design_from_rust", json!({ "files": ["../a.rs"] })).unwrap_err();
    assert!(error.contains("pass its text as `source`"), "{error}");
}

#[test]
fn a_query_is_explained_with_its_class_and_price() {
    let mut client = Client::session(&[]);
    let point = client.object("explain_query", json!({ "partition": "Sales", "row": "1" }));
    assert_eq!((&point["class"], &point["scan"]), (&"point".into(), &false.into()));
    assert_eq!(point["price"]["request"], "point read");
    assert!(point["price"]["per_million_requests"].as_f64().unwrap() > 0.0 && point.get("advice").is_none());
    let scan = client.object("explain_query", json!({ "filter": "Age ge 30" }));
    assert_eq!((&scan["class"], &scan["check"]), (&"table-scan".into(), &"Age ge 30".into()));
    assert_eq!(scan["price"]["request"], "query page");
    assert_eq!(scan["advice"], "select a partition: `partition`, or a filter with PartitionKey eq '…'");
    let rows = json!({ "partition": "Sales", "filter": "RowKey eq '1' or RowKey eq '3'" });
    assert_eq!(client.object("explain_query", rows.clone())["class"], "multi-point");
    let mut azure = rows;
    azure["backend"] = "azure".into();
    assert_eq!(client.object("explain_query", azure)["class"], "partition-scan");
    let error = client.call("explain_query", json!({ "filter": "Age ge" })).unwrap_err();
    assert!(error.contains("invalid filter") && error.contains("remedy: see the resource"), "{error}");
}
