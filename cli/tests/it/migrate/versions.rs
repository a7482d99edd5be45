//! Migrations of an entity with rows of two versions.

use super::{Company, declared::joined, process, text};
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}", entity_type = "Ticket")]
#[table(index(by_title, row = "title_{title}_{id:06}"))]
struct TicketV1 {
    tenant: String,
    id: u32,
    title: String,
    name: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}", version = 2, from(TicketV1))]
#[table(index(by_title, row = "title_{title}_{id:06}"))]
struct Ticket {
    tenant: String,
    id: u32,
    title: String,
    #[table(was = "name")]
    full_name: String,
}

impl From<TicketV1> for Ticket {
    fn from(TicketV1 { tenant, id, title, name }: TicketV1) -> Self {
        Self { tenant, id, title, full_name: name }
    }
}

const FIRST: &str = r#"
tables = 1
design = "desk"

[entity.Ticket]
table = "Tickets"
partition = "{tenant}"
row = "t_{id:06}"
entity_type = "always"
[entity.Ticket.fields]
tenant = "string"
id = "u32"
title = "string"
name = "string"
"#;
const INDEX: &str = "[entity.Ticket.index.by_title]\nrow = \"title_{title}_{id:06}\"\n";

/// A store with three entities of version 1 and one of version 2, and the designs of both with and without the index.
fn desk() -> Company {
    let company = Company { folder: tempfile::tempdir().unwrap() };
    let second = FIRST
        .replace("entity_type = \"always\"", "entity_type = \"always\"\nversion = 2")
        .replace("name = \"string\"", "full_name = { type = \"string\", was = \"name\" }");
    let retired = second.replace("version = 2", "version = 2\noldest = 2");
    for (name, design) in [("first", FIRST), ("second", &second), ("retired", &retired)] {
        std::fs::write(company.path(&format!("{name}.toml")), format!("{design}{INDEX}")).unwrap();
        std::fs::write(company.path(&format!("{name}_plain.toml")), design).unwrap();
    }
    let tables = company.open(false);
    let words = |id: u32| (String::from("contoso"), format!("title {id}"), format!("name {id}"));
    for id in 0..3 {
        let (tenant, title, name) = words(id);
        tables.blocking().insert(&TicketV1 { tenant, id, title, name }).unwrap();
    }
    let (tenant, title, full_name) = words(3);
    tables.blocking().insert(&Ticket { tenant, id: 3, title, full_name }).unwrap();
    company
}

fn upgrade(company: &Company) {
    let tables = company.open(false);
    drop(tables.blocking().sweep(tables.upgrade::<Ticket>()).unwrap());
}

#[test]
fn the_index_of_an_entity_with_versions_is_removed_completely() {
    let desk = desk();
    let designs = ("second.toml", "second_plain.toml");
    let (code, out, errors) = desk.migrate(designs, &["--done", "1"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("result: 4 rows deleted\n"), "{out}");
    // The last step compares what the design describes.
    assert!(joined(&out).contains("4 entities, 0 index rows, 3 entities of other versions"), "{out}");
    let (_, rows, _) = desk.run(text(&desk.store()), &["export", "Tickets", "--format", "jsonl"]);
    assert!(!rows.contains("\"title_") && rows.lines().count() == 4, "{rows}");
}

#[test]
fn an_upgrade_is_checked_before_it_is_recorded() {
    let desk = desk();
    let designs = ("first.toml", "second.toml");
    assert_eq!(desk.migrate(designs, &["--done", "1"]).0, 3);
    assert_eq!(desk.migrate(designs, &["--done", "2"]).0, 3);
    let (code, out, errors) = desk.migrate(designs, &["--done", "3"]);
    assert_eq!((code, out.as_str()), (1, ""), "{errors}");
    let found = "--done 3: step 3 is not done: 6 rows of an older version in `Tickets`";
    assert!(errors.contains(found), "{errors}");
    let (code, out, _) = desk.migrate(designs, &["--status"]);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("2 of 4 steps done"), "{out}");
    upgrade(&desk);
    let (code, out, errors) = desk.migrate(designs, &["--done", "3"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert_eq!(out.matches("result: no row of an older version\n").count(), 2, "{out}");
}

/// A version without rows is retired without a program.
#[test]
fn a_version_is_retired_when_no_row_has_it() {
    let desk = desk();
    let designs = ("second.toml", "retired.toml");
    let (code, out, errors) = desk.migrate(designs, &[]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(joined(&out).contains("result: 6 rows of an older version in `Tickets`"), "{out}");
    upgrade(&desk);
    let (code, out, errors) = desk.migrate(designs, &[]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("result: no row of an older version\n"), "{out}");
}

/// Where no older row can exist, there is no check for them.
#[test]
fn nothing_older_is_expected_from_the_oldest_version_on() {
    let desk = desk();
    let steps = |from: &str, to: &str| {
        let (_, out, errors) = desk.migrate((from, to), &["--dry-run", "--json"]);
        let object: serde_json::Value =
            serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{errors}"));
        let steps = object["steps"].as_array().unwrap().iter();
        steps.map(|step| step["action"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let check = "check-versions".to_owned();
    assert!(steps("second_plain.toml", "second.toml").contains(&check));
    assert_eq!(steps("retired_plain.toml", "retired.toml"), ["deploy", "reindex", "repair", "verify"]);
    assert_eq!(steps("retired.toml", "retired_plain.toml"), ["deploy", "delete-rows", "verify"]);
}

/// An import, or a program without this library, writes rows without `EntityType`. The library reads them as the newest
/// version, and `upgrade` does not find them.
#[test]
fn rows_without_a_type_are_named_until_they_have_one() {
    let desk = desk();
    upgrade(&desk);
    let place = desk.store();
    let row = |id: u32, more: &str| {
        format!(
            "{{\"PartitionKey\":\"contoso\",\"RowKey\":\"t_{id:06}\",\"title\":\"t\",\"name\":\"n\"{more}}}\n"
        )
    };
    let import = |rows: String| {
        std::fs::write(desk.path("rows.jsonl"), rows).unwrap();
        let words = ["import", "rows.jsonl", "--table", "Tickets", "--mode", "upsert-merge"];
        let (code, out, errors) = desk.run(text(&place), &words);
        assert_eq!(code, 0, "{out}{errors}");
    };
    import(format!("{}{}", row(10, ""), row(11, "")));
    let designs = ("first_plain.toml", "second_plain.toml");
    let named = "2 rows without `EntityType` at keys of `Ticket` in `Tickets`";
    let (code, out, errors) = desk.migrate(designs, &["--dry-run"]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(joined(&out).contains(named), "{out}");
    for step in ["1", "2"] {
        assert_eq!(desk.migrate(designs, &["--done", step]).0, 3);
    }
    let (code, _, errors) = desk.migrate(designs, &["--done", "3"]);
    assert_eq!(code, 1, "{errors}");
    assert!(
        errors.contains(named) && errors.contains("(PartitionKey='contoso',RowKey='t_000010')"),
        "{errors}"
    );
    // Retiring the first version reports them too.
    let (code, out, errors) = desk.migrate(("second.toml", "retired.toml"), &["--restart", "--json"]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(out.contains("\"without_type\":2") || out.contains("\"without_type\": 2"), "{out}");

    // The remedy of the message.
    import((10..12).map(|id| row(id, ",\"EntityType\":\"Ticket\"")).collect());
    upgrade(&desk);
    assert_eq!(desk.migrate(designs, &["--restart"]).0, 3);
    for (step, code) in [("1", 3), ("2", 3), ("3", 0)] {
        let (found, out, errors) = desk.migrate(designs, &["--done", step]);
        assert_eq!(found, code, "{out}{errors}");
    }
    let tables = desk.open(false);
    assert_eq!(tables.blocking().all(&Ticket::rows("contoso")).unwrap().len(), 6);
}

/// A desk whose programs use the registry.
fn registered_desk() -> Company {
    let desk = desk();
    let tables = desk.open(true);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(tables.register::<TicketV1>()).unwrap();
    desk
}

fn ticket(id: u32) -> TicketV1 {
    TicketV1 { tenant: "contoso".into(), id, title: format!("title {id}"), name: "n".into() }
}

/// With the registry, the check of versions rejects their writers first, and waits for those that use what they read.
#[test]
fn a_version_is_retired_through_the_registry() {
    let desk = registered_desk();
    upgrade(&desk);
    let designs = ("first.toml", "second.toml");
    let (code, out, errors) = desk.migrate(designs, &["--dry-run"]);
    assert_eq!(code, 3, "{out}{errors}");
    assert!(joined(&out).contains("first rejects programs that write one"), "{out}");
    for step in ["1", "2"] {
        assert_eq!(desk.migrate(designs, &["--done", step]).0, 3);
    }
    let old = || desk.open(true);
    old().blocking().insert(&ticket(10)).unwrap();
    upgrade(&desk);
    let (code, out, errors) = desk.migrate(designs, &["--done", "3", "--no-wait"]);
    assert_eq!(code, 4, "{out}{errors}");
    let wait = "programs can write older versions of Ticket for 150 s more; run the same command to continue";
    assert!(joined(&out).contains(wait), "{out}");
    let error = old().blocking().insert(&ticket(11)).unwrap_err().to_string();
    assert!(error.contains("`Ticket` is written in version 2 or newer"), "{error}");
    let (code, out, _) = desk.migrate(designs, &["--status"]);
    assert_eq!(code, 4, "{out}");
    assert!(
        joined(&out).contains("so far: rejecting in the registry, writers before version 2 are rejected"),
        "{out}"
    );
    let (_, out, _) = desk.run(text(&desk.store()), &["versions", "Ticket"]);
    assert!(out.ends_with("Ticket: writers before version 2 are rejected (rejecting)\n"), "{out}");

    // The way back, and again.
    let (code, out, errors) = desk.migrate(designs, &["--accept-older"]);
    assert_eq!((code, out.as_str()), (0, "programs can write older versions of Ticket\n"), "{errors}");
    old().blocking().insert(&ticket(11)).unwrap();
    upgrade(&desk);
    assert_eq!(desk.migrate(designs, &["--no-wait"]).0, 4);
    desk.wait(151);
    let (code, out, errors) = desk.migrate(designs, &[]);
    assert_eq!(code, 0, "{out}{errors}");
    let retired = "result: the versions before 2 are retired: 12 rows read since ";
    assert!(joined(&out).contains(retired), "{out}");

    let (_, out, _) = desk.run(text(&desk.store()), &["versions", "Ticket"]);
    assert!(out.contains("Ticket: retired before version 2, 12 rows read since "), "{out}");
    let (_, out, _) = desk.run(text(&desk.store()), &["versions", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    let ticket = &object["registry"][0];
    assert_eq!((&ticket["entity"], &ticket["min_write"]), (&"Ticket".into(), &2.into()));
    assert_eq!((&ticket["state"], &ticket["retired"]["rows"]), (&"retired".into(), &12.into()));
    let (code, _, errors) = desk.migrate(designs, &["--accept-older"]);
    assert!(code == 1 && errors.contains("before 2 are retired"), "{errors}");
}

/// A row that appears after the count, and before the scan of the registry, is named.
#[test]
fn a_retirement_names_the_rows_that_prevent_it() {
    let desk = registered_desk();
    upgrade(&desk);
    let designs = ("second.toml", "retired.toml");
    assert_eq!(desk.migrate(designs, &["--no-wait"]).0, 4);
    desk.wait(151);
    // A program without the registry.
    desk.open(false).blocking().insert(&ticket(10)).unwrap();
    let (code, out, errors) = desk.migrate(designs, &[]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(joined(&out).contains("2 rows of an older version in `Tickets`"), "{out}");
    upgrade(&desk);
    let (code, out, errors) = desk.migrate(designs, &[]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(joined(&out).contains("the versions before 2 are retired: 10 rows"), "{out}");
}

/// The same over the protocol.
#[test]
fn a_version_is_retired_on_a_server() {
    let desk = registered_desk();
    upgrade(&desk);
    let serve = || process::Running::start(&["--data", text(desk.folder.path())]);
    let words = ["migrate", "--from", "second.toml", "--design", "retired.toml", "--no-wait"];
    let running = serve();
    let (code, out, errors) = desk.run(running.word("connect"), &words);
    assert_eq!(code, 4, "{out}{errors}");
    assert_eq!(running.signal("-TERM"), Some(0));
    desk.wait(151);
    let running = serve();
    let (code, out, errors) = desk.run(running.word("connect"), &words);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(joined(&out).contains("the versions before 2 are retired: 8 rows"), "{out}");
    let (_, out, _) = desk.run(running.word("connect"), &["versions", "Ticket"]);
    assert!(out.contains("Ticket: retired before version 2, 8 rows read since "), "{out}");
    assert_eq!(running.signal("-TERM"), Some(0));
}
