use serde_json::{Value, json};
use table_designs::evolution::{Change, Step};

use super::{Diff, exit};
use crate::text::json_text;

/// Returns the changes as a JSON object.
pub(super) fn text(diff: &Diff) -> String {
    let object = json!({
        "design": diff.name,
        "before": diff.older,
        "after": diff.newer,
        "verdict": diff.verdict.as_str(),
        "exit": exit(diff.verdict),
        "changes": diff.changes.iter().map(change).collect::<Vec<Value>>(),
    });
    json_text(format_args!("{object:#}"))
}

fn change(change: &Change) -> Value {
    json!({
        "code": change.code.as_str(),
        "subject": change.subject,
        "verdict": change.verdict.as_str(),
        "old_programs": change.old_programs.as_str(),
        "rewrite": change.rewrite,
        "steps": change.steps.iter().copied().map(Step::as_str).collect::<Vec<_>>(),
        "why": change.reason,
    })
}
