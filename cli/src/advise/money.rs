use table_advisor::{Costs, Model};
use table_schema::schema::{BatchUnit, Schema};

/// Returns the monthly cost by kind, most expensive first, without zeros.
pub(super) fn kinds(costs: &Costs) -> Vec<(&'static str, f64)> {
    let money = &costs.money;
    let of = &money.requests;
    let mut kinds = vec![
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
        None => "All prices are assumed: set your own in `[prices]`.".to_owned(),
        Some(None) => "Prices are those of the file, which does not say of which day (`date`).".to_owned(),
        Some(Some(date)) => format!("Prices are those of the file, of {date}."),
    }
}
