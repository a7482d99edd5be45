//! The load that the design declares beside the load that the server has measured.

use std::collections::BTreeMap;

use maud::{Markup, html};
use table_advisor::{Model, plain};

use super::table_of;
use crate::{
    TotalsAt,
    design::Design,
    show::{age, ratio},
    view::Context,
};

/// Requests per second of a table.
#[derive(Debug, Default, PartialEq)]
struct Declared {
    reads: f64,
    writes: f64,
}

/// Renders the requests of each table of the design.
pub(super) fn render(context: &Context<'_>, design: &Design) -> Markup {
    let observed = context.place.observed.as_ref().filter(|observed| !observed.is_own());
    let counts = observed.map(|observed| observed.totals()).unwrap_or_default();
    let measured = match &counts[..] {
        [first, .., last] => Some((first, last)),
        _ => None,
    };
    let period = measured.map(|(first, last)| age(last.at.duration_since(first.at)));
    html! {
        section.card {
            header { h2 { "Load" } span.small.dim {
                "requests per second, declared"
                @if let Some(period) = period { ", and measured in the last " (period) }
                @else { "; a server measures it: tables serve … --explorer-port" }
            } }
            div.grid tabindex="0" role="region" aria-label="Load" { table {
                caption.away { "Requests per second of each table" }
                thead { tr { th scope="col" { "Table" } th.n scope="col" { "Reads declared" } th.n scope="col" { "measured" }
                    th.n scope="col" { "Writes declared" } th.n scope="col" { "measured" } } }
                tbody { @for (table, declared) in declared(design) {
                    @let [reads, writes] = measured.map(|measured| rates(measured, table)).unwrap_or_default();
                    tr {
                        th scope="row" { a href=(context.url(&["t", table], [])) { bdi { (table) } } }
                        td.n { (plain(declared.reads)) } td.n { (reads.as_deref().unwrap_or("·")) }
                        td.n { (plain(declared.writes)) } td.n { (writes.as_deref().unwrap_or("·")) }
                    }
                } }
            } }
        }
    }
}

/// Returns the declared requests of each table. Entities whose table depends on a field are omitted.
fn declared(design: &Design) -> BTreeMap<&str, Declared> {
    let model = Model::new(&design.schema);
    let mut tables: BTreeMap<&str, Declared> = BTreeMap::new();
    for entity in &design.schema.entities {
        if let Some(table) = table_of(design, &entity.name) {
            tables.entry(table).or_default();
        }
    }
    for access in model.accesses() {
        let query = design.schema.queries.iter().find(|query| query.name == access.query);
        if let Some(table) = query.and_then(|query| table_of(design, &query.find)) {
            tables.entry(table).or_default().reads += access.rate * access.requests;
        }
    }
    for plan in model.plans().iter().filter(|plan| !plan.is_inside) {
        if let Some(table) = table_of(design, &plan.entity) {
            tables.entry(table).or_default().writes += plan.rate;
        }
    }
    tables
}

/// Returns the measured reads and writes per second of a table.
fn rates((first, last): (&TotalsAt, &TotalsAt), table: &str) -> [Option<String>; 2] {
    let millis = u64::try_from(last.at.duration_since(first.at).as_millis()).unwrap_or(u64::MAX);
    let counts =
        last.totals.since(&first.totals).tables.get(&table.to_ascii_lowercase()).copied().unwrap_or_default();
    [counts.reads, counts.writes].map(|count| Some(ratio(count.saturating_mul(1_000), millis)))
}
