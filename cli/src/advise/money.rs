use table_advisor::{Costs, Model, money_text, plain};
use table_designs::schema::{BatchUnit, Schema};

use super::report::Report;

/// Returns the monthly cost by kind, most expensive first, without zeros.
pub(super) fn kinds(costs: &Costs) -> Vec<(&'static str, f64)> {
    let money = &costs.money;
    let of = &money.requests;
    let mut kinds = vec![
        ("point reads", of.read),
        ("query pages", of.scan),
        ("single-row writes", of.write),
        ("transactions", of.batch),
        ("single-row deletes", of.delete),
        ("queue requests", of.queue),
        ("blob requests", of.blob),
        ("table storage", money.storage),
        ("blob storage", money.blob_storage),
    ];
    kinds.retain(|(_, money)| *money > 0.0);
    kinds.sort_by(|one, other| other.1.total_cmp(&one.1));
    kinds
}

/// Returns the monthly cost with the alternative count of transactions, and its setting.
pub(super) fn turned(schema: &Schema) -> (&'static str, f64) {
    let mut schema = schema.clone();
    let prices = schema.prices.get_or_insert_default();
    prices.batch_unit = match prices.batch_unit {
        BatchUnit::Request => BatchUnit::Operation,
        BatchUnit::Operation => BatchUnit::Request,
    };
    let unit = prices.batch_unit.as_str();
    (unit, Model::new(&schema).costs().total())
}

/// Returns the source and the date of the prices.
pub(super) fn source(schema: &Schema) -> String {
    match schema.prices.as_ref().map(|prices| prices.date.as_deref()) {
        None => "All prices are assumptions; specify your own in `[prices]`.".to_owned(),
        Some(None) => "The prices are specified in the design, without a `date`.".to_owned(),
        Some(Some(date)) => format!("The prices are specified in the design, as of {date}."),
    }
}

/// Returns the cost on Cosmos DB, or that no account provides the throughput.
pub(super) fn cosmos(report: &Report<'_>) -> String {
    let cosmos = &report.costs.cosmos;
    let units = plain(cosmos.provisioned);
    if cosmos.is_feasible() {
        format!("about {}, for {units} request units per second", money_text(cosmos.total(), "USD"))
    } else {
        format!("not feasible, it requires {units} request units per second")
    }
}
