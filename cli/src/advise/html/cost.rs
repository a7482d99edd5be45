use table_advisor::{Operation, OperationKind, plain};

use super::{
    super::{
        money::{cosmos, kinds, source, turned},
        report::Report,
    },
    markup::Markup,
};

const DEAREST: usize = 5;

/// Writes the cost by kind, the most expensive operations, and the cost with other counting or another service.
pub(super) fn write(page: &mut Markup, report: &Report<'_>) {
    let kinds = kinds(&report.costs);
    let most = kinds.iter().map(|(_, money)| *money).fold(f64::MIN_POSITIVE, f64::max);
    page.classed("table", "bars", |page| {
        page.element("tbody", &[], |page| {
            for (kind, money) in &kinds {
                page.element("tr", &[], |page| {
                    page.element("th", &[("scope", "row")], |page| page.text(kind));
                    page.element("td", &[], |page| bar(page, money / most));
                    page.leaf("td", "n", &report.money(*money));
                });
            }
        });
    });
    dearest(page, report);
    page.classed("p", "dim", |page| page.prose(&beside(report)));
}

fn bar(page: &mut Markup, share: f64) {
    let attributes = [
        ("class", "bar"),
        ("viewBox", "0 0 1000 10"),
        ("preserveAspectRatio", "none"),
        ("aria-hidden", "true"),
    ];
    let width = format!("{:.0}", (1_000.0 * share).max(2.0));
    page.element("svg", &attributes, |page| {
        page.void("rect", &[("class", "cell"), ("width", &width), ("height", "10")]);
    });
}

fn dearest(page: &mut Markup, report: &Report<'_>) {
    let mut operations: Vec<&Operation> =
        report.costs.operations.iter().filter(|operation| operation.month > 0.0).collect();
    if operations.is_empty() {
        return;
    }
    operations.sort_by(|one, other| other.month.total_cmp(&one.month));
    let total = report.costs.total();
    page.leaf("h3", "", "Most expensive operations");
    page.table("", &["Operation", "Kind", "#Calls", "#Requests", "#Cost", "#Share"], |page| {
        for operation in operations.into_iter().take(DEAREST) {
            let kind = match operation.kind {
                OperationKind::Query => "query",
                OperationKind::Write => "write",
            };
            page.element("tr", &[], |page| {
                page.element("td", &[], |page| page.leaf("b", "", &operation.name));
                page.leaf("td", "", kind);
                page.leaf("td", "n", &plain(operation.per_month.round()));
                page.leaf("td", "n", &plain(operation.requests.round()));
                page.leaf("td", "n", &report.money(operation.month));
                page.leaf("td", "n", &format!("{} %", plain((100.0 * operation.month / total).round())));
            });
        }
    });
}

fn beside(report: &Report<'_>) -> String {
    let (unit, turned) = turned(report.schema);
    format!(
        "Total: {}. With `batch_unit = \"{unit}\"`: {}. On Cosmos DB for Table: {}. {}",
        report.money(report.costs.total()),
        report.money(turned),
        cosmos(report),
        source(report.schema),
    )
}
