//! The partitions of a table that requests read and wrote most in the last hour.

use maud::{Markup, html};

use super::{rows, shown};
use crate::{
    HeatSpan,
    problem::Problem,
    reply::Reply,
    show::grouped,
    view::{Context, heat},
};

/// Renders the page. It reads no entity.
pub(super) async fn view(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let table = Context::table(name)?;
    let steps = context.place.observed.as_ref().map(|observed| observed.heat(HeatSpan::Hour));
    let lines = heat::busiest(&steps.unwrap_or_default(), HeatSpan::Hour);
    let lines: Vec<_> = lines.into_iter().filter(|line| line.table == table.folded()).collect();
    let content = html! {
        div.head {
            h1 { bdi { (name) } }
            span.dim { "Partitions with the most entities read and written in the last hour" }
            span.tools { (orders(context, name, true)) }
        }
        @if lines.is_empty() {
            div.card { p.pad.lead { "No request was measured that read or wrote an entity of this table in the last hour." } }
        } @else {
            div.card.grid tabindex="0" role="region" aria-label="Partitions" { table {
                caption.away { "Partitions of " (name) ", busiest first" }
                thead { tr { th scope="col" { "PartitionKey" } th.n scope="col" { "Entities" } th.n scope="col" { "Error" }
                    th.n scope="col" { "Busiest minute" } } }
                tbody { @for line in &lines { tr {
                    th scope="row" { a href=(rows(context, name, &line.partition)) { (shown(&line.partition)) } }
                    td.n { (grouped(line.entities)) } td.n.dim { (line.error()) }
                    td.n { (line.most_per_second()) }
                } } }
            } }
        }
    };
    Ok(context.page(name, &[], content).await)
}

/// Renders the choice of the order, if there are measurements.
pub(super) fn orders(context: &Context<'_>, name: &str, is_busiest: bool) -> Markup {
    let link = |text, address: String, is_current: bool| {
        html! { a href=(address) aria-current=[is_current.then_some("true")] { (text) } }
    };
    html! { @if context.place.observed.is_some() {
        span.seg role="group" aria-label="Order" {
            (link("By key", context.url(&["t", name], []), !is_busiest))
            (link("Busiest first", context.url(&["t", name], [("order", "busiest")]), is_busiest))
        }
    } }
}
