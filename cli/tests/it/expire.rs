//! `expire` as a process, on the data of a program with derived types.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says why")]

use std::{fs, path::Path, time::Duration};

use serde_json::Value;
use table_patterns::prelude::*;

use crate::location::{tables, text};

#[derive(TableEntity, Clone, Debug)]
#[table(name = "Sessions", partition = "{user}", row = "s_{id:06}", expires = ends, soft_delete = deleted)]
#[table(index(by_token, table = "Tokens", partition = "{token}", row = "token", unique))]
struct Session {
    user: String,
    id: u32,
    token: String,
    ends: Option<Timestamp>,
    deleted: Option<Timestamp>,
}

const DESIGN: &str = r#"
tables = 1

[entity.Session]
table = "Sessions"
partition = "{user}"
row = "s_{id:06}"
entity_type = "always"
expires = "ends"
soft_delete = "deleted"
index.by_token = { table = "Tokens", partition = "{token}", row = "token", unique = true }
[entity.Session.fields]
user = "string"
id = "u32"
token = "string"
ends = "datetime?"
deleted = "datetime?"
"#;

const TOTAL: &str = r#"
[entity.User]
table = "Users"
partition = "{name}"
row = "user"
fields.name = "string"
[entity.User.total.sessions]
count = "Session"
match = { user = "name" }
"#;

/// Writes a store: an expired session, two valid ones, and one that was soft-deleted an hour ago.
fn store(path: &Path) {
    let (now, hour) = (Timestamp::now(), Duration::from_secs(3_600));
    let opened = Tables::open(path).unwrap();
    let b = opened.blocking();
    for (id, ends, deleted) in [
        (1, Some(now), None),
        (2, Some(now.saturating_add(hour)), None),
        (3, None, None),
        (4, None, Some(now.saturating_sub(hour))),
    ] {
        b.insert(&Session { user: "jo".into(), id, token: format!("t{id}"), ends, deleted }).unwrap();
    }
}

#[test]
fn expired_and_deleted_entities_are_counted_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.tables");
    let design = folder.path().join("shop.toml");
    fs::write(&design, DESIGN).unwrap();
    store(&path);
    let run = |words: &[&str]| {
        tables(&[&["expire", "Session", "--design", text(&design), "--store", text(&path)], words].concat())
    };
    let left = || {
        let opened = Tables::open(&path).unwrap();
        let b = opened.blocking();
        assert!(b.sweep(opened.verify::<Session>()).unwrap().is_clean());
        let left = b.all(&Session::rows("jo").with_deleted()).unwrap();
        left.iter().map(|session| session.id).collect::<Vec<_>>()
    };

    let shown = run(&["--dry-run"]);
    assert_eq!((shown.code, shown.out.as_str()), (0, "Session: 1 entity to delete\n"), "{shown:?}");
    assert_eq!(left(), [1, 2, 3, 4]);
    let done = run(&[]);
    assert_eq!((done.code, done.out.as_str()), (0, "Session: 1 entity deleted\n"), "{done:?}");
    assert_eq!(left(), [2, 3, 4]);

    let kept = run(&["--purge", "2h", "--json"]);
    let object: Value = serde_json::from_str(&kept.out).unwrap();
    assert_eq!((kept.code, &object["deleted"]), (0, &0.into()), "{kept:?}");
    let purged = run(&["--purge", "30min", "--json"]);
    let object: Value = serde_json::from_str(&purged.out).unwrap();
    assert_eq!(
        (purged.code, &object["deleted"], &object["resume"]),
        (0, &1.into(), &Value::Null),
        "{object}"
    );
    assert_eq!(left(), [2, 3]);
    assert_eq!(run(&["--purge", "soon"]).code, 2);
}

#[test]
fn a_design_without_all_parts_or_the_time_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.tables");
    let design = folder.path().join("shop.toml");
    store(&path);
    let run = |design_text: &str| {
        fs::write(&design, design_text).unwrap();
        tables(&["expire", "Session", "--design", text(&design), "--store", text(&path)])
    };
    let total = run(&format!("{DESIGN}{TOTAL}"));
    assert_eq!(total.code, 1, "{total:?}");
    assert!(
        total.errors.contains("`User.sessions` contains values of it; run the sweep in a program"),
        "{total:?}"
    );
    let timeless = run(&DESIGN.replace("expires = \"ends\"\n", ""));
    assert_eq!(timeless.code, 1, "{timeless:?}");
    assert!(timeless.errors.contains("`Session` does not declare `expires`; add the key"), "{timeless:?}");
}

#[test]
fn wrong_designs_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.tables");
    store(&path);
    let run = |from: &str, to: &str, words: &[&str]| {
        let design = folder.path().join("shop.toml");
        assert!(DESIGN.contains(from));
        fs::write(&design, DESIGN.replace(from, to)).unwrap();
        tables(&[&["expire", "Session", "--design", text(&design), "--store", text(&path)], words].concat())
    };
    let missing = run("\"Sessions\"", "\"Session\"", &[]);
    assert_eq!(missing.code, 1, "{missing:?}");
    assert!(missing.errors.contains("the store has no table `Session` of `Session`"), "{missing:?}");
    let table = "table = \"Sessions\"\nshard = { of = \"id\", count = 4 }";
    let unindexed =
        "index.by_token = { table = \"Tokens\", partition = \"{token}\", row = \"token\", unique = true }\n";
    let spread = DESIGN.replace(unindexed, "").replace("\"{user}\"", "\"{user}_{shard:02}\"");
    let spread = run(DESIGN, &spread.replace("table = \"Sessions\"", table), &[]);
    assert!(spread.code == 1 && spread.errors.contains("in a program"), "{spread:?}");
    let keys = run("s_{id:06}", "s_{id:07}", &[]);
    assert_eq!(keys.code, 1, "{keys:?}");
    assert!(keys.out.contains("1 row skipped, whose keys the design does not declare"), "{keys:?}");
    // The rows have the property `ends`.
    let renamed = "ends = { type = \"datetime?\", rename = \"expires\" }";
    for words in [&["--dry-run"][..], &[]] {
        let renamed = run("ends = \"datetime?\"", renamed, words);
        assert_eq!(renamed.code, 1, "{renamed:?}");
        let cause = "no stored `Session` has the property `expires` of `ends`, but one has the time `ends`";
        assert!(renamed.errors.contains(cause), "{renamed:?}");
        assert!(renamed.errors.contains("`token`, `ends` (`expires`), `deleted`"), "{renamed:?}");
    }
    let version = run("[entity.Session]\n", "[entity.Session]\nversion = 2\n", &["--json"]);
    let object: Value = serde_json::from_str(&version.out).unwrap();
    assert_eq!((&object["deleted"], &object["other_versions"]["1"]), (&0.into(), &1.into()), "{version:?}");
}
