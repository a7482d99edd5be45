use std::{fs, process::Command};

use super::Answer;

const DESIGN: &str = "\
tables = 1
design = \"company\"

[entity.Employee]
table = \"Employees\"
partition = \"{department}\"
row = \"empid_{id:06}\"
entity_type = \"always\"

[entity.Employee.fields]
department = \"string(40)\"
id = \"u32\"
age = \"i32?\"
";

/// `lock!` and `tables lock` have the same default file.
#[test]
fn the_lock_of_structs_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tables.lock");
    fs::write(folder.path().join("company.toml"), DESIGN).unwrap();
    table_patterns::lock::accept(&path, &[]).unwrap();
    let locked = fs::read_to_string(&path).unwrap();
    for arguments in [&["lock", "company.toml"][..], &["lock", "company.toml", "--accept"]] {
        let refused = tables(&folder, arguments);
        assert_eq!(refused.code, 1);
        assert_eq!(
            refused.errors,
            "error: tables.lock was written by `lock!` for structs, and `tables lock company.toml --accept` would replace \
             them; name another file with `--file`\n"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), locked);
    }
    assert_eq!(tables(&folder, &["lock", "company.toml", "--file", "company.lock", "--accept"]).code, 0);
    let other = table_patterns::lock::check(&folder.path().join("company.lock"), &[]).unwrap_err();
    assert!(other.to_string().contains("was written by `tables lock` for a design file"), "{other}");
    // A file of an earlier version does not name its source.
    fs::write(&path, locked.replace("source = \"code\"\n", "")).unwrap();
    assert_eq!(tables(&folder, &["lock", "company.toml", "--accept"]).code, 0);
    assert!(fs::read_to_string(&path).unwrap().contains("format = 1\nsource = \"design\"\n"));
}

/// Runs the command in a directory.
fn tables(folder: &tempfile::TempDir, arguments: &[&str]) -> Answer {
    let output =
        Command::new(env!("CARGO_BIN_EXE_tables")).args(arguments).current_dir(folder).output().unwrap();
    Answer {
        code: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        errors: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn changes_of_a_design_are_accepted_explicitly() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| fs::write(folder.path().join("company.toml"), text).unwrap();
    let read = || fs::read_to_string(folder.path().join("tables.lock")).unwrap();
    write(DESIGN);
    let missing = tables(&folder, &["lock", "company.toml"]);
    assert_eq!(missing.code, 1);
    assert_eq!(
        missing.errors,
        "error: tables.lock does not exist; run `tables lock company.toml --accept` to create it, and commit it\n"
    );
    let written = tables(&folder, &["lock", "company.toml", "--accept"]);
    assert_eq!(
        (written.code, written.out.as_str()),
        (0, "tables.lock written; review and commit the difference\n")
    );
    let first = read();
    assert!(first.contains("\nage = { edm = \"Int32\", type = \"i32?\" }\n"), "{first}");
    assert_eq!(tables(&folder, &["lock", "company.toml", "--accept"]).out, "tables.lock is unchanged\n");
    assert_eq!(tables(&folder, &["lock", "company.toml"]).code, 0);

    write(&DESIGN.replace("age = \"i32?\"", "age = \"i32?\"\nlevel = \"i32\""));
    for arguments in [&["lock", "company.toml"][..], &["lock", "company.toml", "--accept"]] {
        let refused = tables(&folder, arguments);
        assert_eq!(refused.code, 1);
        assert!(refused.errors.contains("L02[C03] Employee.level: required field"), "{}", refused.errors);
        assert!(refused.errors.contains("      level = \"i32?\"\n"), "{}", refused.errors);
        assert_eq!(read(), first);
    }

    write(&DESIGN.replace("age = \"i32?\"", "age = \"i32?\"\nlevel = \"i32?\""));
    let added = tables(&folder, &["lock", "company.toml", "--file", "tables.lock"]);
    assert!(added.errors.contains("L01[C01] Employee.level"), "{}", added.errors);
    assert!(
        added.errors.contains("run `tables lock company.toml --file tables.lock --accept`, review"),
        "{}",
        added.errors
    );
    assert_eq!(tables(&folder, &["lock", "company.toml", "--accept"]).code, 0);
    assert_eq!(tables(&folder, &["lock", "company.toml"]).code, 0);

    fs::write(folder.path().join("tables.lock"), read().replace("row =", "rows =")).unwrap();
    let invalid = tables(&folder, &["lock", "company.toml"]);
    assert_eq!(invalid.errors, "error: tables.lock, line 9: unknown key or invalid value: `rows`\n");
}

const ORDERS: &str = r#"
use table_patterns::prelude::*;
#[derive(TableFields, Clone, Debug)]
enum Pay { Card { last4: String }, Transfer { iban: String, days: i32 }, Cash }
#[derive(TableEntity, Clone, Debug)]
#[table(name = "Orders", partition = "{shop}", row = "{id:06}")]
struct Order { shop: String, id: u32, #[table(flatten)] pay: Pay }
"#;

#[test]
fn fields_of_existing_variants_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let design = |name: &str, variants: &str| {
        let text = ORDERS.replace("Card { last4: String }, Transfer { iban: String, days: i32 }", variants);
        fs::write(folder.path().join("orders.rs"), text).unwrap();
        let written = tables(&folder, &["schema", "orders.rs"]);
        assert_eq!((written.code, written.errors.as_str()), (0, ""));
        fs::write(folder.path().join(name), written.out).unwrap();
    };
    design("base.toml", "Card { last4: String }, Transfer { iban: String, days: i32 }");
    design("new.toml", "Card { last4: String, exp: i32 }, Transfer { iban: String, days: i32 }");
    design("moved.toml", "Card { last4: String, days: i32 }, Transfer { iban: String, days: i32 }");
    design("optional.toml", "Card { last4: Option<String> }, Transfer { iban: String, days: i32 }");
    assert_eq!(tables(&folder, &["lock", "base.toml", "--accept"]).code, 0);
    assert_eq!(tables(&folder, &["lock", "base.toml"]).code, 0);
    for (from, to, code, change) in [
        ("base.toml", "new.toml", 5, "refused[C03]: Order.pay_exp"),
        ("base.toml", "moved.toml", 5, "refused[C22]: Order.pay_days"),
        ("base.toml", "optional.toml", 3, "ordered[C23]: Order.pay_last4"),
        ("optional.toml", "base.toml", 5, "refused[C22]: Order.pay_last4"),
    ] {
        let found = tables(&folder, &["diff", from, to]);
        assert!(found.out.contains(change), "{from} {to}: {found:?}");
        assert_eq!(found.code, code, "{from} {to}: {found:?}");
        if from == "base.toml" {
            let locked = tables(&folder, &["lock", to]);
            let [class, field] = [&change[8..11], &change[14..]];
            assert!(locked.code == 1 && locked.errors.contains(&format!("[{class}] {field}")), "{locked:?}");
        }
    }
}
