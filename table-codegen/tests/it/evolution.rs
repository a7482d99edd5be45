//! Pairs of designs: the changes between them, compared with `vectors/evolution.json`.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test may stop where its own data is wrong"
)]

use serde_json::{Value, json};
use table_codegen::{read, write};
use table_designs::{
    evolution::{Change, ChangeCode, Verdict, compare, verdict},
    lock::{FrontEnd, Lock},
};

const VECTORS: &str = include_str!("../vectors/evolution.json");

/// Returns a change as the vectors describe it, without the reason, whose wording they do not determine.
fn told(change: &Change) -> Value {
    json!({
        "code": change.code.as_str(), "subject": change.subject, "verdict": change.verdict.as_str(),
        "old_programs": change.old_programs.as_str(), "rewrite": change.rewrite,
        "steps": change.steps.iter().map(|step| step.as_str()).collect::<Vec<_>>(),
    })
}

/// Calls `each` with the number of the case, the case, and its designs.
fn cases(mut each: impl FnMut(usize, &Value, [&str; 2])) -> usize {
    let vectors: Value = serde_json::from_str(VECTORS).unwrap();
    let cases = vectors["cases"].as_array().unwrap();
    for (number, case) in cases.iter().enumerate() {
        let text = |of: &str| match case[of].as_str().unwrap() {
            "base" => vectors["base"].as_str().unwrap(),
            text => text,
        };
        each(number, case, [text("old"), text("new")]);
    }
    cases.len()
}

#[test]
fn changes_are_those_of_the_vectors() {
    let mut wrong = Vec::new();
    let count = cases(|_, case, designs| {
        let [old, new] =
            designs.map(|text| read(text, "shop.toml").unwrap_or_else(|errors| panic!("{errors}")));
        let changes = compare(&old, &new);
        let mut expected = case["changes"].as_array().unwrap().clone();
        for change in &mut expected {
            change.as_object_mut().unwrap().remove("why");
        }
        let found: Vec<Value> = changes.iter().map(told).collect();
        if found != expected || verdict(&changes).as_str() != case["verdict"] {
            wrong.push(format!(
                "{}:\n  {}\n  is expected, found\n  {}",
                case["id"],
                json!(expected),
                json!(found)
            ));
        }
        assert!(changes.iter().all(|change| !change.reason.is_empty()));
        let is_rejected = |change: &Change| change.verdict == Verdict::Refused;
        assert!(changes.iter().all(|change| is_rejected(change) || !change.steps.is_empty()));
    });
    assert!(wrong.is_empty(), "{} of {count}\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(count, 60);
}

/// Words such as `was` and `version` are kept when a design is written and read again.
#[test]
fn written_designs_have_no_changes() {
    cases(|_, case, designs| {
        for text in designs {
            let schema = read(text, "shop.toml").unwrap_or_else(|errors| panic!("{errors}"));
            let again = read(&write(&schema), "again.toml").unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!(compare(&schema, &again), [], "{}", case["id"]);
            assert_eq!(again.entities, schema.entities, "{}", case["id"]);
        }
    });
}

/// A lock that was written and read again finds the changes of stored rows that the designs have.
#[test]
fn locks_find_the_changes_of_the_vectors() {
    let is_locked = |change: &&Change| !matches!(change.code, ChangeCode::C00);
    cases(|_, case, designs| {
        let [old, new] =
            designs.map(|text| read(text, "shop.toml").unwrap_or_else(|errors| panic!("{errors}")));
        let lock: Lock = Lock::of_schema(&old).to_string().parse().unwrap();
        let code = Lock::of_schema(&new);
        let found = lock.check(&code, FrontEnd::File);
        let changes = compare(&old, &new);
        // An entity is named as its rows name it, and logs are not locked.
        let subjects =
            |subject: &str| !new.logs.iter().chain(&old.logs).any(|log| subject.starts_with(&log.name));
        let mut expected: Vec<ChangeCode> = changes
            .iter()
            .filter(is_locked)
            .filter(|one| subjects(&one.subject))
            .map(|one| one.code)
            .collect();
        let mut classes: Vec<ChangeCode> = found.iter().filter_map(|finding| finding.class).collect();
        if case["id"] == "type-renamed" {
            // A lock knows an entity by the name in its rows.
            expected = vec![ChangeCode::C30, ChangeCode::C31];
        }
        expected.sort_unstable();
        expected.dedup();
        classes.sort_unstable();
        classes.dedup();
        assert_eq!(classes, expected, "{}: {found:#?}", case["id"]);
        // The verdict decides whether it can be accepted. A lock also rejects a version of rows without a type.
        let is_refused = changes.iter().any(|change| change.verdict == Verdict::Refused);
        let accepted = lock.accept(&code, FrontEnd::File);
        assert!(accepted.is_err() || !is_refused, "{}", case["id"]);
        if let Ok(accepted) = accepted {
            let again: Lock = accepted.to_string().parse().unwrap();
            assert_eq!(again.check(&code, FrontEnd::File), [], "{}", case["id"]);
            assert_eq!(again.accept(&code, FrontEnd::File).unwrap().to_string(), accepted.to_string());
        }
    });
}
