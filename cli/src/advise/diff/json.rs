use serde_json::{Map, Value, json};

use super::{Change, Diff, FindingChange, Subject};
use crate::{advise::json::finding, text::json_text};

/// Returns JSON with each number before and after; `null` if its subject does not exist.
pub(super) fn text(diff: &Diff<'_>) -> String {
    let of = |which: fn(&FindingChange<'_>, &Diff<'_>) -> Option<Value>| -> Vec<Value> {
        diff.findings.iter().filter_map(|change| which(change, diff)).collect()
    };
    let value = json!({
        "design": diff.after.schema.name,
        "before": diff.before.file,
        "after": diff.after.file,
        "changed": !diff.is_empty(),
        "verdict": changes(&diff.numbers),
        "findings": {
            "new": of(|change, diff| match change {
                FindingChange::Come(found) => Some(finding(diff.after, found)),
                _ => None,
            }),
            "changed": of(|change, diff| match change {
                FindingChange::Changed { before, after } => {
                    Some(json!({ "before": finding(diff.before, before), "after": finding(diff.after, after) }))
                }
                _ => None,
            }),
            "gone": of(|change, diff| match change {
                FindingChange::Gone(found) => Some(finding(diff.before, found)),
                _ => None,
            }),
        },
        "queries": subjects(&diff.queries),
        "writes": subjects(&diff.writes),
    });
    json_text(format_args!("{value:#}"))
}

fn subjects(subjects: &[Subject]) -> Value {
    let all = subjects.iter().map(|subject| (subject.name.clone(), changes(&subject.changes)));
    Value::Object(all.collect())
}

fn changes(changes: &[Change]) -> Value {
    let value = |figure: &Option<super::Figure>| figure.as_ref().map(|figure| figure.value.clone());
    let of = |change: &Change| {
        let change_of = json!({ "before": value(&change.before), "after": value(&change.after) });
        (change.names().1.to_owned(), change_of)
    };
    Value::Object(changes.iter().map(of).collect::<Map<_, _>>())
}
