use serde_json::{Value, json};
use table_advisor::{Access, Costs, OperationKind, Plan, plain, size_text};

use crate::{
    advise::{report::Report, tables},
    text::real,
};

/// A number of a report, formatted for readers and for programs.
#[derive(Debug)]
pub(in crate::advise) struct Figure {
    pub(super) what: &'static str,
    pub(super) key: &'static str,
    pub(super) text: String,
    pub(super) value: Value,
}

fn figure(what: &'static str, key: &'static str, text: String, value: impl Into<Value>) -> Figure {
    Figure { what, key, text, value: value.into() }
}

fn number(what: &'static str, key: &'static str, number: f64) -> Figure {
    figure(what, key, plain(number), number)
}

/// Returns the six numbers of the verdict.
pub(super) fn of_all(report: &Report<'_>) -> Vec<Figure> {
    let summary = report.summary();
    let keys = [
        ("tables", real(summary.tables)),
        ("rows", summary.rows),
        ("table_bytes", summary.table_bytes),
        ("blob_bytes", summary.blob_bytes),
        ("month", summary.month),
        ("hottest_percent", summary.hottest_percent),
    ];
    let numbers = tables::numbers(report).into_iter().zip(keys);
    numbers.map(|((what, text), (key, value))| figure(what, key, text, value)).collect()
}

/// Returns the numbers of a query call.
pub(super) fn of_query(report: &Report<'_>, access: &Access) -> Vec<Figure> {
    vec![
        figure("class", "class", access.class.to_string(), access.class.as_str()),
        figure("path", "path", access.path.clone(), access.path.as_str()),
        number("requests", "requests", access.requests),
        number("read", "read", access.read),
        number("returned", "returned", access.returned),
        figure("bytes", "bytes", size_text(access.bytes), access.bytes),
        month(report, OperationKind::Query, &access.query),
    ]
}

/// Returns the numbers of a write.
pub(super) fn of_write(report: &Report<'_>, plan: &Plan) -> Vec<Figure> {
    let follows: Vec<&str> = plan.follow.iter().map(|step| step.what.as_str()).collect();
    vec![
        number("operations", "egt_ops", plan.operations),
        number("maximum operations", "egt_most", plan.most_operations),
        figure("bytes", "egt_bytes", size_text(plan.bytes), plan.bytes),
        figure("updated later", "follow", follows.join(", "), json!(follows)),
        number("requests", "requests", plan.requests + plan.queue_requests),
        number("rows per write", "amplification", plan.amplification),
        month(report, OperationKind::Write, &plan.name()),
    ]
}

fn month(report: &Report<'_>, kind: OperationKind, name: &str) -> Figure {
    let of = |costs: &Costs| {
        let mut all = costs.operations.iter();
        all.find(|one| one.kind == kind && one.name == name).map_or(0.0, |one| one.month)
    };
    let money = of(&report.costs);
    figure("cost per month", "month", tables::money(report, money), money)
}
