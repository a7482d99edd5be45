use serde_json::{Value, json};
use table_designs::evolution::{Change, PlannedStep};

use super::{
    Migration,
    means::Known,
    outcome::{JobResult, Outcome, Stop},
    text::shown,
    words::{blocked, later, performer, sentences},
};
use crate::{text::json_text, verify};

/// Returns the plan and its progress as a JSON object.
pub(super) fn text(migration: &Migration<'_>, outcome: &Outcome, known: &Known) -> String {
    let steps = migration.plan.steps.iter().enumerate();
    let steps: Vec<Value> = steps.map(|(at, one)| step(migration, outcome, known, (at + 1, one))).collect();
    let stop = match &outcome.stop {
        None => Value::Null,
        Some(Stop::Person) => json!("person"),
        Some(Stop::Unfinished(_)) => json!("job"),
        Some(Stop::Failed) => json!("failed"),
    };
    let blocked: Vec<Value> = migration.plan.blocked.iter().enumerate().map(|(at, change)| {
        let result = outcome.blocked_results.iter().find(|(of, _)| *of == at).map(|(_, result)| found(result));
        json!({ "code": change.code.as_str(), "subject": change.subject, "why": blocked(change), "result": result })
    }).collect();
    let later: Vec<Value> = migration.plan.later.iter().map(|(step, change)| {
        json!({ "step": step.as_str(), "code": change.code.as_str(), "subject": change.subject, "words": later(migration, *step, change) })
    }).collect();
    let object = json!({
        "design": migration.new.name,
        "before": migration.arguments.from,
        "after": migration.arguments.design,
        "registry": known.registered().collect::<Vec<_>>(),
        "done": outcome.done,
        "stop": stop,
        "exit": outcome.exit(),
        "steps": steps,
        "blocked": blocked,
        "later": later,
    });
    json_text(format_args!("{object:#}"))
}

fn step(
    migration: &Migration<'_>,
    outcome: &Outcome,
    known: &Known,
    (number, step): (usize, &PlannedStep<'_>),
) -> Value {
    let change =
        |(_, change): &(_, &Change)| json!({ "code": change.code.as_str(), "subject": change.subject });
    let words: Vec<Value> = sentences(migration, step, known)
        .into_iter()
        .map(|sentence| json!({ "words": sentence.words, "command": sentence.command }))
        .collect();
    json!({
        "number": number,
        "by": performer(&step.action),
        "action": step.action.as_str(),
        "state": outcome.state(number),
        "changes": step.changes.iter().map(change).collect::<Vec<_>>(),
        "sentences": words,
        "result": outcome.result(number).map(found),
        "so_far": outcome.progress(number),
    })
}

fn found(result: &JobResult) -> Value {
    let mut object = result.counts.clone();
    object.insert("failed".to_owned(), json!(result.is_failed));
    object.insert("listed".to_owned(), shown(result).map(verify::difference).collect());
    Value::Object(object)
}
