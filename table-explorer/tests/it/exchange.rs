//! Exports and imports.

use table_explorer::{Explorer, Place};
use table_model::{Condition, Entity, Operation};
use table_store::Store;

use crate::{
    client::{Reply, Served},
    merge, row,
    service::{Event, Remote},
    store,
};

const EXPORT: &str = "/export/file?table=Employees&filter=PartitionKey%20eq%20%27Sales%27";

fn people() -> Store {
    store([
        Entity::new("Sales", "1").with("Name", "Jo, \"x\"").with("Id", (1_i64 << 53) + 1),
        Entity::new("Sales", "2").with("Age", 34),
        Entity::new("Other", "3"),
    ])
}

/// Uploads a file as a browser does.
pub(crate) fn upload(served: &Served, name: &str, mode: &str, content: &str) -> Reply {
    let token = served.form_token();
    let part = |name: &str, value: &str| {
        format!("--X\r\nContent-Disposition: form-data; name={name}\r\n\r\n{value}\r\n")
    };
    let body = [
        part("\"form-token\"", token.as_str()),
        part("\"table\"", "Employees"),
        part("\"mode\"", mode),
        part(&format!("\"file\"; filename=\"{name}\""), content),
        "--X--\r\n".to_owned(),
    ]
    .concat();
    let origin = format!("http://{}", served.address);
    let headers = [served.cookie(), ("origin", &origin), ("content-type", "multipart/form-data; boundary=X")];
    served.send("POST", "/import", &headers, &body)
}

#[test]
fn an_export_needs_the_consent_of_a_scan_and_keeps_types() {
    let store = people();
    let served = Served::read_only(&store);
    served
        .get("/export?table=Employees&filter=PartitionKey%20eq%20%27Sales%27")
        .is(200)
        .has("reads an entire partition")
        .has("Scan and export");
    served.get(&format!("{EXPORT}&format=csv")).is(400).has("requires `scan=1`");
    served.get(&format!("{EXPORT}&format=xml&scan=1")).is(400);
    let csv = served.get(&format!("{EXPORT}&format=csv&scan=1"));
    let text = csv.is(200).text.replace("\r\n", "\n");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("PartitionKey,RowKey,Timestamp,Name,Name@type,Id,Id@type,Age,Age@type"));
    let first = lines.next().unwrap();
    assert!(
        first.starts_with("Sales,1,")
            && first.ends_with(",\"Jo, \"\"x\"\"\",String,9007199254740993,Int64,,"),
        "{first}"
    );
    assert_eq!((lines.next().is_some(), lines.next()), (true, None));
    assert_eq!(csv.header("content-disposition"), Some("attachment; filename=\"Employees.csv\""));
    let lines = served.get(&format!("{EXPORT}&format=jsonl&scan=1"));
    assert_eq!(lines.text.lines().count(), 2);
    lines.has("\"Id\":\"9007199254740993\"");
    let point = "/export/file?table=Employees&format=jsonl&filter=PartitionKey%20eq%20%27Other%27%20and%20RowKey%20eq%20%273%27";
    served.get(point).is(200).has("\"RowKey\":\"3\"");
    served.get("/export?table=Employees&filter=x%20eq").is(400);
}

#[test]
fn a_table_survives_an_export_and_an_import() {
    let store = people();
    let served = Served::writable(&store);
    for format in ["csv", "jsonl"] {
        let file = served.get(&format!("/export/file?table=Employees&format={format}&scan=1"));
        let copy = Store::in_memory().unwrap();
        let to = Served::writable(&copy);
        let preview = upload(&to, &format!("people.{format}"), "insert", &file.text);
        preview.is(200).has("The first 3 of 3 entities").has("9007199254740993").has("inserted");
        to.submit(&preview, "/import/run", |_| ()).is(200).has("3 entities of").has("2 transactions");
        for key in ["1", "2"] {
            assert_eq!(row(&copy, key).unwrap().properties, row(&store, key).unwrap().properties);
        }
    }
}

#[test]
fn an_import_is_previewed_and_runs_once() {
    let store = people();
    let served = Served::writable(&store);
    let file =
        "PartitionKey,RowKey,Name,Name@type\nSales,1,Al,String\nSales,9,<b>,String\nSales,10,x,Int32\n";
    let preview = upload(&served, "people.csv", "insert", file);
    preview
        .is(200)
        .has("rejected: exists")
        .has("inserted")
        .has("1 line is skipped:")
        .has("line 4:")
        .has("&lt;b&gt;")
        .has("Import 2 entities");
    assert_eq!(row(&store, "9"), None, "nothing was written");
    let done = served.submit(&preview, "/import/run", |_| ());
    done.is(200).has("Imported 1 entity").has("2 lines rejected").has("EntityAlreadyExists");
    assert!(row(&store, "9").is_some());
    served.submit(&preview, "/import/run", |_| ()).is(409).has("This preview is over");
    let other = upload(&served, "people.csv", "upsert", "PartitionKey,RowKey\nSales,11\n");
    served.submit(&preview, "/import/run", |_| ()).is(409);
    served.submit(&other, "/import/run", |_| ()).is(200);
    upload(&served, "people.txt", "insert", file).is(400).has(".jsonl");
    upload(&served, "people.csv", "insert", "").is(400).has("cannot be read");
}

#[test]
fn an_import_into_a_remote_account_asks_for_its_name_and_keeps_the_file() {
    let store = store([]);
    let remote = Remote::new(&store);
    let served = remote.serve();
    let preview = upload(&served, "a.jsonl", "insert", "{\"PartitionKey\":\"Sales\",\"RowKey\":\"1\"}");
    preview.is(200).has("Import 1 entity").lacks("Write to this account?");
    let question = served.submit(&preview, "/import/run", |_| ());
    question.is(200).has("Write to this account?");
    assert_eq!(remote.writes(), 0);
    let done = served.submit(&question, "/import/run", |form| {
        form.set("account-typed", "acme");
    });
    done.is(200).has("Imported 1 entity");
    assert!(row(&store, "1").is_some());
}

/// Between the check of a row and its write, another process writes it.
#[test]
fn a_row_that_changes_during_an_import_is_not_overwritten() {
    let (one, two) = (Entity::new("Sales", "1").with("Age", 1), Entity::new("Sales", "2").with("Age", 1));
    let store = store([one, two]);
    let remote = Remote::new(&store);
    let served = remote.serve();
    let age = |key: &str| row(&store, key).unwrap().properties.get("Age").cloned();
    let import = |mode: &str, keys: &[&str], other: Operation| {
        let line = |key: &&str| format!("{{\"PartitionKey\":\"Sales\",\"RowKey\":\"{key}\",\"Age\":99}}\n");
        let file: String = keys.iter().map(line).collect();
        let preview = upload(&served, "a.jsonl", mode, &file);
        remote.next(Event::Before(other));
        let run = served.submit(&preview, "/import/run", |_| ());
        if !run.text.contains("Write to this account?") {
            return run;
        }
        served.submit(&run, "/import/run", |form| {
            form.set("account-typed", "acme");
        })
    };
    let entity = |key: &str| Entity::new("Sales", key).with("Age", 7);
    let overtaken = "another writer changed the row during the import";
    let changed = import("upsert", &["1", "2"], Operation::Merge(entity("1"), Condition::Exists));
    changed.is(200).has(&format!("line 1: {overtaken}")).has("Imported 1 entity");
    assert_eq!((age("1"), age("2")), (Some(7.into()), Some(99.into())));
    let inserted = import("upsert-merge", &["3", "4"], Operation::Insert(entity("4")));
    inserted.is(200).has(&format!("line 2: {overtaken}")).has("Imported 1 entity");
    assert_eq!((age("3"), age("4")), (Some(99.into()), Some(7.into())));
    let missing = import("replace", &["5"], Operation::Insert(entity("6")));
    missing.is(200).has("line 1: no row has these keys").has("Imported 0 entities");
}

#[test]
fn rows_of_a_design_are_not_imported() {
    let store = store([Entity::new("Sales", "1").with("_tx", "01J0")]);
    let served = Served::writable(&store);
    for (mode, file) in [
        ("insert", "{\"PartitionKey\":\"Sales\",\"RowKey\":\"!o_01\"}"),
        ("insert", "{\"PartitionKey\":\"Sales\",\"RowKey\":\"2\",\"_tx\":\"01J0\"}"),
        ("upsert", "{\"PartitionKey\":\"Sales\",\"RowKey\":\"1\"}"),
    ] {
        upload(&served, "a.jsonl", mode, file).is(200).has("This file is not imported").lacks("/import/run");
    }
}

#[test]
fn every_row_is_checked_when_the_import_runs() {
    let plain = (1..=21).map(|id| Entity::new("Sales", id.to_string()).with("Age", id));
    let store = store(plain);
    merge(&store, Entity::new("Sales", "21").with("_tx", "01J0"));
    let served = Served::writable(&store);
    let line = |id: i32| format!("{{\"PartitionKey\":\"Sales\",\"RowKey\":\"{id}\",\"Age\":99}}\n");
    let run = |mode: &str, before: &dyn Fn()| {
        let file: String = (1..=21).map(line).collect();
        let preview = upload(&served, "a.jsonl", mode, &file);
        preview.has("Import 21 entities");
        before();
        served.submit(&preview, "/import/run", |_| ())
    };
    for mode in ["upsert", "replace", "merge", "upsert-merge"] {
        run(mode, &|| ()).is(403).has("line 21, `Sales` / `21`").has("`_tx`").has("At least 0 entities");
    }
    let changed = || merge(&store, Entity::new("Sales", "3").with("_st", "l"));
    run("upsert", &changed).is(403).has("line 3, `Sales` / `3`").has("`_st`");
    assert_eq!(row(&store, "1").unwrap().properties.get("Age"), Some(&1.into()), "nothing was written");
    run("insert", &|| ()).is(200).has("21 lines rejected");
    let raw = Explorer::new(Place::of_store("company.tables", store.clone())).writable(true).raw(true);
    let raw = Served::start(raw);
    let preview = upload(&raw, "a.jsonl", "merge", &line(21));
    raw.submit(&preview, "/import/run", |_| ()).is(200).has("Imported 1 entity");
}

#[test]
fn a_read_only_explorer_imports_nothing() {
    let served = Served::read_only(&people());
    served.get("/").lacks("/import");
    served.get("/t/Employees").lacks("/import");
    served.get("/import").is(403).has("--write");
}
