//! The tables of a report, shared by all formats with tables.

use std::fmt::Write;

use anstyle::AnsiColor;
use table_advisor::{
    Class, Operation, OperationKind, Plan, Step, money_text, plain, simulate::Parameters, size_text,
    time_text,
};

use super::{
    layout::{Layout, Property},
    limit, money,
    report::Report,
};
use crate::{
    outcome,
    table::{
        Cell,
        Side::{Code, Left, Right},
        Table,
    },
    text::{counted, cut},
};

/// Number of listed operations.
const DEAREST: usize = 5;
/// Maximum number of columns of a row's properties on a terminal.
const PROPERTIES: usize = 200;

/// The output medium of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// 80 columns.
    Terminal,
    /// Unlimited width.
    Page,
}

/// Returns the color of a class, for the amount of data that it reads.
const fn colour(class: Class) -> AnsiColor {
    match class {
        Class::Point | Class::MultiPoint => AnsiColor::Green,
        Class::RowRange | Class::FanOut => AnsiColor::Blue,
        Class::PartitionScan | Class::FanOutScan => AnsiColor::Yellow,
        Class::KeyRange | Class::TableScan => AnsiColor::Red,
    }
}

/// Returns the access path of each query. The input, the class and the path are columns on a page, and a line below the
/// query on a terminal, which has space for seven columns.
pub(super) fn queries(report: &Report<'_>, form: Form) -> Table {
    let numbers = [
        ("requests", Right),
        ("time", Right),
        ("read", Right),
        ("returned", Right),
        ("bytes", Right),
        ("monthly", Right),
    ];
    let words = [("condition", Code), ("class", Left), ("path", Code)];
    let words = words.into_iter().filter(|_| form == Form::Page);
    let mut table = Table::new([("query", Code)].into_iter().chain(words).chain(numbers));
    for access in report.model.accesses() {
        let mut costs = report.costs.operations.iter();
        let cost = costs.find(|cost| cost.kind == OperationKind::Query && cost.name == access.query);
        let filter = report.schema.query(&access.query).and_then(|query| query.filter.as_ref());
        let given = filter.map_or("all rows", |filter| filter.text.as_str());
        let (class, path) = (access.class.as_str(), access.path.as_str());
        let numbers = [
            plain(access.requests),
            time_text(access.seconds()),
            plain(access.read),
            plain(access.returned),
            size_text(access.bytes),
            cost.map_or_else(String::new, |cost| money(report, cost.month)),
        ];
        let numbers = numbers.map(Cell::from);
        let colour = colour(access.class);
        match form {
            Form::Page => {
                let words = [given.into(), Cell::coloured(class, colour), path.into()];
                table.row([Cell::from(access.query.as_str())].into_iter().chain(words).chain(numbers));
            }
            Form::Terminal => {
                let query = Cell::coloured(access.query.as_str(), colour);
                table.row_over([query].into_iter().chain(numbers), &format!("{class}, {path}: {given}"));
            }
        }
    }
    table
}

/// Returns a table's rows; on a terminal, long lists of properties are truncated.
pub(super) fn layout(layout: &Layout, form: Form) -> Table {
    let mut table = Table::new([
        ("PartitionKey", Code),
        ("RowKey", Code),
        ("properties", Code),
        ("rows", Right),
        ("size", Right),
    ]);
    for row in &layout.rows {
        let names: Vec<String> = row.properties.iter().map(Property::text).collect();
        let names = names.join(" ");
        let names = if form == Form::Terminal { cut(&names, PROPERTIES) } else { names };
        let (partition, key) = (row.partition.text(), row.row.text());
        let (rows, size) = (plain(row.rows), size_text(row.bytes));
        table.row([partition.into(), key.into(), names.into(), rows.into(), size.into()]);
    }
    table
}

/// Returns the cost of each write. The later updates are a column on a page, and a line below the write on a terminal.
pub(super) fn writes(report: &Report<'_>, form: Form) -> Table {
    let mut head = vec![
        ("write", Code),
        ("transaction", Right),
        ("bytes", Right),
        ("requests", Right),
        ("rows per write", Right),
    ];
    if form == Form::Page {
        head.insert(3, ("updated later", Code));
    }
    let mut table = Table::new(head);
    for plan in report.model.plans() {
        let later = follow(&plan.follow);
        let mut cells: Vec<Cell> = vec![
            plan.name().into(),
            operations(report, plan).into(),
            size_text(plan.bytes).into(),
            plain(plan.requests + plan.queue_requests).into(),
            plain(plan.amplification).into(),
        ];
        let below = match form {
            Form::Page => {
                cells.insert(3, later.into());
                String::new()
            }
            Form::Terminal if later.is_empty() => later,
            Form::Terminal => format!("updated later: {later}"),
        };
        table.row_over(cells, &below);
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
            operation.name.as_str().into(),
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
         `batch_unit = \"{unit}\"`: {}. On Cosmos DB: {}. {}",
        money(report, costs.total()),
        money(report, costs.money.storage),
        size_text(costs.table_bytes),
        money(report, costs.money.blob_storage),
        size_text(costs.blob_bytes),
        money(report, turned),
        money::cosmos(report),
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
