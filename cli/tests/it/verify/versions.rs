//! Stores that contain two versions of an entity, of which the design describes one.

use std::process::Command;

use table_patterns::{Tables, prelude::*};

use crate::serve::process;

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

const DESIGN: &str = r#"
tables = 1

[entity.Ticket]
table = "Tickets"
partition = "{tenant}"
row = "t_{id:06}"
entity_type = "always"
version = 2
[entity.Ticket.fields]
tenant = "string"
id = "u32"
title = "string"
full_name = "string"
[entity.Ticket.index.by_title]
row = "title_{title}_{id:06}"
[entity.Ticket.index.by_name]
row = "name_{full_name}_{id:06}"
"#;

/// A store with 30 entities of version 1 and 2 of version 2.
fn store() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("design.toml"), DESIGN).unwrap();
    let tables = Tables::open(folder.path().join("store.tables")).unwrap();
    let text = |id: u32| (String::from("contoso"), format!("title {id}"), format!("name {id}"));
    for id in 0..30 {
        let (tenant, title, name) = text(id);
        tables.blocking().insert(&TicketV1 { tenant, id, title, name }).unwrap();
    }
    for id in 30..32 {
        let (tenant, title, full_name) = text(id);
        tables.blocking().insert(&Ticket { tenant, id, title, full_name }).unwrap();
    }
    folder
}

fn call(folder: &tempfile::TempDir, words: &[&str]) -> (i32, String) {
    let output = Command::new(process::BINARY)
        .args(words)
        .args(["--design", "design.toml", "--store", "store.tables"])
        .current_dir(folder)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout) + &text(output.stderr))
}

const OLDER: &str = "  30 entities of version 1 skipped, because the design has version 2: first
    run `tables.upgrade::<Ticket>().run()` in a program that reads this version
";

#[test]
fn entities_of_other_versions_are_counted_once() {
    let folder = store();
    let (code, out) = call(&folder, &["reindex", "Ticket", "by_name"]);
    assert_eq!((code, out), (1, format!("Ticket.by_name: 2 entities, 2 rows written\n{OLDER}")));
    let (code, out) = call(&folder, &["reindex", "Ticket", "by_name", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &object["other_versions"]), (1, &serde_json::json!({ "1": 30 })));

    // The index rows of version 1 are not entities.
    let (code, out) = call(&folder, &["verify", "Ticket"]);
    let first = "Ticket: 32 entities, 34 index rows: 30 other version; 0 repaired\n";
    assert_eq!((code, out), (1, format!("{first}{OLDER}")));
    let (code, out) = call(&folder, &["verify", "Ticket", "--repair"]);
    assert_eq!((code, out), (1, format!("{first}{OLDER}")));

    let tables = Tables::open(folder.path().join("store.tables")).unwrap();
    drop(tables.blocking().sweep(tables.upgrade::<Ticket>()).unwrap());
    drop(tables);
    let (code, out) = call(&folder, &["reindex", "Ticket", "by_name"]);
    assert_eq!((code, out.as_str()), (0, "Ticket.by_name: 32 entities, 30 rows written\n"));
    let (code, out) = call(&folder, &["verify", "Ticket"]);
    assert_eq!((code, out.as_str()), (0, "Ticket: 32 entities, 64 index rows: no differences\n"));
}

#[test]
fn a_design_of_an_older_version_names_the_newer_one() {
    let folder = store();
    let older = DESIGN.replace("version = 2\n", "").replace("full_name", "name");
    std::fs::write(folder.path().join("design.toml"), older).unwrap();
    let newer = "  2 entities of version 2 skipped, because the design has version 1: use the
    design of this version
";
    let (code, out) = call(&folder, &["reindex", "Ticket", "by_name"]);
    assert_eq!((code, out), (1, format!("Ticket.by_name: 30 entities, 30 rows written\n{newer}")));
    // Only the newer version knows which rows are derived from its entities.
    for words in [&["verify", "Ticket"][..], &["verify", "Ticket", "--repair"]] {
        let (code, out) = call(&folder, words);
        assert_eq!(code, 1, "{out}");
        assert!(
            out.contains("a newer program wrote it as version 2, and this program knows version 1"),
            "{out}"
        );
    }
}

/// Each kind of difference has a limited number of lines.
#[test]
fn differences_of_a_kind_are_listed_up_to_a_limit() {
    let folder = store();
    let tables = Tables::open(folder.path().join("store.tables")).unwrap();
    drop(tables.blocking().sweep(tables.upgrade::<Ticket>()).unwrap());
    drop(tables);
    // No entity has a row in the second index.
    let (code, out) = call(&folder, &["verify", "Ticket"]);
    assert_eq!(code, 1, "{out}");
    assert_eq!(out.matches("\n  missing ").count(), 20, "{out}");
    assert!(out.contains("\n  and 12 more\n"), "{out}");
}
