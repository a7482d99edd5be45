use table_advisor::{Access, Class, Costs, Model, OperationKind, money_text, size_text, time_text};
use table_designs::schema::Schema;

use super::{
    super::report::{Report, currency},
    markup::Markup,
};

const COLUMNS: [&str; 10] = [
    "Query",
    "Condition",
    "Class",
    "Path",
    "#Requests",
    "#Time",
    "#Read",
    "#Returned",
    "#Bytes",
    "#Monthly cost",
];

/// Writes each query with its access path: averages of one call, and its cost.
pub(super) fn write(page: &mut Markup, report: &Report<'_>) {
    if report.model.accesses().is_empty() {
        page.leaf("p", "dim", "The design declares no queries; add a [query.<name>] table.");
        return;
    }
    queries(page, report.schema, report.model, &report.costs, |_| None);
}

/// Writes each query with its access path. `reason` returns why the query exists, unless the file declares it.
pub(crate) fn queries(
    page: &mut Markup,
    schema: &Schema,
    model: &Model<'_>,
    costs: &Costs,
    reason: impl Fn(&str) -> Option<String>,
) {
    page.table("", &COLUMNS, |page| {
        for access in model.accesses() {
            page.element("tr", &[], |page| row(page, schema, costs, access, reason(&access.query)));
        }
    });
}

fn row(page: &mut Markup, schema: &Schema, costs: &Costs, access: &Access, reason: Option<String>) {
    let query = schema.query(&access.query);
    page.element("td", &[], |page| {
        page.leaf("b", "", &access.query);
        for line in query.map(|query| query.find.clone()).into_iter().chain(reason) {
            page.leaf("div", "dim", &line);
        }
    });
    page.classed("td", "given", |page| {
        match query.and_then(|query| query.filter.as_ref()) {
            Some(filter) => page.leaf("code", "", &filter.text),
            None => page.leaf("span", "dim", "all rows"),
        }
        if !access.residual.is_empty() {
            page.classed("div", "dim", |page| {
                page.prose(&format!("checked for each row: `{}`", access.residual.join("`, `")));
            });
        }
    });
    page.element("td", &[], |page| {
        page.leaf(
            "span",
            &format!("class {}", colour(access.class)),
            &access.class.as_str().replace('-', " "),
        );
    });
    page.element("td", &[], |page| {
        page.leaf("code", "", &access.path);
        if access.is_late {
            page.leaf("div", "dim", "updated later");
        }
    });
    page.number(access.requests);
    page.leaf("td", "n", &time_text(access.seconds()));
    page.number(access.read);
    page.number(access.returned);
    page.leaf("td", "n", &size_text(access.bytes));
    let mut operations = costs.operations.iter();
    let operation =
        operations.find(|operation| operation.kind == OperationKind::Query && operation.name == access.query);
    match operation.filter(|operation| operation.per_month > 0.0) {
        Some(operation) => page.leaf("td", "n", &money_text(operation.month, currency(schema))),
        None => page.leaf("td", "n dim", "no rate"),
    }
}

/// Returns green for keys, blue for neighbors, amber for a partition, red for a table.
fn colour(class: Class) -> &'static str {
    match class {
        Class::Point | Class::MultiPoint => "keys",
        Class::RowRange | Class::FanOut => "range",
        Class::PartitionScan | Class::FanOutScan => "scan",
        Class::KeyRange | Class::TableScan => "all",
    }
}
