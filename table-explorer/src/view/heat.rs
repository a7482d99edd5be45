//! The load of partitions over time.

mod busiest;
mod figures;
mod histogram;
mod map;

use hyper::StatusCode;
use maud::{Markup, html};
use table_model::{Filter, Timestamp};

use super::{
    Context,
    home::Trouble,
    listing::{Listing, Messages},
};
use crate::{
    HeatSpan, HeatStep, Observed,
    params::Params,
    problem::Problem,
    reply::{Reply, page},
    show::{grouped, visible},
};
pub(super) use busiest::busiest;
use figures::Figures;
use map::HeatMap;

/// What a page without the measurements of a server would show.
pub(super) const MISSING: &str = "This explorer sees only its own requests. A server shows those of all programs, with \
    their commits and syncs: tables serve … --explorer-port PORT";

/// Renders the page, or only its figures with `part`, which the script requests every five seconds.
pub(crate) async fn view(context: &Context<'_>) -> Result<Reply, Problem> {
    let span = if context.query.get("span") == Some("day") { HeatSpan::Day } else { HeatSpan::Hour };
    let observed = context.place.observed.as_deref();
    let is_own = observed.is_none_or(Observed::is_own);
    let figures = if let Some(observed) = observed {
        figures(context, observed, span).await
    } else {
        html! {}
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
        @if is_own { p.report { (MISSING) } }
        div.gap data-poll=(fragment) { (figures) }
    };
    Ok(context.page("Heat", &[], content).await)
}

/// Renders the figures with the time at which they were measured.
async fn figures(context: &Context<'_>, observed: &dyn Observed, span: HeatSpan) -> Markup {
    let counts = observed.totals();
    let place = context.place;
    let messages = if place.is_local() { Listing::of(place).await.messages } else { Messages::new() };
    let trouble = Trouble::of(place, messages).await;
    let figures = Figures::of(&counts);
    let now = Timestamp::now().to_full_string();
    html! {
        p.small.dim data-age { "Figures of the last hour until " (now.get(11..19).unwrap_or_default()) " UTC" }
        @if let Some(figures) = &figures { (figures.tiles(context, &trouble)) }
        (partitions(context, &observed.heat(span), span))
        @if let Some(figures) = &figures { (figures.histograms()) }
    }
}

fn partitions(context: &Context<'_>, steps: &[HeatStep], span: HeatSpan) -> Markup {
    let map = HeatMap::new(steps, span);
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
                    td.n.dim { (row.error()) }
                    td.n { (share(row.entities, total)) }
                    td.n { (row.most_per_second()) }
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
