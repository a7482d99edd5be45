use table_schema::{
    advise::{Model, Operation, OperationKind, plain},
    schema::{BatchUnit, Schema},
};

use super::{super::report::Report, markup::Markup};

const DEAREST: usize = 5;

/// Money by kind, the dearest operations, and what it would be counted otherwise or elsewhere.
pub(super) fn write(page: &mut Markup, report: &Report<'_>) {
    let money = &report.costs.money;
    let of = &money.requests;
    let mut kinds = [
        ("point reads", of.read),
        ("pages of queries", of.scan),
        ("writes of a row", of.write),
        ("transactions", of.batch),
        ("deletes of a row", of.delete),
        ("queues", of.queue),
        ("requests to blobs", of.blob),
        ("rows kept", money.storage),
        ("blobs kept", money.blob_storage),
    ];
    kinds.sort_by(|one, other| other.1.total_cmp(&one.1));
    let most = kinds.iter().map(|(_, money)| *money).fold(f64::MIN_POSITIVE, f64::max);
    page.classed("table", "bars", |page| {
        page.element("tbody", &[], |page| {
            for (kind, money) in kinds.iter().filter(|(_, money)| *money > 0.0) {
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
    page.leaf("h3", "", "The dearest operations");
    page.table("", &["Operation", "Kind", "#Calls", "#Requests", "#Money", "#Of all"], |page| {
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
    let cosmos = &report.costs.cosmos;
    format!(
        "In all {}. Counted by `batch_unit = \"{unit}\"` it would be {}. On Cosmos DB for Table it would be about {}, \
         for {} request units a second and the storage. Every price is an assumption until `[prices]` says it.",
        report.money(report.costs.total()),
        report.money(turned),
        report.money(cosmos.total()),
        plain(cosmos.provisioned),
    )
}

/// What a month costs where transactions are counted the other way.
fn turned(schema: &Schema) -> (&'static str, f64) {
    let mut schema = schema.clone();
    let prices = schema.prices.get_or_insert_default();
    prices.batch_unit = match prices.batch_unit {
        BatchUnit::Request => BatchUnit::Operation,
        BatchUnit::Operation => BatchUnit::Request,
    };
    let unit = prices.batch_unit.as_str();
    (unit, Model::new(&schema).costs().total())
}
