//! `verify` and `reindex` as processes, on the data of a program with derived types.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on says why")]

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use table_patterns::{Tables, prelude::*};
use table_store::{Condition, Entity, OpenOptions, Operation};

use crate::serve::process;

mod versions;
mod wide;

/// The type in the program: it has no index by badge yet.
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = none)]
#[table(index(by_email, row = "email_{email}", unique))]
struct Employee {
    department: String,
    id: u32,
    email: String,
    badge: u32,
}

const DESIGN: &str = r#"
tables = 1

[entity.Employee]
table = "Employees"
partition = "{department}"
row = "empid_{id:06}"
[entity.Employee.fields]
department = "string"
id = "u32"
email = "string"
badge = "u32"
[entity.Employee.index.by_email]
row = "email_{email}"
unique = true
[entity.Employee.index.by_badge]
table = "Badges"
partition = "{badge:08}"
row = "{id:06}_{department}"
copy = []

[entity.Team]
table = "Teams"
partition = "{name}"
row = "team"
[entity.Team.fields]
name = "string"
[entity.Team.total.members]
count = "Employee"
match = { department = "name" }
"#;

/// A directory with the design and the store of an account. A program wrote three employees; another client deleted one
/// row and changed another.
struct Company {
    folder: tempfile::TempDir,
}

impl Company {
    fn damaged() -> Self {
        Self::damaged_by(Tables::clone)
    }

    /// The program writes by a handle of the store.
    fn damaged_by(program: impl FnOnce(&Tables) -> Tables) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("company.toml"), DESIGN).unwrap();
        let company = Self { folder };
        let tables = program(&company.open());
        let b = tables.blocking();
        for id in 1..=3 {
            let email = format!("e{id}@contoso.com");
            b.insert(&Employee { department: "Sales".into(), id, email, badge: 100 + id }).unwrap();
        }
        b.delete_at(DynamicEntity::point("Employees", "Sales", "email_e2@contoso.com")).unwrap();
        let stale = Entity::new("Sales", "email_e3@contoso.com").with("badge", 7_i64);
        let stale = Operation::Merge(stale, Condition::Exists);
        drop(tables);
        let store = OpenOptions::new().open(company.store()).unwrap();
        store.blocking().execute(&"Employees".parse().unwrap(), stale).unwrap();
        store.blocking().close().unwrap();
        company
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn store(&self) -> PathBuf {
        self.path("devstoreaccount1.tables")
    }

    fn open(&self) -> Tables {
        Tables::open(self.store()).unwrap()
    }

    /// Runs the command with the design and a location as additional arguments.
    fn call(&self, place: &str, words: &[&str]) -> (i32, String, String) {
        let output = Command::new(process::BINARY)
            .args(words)
            .args(["--design", path(&self.path("company.toml"))])
            .env("TABLES_STORE", place)
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    /// Runs the command on the file.
    fn on_file(&self, words: &[&str]) -> (i32, String, String) {
        self.call(path(&self.store()), words)
    }

    /// Runs the command with JSON output.
    fn object(&self, words: &[&str]) -> (i32, Value) {
        let (code, out, errors) = self.on_file(&[words, &["--json"]].concat());
        (code, serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{errors}")))
    }
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn what_differs_is_listed_and_repaired() {
    let company = Company::damaged();
    let (code, out, errors) = company.on_file(&["verify", "Employee"]);
    assert_eq!(code, 1, "{errors}");
    // The index by badge has not been filled yet.
    let first = "Employee: 3 entities, 2 index rows: 4 missing, 1 stale; 0 repaired\n";
    assert!(out.starts_with(first), "{out}");
    let stale = "stale       by_email Employees(PartitionKey='Sales',RowKey='email_e3@contoso.com')";
    assert!(out.contains(stale), "{out}");

    let (code, found) = company.object(&["verify", "Employee", "--repair"]);
    let entity = &found["entities"][0];
    assert_eq!((code, &found["is_right"], &entity["repaired"]), (0, &Value::Bool(true), &5.into()));
    assert_eq!((&entity["found"]["missing"], &entity["found"]["stale"]), (&4.into(), &1.into()));
    assert_eq!(entity["listed"][0]["repair"], "done");

    // No program has written a team.
    let (code, found) = company.object(&["verify"]);
    assert_eq!((code, &found["entities"][1]["missing_table"]), (1, &"Teams".into()), "{found}");
    let (code, found) = company.object(&["verify", "--no-rows"]);
    assert_eq!((code, &found["entities"][0]["differences"]), (0, &0.into()));
    let team = &found["entities"][1];
    assert_eq!((&team["entity"], &team["not_looked_at"][0]["name"]), (&"Team".into(), &"members".into()));

    // The type reports no difference, too.
    let tables = company.open();
    assert!(tables.blocking().sweep(tables.verify::<Employee>()).unwrap().is_clean());
}

/// The other type of the table has no index, and only the design knows it.
#[test]
fn index_rows_of_an_entity_replaced_by_another_type_are_orphaned() {
    #[derive(TableEntity, Clone, Debug)]
    #[table(name = "Tickets", partition = "{tenant}", row = "t_{id:06}")]
    #[table(index(by_title, row = "title_{title}_{id:06}"))]
    struct Ticket {
        tenant: String,
        id: u32,
        title: String,
    }
    let company = Company { folder: tempfile::tempdir().unwrap() };
    let entity = |name: &str, row: &str| {
        format!(
            "[entity.{name}]\ntable = \"Tickets\"\npartition = \"{{tenant}}\"\nrow = \"{row}\"\n\
             entity_type = \"always\"\n[entity.{name}.fields]\ntenant = \"string\"\nid = \"u32\"\n"
        )
    };
    let design = format!(
        "tables = 1\n{}title = \"string\"\n[entity.Ticket.index.by_title]\nrow = \"title_{{title}}_{{id:06}}\"\n{}",
        entity("Ticket", "t_{id:06}"),
        entity("Note", "n_{id:06}"),
    );
    std::fs::write(company.path("company.toml"), design).unwrap();
    let tables = company.open();
    tables.blocking().insert(&Ticket { tenant: "acme".into(), id: 1, title: "Lost".into() }).unwrap();
    drop(tables);
    let store = OpenOptions::new().open(company.store()).unwrap();
    let note = Entity::new("acme", "t_000001").with("EntityType", "Note");
    store
        .blocking()
        .execute(&"Tickets".parse().unwrap(), Operation::Replace(note, Condition::Exists))
        .unwrap();
    store.blocking().close().unwrap();

    let (code, out, errors) = company.on_file(&["verify", "Ticket"]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(out.contains("1 orphaned") && out.contains("title_Lost_000001"), "{out}");
    let (code, out, errors) = company.on_file(&["verify", "--repair"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("1 orphaned; 1 repaired"), "{out}");
    let title = DynamicEntity::point("Tickets", "acme", "title_Lost_000001");
    assert!(company.open().blocking().get(&title).unwrap().is_none());
}

#[test]
fn an_index_that_the_registry_does_not_contain_is_not_verified() {
    let company = Company::damaged_by(Tables::with_registry);
    let (code, out, errors) = company.on_file(&["verify", "Employee"]);
    assert_eq!(code, 1, "{errors}");
    assert!(out.starts_with("Employee: 3 entities, 2 index rows: 1 missing, 1 stale; 0 repaired\n"), "{out}");
    let (code, out, errors) = company.on_file(&["verify", "Employee", "--repair"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("1 missing, 1 stale; 2 repaired"), "{out}");
    // No writer would maintain a row of it.
    let (code, out, errors) = company.on_file(&["reindex", "Employee", "by_badge"]);
    assert_eq!(code, 1, "{out}");
    assert!(errors.contains("not maintained: it was not added; use `tables.add_index"), "{errors}");
    let tables = company.open();
    let row = tables.blocking().get(&DynamicEntity::point("Badges", "00000102", "000002_Sales")).unwrap();
    assert!(row.is_none());
}

#[test]
fn a_list_that_cannot_be_read_fails() {
    let company = Company::damaged();
    let lookup = "[entity.Employee.lookup.by_badges]\non = [\"badge\"]\nplace = \"partition\"\n\
                  row = \"badges_{badge:08}\"\nids = \"Ids\"\n\n[entity.Team]";
    let design = DESIGN.replace("[entity.Team]", lookup);
    std::fs::write(company.path("company.toml"), design).unwrap();
    assert_eq!(company.on_file(&["verify", "Employee", "--repair"]).0, 0);
    let point = DynamicEntity::point("Employees", "Sales", "badges_00000102");
    let tables = company.open();
    let mut list = tables.blocking().get(&point).unwrap().unwrap();
    list.remove("_tx");
    list.set("Ids", "[");
    tables.blocking().replace(&list).unwrap();
    drop(tables);

    let (code, found) = company.object(&["verify", "Employee"]);
    let listed = &found["entities"][0]["listed"];
    assert_eq!(
        (code, &found["is_right"], &listed[0]["what"]),
        (1, &Value::Bool(false), &"unreadable".into())
    );
    assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
    let (code, out, _) = company.on_file(&["verify", "Employee", "--repair"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("unreadable  by_badges") && out.contains("unchanged"), "{out}");
}

#[test]
fn an_index_that_is_new_is_filled() {
    let company = Company::damaged();
    let (code, done) = company.object(&["reindex", "Employee", "by_badge"]);
    assert_eq!((code, &done["entities"], &done["written"]), (0, &3.into(), &3.into()));
    assert_eq!(done["resume"], Value::Null);
    let (code, out, errors) = company.on_file(&["reindex", "Employee", "by_badge", "--max-rate", "1_000/s"]);
    assert_eq!(
        (code, out.as_str(), errors.as_str()),
        (0, "Employee.by_badge: 3 entities, 0 rows written\n", "")
    );
    let tables = company.open();
    let row = tables.blocking().get(&DynamicEntity::point("Badges", "00000102", "000002_Sales")).unwrap();
    assert!(row.is_some());
}

#[test]
fn it_works_through_the_protocol() {
    let company = Company::damaged();
    let running = process::Running::start(&["--data", path(company.folder.path())]);
    let connection = running.word("connect").to_owned();
    let (code, out, errors) = company.call(&connection, &["verify", "Employee", "--repair"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("4 missing, 1 stale; 5 repaired"), "{out}");
    let (code, out, _) = company.call(&connection, &["reindex", "Employee", "by_email"]);
    assert_eq!((code, out.as_str()), (0, "Employee.by_email: 3 entities, 0 rows written\n"));
    assert_eq!(running.signal("-TERM"), Some(0));
}

#[test]
fn a_wrong_call_says_what_is_there() {
    let company = Company::damaged();
    let (code, _, errors) = company.on_file(&["verify", "Employees"]);
    assert_eq!(
        (code, errors.as_str()),
        (1, "error: the design does not contain the entity `Employees`; existing entities: Employee, Team\n")
    );
    let (code, _, errors) = company.on_file(&["reindex", "Employee", "by_name"]);
    assert_eq!(code, 1);
    assert!(errors.contains("existing indexes: by_email, by_badge"), "{errors}");
    let (code, _, errors) = company.on_file(&["reindex", "Employee", "by_badge", "--resume", "x"]);
    assert_eq!(code, 2, "{errors}");
    let (code, _, errors) = company.call("nowhere.tables", &["verify"]);
    assert_eq!(code, 1, "{errors}");
    assert!(!Path::new("nowhere.tables").exists());
}
