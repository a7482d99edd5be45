//! `migrate` as a process, on the data of programs with derived types.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

use std::process::Stdio;

use serde_json::Value;
use table_patterns::{REGISTRY_TABLE, prelude::*};

use crate::serve::process;

use company::{Company, text};

mod company;
mod declared;
mod random;
mod safe;
mod soft_delete;
mod untyped;
mod versions;

mod old {
    /// The type in the programs of the old version.
    #[derive(table_patterns::TableEntity, Clone, Debug)]
    #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = none)]
    pub(super) struct Employee {
        pub(super) department: String,
        pub(super) id: u32,
        pub(super) email: String,
    }
}

mod far {
    #[derive(table_patterns::TableEntity, Clone, Debug)]
    #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = none)]
    #[table(index(by_email, partition = "email_{email}", row = "{department}_{id:06}"))]
    pub(super) struct Employee {
        pub(super) department: String,
        pub(super) id: u32,
        pub(super) email: String,
    }
}

mod bad {
    #[derive(table_patterns::TableEntity, Clone, Debug)]
    #[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = none)]
    pub(super) struct Employee {
        pub(super) department: String,
        pub(super) id: u32,
    }
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = none)]
#[table(index(by_email, row = "email_{email}", unique))]
struct Employee {
    department: String,
    id: u32,
    email: String,
}

const OLD: &str = r#"
tables = 1
design = "company"

[entity.Employee]
table = "Employees"
partition = "{department}"
row = "empid_{id:06}"
[entity.Employee.fields]
department = "string"
id = "u32"
email = "string"
"#;
const INDEX: &str = "[entity.Employee.index.by_email]\n";

const ADD: (&str, &str) = ("old.toml", "new.toml");
const DROP: (&str, &str) = ("new.toml", "old.toml");

#[test]
fn a_dry_run_lists_equal_values_and_changes_nothing() {
    let company = Company::new(["jo@x", "jo@x"], false);
    let before = company.contents();
    let (code, out, errors) = company.migrate(ADD, &["--dry-run"]);
    assert_eq!((code, errors.as_str()), (1, ""), "{out}");
    assert_eq!(out.matches("taken       by_email").count(), 2, "{out}");
    assert!(out.ends_with("0 of 5 steps done; correct the listed entities first\n"), "{out}");
    assert_eq!(company.migrate(ADD, &["--status"]).0, 4);
    assert_eq!(company.contents(), before);
    // The first step fails for the same reason, before programs are deployed.
    assert_eq!(company.migrate(ADD, &[]).0, 1);
}

/// The key of an index row is held by a row that another client wrote: the check of equal values does not find it.
#[test]
fn a_dry_run_lists_and_counts_what_the_run_does() {
    let company = Company::new(["jo@x", "al@x"], false);
    let rows = "{\"PartitionKey\":\"Sales\",\"RowKey\":\"email_jo@x\",\"note\":\"mine\"}\n";
    std::fs::write(company.path("rows.jsonl"), rows).unwrap();
    let words = ["import", "rows.jsonl", "--table", "Employees"];
    assert_eq!(company.run(text(&company.store()), &words).0, 0);
    let before = company.contents();
    let taken = "taken       by_email Employees(PartitionKey='Sales',RowKey='email_jo@x')";
    let (code, out, errors) = company.migrate(ADD, &["--dry-run"]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(out.contains("result: 2 entities, would write 1 row, 1 without a row\n"), "{out}");
    assert_eq!(out.matches(taken).count(), 1, "{out}");
    assert_eq!(company.contents(), before);
    let (code, out, errors) = company.migrate(ADD, &["--done", "2"]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(out.contains("result: 2 entities, 1 row written, 1 without a row\n"), "{out}");
    assert_eq!(out.matches(taken).count(), 1, "{out}");
}

#[test]
fn an_index_is_added_and_removed_without_the_registry() {
    let company = Company::new(["jo@x", "al@x"], false);
    let (code, out, _) = company.migrate(ADD, &[]);
    assert_eq!(code, 3, "{out}");
    assert!(
        out.ends_with("1 of 5 steps done; when step 2 is done, run the command with --done 2\n"),
        "{out}"
    );
    let (code, out, errors) = company.migrate(ADD, &["--done", "2", "--max-rate", "100_000/s"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("not checked, recorded on your word: the command does not know"), "{out}");
    assert!(out.contains("result: 2 entities, 2 rows written\n"), "{out}");
    assert!(out.ends_with("result: 2 entities, 2 index rows, no differences\n\n5 of 5 steps done: the migration is complete\n"), "{out}");
    // A repeated command does nothing.
    let before = company.contents();
    let (code, out, _) = company.migrate(ADD, &["--done", "2"]);
    assert_eq!((code, out.contains("result")), (0, false), "{out}");
    assert_eq!(company.contents(), before);

    assert_eq!(company.migrate(DROP, &[]).0, 3);
    let (code, out, _) = company.migrate(DROP, &["--done", "1", "--json"]);
    let object: Value = serde_json::from_str(&out).unwrap();
    let step = &object["steps"][1];
    assert_eq!((code, &step["action"], &step["result"]["deleted"]), (0, &"delete-rows".into(), &2.into()));
}

#[test]
fn indexes_change_through_the_registry_while_programs_write() {
    let company = Company::new(["jo@x", "al@x"], true);
    let mut waits = 0;
    let mut change = |designs, step, next: u32| {
        for turn in 0..20 {
            let (code, out, errors) = company.migrate(designs, &["--done", step, "--no-wait"]);
            if code != 4 {
                return (code, out);
            }
            assert!(
                out.contains("programs can use the previous state of Employee.by_email"),
                "{out}{errors}"
            );
            waits += 1;
            let (_, status, _) = company.migrate(designs, &["--status"]);
            assert!(status.contains(" in the registry"), "{status}");
            // A program of the new version writes in each state.
            let (id, department) = (next + turn, "Sales".to_owned());
            let employee = Employee { department, id, email: format!("e{id}@x") };
            company.open(true).blocking().insert(&employee).unwrap();
            company.wait(i64::from(waits) * 200);
        }
        (4, String::new())
    };
    let (code, out) = change(ADD, "2", 100);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("no differences"), "{out}");
    let tables = company.open(true);
    let report = tables.blocking().sweep(tables.verify::<Employee>()).unwrap();
    assert!(report.is_clean() && report.entities > 2 && report.rows == report.entities);
    drop(tables);

    let (code, out) = change(DROP, "1", 200);
    assert_eq!(code, 3, "{out}");
    let (code, out, _) = company.migrate(DROP, &["--done", "3"]);
    assert_eq!(code, 0, "{out}");
    assert!(waits > 2);
    let (_, rows, _) = company.run(text(&company.store()), &["export", "Employees", "--format", "jsonl"]);
    assert!(rows.contains("e200@x") && !rows.contains("\"email_"), "{rows}");
}

/// Two indexes are declared, and only one is added: the verification at the end finds no rows of the other one, as a
/// program would not.
#[test]
fn an_index_that_was_not_added_is_not_verified_at_the_end() {
    let company = Company::new(["jo@x", "al@x"], true);
    let by_id = "[entity.Employee.index.by_id]\nrow = \"id_{id:06}\"\n";
    let one = std::fs::read_to_string(company.path("new.toml")).unwrap();
    std::fs::write(company.path("two.toml"), format!("{one}{by_id}")).unwrap();
    for turn in 1..20 {
        let (code, out, errors) = company.migrate(("new.toml", "two.toml"), &["--done", "1", "--no-wait"]);
        if code != 4 {
            assert_eq!(code, 0, "{out}{errors}");
            assert!(out.contains("result: 2 entities, 2 index rows, no differences"), "{out}");
            return;
        }
        company.wait(turn * 200);
    }
    panic!("the migration did not end");
}

/// A migration that waits for its first deployment is recorded: the opposite one starts again.
#[test]
fn a_migration_that_turned_back_starts_again() {
    let company = Company::new(["jo@x", "al@x"], false);
    assert_eq!(company.migrate(ADD, &["--done", "2"]).0, 0);
    // A program of the old version writes while the migration back waits.
    assert_eq!(company.migrate(DROP, &[]).0, 3);
    let late = old::Employee { department: "Sales".into(), id: 9, email: "late@x".into() };
    company.open(false).blocking().insert(&late).unwrap();
    let (code, out, _) = company.migrate(ADD, &["--done", "2"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("result: 3 entities, 1 row written"), "{out}");
    let (code, out, _) = company.run(text(&company.store()), &["verify", "--design", "new.toml"]);
    assert_eq!(code, 0, "{out}");

    // So does one that is restarted.
    company
        .open(false)
        .blocking()
        .insert(&old::Employee { id: 10, email: "later@x".into(), ..late })
        .unwrap();
    assert_eq!(company.migrate(ADD, &["--restart"]).0, 3);
    let (code, out, _) = company.migrate(ADD, &["--done", "2"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("result: 4 entities, 1 row written"), "{out}");
}

/// The record belongs to both names: the way back replaces it, and an unfinished one is found.
#[test]
fn designs_of_two_names_share_the_record_of_their_migration() {
    let company = Company::new(["jo@x", "al@x"], false);
    let text = std::fs::read_to_string(company.path("new.toml")).unwrap();
    let renamed = text.replace("design = \"company\"", "design = \"firm\"");
    assert_ne!(renamed, text);
    std::fs::write(company.path("firm.toml"), renamed).unwrap();
    let (forward, back) = (("old.toml", "firm.toml"), ("firm.toml", "old.toml"));

    // A complete migration, its way back, and the repetition.
    assert_eq!(company.migrate(forward, &["--done", "2"]).0, 0);
    assert_eq!(company.migrate(back, &["--done", "1"]).0, 0);
    let (code, out, _) = company.migrate(forward, &["--status"]);
    assert!(code != 0 && out.contains("0 of 5 steps done"), "{code} {out}");
    let (code, out, _) = company.migrate(forward, &["--done", "2"]);
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("result: 2 entities, 2 rows written"), "{out}");
    assert_eq!(company.run(self::text(&company.store()), &["verify", "--design", "firm.toml"]).0, 0);

    // An unfinished migration is found by the name of its older design as well.
    assert_eq!(company.migrate(back, &[]).0, 3);
    assert_eq!(company.migrate(forward, &[]).0, 3, "the reverse record is replaced");
    let (code, out, errors) = company.migrate(("old.toml", "several.toml"), &[]);
    assert!(
        code == 1 && errors.contains("unfinished migration from old.toml to firm.toml"),
        "{code} {out}{errors}"
    );
}

/// A design contains no code, so a program registers and unregisters its feed.
#[test]
fn a_change_feed_is_a_job_of_the_program() {
    let company = Company::new(["jo@x", "al@x"], false);
    let typed = OLD.replace("[entity.Employee.fields]", "entity_type = \"always\"\n[entity.Employee.fields]");
    let feed = typed.replace("entity_type = \"always\"", "entity_type = \"always\"\nchanges = {}");
    std::fs::write(company.path("typed.toml"), typed).unwrap();
    std::fs::write(company.path("feed.toml"), feed).unwrap();
    for (designs, call, steps) in [
        (("typed.toml", "feed.toml"), "tables.register_changes::<Employee>()", ["1", "2"]),
        (("feed.toml", "typed.toml"), "tables.unregister_changes::<Employee>()", ["1", "2"]),
    ] {
        let (code, out, _) = company.migrate(designs, &[]);
        assert_eq!(code, 3, "{out}");
        let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(call), "{out}");
        assert_eq!(company.migrate(designs, &["--done", steps[0]]).0, 3);
        let (code, out, _) = company.migrate(designs, &["--done", steps[1]]);
        assert_eq!(code, 0, "{out}");
    }
}

#[test]
fn a_served_store_is_migrated() {
    let company = Company::new(["jo@x", "al@x"], false);
    let running = process::Running::start(&["--data", text(company.folder.path())]);
    let place = running.word("connect").to_owned();
    let words = ["migrate", "--from", "old.toml", "--design", "new.toml", "--done", "2"];
    let (code, out, errors) = company.run(&place, &words);
    assert_eq!(code, 0, "{out}{errors}");
    let (code, out, errors) = company.run(&place, &["verify", "--design", "new.toml"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert_eq!(running.signal("-TERM"), Some(0));
}

/// A process that is killed in the middle of a job leaves its position in the store.
#[test]
fn a_killed_migration_is_continued() {
    let company = Company::new(["jo@x", "al@x"], false);
    let tables = company.open(false);
    let more =
        (10..608).map(|id| old::Employee { department: "Sales".into(), id, email: format!("e{id}@x") });
    tables
        .blocking()
        .run(tables.bulk().insert_all(&more.collect::<Vec<_>>()))
        .unwrap()
        .into_result()
        .unwrap();
    drop(tables);
    let running = process::Running::start(&["--data", text(company.folder.path())]);
    let place = running.word("connect").to_owned();
    let words = ["migrate", "--from", "old.toml", "--design", "new.toml", "--done", "2"];
    // The limit leaves seconds between two pages.
    let slow = [&words[..], &["--max-rate", "50/s"]].concat();
    let mut killed = company.command(&place, &slow).stdout(Stdio::null()).spawn().unwrap();
    let position = || company.run(&place, &["export", REGISTRY_TABLE, "--format", "jsonl"]).1;
    while !position().contains("\"cursor\"") {
        assert!(killed.try_wait().unwrap().is_none(), "the migration ended before it was killed");
    }
    killed.kill().unwrap();
    killed.wait().unwrap();

    let (code, out, _) = company.run(&place, &[&words[..5], &["--status"]].concat());
    assert_eq!(code, 4, "{out}");
    assert!(out.contains("     so far: ") && out.contains(" entities"), "{out}");
    let (code, out, errors) = company.run(&place, &words);
    assert_eq!(code, 0, "{out}{errors}");
    // The rows of a page that was interrupted are written, but not counted.
    assert!(out.contains("result: 600 entities, at least "), "{out}");
    assert!(out.contains("600 entities, 600 index rows, no differences"), "{out}");
    assert_eq!(running.signal("-TERM"), Some(0));
}

/// A program that ended before it wrote its index rows leaves a commit record.
#[test]
fn index_rows_of_programs_that_ended_are_written() {
    let company = Company::new(["jo@x", "al@x"], false);
    let far = format!("{OLD}{INDEX}partition = \"email_{{email}}\"\nrow = \"{{department}}_{{id:06}}\"\n");
    std::fs::write(company.path("far.toml"), far).unwrap();
    let insert = |id, email: &str| {
        let tables = company.open(false).with_deferred_updates();
        tables
            .blocking()
            .insert(&far::Employee { department: "Sales".into(), id, email: email.into() })
            .unwrap();
    };
    insert(3, "cy@x");
    let (code, out, errors) = company.migrate(("old.toml", "far.toml"), &["--done", "1"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("result: 3 entities, 3 index rows, no differences\n"), "{out}");

    insert(4, "di@x");
    let store = company.store();
    let words = ["verify", "--design", "far.toml"];
    let (code, out, _) = company.run(text(&store), &words);
    assert_eq!((code, out.as_str()), (0, "Employee: 4 entities, 3 index rows, 1 lagging: no differences\n"));
    let (code, out, _) = company.run(text(&store), &[&words[..], &["--repair"]].concat());
    assert_eq!((code, out.as_str()), (0, "Employee: 4 entities, 4 index rows: no differences\n"));
}

/// Entities that the design does not describe are counted, and the first ones are listed with the reason.
#[test]
fn entities_that_cannot_be_decoded_are_listed_with_the_reason() {
    let company = Company::new(["jo@x", "al@x"], false);
    let tables = company.open(false);
    let bad = (10..1_210).map(|id| bad::Employee { department: "Sales".into(), id });
    let bad: Vec<_> = bad.collect();
    tables.blocking().run(tables.bulk().insert_all(&bad)).unwrap().into_result().unwrap();
    drop(tables);
    let reason = "property `email`: the property is missing";
    let (code, out, _) = company.migrate(("old.toml", "several.toml"), &["--done", "1"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("result: 1202 entities, 2 rows written, 1200 without a row\n"), "{out}");
    assert_eq!(out.matches(reason).count(), 20, "{out}");
    assert!(out.contains("\n       and 1180 more\n"), "{out}");
    let store = company.store();
    let (code, out, _) = company.run(text(&store), &["verify", "--design", "several.toml"]);
    assert_eq!((code, out.matches(reason).count()), (1, 20), "{out}");
    let words = ["reindex", "Employee", "by_email", "--design", "several.toml"];
    let (code, out, _) = company.run(text(&store), &words);
    assert_eq!((code, out.matches(reason).count()), (1, 20), "{out}");
    assert!(out.ends_with("\n  and 1180 more\n"), "{out}");
}

#[test]
fn wrong_calls_and_blocked_changes_do_nothing() {
    let company = Company::new(["jo@x", "al@x"], false);
    let before = company.contents();
    let (code, _, errors) = company.migrate(ADD, &["--done", "3"]);
    assert_eq!(code, 2);
    assert!(errors.contains("--done 3: step 3 is a job, which this command performs"), "{errors}");
    assert_eq!(company.migrate(ADD, &["--done", "9"]).0, 2);
    let (code, out, _) = company.migrate(("several.toml", "unique.toml"), &[]);
    assert_eq!(code, 5, "{out}");
    assert!(out.contains("blocked[C12]: Employee.by_email\n"), "{out}");
    assert_eq!(company.contents(), before);
    // Another migration of the same design is refused until the first one is complete.
    assert_eq!(company.migrate(ADD, &[]).0, 3);
    let (code, _, errors) = company.migrate(("old.toml", "several.toml"), &[]);
    assert_eq!(code, 1);
    for part in
        ["from old.toml to new.toml (1", "--from new.toml --design old.toml", "its record with --restart"]
    {
        assert!(errors.contains(part), "{errors}");
    }
    assert_eq!(company.migrate(("old.toml", "several.toml"), &["--restart"]).0, 3);
}

/// The command cannot compute totals, so it names the program that can.
#[test]
fn totals_are_not_reported_as_verified() {
    let company = Company::new(["jo@x", "al@x"], false);
    let department = "\n[entity.Department]\ntable = \"Departments\"\npartition = \"{department}\"\nrow = \"d\"\n\
                      [entity.Department.fields]\ndepartment = \"string\"\n\
                      [entity.Department.total.employees]\ncount = \"Employee\"\nmatch = { department = \"department\" }\n";
    for name in ["old", "several"] {
        let path = company.path(&format!("{name}.toml"));
        let design = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, design + department).unwrap();
    }
    let (code, out, errors) = company.migrate(("old.toml", "several.toml"), &["--done", "1"]);
    assert_eq!(code, 0, "{out}{errors}");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains(
            "no differences; call `tables.verify::<Employee>()` for what was not verified: its totals and copied \
             fields in `Department`"
        ),
        "{out}"
    );
}
