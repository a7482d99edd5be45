use table_advisor::{Plan, Step, plain, size_text};

use super::{block, label};

/// Returns one write: its transaction as a box, and the updates through the queue.
pub(in crate::advise) fn flow(plan: &Plan) -> String {
    let operations = match plan.operations {
        one if (one - 1.0).abs() < 0.005 => "1 operation".to_owned(),
        many => format!("{} operations", plain(many)),
    };
    let title = format!("one transaction, {operations}, {}", size_text(plan.bytes));
    let mut lines = vec![
        "flowchart LR".to_owned(),
        format!("  w([{}]) --> egt", label(&format!("{} {}", plan.kind.as_str(), plan.entity))),
        format!("  subgraph egt [{}]", label(&title)),
    ];
    let steps =
        plan.transaction.iter().zip(1..).map(|(step, number): (_, u32)| format!("s{number}[{}]", says(step)));
    lines.push(format!("    {}", steps.collect::<Vec<_>>().join(" --- ")));
    lines.push("  end".to_owned());
    for (step, number) in plan.follow.iter().zip(1_u32..) {
        let (open, close) = if step.effect.is_of_blob() { ("[(", ")]") } else { ("[", "]") };
        lines.push(format!("  egt -. queue .-> f{number}{open}{}{close}", says(step)));
    }
    block(&lines)
}

fn says(step: &Step) -> String {
    let effect = step.effect.as_str().replace('-', " ");
    let what = step.what.strip_prefix("blob ").unwrap_or(&step.what);
    let times = match step.times {
        times if times < 0.01 => ", rarely".to_owned(),
        times if (times - 1.0).abs() >= 0.01 => format!(" ×{}", plain(times)),
        _ => String::new(),
    };
    label(&format!("{effect} {what}{times}"))
}
