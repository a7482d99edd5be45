//! No migration deletes an entity, also with designs that do not describe the store.

use table_store::{Condition, Entity, OpenOptions, Operation};

use super::{ADD, Company, DROP, Employee, OLD, declared::joined, old, text};

const BY_OLD: &str = "[entity.Employee.index.by_old]\nrow = \"empid_{id:06}\"\n";

/// A store with the old keys, of programs with and without derived rows, and designs with the new keys.
fn company() -> Company {
    let company = Company::new(["jo@x", "al@x"], false);
    let tables = company.open(false);
    let indexed = Employee { department: "Sales".into(), id: 3, email: "cy@x".into() };
    // The token of its transaction is in its row.
    tables.blocking().insert(&indexed).unwrap();
    let moved = OLD.replace("empid_{id:06}", "e_{id:08}");
    for (name, design) in [("moved", moved.clone()), ("moved_by_old", format!("{moved}{BY_OLD}"))] {
        std::fs::write(company.path(&format!("{name}.toml")), design).unwrap();
    }
    company
}

/// An index row that is kept is not one that a program wrote again.
#[test]
fn a_kept_index_row_is_counted_once() {
    let company = company();
    assert_eq!(company.migrate(ADD, &["--done", "2"]).0, 0);
    let note = Entity::new("Sales", "email_jo@x").with("note", "mine");
    let store = OpenOptions::new().open(company.store()).unwrap();
    let note = Operation::Merge(note, Condition::Exists);
    store.blocking().execute(&"Employees".parse().unwrap(), note).unwrap();
    store.blocking().close().unwrap();
    let (code, out, errors) = company.migrate(DROP, &["--done", "1"]);
    assert_eq!(code, 1, "{out}{errors}");
    let result = "2 rows deleted; 1 row at such a key may be an entity, or has a property of another client";
    assert!(joined(&out).contains(result) && !out.contains("written since then"), "{out}");
    assert!(
        out.contains("unknown     by_email Employees(PartitionKey='Sales',RowKey='email_jo@x')"),
        "{out}"
    );
    // A repair with the index does not lose it either.
    let place = company.store();
    let (code, out, _) = company.run(text(&place), &["verify", "--design", "new.toml", "--repair"]);
    assert!(code == 1 && out.contains("1 unknown; 2 repaired"), "{out}");
    let (_, rows, _) = company.run(text(&place), &["export", "Employees", "--format", "jsonl"]);
    assert!(rows.contains("\"note\":\"mine\""), "{rows}");
}

fn entities(company: &Company) -> Vec<(u32, String)> {
    let tables = company.open(false);
    let found = tables.blocking().all(&old::Employee::rows("Sales")).unwrap();
    found.iter().map(|one| (one.id, one.email.clone())).collect()
}

#[test]
fn an_index_at_keys_of_entities_is_refused_in_both_directions() {
    let company = company();
    let before = company.contents();
    for (from, to, reason) in [
        ("old.toml", "moved_by_old.toml", "its rows can have the keys of `Employee` in the older design"),
        ("moved_by_old.toml", "old.toml", "its rows can have the keys of `Employee` in the newer design"),
    ] {
        for words in [&["--dry-run"][..], &[], &["--done", "1"]] {
            let (code, out, errors) = company.migrate((from, to), words);
            assert_eq!(code, 5, "{out}{errors}");
            assert!(joined(&out).contains(reason), "{out}");
        }
        let (code, out, _) = company.run(text(&company.store()), &["diff", from, to]);
        assert_eq!(code, 5, "{out}");
    }
    assert_eq!(company.contents(), before);
}

#[test]
fn a_removed_index_deletes_no_entity_whatever_the_designs_say() {
    let company = company();
    let (before, kept) = (company.contents(), entities(&company));
    assert_eq!(kept.len(), 3);
    let designs = ("moved_by_old.toml", "moved.toml");
    let (code, out, errors) = company.migrate(designs, &["--dry-run"]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(joined(&out).contains("would delete 0 rows; 3 rows at such keys may be entities"), "{out}");
    assert_eq!(company.contents(), before);
    let (code, out, errors) = company.migrate(designs, &["--done", "1"]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(joined(&out).contains("result: 0 rows deleted; 3 rows at such keys"), "{out}");
    assert!(
        out.contains("unknown     by_old Employees(PartitionKey='Sales',RowKey='empid_000003')"),
        "{out}"
    );
    assert_eq!(entities(&company), kept);

    // Other commands with such a design.
    let place = company.store();
    for words in [
        &["verify", "--design", "moved_by_old.toml", "--repair"][..],
        &["reindex", "Employee", "by_old", "--design", "moved_by_old.toml"],
        &["verify", "--design", "moved.toml", "--repair"],
    ] {
        let (_, out, errors) = company.run(text(&place), words);
        assert_eq!(entities(&company), kept, "{words:?}: {out}{errors}");
    }
}

/// Rows of an index that the design does not declare.
#[test]
fn verify_names_rows_that_no_design_explains() {
    let company = company();
    let place = company.store();
    let (code, out, _) = company.run(text(&place), &["verify", "--design", "new.toml"]);
    assert_eq!((code, out.matches("missing").count()), (1, 3), "{out}");
    let (code, out, _) = company.run(text(&place), &["verify", "--design", "old.toml"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("3 entities: 1 unknown; 0 repaired"), "{out}");
    assert!(out.contains("unknown     - Employees(PartitionKey='Sales',RowKey='email_cy@x')"), "{out}");
    // A repair leaves it: another design may explain it.
    let (code, out, _) = company.run(text(&place), &["verify", "--design", "old.toml", "--repair"]);
    assert!(code == 1 && out.contains("1 unknown; 0 repaired"), "{out}");
}

#[test]
fn a_table_that_does_not_exist_is_no_complete_migration() {
    let company = company();
    for name in ["old", "new"] {
        let design = std::fs::read_to_string(company.path(&format!("{name}.toml"))).unwrap();
        let design = design.replace("\"Employees\"", "\"Employes\"");
        std::fs::write(company.path(&format!("{name}_typo.toml")), design).unwrap();
    }
    let designs = ("old_typo.toml", "new_typo.toml");
    for words in [&["--dry-run"][..], &[], &["--done", "2"]] {
        let (code, _, errors) = company.migrate(designs, words);
        assert_eq!(code, 1, "{errors}");
        assert!(errors.contains("the store has no table `Employes` of `Employee`"), "{errors}");
    }
    let (code, out, errors) = company.migrate(designs, &["--done", "2", "--no-rows"]);
    assert_eq!(code, 0, "{out}{errors}");
}

/// A misspelled table is not a table without differences.
#[test]
fn jobs_of_a_design_require_the_table() {
    let company = company();
    let design = std::fs::read_to_string(company.path("new.toml")).unwrap();
    std::fs::write(company.path("typo.toml"), design.replace("\"Employees\"", "\"Employes\"")).unwrap();
    let place = company.store();
    let named = "the store has no table `Employes`";
    for words in [&["verify", "--design", "typo.toml"][..], &["verify", "--design", "typo.toml", "--repair"]]
    {
        let (code, out, errors) = company.run(text(&place), words);
        assert!(code == 1 && out.contains(named), "{out}{errors}");
    }
    let (code, out, _) = company.run(text(&place), &["verify", "--design", "typo.toml", "--json"]);
    assert!(code == 1 && out.contains("\"missing_table\":\"Employes\""), "{out}");
    let (code, out, _) = company.run(text(&place), &["verify", "--design", "typo.toml", "--no-rows"]);
    assert_eq!((code, out.as_str()), (0, "Employee: 0 entities, 0 index rows: no differences\n"));
    let words = ["reindex", "Employee", "by_email", "--design", "typo.toml"];
    let (code, out, errors) = company.run(text(&place), &words);
    assert!(code == 1 && errors.contains(named), "{out}{errors}");
}
