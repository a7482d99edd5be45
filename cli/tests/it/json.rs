//! `--json`: the errors of all commands are JSON objects too.

use std::fs;

use serde_json::Value;

use crate::location::{Company, tables, text};

#[test]
fn errors_of_every_command_are_objects() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (broken, missing, new) = (path("broken.toml"), path("missing.tables"), path("new"));
    fs::write(&broken, "tables = 1\n[entity.A]\ntable = 7\n").unwrap();
    let (broken, missing, new) = (text(&broken), text(&missing), text(&new));
    let store = ["--store", missing];
    let designed = ["--design", broken, "--store", missing];
    for (words, place, has_diagnostics) in [
        (&["advise", broken][..], &[][..], true),
        (&["simulate", broken], &[], true),
        (&["generate", broken, "-o", new], &[], true),
        (&["diff", broken, broken], &[], true),
        (&["upgrade", broken], &[], true),
        (&["verify"], &designed, true),
        (&["reindex", "A", "by_a"], &designed, true),
        (&["expire", "A"], &designed, true),
        (&["migrate", "--from", broken], &designed, true),
        (&["schema", missing], &[], false),
        (&["query", "Rows", "--top", "1"], &store, false),
        (&["stats"], &store, false),
        (&["versions"], &store, false),
        (&["scrub"], &store, false),
        (&["salvage", new], &store, false),
        (&["backup", new], &store, false),
        (&["restore", missing, new, "--log", new], &[], false),
        (&["compact"], &store, false),
        (&["export", "Rows", "-o", new], &store, false),
        (&["import", "missing.csv", "--table", "Rows"], &store, false),
    ] {
        let answer = tables(&[words, place, &["--json"]].concat());
        assert_eq!((answer.code, answer.out.as_str()), (1, ""), "{words:?}: {answer:?}");
        let object: Value = serde_json::from_str(&answer.errors)
            .unwrap_or_else(|error| panic!("{words:?}: {error}: {}", answer.errors));
        let error = &object["error"];
        assert!(error["message"].as_str().is_some_and(|message| !message.starts_with("error")), "{object}");
        let diagnostics = error["diagnostics"].as_array().unwrap();
        assert_eq!(diagnostics.iter().any(|one| one["code"] == "D005"), has_diagnostics, "{object}");
    }
}

#[test]
fn error_after_the_plan_is_an_object_alone() {
    let company = Company::new();
    let place = ["--store", text(&company.path()), "--json"].map(str::to_owned);
    let query = |words: &[&str]| tables(&[words, &place.each_ref().map(String::as_str)].concat());
    let answer = query(&["query", "Missing", "--top", "1"]);
    assert_eq!(answer.code, 1, "{answer:?}");
    let object: Value = serde_json::from_str(&answer.errors).unwrap();
    assert!(object["error"]["message"].is_string(), "{object}");
    let answer = query(&["query", "Employees", "--top", "1"]);
    assert!(answer.code == 0 && answer.errors.starts_with("key-range"), "{answer:?}");
}

#[test]
fn invalid_arguments_are_objects_and_help_is_not() {
    let answer = tables(&["query", "--json", "--no-such-option"]);
    assert_eq!((answer.code, answer.out.as_str()), (2, ""), "{answer:?}");
    let object: Value = serde_json::from_str(&answer.errors).unwrap();
    assert!(object["error"]["message"].as_str().unwrap().contains("--no-such-option"), "{object}");
    let help = tables(&["query", "--json", "--help"]);
    assert!(help.code == 0 && help.out.contains("Examples:"), "{help:?}");
}

#[test]
fn an_explanation_is_an_object() {
    let answer = tables(&["advise", "--explain", "K01", "--json"]);
    let rule: Value = serde_json::from_str(&answer.out).unwrap();
    assert_eq!((&rule["code"], rule["reason"].is_string()), (&"K01".into(), true), "{rule}");
    let answer = tables(&["advise", "--explain", "--json"]);
    let rules: Value = serde_json::from_str(&answer.out).unwrap();
    assert!(rules["rules"].as_array().unwrap().contains(&rule), "{rules}");
}
