use serde_json::json;
use table_designs::schema::Prices;
use table_store::{Capabilities, Plan, QueryClass, limits::SEGMENT_ENTITIES};

use super::{
    Access, Spec,
    entities::{FILTER, PARTITION, ROW},
};
use crate::{
    mcp::{
        failure::Failure,
        given::Given,
        output::Output,
        parameter::{Kind, Parameter},
        session::Session,
        stop::Stop,
    },
    members::with,
    query::{Cost, all_filters},
};

const BACKENDS: [&str; 2] = ["embedded", "azure"];

pub(in crate::mcp) const SPEC: Spec = Spec {
    name: "explain_query",
    title: "Explain the cost of a query",
    about: "Returns the class, the key ranges, the remaining filter and the price of a query without reading \
            entities. Classes from cheap to expensive: point, multi-point, row-range, fan-out, partition-scan, \
            fan-out-scan, key-range, table-scan. `advice` narrows a query that reads whole partitions. For the \
            requests and the monthly price of the queries of a design, use `advise`.",
    access: Access::Design,
    parameters: &[
        PARTITION,
        ROW,
        FILTER,
        Parameter::new(
            "backend",
            Kind::Choice(&BACKENDS),
            "Backend that executes the query; it decides whether several ranges are read separately [default: that \
             of the store, or embedded]",
            "\"azure\"",
        ),
    ],
};

pub(super) async fn run(session: &Session, stop: &Stop, given: &Given) -> Result<Output, Failure> {
    let filter = all_filters(given.text("partition"), given.text("row"), given.text("filter"))?;
    let plan = Plan::of(filter.as_ref());
    let capabilities = match given.text("backend") {
        Some("azure") => Capabilities::azure(),
        None if session.has_store() => {
            let opened = session.open_to_read(stop).await?;
            let capabilities = opened.place.tables.capabilities().clone();
            opened.end(Ok(capabilities)).await?
        }
        _ => Capabilities::embedded(),
    };
    let cost = Cost::new(&plan, &capabilities);
    let mut object = cost.object();
    if cost.is_scan() {
        let (reads, advice) = cost.scanned(|key| format!("`{key}`"));
        object = with(with(object, "reads", reads), "advice", advice);
    }
    let is_point = object.get("class").is_some_and(|class| class == QueryClass::Point.as_str());
    Ok(Output::Json(with(object, "price", price(is_point)).to_string()))
}

/// Returns the assumed price of requests of a kind.
fn price(is_point: bool) -> serde_json::Value {
    let prices = Prices::default();
    let (kind, specific) =
        if is_point { ("point read", prices.read_10k) } else { ("query page", prices.scan_10k) };
    json!({
        "request": kind,
        "per_million_requests": (specific.unwrap_or(prices.tx_10k) * 100.0 * 1e6).round() / 1e6,
        "currency": prices.currency,
        "assumption": format!(
            "the default prices of the advisor; a request returns at most {SEGMENT_ENTITIES} entities, and may end \
             earlier while it reads entities that do not match"
        ),
    })
}
