//! Rows without `EntityType` of an entity whose rows have one, when an index is added.

use super::{Company, INDEX, OLD, declared::joined, text};
use table_patterns::prelude::*;

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = "Employee")]
struct Employee {
    department: String,
    id: u32,
    email: String,
}

const DESIGNS: (&str, &str) = ("typed.toml", "indexed.toml");
const NAMED: &str = "2 rows without `EntityType` at keys of `Employee` in `Employees`";

/// A store with an employee that a program wrote, and two that an import wrote.
fn company() -> Company {
    let company = Company { folder: tempfile::tempdir().unwrap() };
    let row = "row = \"empid_{id:06}\"";
    let typed = OLD.replace(row, &format!("{row}\nentity_type = \"always\""));
    let indexed = format!("{typed}{INDEX}row = \"mail_{{email}}_{{id:06}}\"\n");
    for (name, design) in [("typed.toml", typed), ("indexed.toml", indexed)] {
        std::fs::write(company.path(name), design).unwrap();
    }
    let first = Employee { department: "Sales".into(), id: 1, email: "jo@x".into() };
    company.open(false).blocking().insert(&first).unwrap();
    import(&company, "");
    company
}

/// Writes the employees 2 and 3 with more properties.
fn import(company: &Company, more: &str) {
    let row = |id: u32| {
        format!("{{\"PartitionKey\":\"Sales\",\"RowKey\":\"empid_{id:06}\",\"email\":\"al@x\"{more}}}\n")
    };
    std::fs::write(company.path("rows.jsonl"), row(2) + &row(3)).unwrap();
    let words = ["import", "rows.jsonl", "--table", "Employees", "--mode", "upsert-merge"];
    let (code, out, errors) = company.run(text(&company.store()), &words);
    assert_eq!(code, 0, "{out}{errors}");
}

#[test]
fn reindex_names_rows_without_a_type() {
    let company = company();
    let place = company.store();
    let words = ["reindex", "Employee", "by_email", "--design", "indexed.toml"];
    let (code, out, errors) = company.run(text(&place), &words);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(out.contains(NAMED) && out.contains("(PartitionKey='Sales',RowKey='empid_000002')"), "{out}");
    let (code, out, _) = company.run(text(&place), &[&words[..], &["--json"]].concat());
    assert!(code == 1 && out.contains("\"without_type\":2"), "{out}");
    assert!(out.contains("\"row_key\":\"empid_000003\""), "{out}");

    // The remedy of the message.
    import(&company, ",\"EntityType\":\"Employee\"");
    let (code, out, errors) = company.run(text(&place), &words);
    assert_eq!(code, 0, "{out}{errors}");
    let (code, out, errors) = company.run(text(&place), &["verify", "--design", "indexed.toml"]);
    assert_eq!(code, 0, "{out}{errors}");
}

/// The migration repairs all index rows after it has written those of entities with a type.
#[test]
fn a_dry_run_names_the_rows_that_the_repair_writes() {
    let company = company();
    let (code, out, errors) = company.migrate(DESIGNS, &["--dry-run"]);
    assert_eq!(code, 3, "{out}{errors}");
    let words = format!("1 entity, would write 1 row; the repair would write the rows of {NAMED}");
    assert!(joined(&out).contains(&words), "{out}");
    let (_, out, _) = company.migrate(DESIGNS, &["--dry-run", "--json"]);
    let plan: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(plan.to_string().contains("\"without_type\":2"), "{plan}");

    let (code, out, errors) = company.migrate(DESIGNS, &["--done", "1"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("2 rows repaired"), "{out}");
    let (code, out, errors) = company.run(text(&company.store()), &["verify", "--design", "indexed.toml"]);
    assert_eq!(code, 0, "{out}{errors}");
}
