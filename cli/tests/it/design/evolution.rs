use std::fs;

use serde_json::Value;
use table_designs::evolution::CLASSES;

use super::{file, tables};

const CHAPTER: &str = include_str!("../../../../docs/guide/evolution.md");
const VECTORS: &str = include_str!("../../../../table-codegen/tests/vectors/evolution.json");

/// Returns the code blocks of the chapter in a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let open = format!("```{language}\n");
    CHAPTER.split(&open).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn the_chapter_shows_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let designs = blocks("toml");
    for (name, text) in ["old.toml", "company.toml"].iter().zip(designs) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tables"));
    let output = command.args(["diff", "old.toml", "company.toml"]).current_dir(&folder).output().unwrap();
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(blocks("text")[0], format!("$ tables diff old.toml company.toml\n{out}"));
    assert_eq!(output.status.code(), Some(4));
}

#[test]
fn the_chapter_lists_every_class() {
    for class in CLASSES {
        let start = format!("| {} | {} |", class.code, class.title);
        let row = CHAPTER.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{start}"));
        assert!(row.ends_with(&format!("| {} | {} |", class.old_programs, class.remedy)), "{row}");
    }
}

/// The exit codes and the JSON of the vectors, which `table-codegen` compares with the library.
#[test]
fn an_object_has_the_fields_of_the_vectors() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    for id in ["none", "rename-was", "mixed", "entity-gone"] {
        let case = vectors["cases"].as_array().unwrap().iter().find(|case| case["id"] == id).unwrap();
        let design = |of: &str| match case[of].as_str().unwrap() {
            "base" => file(vectors["base"].as_str().unwrap()),
            text => file(text),
        };
        let (old, new) = (design("old"), design("new"));
        let paths = [&old, &new].map(|file| file.path().to_str().unwrap());
        let answer = tables(&["diff", paths[0], paths[1], "--json"]);
        let mut object: Value = serde_json::from_str(&answer.out).unwrap();
        for change in object["changes"].as_array_mut().unwrap() {
            let why = change.as_object_mut().unwrap().remove("why");
            assert!(why.unwrap().as_str().is_some_and(|why| !why.is_empty()));
        }
        let mut expected = case["changes"].as_array().unwrap().clone();
        for change in &mut expected {
            change.as_object_mut().unwrap().remove("why");
        }
        assert_eq!(object["changes"], Value::Array(expected), "{id}");
        assert_eq!((&object["verdict"], &object["exit"]), (&case["verdict"], &case["exit"]), "{id}");
        assert_eq!(Some(i64::from(answer.code)), case["exit"].as_i64(), "{id}");
    }
}

#[test]
fn lines_have_80_columns_except_commands() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let base = vectors["base"].as_str().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for case in vectors["cases"].as_array().unwrap() {
        for of in ["old", "new"] {
            let text = case[of].as_str().unwrap();
            fs::write(folder.path().join(of), if text == "base" { base } else { text }).unwrap();
        }
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tables"));
        let output = command.args(["diff", "old", "new"]).current_dir(&folder).output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        for line in out.lines().filter(|line| !line.contains(". tables ")) {
            assert!(line.chars().count() <= 80 && line.trim_end() == line, "{}: {line}", case["id"]);
        }
        assert_eq!(output.status.code().map(i64::from), case["exit"].as_i64(), "{}", case["id"]);
    }
}

#[test]
fn errors_have_their_own_exit_codes() {
    let wrong = file("tables = 1\n[entity.Employee]\ntabel = \"Employees\"\n");
    let answer = tables(&["diff", "company.toml", wrong.path().to_str().unwrap()]);
    assert_eq!((answer.code, answer.out.as_str()), (1, ""));
    assert!(answer.errors.contains("error[D004]"), "{}", answer.errors);
    assert_eq!(tables(&["diff", "company.toml"]).code, 2);
    assert_eq!(tables(&["diff", "nowhere.toml", "company.toml"]).code, 1);
}

#[test]
fn designs_without_a_change_are_safe() {
    for design in super::DESIGNS {
        let answer = tables(&["diff", design, design]);
        assert_eq!((answer.code, answer.errors.as_str()), (0, ""), "{design}");
        assert!(answer.out.ends_with("verdict: safe. 0 changes: programs can be deployed in any order\n"));
    }
}

#[test]
fn errors_are_json_if_requested() {
    let wrong = file("tables = 1\n[entity.A]\ntable = 7\n");
    let path = wrong.path().to_str().unwrap();
    let answer = tables(&["diff", path, "company.toml", "--json"]);
    assert_eq!((answer.code, answer.out.as_str()), (1, ""));
    let object: Value = serde_json::from_str(&answer.errors).unwrap();
    let diagnostics = object["error"]["diagnostics"].as_array().unwrap();
    assert!(diagnostics.iter().any(|one| one["code"] == "D005" && one["line"] == 3), "{object}");
    let answer = tables(&["diff", "nowhere.toml", "company.toml", "--json"]);
    let object: Value = serde_json::from_str(&answer.errors).unwrap();
    assert!(object["error"]["message"].as_str().unwrap().starts_with("cannot read nowhere.toml"), "{object}");
}

/// Both designs can be revisions. The commands of the steps use the file.
#[test]
fn both_designs_can_be_revisions() {
    let git = |arguments: &[&str], folder: &std::path::Path| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"];
        let output =
            std::process::Command::new("git").args(identity).args(arguments).current_dir(folder).output();
        assert!(output.as_ref().is_ok_and(|output| output.status.success()), "{output:?}");
    };
    let folder = tempfile::tempdir().unwrap();
    git(&["init", "-q"], folder.path());
    for (name, text) in ["v1", "v2"].iter().zip(blocks("toml")) {
        fs::write(folder.path().join("company.toml"), text).unwrap();
        git(&["add", "."], folder.path());
        git(&["commit", "-q", "-m", name], folder.path());
        git(&["tag", name], folder.path());
    }
    fs::remove_file(folder.path().join("company.toml")).unwrap();
    let run = |newer: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tables"));
        command.args(["diff", "v1:company.toml", newer]).current_dir(&folder).output().unwrap()
    };
    let output = run("v2:company.toml");
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(4), "{out}");
    assert!(out.contains("tables reindex Employee by_email --design company.toml --store STORE"), "{out}");
    let output = run("v3:company.toml");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.starts_with("error: v3:company.toml is not a file, and git cannot read it: "), "{errors}");
}

/// Each class that has steps says what happens to stored rows, and names commands with all their arguments.
#[test]
fn steps_of_all_classes() {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let base = vectors["base"].as_str().unwrap();
    let mut all = String::new();
    let mut seen = std::collections::BTreeSet::new();
    for case in vectors["cases"].as_array().unwrap() {
        let design = |of: &str| match case[of].as_str().unwrap() {
            "base" => file(base),
            text => file(text),
        };
        let (old, new) = (design("old"), design("new"));
        let answer = tables(&["diff", old.path().to_str().unwrap(), new.path().to_str().unwrap()]);
        for block in answer.out.split("\n\n").filter(|block| block.contains("  1. ")) {
            let (title, _) = block.split_once(": ").unwrap();
            let key = (title.to_owned(), block.lines().count());
            if seen.insert(key) {
                all.push_str(&block.replace(new.path().to_str().unwrap(), "NEW"));
                all.push_str("\n\n");
            }
        }
    }
    insta::assert_snapshot!(all);
}
