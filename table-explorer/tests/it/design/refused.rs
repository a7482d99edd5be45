//! Changes that the design of a row does not allow.

use table_explorer::{Explorer, Place};
use table_model::{Entity, Operation, TableName, TableService};
use table_patterns::Tables;
use table_store::Store;

use super::{COMPANY, Company};
use crate::{
    client::{Reply, Served},
    exchange::upload,
    row, store, write,
};

/// Entities without index rows, a total, and a table for each month.
const NOTES: &str = r#"
    tables = 1
    design = "notes"

    [entity.Note]
    table = "Employees"
    partition = "{owner}"
    row = "note_{id:06}"
    entity_type = "always"
    [entity.Note.fields]
    owner = "string"
    id = "u32"
    text = "string"

    [entity.Team]
    table = "Employees"
    partition = "{team}"
    row = "team"
    entity_type = "none"
    total.members = { count = "Member", match = { team = "team" } }
    [entity.Team.fields]
    team = "string"
    title = "string"

    [entity.Member]
    table = "Employees"
    partition = "{team}"
    row = "m_{id:06}"
    entity_type = "none"
    [entity.Member.fields]
    team = "string"
    id = "u32"

    [entity.Reading]
    table = "Readings{at:%Y%m}"
    partition = "{device:05}"
    row = "{at:%Y%m%d%H%M%S}"
    [entity.Reading.fields]
    device = "u32"
    at = "datetime"
    tag = "string"

    [entity.Shard]
    table = "Shards"
    partition = "p_{shard:02}"
    row = "{id:06}"
    shard = { of = "id", count = 4 }
    [entity.Shard.fields]
    id = "u32"
    tag = "string"
"#;

fn notes(store: &Store) -> Served {
    let place = Place::of_store("company.tables", store.clone());
    let design = table_codegen::read(NOTES, "notes.toml").unwrap();
    Served::start(Explorer::new(place).writable(true).design(design))
}

fn note(properties: &str) -> String {
    format!("{{\"PartitionKey\":\"Sales\",\"RowKey\":\"note_000001\",{properties}}}")
}

#[test]
fn an_import_checks_the_values_of_entities() {
    let store = store([]);
    let served = notes(&store);
    let run = |mode: &str, file: &str| {
        served.submit(&upload(&served, "a.jsonl", mode, file), "/import/run", |_| ())
    };
    let refused = upload(&served, "a.jsonl", "insert", &note(r#""EntityType":"Note","text":5"#));
    refused.has("This file is not imported").has("line 1, `Sales` / `note_000001`").has("text");
    let untyped = upload(&served, "a.jsonl", "upsert", &note(r#""text":"a""#));
    untyped.has("This file is not imported").has("requires the EntityType `Note`");
    run("insert", &note(r#""EntityType":"Note","text":"a""#)).is(200).has("Imported 1 entity");
    run("merge", &note(r#""text":5"#)).is(403).has("line 1, `Sales` / `note_000001`").has("text");
    run("merge", &note(r#""text":"b""#)).is(200).has("Imported 1 entity");
    let stored = row(&store, "note_000001").unwrap().properties;
    assert_eq!(stored.get("text"), Some(&"b".into()));
    let other = note(r#""EntityType":"\u202e","text":5"#);
    upload(&served, "a.jsonl", "merge", &other).has("another EntityType than").lacks("\u{202e}");
    let team = r#"{"PartitionKey":"Sales","RowKey":"team","title":"x","members":7}"#;
    for mode in ["insert", "merge"] {
        upload(&served, "a.jsonl", mode, team).has("This file is not imported").has("by its design alone");
    }
    let member = r#"{"PartitionKey":"Sales","RowKey":"m_000001"}"#;
    upload(&served, "a.jsonl", "insert", member).has("This file is not imported");
}

#[test]
fn entities_of_a_table_for_each_period_are_read_only() {
    let store = store([]);
    let table: TableName = "Readings202601".parse().unwrap();
    let reading = Entity::new("00001", "20260102030405").with("tag", "t");
    pollster::block_on(async {
        store.create_table(&table).await.unwrap();
        store.execute(&table, &Operation::Insert(reading)).await.unwrap();
    });
    let served = notes(&store);
    let page = |page: &str| served.get(&format!("/t/{table}/e{page}?pk=00001&rk=20260102030405"));
    page("").is(200).has("a table for each period").lacks("/save\"").lacks("/e/key?").lacks("/e/delete?");
    for name in ["/key", "/delete"] {
        page(name).is(403).has("a table for each period");
    }
    let selected = "pk=00001&rk=20260102030405";
    let basket = [("table", table.as_str()), ("do", "delete"), ("row", selected)];
    served.post("/basket", &basket).is(403).has("a table for each period");
    let new = served.submit(&served.get(&format!("/t/{table}/new?pk=00001")), "/new", |form| {
        form.set("rk", "20260202030405").add("tag", "String", "t");
    });
    new.is(403).has("a table for each period");
}

#[test]
fn entities_of_shards_are_changed() {
    let store = store([]);
    pollster::block_on(store.create_table(&"Shards".parse().unwrap())).unwrap();
    let design = table_codegen::read(NOTES, "notes.toml").unwrap();
    let shards = Tables::from(store.clone()).design(&design, "Shard").unwrap().entities().unwrap();
    let fields = [("id".to_owned(), 7_i64.into()), ("tag".to_owned(), "t".into())].into();
    pollster::block_on(shards.insert(&fields)).unwrap();
    let address = shards.address(&fields).unwrap();
    let served = notes(&store);
    let path = format!("/t/Shards/e?pk={}&rk={}", address.partition_key(), address.row_key());
    super::save(&served, &path, "tag", "new").is(303);
    let other = if address.partition_key() == "p_00" { "p_01" } else { "p_00" };
    let new = served.submit(&served.get(&format!("/t/Shards/new?pk={other}")), "/new", |form| {
        form.set("rk", "000007").property("tag", None, "t");
    });
    new.is(200).has("require the keys");
}

#[test]
fn a_row_of_another_type_is_not_inserted_at_keys_of_the_design() {
    let company = Company::new();
    let insert = |served: &Served, key: &str| {
        served.submit(&served.get("/t/Employees/new?pk=Sales&entity="), "/new", |form| {
            form.set("rk", key).add("EntityType", "String", "Other");
        })
    };
    let served = company.writable();
    insert(&served, "empid_000002").is(403).has("another EntityType than `Other`");
    insert(&served, "email_x").is(403).has("another EntityType than `Other`");
    assert!(!company.has("Sales", "empid_000002"), "nothing was written");
    insert(&served, "else").is(303);
    insert(&Served::start(company.explorer().writable(true).raw(true)), "empid_000002").is(303);
    served.get("/t/Employees/e?pk=Sales&rk=empid_000002").has("another EntityType").lacks("/save\"");
}

#[test]
fn a_time_that_the_library_sets_is_not_changed() {
    let stamps = "made = { type = \"datetime\", created = true }\n    touched = { type = \"datetime\", updated = true }";
    let design = COMPANY.replace("note = \"string?\"", stamps);
    let store = store([]);
    let place = Place::of_store("company.tables", store.clone());
    let schema = table_codegen::read(&design, "company.toml").unwrap();
    let served = Served::start(Explorer::new(place).writable(true).design(schema));
    let jo = |form: &mut crate::forms::Form| {
        form.set("rk", "empid_000001").property("name", None, "Jo").property("email", None, "jo");
        form.property("badge", None, "7").property("level", None, "junior");
    };
    served.submit(&served.get("/t/Employees/new?pk=Sales"), "/new", jo).is(303);
    let before = row(&store, "empid_000001");
    let changed = |name: &str, task: &str| -> Reply {
        served.submit(&served.get(super::JO), "/save", |form| {
            form.set("do", task).add(name, "DateTime", "1999-01-01T00:00:00Z");
        })
    };
    for (name, task) in [("made", "save"), ("touched", "save"), ("made", "replace")] {
        changed(name, task).is(200).has("Nothing was saved").has(&format!("`{name}` is not changed"));
    }
    assert_eq!(row(&store, "empid_000001"), before);
}

#[test]
fn a_row_in_the_way_of_an_index_row_is_named_with_the_remedy() {
    let company = Company::new();
    write(&company.store, &Operation::Insert(Entity::new("Sales", "email_joe@contoso.com").with("A", 1)));
    let served = company.writable();
    let url = "/t/Employees/e?pk=Sales&amp;rk=email_joe%40contoso.com";
    let taken = super::save(&served, super::JO, "email", "joe@contoso.com");
    taken
        .is(200)
        .has("Nothing was saved")
        .has(&format!("href=\"{url}\">Open the row</a>"))
        .has("--write --raw");
    let new = served.submit(&served.get("/t/Employees/new?pk=Sales"), "/new", |form| {
        form.set("rk", "empid_000002").property("name", None, "Al").property("badge", None, "8");
        form.property("email", None, "joe@contoso.com").property("level", None, "junior");
    });
    new.is(200).has(&format!("href=\"{url}\">Open the row</a>")).has("--write --raw");
    let raw = Served::start(company.explorer().writable(true).raw(true));
    raw.submit(&raw.get("/t/Employees/e/delete?pk=Sales&rk=email_joe%40contoso.com"), "/delete", |form| {
        form.set("do", "delete").set("typed", "email_joe@contoso.com");
    });
    super::save(&served, super::JO, "email", "joe@contoso.com").is(303);
    company.is_clean();
}
