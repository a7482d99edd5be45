//! The tables of a report, the same in each form that has tables.

use std::fmt::Write;

use anstyle::AnsiColor;
use table_schema::{
    advise::{Class, Operation, Plan, Step, money_text, plain, size_text},
    simulate::Parameters,
};

use super::{
    layout::{Layout, Property},
    report::Report,
};
use crate::{
    table::{
        Cell, GAP,
        Side::{Code, Left, Right},
        Table,
    },
    text::{cut, wide},
};

/// Operations that are told of.
const DEAREST: usize = 5;
/// Characters of a key's template on a terminal.
const KEY: usize = 30;

/// The class as the colour of how much it reads.
fn class(class: Class) -> Cell {
    let colour = match class {
        Class::Point | Class::MultiPoint => AnsiColor::Green,
        Class::RowRange | Class::FanOut => AnsiColor::Blue,
        Class::PartitionScan | Class::FanOutScan => AnsiColor::Yellow,
        Class::KeyRange | Class::TableScan => AnsiColor::Red,
    };
    Cell::coloured(class.as_str(), colour)
}

pub(super) fn queries(report: &Report<'_>) -> Table {
    let mut table = Table::new([
        ("query", Code),
        ("class", Left),
        ("path", Code),
        ("requests", Right),
        ("read", Right),
        ("returned", Right),
        ("bytes", Right),
        ("a month", Right),
    ]);
    for access in report.model.accesses() {
        let cost = report.costs.operations.iter().find(|cost| cost.name == access.query);
        table.row([
            cut(&access.query, 24).into(),
            class(access.class),
            cut(&access.path, 16).into(),
            plain(access.requests).into(),
            plain(access.read).into(),
            plain(access.returned).into(),
            size_text(access.bytes).into(),
            cost.map_or_else(String::new, |cost| money(report, cost.month)).into(),
        ]);
    }
    table
}

/// A table's rows; where it must be no wider than a terminal, properties give way.
pub(super) fn layout(layout: &Layout, width: Option<usize>) -> Table {
    let mut table = Table::new([
        ("PartitionKey", Code),
        ("RowKey", Code),
        ("properties", Code),
        ("rows", Right),
        ("each", Right),
    ]);
    let cells = layout.rows.iter().map(|row| {
        let names: Vec<String> = row.properties.iter().map(Property::text).collect();
        let keys = [row.partition.text(), row.row.text()];
        let [partition, row_key] = keys.map(|key| width.map_or_else(|| key.to_owned(), |_| cut(key, KEY)));
        [partition, row_key, plain(row.rows), size_text(row.bytes), names.join(" ")]
    });
    let cells: Vec<[String; 5]> = cells.collect();
    let heads = ["PartitionKey", "RowKey", "rows", "each"].map(wide);
    let widest = cells.iter().fold(heads, |widest, [partition, row, rows, each, _]| {
        let widths = [partition, row, rows, each].map(|cell| wide(cell));
        std::array::from_fn(|column| widest.get(column).max(widths.get(column)).copied().unwrap_or(0))
    });
    let rest = width.map(|width| width.saturating_sub(widest.iter().sum::<usize>() + 5 * GAP));
    for [partition, row, rows, each, names] in cells {
        let names = rest.map_or_else(|| names.clone(), |rest| cut(&names, rest.max("properties".len())));
        table.row([partition.into(), row.into(), names.into(), rows.into(), each.into()]);
    }
    table
}

pub(super) fn writes(report: &Report<'_>) -> Table {
    let mut table = Table::new([
        ("write", Code),
        ("transaction", Right),
        ("bytes", Right),
        ("follows", Code),
        ("requests", Right),
        ("rows for one", Right),
    ]);
    for plan in report.model.plans() {
        table.row([
            cut(&plan.name(), 30).into(),
            operations(report, plan).into(),
            size_text(plan.bytes).into(),
            cut(&follow(&plan.follow), 20).into(),
            plain(plan.requests + plan.queue_requests).into(),
            plain(plan.amplification).into(),
        ]);
    }
    table
}

/// How many operations, and of how many where it comes near.
fn operations(report: &Report<'_>, plan: &Plan) -> String {
    let limit = report.schema.targets.egt_ops;
    if plan.is_inside {
        "in another".to_owned()
    } else if plan.most_operations > limit / 2.0 {
        format!("{}, most {} of {}", plain(plan.operations), plain(plan.most_operations), plain(limit))
    } else {
        plain(plan.operations)
    }
}

fn follow(steps: &[Step]) -> String {
    let names: Vec<&str> = steps.iter().map(|step| step.what.as_str()).collect();
    names.join(", ")
}

pub(super) fn costs(report: &Report<'_>) -> Table {
    let mut table =
        Table::new([("dearest", Code), ("calls a month", Right), ("requests", Right), ("a month", Right)]);
    let mut dearest: Vec<&Operation> = report.costs.operations.iter().collect();
    dearest.sort_by(|one, other| other.month.total_cmp(&one.month));
    for operation in dearest.into_iter().take(DEAREST) {
        table.row([
            cut(&operation.name, 40).into(),
            plain(operation.per_month).into(),
            plain(operation.requests).into(),
            money(report, operation.month).into(),
        ]);
    }
    table
}

pub(super) fn scale(report: &Report<'_>) -> Table {
    let mut table = Table::new([
        ("servers", Right),
        ("served", Right),
        ("throttled", Right),
        ("p50 ms", Right),
        ("p99 ms", Right),
        ("warm", Right),
        ("ranges", Right),
        ("servers used", Right),
    ]);
    for (servers, run) in &report.scale.runs {
        table.row([
            servers.to_string().into(),
            format!("{:.2} %", run.tail.served_percent()).into(),
            format!("{:.2} %", run.tail.throttled_percent()).into(),
            format!("{:.1}", run.latency.p50).into(),
            format!("{:.1}", run.latency.p99).into(),
            run.warm.map_or_else(|| "never".to_owned(), |second| format!("{second} s")).into(),
            run.ranges.to_string().into(),
            run.servers_used.to_string().into(),
        ]);
    }
    table
}

/// What the cost comes to, and what Cosmos DB would.
pub(super) fn cost_words(report: &Report<'_>) -> String {
    let costs = &report.costs;
    format!(
        "{} a month: {} for {} in tables, {} for {} in blobs, the rest for requests. On Cosmos DB, roughly, {}: {} request units a second.",
        money(report, costs.total()),
        money(report, costs.money.storage),
        size_text(costs.table_bytes),
        money(report, costs.money.blob_storage),
        size_text(costs.blob_bytes),
        money_text(costs.cosmos.total(), "USD"),
        plain(costs.cosmos.provisioned),
    )
}

/// At what rate, and where the design breaks however many servers there are.
pub(super) fn scale_words(report: &Report<'_>) -> String {
    let rate = plain(report.scale.rate.round());
    let minutes = Parameters::default().seconds / 60;
    let mut text = format!("{rate} entities a second, for {minutes} minutes.");
    let percent = report.summary().hottest_percent;
    let hottest = report.model.groups().iter().max_by(|one, other| one.hot.total_cmp(&other.hot));
    if let Some(group) = hottest.filter(|_| percent > 0.0) {
        let times = plain(100.0 / percent);
        _ = write!(
            text,
            " The busiest partition of `{}` is full at {times} times the declared peak, whatever the servers.",
            group.name
        );
    }
    text
}

pub(super) fn money(report: &Report<'_>, amount: f64) -> String {
    money_text(amount, report.currency())
}

/// The six numbers.
pub(super) fn numbers(report: &Report<'_>) -> [(&'static str, String); 6] {
    let summary = report.summary();
    [
        ("tables", plain(crate::text::real(summary.tables))),
        ("rows", plain(summary.rows)),
        ("in tables", size_text(summary.table_bytes)),
        ("in blobs", size_text(summary.blob_bytes)),
        ("a month", money(report, summary.month)),
        ("of the hottest partition's target", format!("{} %", plain(summary.hottest_percent))),
    ]
}
