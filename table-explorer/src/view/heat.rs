//! The load of partitions over time.

mod map;

use hyper::StatusCode;
use maud::{Markup, html};
use table_model::Filter;

use super::Context;
use crate::{
    HeatSpan, Observed,
    params::Params,
    problem::Problem,
    reply::{Reply, page},
    show::{grouped, visible},
};
use map::HeatMap;

/// What a page without measurements would show.
pub(super) const MISSING: &str = "This explorer opened the store itself and sees no requests of programs. A server shows \
    them: tables serve … --explorer-port PORT";

/// Renders the page, or only its figures with `part`, which the script requests every five seconds.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let span = if context.query.get("span") == Some("day") { HeatSpan::Day } else { HeatSpan::Hour };
    let figures = if let Some(observed) = &context.place.observed {
        figures(context, &**observed, span)
    } else {
        html! { div.card { p.pad.lead { (MISSING) } } }
    };
    if context.query.get("part").is_some() {
        return Ok(page(StatusCode::OK, figures));
    }
    let fragment = context.url(&["heat"], context.query.with("part", Some("1")));
    let tab = |text, value: HeatSpan, name: &'static str| {
        html! { a href=(context.url(&["heat"], [("span", name)])) aria-current=[(value == span).then_some("true")] { (text) } }
    };
    let content = html! {
        div.head {
            h1 { "Heat" }
            span.dim { "entities read and written per partition" }
            span.tools { span.seg role="group" aria-label="Time" { (tab("1 h", HeatSpan::Hour, "hour")) (tab("24 h", HeatSpan::Day, "day")) } }
        }
        div.gap data-poll=(fragment) { (figures) }
    };
    Ok(context.page("Heat", &[], content).await)
}

fn figures(context: &Context<'_>, observed: &dyn Observed, span: HeatSpan) -> Markup {
    let steps = observed.heat(span);
    let map = HeatMap::new(&steps, span);
    let total: u64 = steps.iter().map(|step| step.entities).sum();
    if map.rows.is_empty() {
        return html! { div.card { p.pad.lead { "No request has read or written an entity in this time." } } };
    }
    let link = |table: &str, partition: &str| {
        let filter = Filter::eq("PartitionKey", partition).to_string();
        context.url(&["t", table, "rows"], Params::from([("filter", filter.as_str())]))
    };
    html! {
        section.card {
            header { h2 { "Partitions over time" } span.small.dim { "entities/s; the target of a partition is " (grouped(map::TARGET)) } }
            (map.render(&link))
        }
        section.card {
            header { h2 { "Busiest partitions" } span.small.dim { (grouped(total)) " entities in this time" } }
            div.grid tabindex="0" role="region" aria-label="Busiest partitions" { table {
                caption.away { "Entities per partition" }
                thead { tr { th scope="col" { "Partition" } th.n scope="col" { "Entities" } th.n scope="col" { "Error" }
                    th.n scope="col" { "Share" } th.n scope="col" { "Busiest step" } } }
                tbody { @for row in &map.rows { tr {
                    th scope="row" { a href=(link(&row.table, &row.partition)) {
                        @if row.partition.is_empty() { "\"\"" } @else { (visible(&row.partition, 80)) } } " "
                        span.dim { (row.table) } }
                    td.n { (grouped(row.entities)) }
                    td.n.dim { @if row.overestimate == 0 { "exact" } @else { "≤ " (grouped(row.overestimate)) } }
                    td.n { (share(row.entities, total)) }
                    td.n { (grouped(row.most_per_second())) "/s" }
                } } }
            } }
        }
    }
}

/// Formats a share in per cent.
fn share(part: u64, total: u64) -> String {
    let tenths = u128::from(part) * 1000 / u128::from(total.max(1));
    format!("{}.{} %", tenths / 10, tenths % 10)
}
