use std::{fs, process::Command};

use serde_json::Value;

use super::{Answer, changed, file, tables};

/// Compares two designs; the older is named as in the tests.
fn diff(older: &str, newer: &str, arguments: &[&str]) -> Answer {
    let answer = tables(&[&["advise", newer, "--diff", older], arguments].concat());
    let out = answer.out.replace(newer, "new.toml").replace(older, "old.toml");
    Answer { out, ..answer }
}

/// Returns the design with the suggestion for `older_than`: an index that removes its warning and may cause others.
fn indexed() -> tempfile::NamedTempFile {
    let index = "[entity.Employee.index.by_age]\nrow = \"age_{age:03}_{id:06}\"\n\n[query.employee]";
    changed("company.toml", "[query.employee]", index)
}

#[test]
fn a_change_is_told_on_a_terminal() {
    let newer = indexed();
    insta::assert_snapshot!(diff("company.toml", newer.path().to_str().unwrap(), &[]).out);
}

#[test]
fn a_change_is_told_for_a_comment() {
    let newer = indexed();
    insta::assert_snapshot!(
        diff("company.toml", newer.path().to_str().unwrap(), &["--format", "markdown"]).out
    );
}

#[test]
fn a_change_is_told_as_an_object() {
    let newer = indexed();
    let answer = diff("company.toml", newer.path().to_str().unwrap(), &["--format", "json"]);
    let object: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(object["changed"], true);
    assert_eq!(object["queries"]["older_than"]["class"]["before"], "partition-scan");
    assert_eq!(object["queries"]["older_than"]["class"]["after"], "row-range");
    assert!(object["queries"].get("employee").is_none(), "it is as it was");
    assert_eq!(object["findings"]["gone"][0]["code"], "Q02");
    let rows = &object["verdict"]["rows"];
    assert!(rows["before"].as_f64().unwrap() < rows["after"].as_f64().unwrap());
}

#[test]
fn what_is_new_or_gone_has_one_side() {
    let newer = changed("company.toml", "[query.older_than]", "[query.elder]");
    let path = newer.path().to_str().unwrap();
    let answer = diff("company.toml", path, &["--format", "json"]);
    let object: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!(object["queries"]["elder"]["class"]["before"], Value::Null);
    assert_eq!(object["queries"]["older_than"]["class"]["after"], Value::Null);
    assert_eq!(object["findings"]["new"][0]["subject"], "elder");
    assert_eq!(object["findings"]["gone"][0]["subject"], "older_than");
}

#[test]
fn the_same_design_has_changed_in_nothing() {
    for design in super::DESIGNS {
        let answer = diff(design, design, &["--strict"]);
        assert_eq!(answer.code, 0, "{}", answer.out);
        assert!(answer.out.contains("The report has not changed."), "{}", answer.out);
    }
}

#[test]
fn only_what_is_new_fails() {
    let denied = changed("company.toml", "tables = 1", "tables = 1\nlint = { deny = [\"Q02\"] }");
    let denied = denied.path().to_str().unwrap();
    assert_eq!(diff("company.toml", denied, &[]).code, 1);
    assert_eq!(diff(denied, denied, &["--strict"]).code, 0);
    assert_eq!(diff(denied, "company.toml", &["--strict"]).code, 0, "it matters less now");
    let renamed = changed("orders.toml", "[query.open_orders]", "[query.unfinished]");
    assert_eq!(diff("orders.toml", renamed.path().to_str().unwrap(), &["--strict"]).code, 2);
}

#[test]
fn lines_have_100_columns() {
    let other = file("tables = 1\n");
    for design in super::DESIGNS {
        for answer in [
            diff(other.path().to_str().unwrap(), design, &[]),
            diff(design, other.path().to_str().unwrap(), &[]),
        ] {
            let lines = answer.out.lines();
            for line in lines.filter(|line| !line.trim_start().starts_with(|c: char| c.is_ascii_digit())) {
                assert!(line.chars().count() <= 100, "{design}: {line}");
            }
        }
    }
}

#[test]
fn an_older_design_is_read_from_git() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let done = Command::new("git").args(arguments).current_dir(&folder).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    let advise = |older: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tables"));
        let output =
            command.args(["advise", "company.toml", "--diff", older]).current_dir(&folder).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let design = concat!(env!("CARGO_MANIFEST_DIR"), "/../table-codegen/tests/schemas/company.toml");
    let text = fs::read_to_string(design).unwrap();
    fs::write(folder.path().join("company.toml"), &text).unwrap();
    git(&["init", "--quiet"]);
    git(&["add", "company.toml"]);
    fs::write(folder.path().join("company.toml"), text.replace("[query.older_than]", "[query.elder]"))
        .unwrap();

    let (code, out, errors) = advise(":company.toml");
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(out.contains(":company.toml → company.toml") && out.contains("older_than"), "{out}");

    let (code, out, errors) = advise("nowhere:company.toml");
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(
        errors.starts_with("error: nowhere:company.toml is not a file, and git cannot read it: "),
        "{errors}"
    );
}

#[test]
fn a_change_has_no_page() {
    let answer = diff("company.toml", "company.toml", &["--format", "html"]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""));
    assert!(answer.errors.contains("--diff does not support html"), "{}", answer.errors);
}
