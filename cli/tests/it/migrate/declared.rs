//! Steps that the user declares as done: what the store shows is checked.

use super::{Company, OLD, far, text};
use table_patterns::prelude::*;

/// A field that the rows of an index would contain. Without keys, a design does not determine them.
const SECRET: &str = "secret = { type = \"string?\", encrypt = true }\n";
const FAR: &str =
    "[entity.Employee.index.by_email]\npartition = \"email_{email}\"\nrow = \"{department}_{id:06}\"\n";
const ADD: (&str, &str) = ("plain.toml", "indexed.toml");
const DROP: (&str, &str) = ("indexed.toml", "plain.toml");

/// A store with two employees and no index rows, and two designs that do not determine these rows.
fn company(registry: bool) -> Company {
    let company = Company::new(["jo@x", "al@x"], registry);
    let plain = format!("{OLD}{SECRET}");
    for (name, text) in [("plain.toml", plain.clone()), ("indexed.toml", format!("{plain}{FAR}"))] {
        std::fs::write(company.path(name), text).unwrap();
    }
    company
}

/// Returns the output as one line.
pub(super) fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_index_of_a_program_is_checked() {
    let company = company(false);
    assert_eq!(company.migrate(ADD, &["--done", "1"]).0, 3);
    let (code, out, errors) = company.migrate(ADD, &["--done", "2"]);
    assert_eq!((code, out.as_str()), (1, ""), "{errors}");
    let found = "--done 2: step 2 is not done: the store contains 2 entities and 0 rows of Employee.by_email; call \
                 `tables.reindex::<Employee>(\"by_email\").run()`";
    assert!(errors.contains(found), "{errors}");
    let tables = company.open(false);
    for row in tables.blocking().all(&super::old::Employee::scan_partition("Sales")).unwrap() {
        let (department, id, email) = (row.department.clone(), row.id, row.email.clone());
        tables.blocking().replace_any(&far::Employee { department, id, email }).unwrap();
    }
    drop(tables);
    let (code, out, errors) = company.migrate(ADD, &["--done", "2"]);
    assert_eq!(code, 0, "{out}{errors}");
    let words =
        "not checked, recorded on your word: the store contains 2 entities and 2 rows of Employee.by_email";
    assert!(joined(&out).contains(words), "{out}");

    // Its rows remain after the program has dropped the declaration.
    assert_eq!(company.migrate(DROP, &["--done", "1"]).0, 3);
    let (code, _, errors) = company.migrate(DROP, &["--done", "2"]);
    assert_eq!(code, 1, "{errors}");
    let found = "step 2 is not done: 2 rows of Employee.by_email remain; call \
                 `tables.remove_index_rows::<Employee>(\"by_email\").run()`";
    assert!(errors.contains(found), "{errors}");
    let tables = company.open(false);
    let removed = tables.blocking().sweep(tables.remove_index_rows::<far::Employee>("by_email")).unwrap();
    assert_eq!((removed.removed, removed.left_count), (2, 0));
    drop(tables);
    let (code, out, errors) = company.migrate(DROP, &["--done", "2"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("result: no row of Employee.by_email is left\n"), "{out}");
}

#[test]
fn an_index_in_the_registry_is_checked() {
    let company = company(true);
    assert_eq!(company.migrate(ADD, &["--done", "1"]).0, 3);
    let (code, _, errors) = company.migrate(ADD, &["--done", "2", "--json"]);
    assert_eq!(code, 1, "{errors}");
    let found = "the registry does not contain Employee.by_email; call `tables.add_index::<Employee>";
    assert!(errors.contains(found), "{errors}");

    // A store whose first program declared the index.
    let company = Company { folder: tempfile::tempdir().unwrap() };
    for (name, text) in
        [("plain.toml", format!("{OLD}{SECRET}")), ("indexed.toml", format!("{OLD}{SECRET}{FAR}"))]
    {
        std::fs::write(company.path(name), text).unwrap();
    }
    let first = far::Employee { department: "Sales".into(), id: 1, email: "jo@x".into() };
    company.open(true).blocking().insert(&first).unwrap();
    let (code, out, errors) = company.migrate(DROP, &["--done", "1"]);
    assert_eq!(code, 3, "{out}{errors}");
    let (code, _, errors) = company.migrate(DROP, &["--done", "2"]);
    assert_eq!(code, 1, "{errors}");
    let found = "Employee.by_email is readable in the registry; complete `tables.drop_index::<Employee>";
    assert!(errors.contains(found), "{errors}");
}

#[test]
fn a_feed_in_the_registry_is_checked() {
    let company = Company { folder: tempfile::tempdir().unwrap() };
    let row = "row = \"empid_{id:06}\"";
    let typed = OLD.replace(row, &format!("{row}\nentity_type = \"always\""));
    let feed = typed.replace("entity_type = \"always\"", "entity_type = \"always\"\nchanges = {}");
    for (name, text) in [("typed.toml", typed), ("feed.toml", feed)] {
        std::fs::write(company.path(name), text).unwrap();
    }
    let plain = Plain { department: "Sales".into(), id: 1, email: "jo@x".into() };
    company.open(true).blocking().insert(&plain).unwrap();
    let tables = |is_registered: bool| {
        let (tables, runtime) = (company.open(true), tokio::runtime::Runtime::new().unwrap());
        if is_registered {
            runtime.block_on(tables.register_changes::<Recorded>()).unwrap();
        } else {
            runtime.block_on(tables.unregister_changes::<Recorded>()).unwrap();
        }
    };
    let add = ("typed.toml", "feed.toml");
    assert_eq!(company.migrate(add, &["--done", "1"]).0, 3);
    let (code, _, errors) = company.migrate(add, &["--done", "2"]);
    assert!(
        code == 1 && errors.contains("does not contain the feed of `Employee`; call `tables.register_"),
        "{errors}"
    );
    tables(true);
    let (code, out, errors) = company.migrate(add, &["--done", "2"]);
    assert_eq!(code, 0, "{out}{errors}");
    let drop = ("feed.toml", "typed.toml");
    let (code, _, errors) = company.migrate(drop, &["--done", "1"]);
    assert!(
        code == 1 && errors.contains("contains the feed of `Employee`; call `tables.unregister_"),
        "{errors}"
    );
    tables(false);
    let (code, out, errors) = company.migrate(drop, &["--done", "1"]);
    assert_eq!(code, 3, "{out}{errors}");
    assert!(out.contains("result: the registry does not contain the feed of `Employee`\n"), "{out}");
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = "Employee")]
struct Plain {
    department: String,
    id: u32,
    email: String,
}

#[derive(TableEntity, Clone, Debug)]
#[table(
    name = "Employees",
    partition = "{department}",
    row = "empid_{id:06}",
    entity_type = "Employee",
    changes
)]
struct Recorded {
    department: String,
    id: u32,
    email: String,
}

/// One move changes the table and the keys.
#[test]
fn a_move_is_checked() {
    let company = Company::new(["jo@x", "al@x"], false);
    let moved = OLD.replace("\"Employees\"", "\"Staff\"").replace("{id:06}", "{id:08}");
    std::fs::write(company.path("moved.toml"), moved).unwrap();
    let designs = ("old.toml", "moved.toml");
    let (code, out, _) = company.migrate(designs, &["--dry-run"]);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("0 of 2 steps done"), "{out}");
    assert_eq!(company.migrate(designs, &["--done", "1"]).0, 3);
    let (code, _, errors) = company.migrate(designs, &["--done", "2"]);
    assert_eq!(code, 1, "{errors}");
    assert!(errors.contains("2 rows of `Employee` remain at old keys in `Employees`; complete"), "{errors}");
    let tables = company.open(false);
    tables.blocking().delete_at(super::old::Employee::point("Sales", 2)).unwrap();
    drop(tables);
    let (_, _, errors) = company.migrate(designs, &["--done", "2"]);
    assert!(errors.contains("1 row of `Employee` remains at old keys in `Employees`; complete"), "{errors}");
    let (_, tables, _) = company.run(text(&company.store()), &["stats"]);
    assert!(!tables.contains("Staff"), "{tables}");
    let b = company.open(false);
    b.blocking().delete_at(super::old::Employee::point("Sales", 1)).unwrap();
    drop(b);
    let (code, out, errors) = company.migrate(designs, &["--done", "2"]);
    assert_eq!(code, 0, "{out}{errors}");
    assert!(out.contains("result: no row of `Employee` is at an old key\n"), "{out}");
}

/// The keys of another number of shards have the same form. The `EntityType` tells which rows are moved.
#[test]
fn a_move_to_other_shards_is_checked() {
    let company = Company { folder: tempfile::tempdir().unwrap() };
    let design = |entity_type: &str, count: u32| {
        format!(
            "tables = 1\ndesign = \"shop\"\n[entity.Order]\ntable = \"Orders\"\npartition = \"{{shard:02}}\"\nrow = \
             \"{{id:06}}\"\n{entity_type}\nshard = {{ of = \"id\", count = {count} }}\n[entity.Order.fields]\nid = \"u32\"\n"
        )
    };
    let first = "entity_type = \"OrderV1\"";
    let second = "entity_type = \"Order\"\naliases = [\"OrderV1\"]";
    for (name, text) in
        [("two.toml", design(first, 2)), ("four.toml", design(second, 4)), ("same.toml", design(first, 4))]
    {
        std::fs::write(company.path(name), text).unwrap();
    }
    let tables = company.open(false);
    let (b, id) = (tables.blocking(), 7);
    b.insert(&OrderV1 { id }).unwrap();
    drop(tables);
    let done = |designs| {
        let mut step = 1;
        loop {
            let (code, out, errors) = company.migrate(designs, &["--done", &step.to_string()]);
            if code != 3 {
                return (code, out + &errors);
            }
            step += 1;
        }
    };
    let (code, out) = done(("two.toml", "four.toml"));
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("1 row of `Order` remains at old keys in `Orders`; complete"), "{out}");
    let tables = company.open(false);
    let b = tables.blocking();
    b.delete_at(OrderV1::point(id)).unwrap();
    b.insert(&Order { id }).unwrap();
    drop(tables);
    let (code, out) = done(("two.toml", "four.toml"));
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("result: no row of `Order` is at an old key\n"), "{out}");
    // Without another type, nothing tells.
    let (code, out) = done(("two.toml", "same.toml"));
    assert_eq!(code, 0, "{out}");
    let words =
        "recorded on your word: old and new keys of `Order` have the same form, and its rows one type";
    assert!(joined(&out).contains(words), "{out}");
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{shard:02}", row = "{id:06}", entity_type = "OrderV1")]
#[table(shard(of = id, count = 2))]
struct OrderV1 {
    id: u32,
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{shard:02}", row = "{id:06}", entity_type = "Order")]
#[table(shard(of = id, count = 4))]
struct Order {
    id: u32,
}

/// A field with another stored name: the steps before this migration are in the message.
#[test]
fn a_copied_field_with_another_name_has_an_order() {
    let company = Company { folder: tempfile::tempdir().unwrap() };
    let typed = OLD.replace("row = \"empid_{id:06}\"", "row = \"empid_{id:06}\"\nentity_type = \"always\"");
    let index = "[entity.Employee.index.by_id]\nrow = \"id_{id:06}\"\ncopy = [\"email\"]\n";
    let older = format!("{typed}{index}");
    let newer = older
        .replace("entity_type = \"always\"", "entity_type = \"always\"\nversion = 2")
        .replace("email = \"string\"", "mail = { type = \"string\", was = \"email\" }")
        .replace("copy = [\"email\"]", "copy = [\"mail\"]");
    for (name, text) in [("older.toml", older), ("newer.toml", newer)] {
        std::fs::write(company.path(name), text).unwrap();
    }
    let first = Typed { department: "Sales".into(), id: 1, email: "jo@x".into() };
    company.open(true).blocking().insert(&first).unwrap();
    let (code, out, errors) = company.migrate(("older.toml", "newer.toml"), &[]);
    assert_eq!(code, 5, "{out}{errors}");
    let words = joined(&out);
    let steps =
        ["1. with the older design: add an index NEW_NAME", "2. remove `by_id`", "3. migrate to this design"];
    let places: Vec<Option<usize>> = steps.iter().map(|step| words.find(step)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
}

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Employees", partition = "{department}", row = "empid_{id:06}", entity_type = "Employee")]
#[table(index(by_id, row = "id_{id:06}", copy(email)))]
struct Typed {
    department: String,
    id: u32,
    email: String,
}
