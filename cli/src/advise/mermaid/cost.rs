use super::{block, label};
use crate::advise::{money::kinds, report::Report};

/// Returns a bar per kind of cost; `None` if all costs are zero.
pub(in crate::advise) fn chart(report: &Report<'_>) -> Option<String> {
    let kinds = kinds(&report.costs);
    if kinds.is_empty() {
        return None;
    }
    let names: Vec<String> = kinds.iter().map(|(kind, _)| label(kind)).collect();
    let money: Vec<String> = kinds.iter().map(|(_, money)| format!("{money:.4}")).collect();
    Some(block(&[
        "xychart-beta".to_owned(),
        format!("  title {}", label("Monthly cost")),
        format!("  x-axis [{}]", names.join(", ")),
        format!("  y-axis {}", label(report.currency())),
        format!("  bar [{}]", money.join(", ")),
    ]))
}
