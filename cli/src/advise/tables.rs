//! The tables of a report, shared by all formats with tables.

use std::fmt::Write;

use anstyle::AnsiColor;
use table_advisor::{
    Class, Operation, OperationKind, Plan, Step, money_text, plain, simulate::Parameters, size_text,
};

use super::{
    layout::{Layout, Property},
    limit, money,
    report::Report,
};
use crate::{
    outcome,
    table::{
        Cell, GAP,
        Side::{Code, Left, Right},
        Table,
    },
    text::{WIDTH, counted, cut, wide},
};

/// Number of listed operations.
const DEAREST: usize = 5;
/// Maximum number of characters of a key's template on a terminal.
const KEY: usize = 30;

/// The output medium of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// 100 columns.
    Terminal,
    /// Unlimited width.
    Page,
}

/// Returns the class with a color for the amount of data that it reads.
fn class(class: Class) -> Cell {
    let colour = match class {
        Class::Point | Class::MultiPoint => AnsiColor::Green,
        Class::RowRange | Class::FanOut => AnsiColor::Blue,
        Class::PartitionScan | Class::FanOutScan => AnsiColor::Yellow,
        Class::KeyRange | Class::TableScan => AnsiColor::Red,
    };
    Cell::coloured(class.as_str(), colour)
}

/// Returns the access path of each query. Its input is a column on a page, and a line below it on a terminal, which has
/// space for eight columns.
pub(super) fn queries(report: &Report<'_>, form: Form) -> Table {
    let mut head = vec![
        ("query", Code),
        ("class", Left),
        ("path", Code),
        ("requests", Right),
        ("read", Right),
        ("returned", Right),
        ("bytes", Right),
        ("monthly", Right),
    ];
    if form == Form::Page {
        head.insert(1, ("condition", Code));
    }
    let mut table = Table::new(head);
    for access in report.model.accesses() {
        let mut costs = report.costs.operations.iter();
        let cost = costs.find(|cost| cost.kind == OperationKind::Query && cost.name == access.query);
        let mut cells: Vec<Cell> = vec![
            access.query.as_str().into(),
            class(access.class),
            access.path.as_str().into(),
            plain(access.requests).into(),
            plain(access.read).into(),
            plain(access.returned).into(),
            size_text(access.bytes).into(),
            cost.map_or_else(String::new, |cost| money(report, cost.month)).into(),
        ];
        let filter = report.schema.query(&access.query).and_then(|query| query.filter.as_ref());
        let given = filter.map_or("all rows", |filter| filter.text.as_str());
        match form {
            Form::Page => {
                cells.insert(1, given.into());
                table.row(cells);
            }
            Form::Terminal => {
                let names = [(0, cut(&access.query, 24)), (2, cut(&access.path, 16))];
                for (column, name) in names {
                    if let Some(cell) = cells.get_mut(column) {
                        *cell = name.into();
                    }
                }
                table.row_over(cells, &cut(given, WIDTH - 2 * GAP));
            }
        }
    }
    table
}

/// Returns a table's rows; with the width of a terminal, properties are truncated.
pub(super) fn layout(layout: &Layout, width: Option<usize>) -> Table {
    let mut table = Table::new([
        ("PartitionKey", Code),
        ("RowKey", Code),
        ("properties", Code),
        ("rows", Right),
        ("size", Right),
    ]);
    let cells = layout.rows.iter().map(|row| {
        let names: Vec<String> = row.properties.iter().map(Property::text).collect();
        let keys = [row.partition.text(), row.row.text()];
        let [partition, row_key] = keys.map(|key| width.map_or_else(|| key.to_owned(), |_| cut(key, KEY)));
        [partition, row_key, plain(row.rows), size_text(row.bytes), names.join(" ")]
    });
    let cells: Vec<[String; 5]> = cells.collect();
    let heads = ["PartitionKey", "RowKey", "rows", "size"].map(wide);
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
        ("updated later", Code),
        ("requests", Right),
        ("rows per write", Right),
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

/// Returns the number of operations, and the limit if it is near.
fn operations(report: &Report<'_>, plan: &Plan) -> String {
    let limit = report.schema.targets.egt_ops;
    if plan.is_inside {
        "in another write".to_owned()
    } else if plan.most_operations > limit / 2.0 {
        format!("{}, max {} of {}", plain(plan.operations), plain(plan.most_operations), plain(limit))
    } else {
        plain(plan.operations)
    }
}

fn follow(steps: &[Step]) -> String {
    let names: Vec<&str> = steps.iter().map(|step| step.what.as_str()).collect();
    names.join(", ")
}

pub(super) fn costs(report: &Report<'_>) -> Table {
    let mut table = Table::new([
        ("most expensive operations", Code),
        ("calls per month", Right),
        ("requests", Right),
        ("monthly", Right),
    ]);
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
        ("steady", Right),
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

/// Returns the total cost, the cost with the alternative count of transactions and on Cosmos DB, and the source of the
/// prices.
pub(super) fn cost_words(report: &Report<'_>) -> String {
    let costs = &report.costs;
    let (unit, turned) = money::turned(report.schema);
    format!(
        "{} per month: {} for {} in tables, {} for {} in blobs, the rest for requests. With \
         `batch_unit = \"{unit}\"`: {}. On Cosmos DB: about {}, for {} request units per second. {}",
        money(report, costs.total()),
        money(report, costs.money.storage),
        size_text(costs.table_bytes),
        money(report, costs.money.blob_storage),
        size_text(costs.blob_bytes),
        money(report, turned),
        money_text(costs.cosmos.total(), "USD"),
        plain(costs.cosmos.provisioned),
        money::source(report.schema),
    )
}

/// Returns the rate of the simulation, and the limits of the design that do not depend on servers.
pub(super) fn scale_words(report: &Report<'_>) -> String {
    let rate = plain(report.scale.rate.round());
    let minutes = Parameters::default().seconds / 60;
    let mut text = format!("{rate} entities per second, for {minutes} minutes.");
    if let Some(limit) = limit::nearest(report) {
        _ = write!(text, " {}", limit.sentence(report));
    }
    if let Some((servers, run)) = report.scale.runs.last() {
        _ = write!(text, " On {}: {}.", counted(*servers, "server"), outcome::moments(run));
    }
    text
}

pub(super) fn money(report: &Report<'_>, amount: f64) -> String {
    money_text(amount, report.currency())
}

/// Returns the six numbers.
pub(super) fn numbers(report: &Report<'_>) -> [(&'static str, String); 6] {
    let summary = report.summary();
    [
        ("tables", plain(crate::text::real(summary.tables))),
        ("rows", plain(summary.rows)),
        ("table storage", size_text(summary.table_bytes)),
        ("blob storage", size_text(summary.blob_bytes)),
        ("cost per month", money(report, summary.month)),
        (
            "load of the hottest partition, relative to its target",
            format!("{} %", plain(summary.hottest_percent)),
        ),
    ]
}
