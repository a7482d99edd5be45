use std::{path::Path, time::Duration};

use serde_json::Value;
use table_store::{BlockingStore, Durability, Entity, OpenOptions, Operation, TableName};

use super::{Answer, file, tables};

/// Things in groups, of which the first has a third; wide readings in one table per month.
const DESIGN: &str = r#"
tables = 1
design = "shop"

[entity.Thing]
table     = "Things"
partition = "{group}"
row       = "thing_{id:06}"

[entity.Thing.fields]
group  = "string(20)"
id     = "u32"
size   = "i64"
name   = "string(40)"
note   = "string(200)?"
secret = { type = "string(40)", encrypt = true }

[entity.Thing.index.by_size]
row  = "size_{size:03}_{id:06}"
copy = []

[entity.Thing.lookup.by_name]
on = ["name"]

[entity.Thing.lookup.by_size_of]
on  = ["size"]
row = "of_{size:03}"
ids = "ThingIDs"

[entity.Reading]
table     = "Readings{day:%Y%m}"
keep      = "400d"
partition = "{device:04}"
row       = "{day:%Y%m%d}_{part:02}"
wide      = 20

[entity.Reading.fields]
device  = "u16"
day     = "date"
celsius = { type = "f64", series = 24 }

[query.large]
find  = "Thing"
where = "group = ? and size > 5%"

[load.Thing]
count  = 1_000
insert = "10/s"
values.group = { distinct = 10 }
values.note  = { chars = 10 }
"#;

const THINGS: u32 = 4_500;
const GROUPS: u32 = 30;

fn table(store: &BlockingStore, name: &str) -> TableName {
    let name = name.parse().unwrap();
    store.create_table(&name).unwrap();
    name
}

/// Returns the names of a group and of its things.
fn group(number: u32) -> String {
    let group = if number.is_multiple_of(3) { 0 } else { 1 + number % (GROUPS - 1) };
    format!("group {group:02}")
}

fn things(store: &BlockingStore) {
    let things = table(store, "Things");
    for number in 0..THINGS {
        let (group, size, name) = (group(number), i64::from(number % 60), format!("name{:03}", number % 500));
        let row = format!("thing_{number:06}");
        let typed = |row: &str| Entity::new(group.as_str(), row).with("EntityType", "Thing");
        let thing = typed(&row).with("size", size).with("name", name.as_str()).with("secret", vec![0; 60]);
        let thing = if number.is_multiple_of(2) {
            thing.with("note", "of forty letters, which is as long as this")
        } else {
            thing
        };
        let rows =
            [thing, typed(&format!("size_{size:03}_{number:06}")), typed(&format!("name_{name}!{row}"))];
        store.transact(&things, rows.map(Operation::Insert)).unwrap();
    }
    // A list in one row, and a member beyond its capacity.
    let ids = serde_json::json!((0..40).map(|id| format!("thing_{id:06}")).collect::<Vec<_>>()).to_string();
    let list = Entity::new("group 00", "of_007").with("ThingIDs", ids);
    let spilled = Entity::new("group 00", "of_007!thing_000040");
    store.transact(&things, [list, spilled].map(Operation::Insert)).unwrap();
    for row in ["stray", "thing_12", "!own"] {
        store.execute(&things, Operation::Insert(Entity::new("group 00", row))).unwrap();
    }
    // Keys of a thing, with another `EntityType`.
    let other = Entity::new("group 00", "thing_999999").with("EntityType", "Other");
    store.execute(&things, Operation::Insert(other)).unwrap();
}

/// Writes ten devices on two days of two months each; of the 24 slots 18 exist.
fn readings(store: &BlockingStore) {
    for month in ["202601", "202602"] {
        let readings = table(store, &format!("Readings{month}"));
        for device in 0..10 {
            for day in ["03", "04"] {
                let key = |part: u8| format!("{month}{day}_{part:02}");
                let slots = |row: Entity, slots: std::ops::Range<u8>| {
                    slots.fold(row, |row, slot| row.with(format!("celsius_{slot:02}"), f64::from(slot)))
                };
                let device = format!("{device:04}");
                let rows = [
                    slots(Entity::new(device.as_str(), key(0)), 0..16),
                    slots(Entity::new(device.as_str(), key(1)), 20..22),
                ];
                store.transact(&readings, rows.map(Operation::Insert)).unwrap();
            }
        }
    }
}

/// Creates a directory with a store.
fn filled(fill: impl Fn(&BlockingStore)) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let relaxed = Durability::Relaxed { at_most: Duration::from_secs(60) };
    let store =
        OpenOptions::new().create(true).durability(relaxed).open(folder.path().join("shop.tables")).unwrap();
    let store = store.blocking();
    fill(&store);
    store.close().unwrap();
    folder
}

fn advise(design: &Path, more: &[&str]) -> Answer {
    let arguments = ["advise", design.to_str().unwrap(), "--servers", "1"];
    tables(&[&arguments, more].concat())
}

fn json(answer: &Answer) -> Value {
    assert_eq!(answer.code, 0, "{}", answer.errors);
    serde_json::from_str(&answer.out).unwrap()
}

/// Returns the line with a measurement and its assumption.
fn line<'r>(report: &'r Value, of: &str, what: &str) -> &'r Value {
    let lines = report.pointer("/observed/compared").and_then(Value::as_array).unwrap();
    let mut lines = lines.iter();
    lines.find(|line| line["of"] == of && line["what"] == what).unwrap()
}

#[test]
fn what_is_there_is_measured_within_the_stated_errors() {
    let (design, folder) = (
        file(DESIGN),
        filled(|store| {
            things(store);
            readings(store);
            table(store, "Elsewhere");
        }),
    );
    let place = folder.path().join("shop.tables");
    let arguments = ["--observe", place.to_str().unwrap(), "--format", "json"];
    let answer = advise(design.path(), &arguments);
    let report = json(&answer);
    let observed = &report["observed"];
    assert_eq!(observed["other_tables"], serde_json::json!(["Elsewhere"]));
    assert_eq!((&observed["unknown_rows"], &observed["own_rows"]), (&Value::from(3), &Value::from(1)));
    let strays = serde_json::json!([
        ["Things", "group 00", "stray"],
        ["Things", "group 00", "thing_12"],
        ["Things", "group 00", "thing_999999"]
    ]);
    assert_eq!(observed["strays"], strays);

    let all = f64::from(THINGS);
    for (of, what, expected) in [
        ("Thing", "entities", all),
        ("Thing", "partitions", f64::from(GROUPS)),
        ("Thing", "largest partition", 1.0 / 3.0),
        ("Thing.by_size", "rows", all),
        ("Thing.by_size", "row size", 4.0 + 2.0 * (8.0 + 15.0) + (8.0 + 20.0 + 14.0)),
        ("Thing.group", "distinct values", f64::from(GROUPS)),
        ("Thing.group", "most frequent value", 1.0 / 3.0),
        ("Thing.size", "distinct values", 60.0),
        ("Thing.size", "most frequent value", 1.0 / 60.0),
        ("Thing.name", "distinct values", 500.0),
        ("Thing.name", "average length", 7.0),
        ("Thing.note", "average length", 42.0),
        ("Thing.note", "present", 0.5),
        ("Thing.secret", "average length", 12.0),
        ("Thing.by_name", "longest list", 3.0),
        ("Thing.by_size_of", "lists", 1.0),
        ("Thing.by_size_of", "longest list", 41.0),
        ("Reading", "entities", 40.0),
        ("Reading", "partitions", 10.0),
        ("Reading.celsius", "present", 0.75),
    ] {
        let is = line(&report, of, what)["measured"].as_f64().unwrap();
        assert!((is - expected).abs() < 1e-9, "{of}, {what}: {is} for {expected}");
    }
    // More distinct values than are counted exactly: three standard errors.
    let ids = line(&report, "Thing.id", "distinct values")["measured"].as_f64().unwrap();
    assert!((ids - all).abs() <= all * 0.048, "{ids}");

    // The report uses the measurements.
    assert_eq!(report["partitions"]["things[{}]"]["partitions"], f64::from(GROUPS));
    let large = &report["queries"]["large"];
    assert!((large["match"].as_f64().unwrap() - all * 0.05 / f64::from(GROUPS)).abs() < 1e-9, "{large}");
    let marked = |of: &str, what: &str| line(&report, of, what)["marked"] == true;
    assert!(marked("Thing", "entities") && marked("Thing.note", "average length"));
    assert!(!marked("Thing.secret", "average length") && !marked("Thing.by_size", "row size"));
}

#[test]
fn a_measured_load_gives_the_same_report_without_the_place() {
    let (design, folder) = (file(DESIGN), filled(things));
    let (place, load) = (folder.path().join("shop.tables"), folder.path().join("measured.toml"));
    let observed =
        ["--observe", place.to_str().unwrap(), "--write-load", load.to_str().unwrap(), "--format", "json"];
    let with_place = json(&advise(design.path(), &observed));
    let with_load = json(&advise(design.path(), &["--load", load.to_str().unwrap(), "--format", "json"]));
    for part in ["verdict", "queries", "writes", "partitions", "costs", "suggestions"] {
        assert_eq!(with_place[part], with_load[part], "{part}");
    }
    assert_eq!(with_load["observed"], Value::Null);
}

#[test]
fn what_was_seen_is_told_in_every_form() {
    let (design, folder) = (file(DESIGN), filled(readings));
    let place = folder.path().to_str().unwrap();
    let text = advise(design.path(), &["--observe", place]);
    assert!(
        text.out.contains("No `Thing` entities were found; their assumed values are used."),
        "{}",
        text.out
    );
    assert!(text.out.lines().all(|line| line.chars().count() <= 100), "{}", text.out);
    let markdown = advise(design.path(), &["--observe", place, "--format", "markdown"]);
    assert!(
        markdown.out.contains("## Observations") && markdown.out.contains("| `Reading` | entities |"),
        "{}",
        markdown.out
    );
    let page = advise(design.path(), &["--observe", place, "--format", "html"]);
    assert!(page.out.contains("<section id=\"observed\">"), "{}", page.errors);
    assert_eq!(text, advise(design.path(), &["--observe", place]), "the same place gives the same report");
}

#[test]
fn a_place_that_is_not_there_is_said_and_not_made() {
    let (design, folder) = (file(DESIGN), tempfile::tempdir().unwrap());
    let place = folder.path().join("nothing.tables");
    let answer = advise(design.path(), &["--observe", place.to_str().unwrap()]);
    assert_eq!((answer.code, answer.out.as_str()), (1, ""));
    assert!(answer.errors.starts_with("error: "), "{}", answer.errors);
    assert!(!place.exists());
    let key = "AccountName=a1;AccountKey=c2VjcmV0;Nonsense";
    let answer = advise(design.path(), &["--observe", key]);
    assert!(answer.code == 1 && !answer.errors.contains("c2VjcmV0"), "{}", answer.errors);
    assert_eq!(advise(design.path(), &["--write-load", "x.toml"]).code, 2);
}
