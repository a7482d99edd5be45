//! The rows of a table: a filter, its plan, and a page of rows.

mod grid;
mod plan;
mod read;

use maud::{Markup, html};
use table_model::Filter;

use super::Context;
use crate::{
    params::Params,
    problem::Problem,
    reply::{Reply, page},
    show::grouped,
};
use grid::Grid;
use plan::Planned;
use read::{ROWS, Read};

/// A request of rows.
struct Asked<'c> {
    context: &'c Context<'c>,
    table: &'c str,
    /// The filter as it was typed.
    text: &'c str,
    filter: Result<Option<Filter>, String>,
}

impl<'c> Asked<'c> {
    fn new(context: &'c Context<'c>, table: &'c str) -> Self {
        let text = context.query.get("filter").unwrap_or_default();
        let filter = Some(text).filter(|text| !text.trim().is_empty()).map(Filter::parse).transpose();
        Self { context, table, text, filter: filter.map_err(|error| error.to_string()) }
    }

    fn url(&self, page: &str, params: Params) -> String {
        self.context.url(&["t", self.table, page], params)
    }
}

/// Renders the plan of a filter, without reading a row.
pub(crate) fn plan(context: &Context<'_>, table: &str) -> Result<Reply, Problem> {
    Context::table(table)?;
    let asked = Asked::new(context, table);
    Ok(page(hyper::StatusCode::OK, plan_of(&asked)))
}

/// Returns the plan of a filter, and what it scans if it requires consent.
pub(super) fn planned(context: &Context<'_>, filter: Option<&Filter>) -> (Markup, Option<&'static str>) {
    let planned = Planned::new(context.place, filter);
    (planned.render(), Some(planned.scanned()).filter(|_| planned.cost.is_scan()))
}

fn plan_of(asked: &Asked<'_>) -> Markup {
    match &asked.filter {
        Ok(filter) => Planned::new(asked.context.place, filter.as_ref()).render(),
        Err(error) => html! { pre.mistake role="alert" { (error) } },
    }
}

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let table = Context::table(name)?;
    let asked = Asked::new(context, name);
    let planned = asked.filter.as_ref().ok().map(|filter| Planned::new(context.place, filter.as_ref()));
    let has_consent = context.query.get("scan").is_some();
    let runs = planned.as_ref().is_some_and(|planned| has_consent || !planned.cost.is_scan());
    let read = match (&asked.filter, runs) {
        (Ok(filter), true) => {
            let cursor = context.query.filled("cursor").map(str::parse).transpose()?;
            Some(Read::page(context.place, &table, filter.clone(), cursor).await?)
        }
        _ => None,
    };
    let partition = planned.as_ref().and_then(Planned::partition);
    let title = match partition {
        Some("") => "\"\"",
        Some(partition) => partition,
        None => "Rows",
    };
    let content = html! {
        div.head {
            h1 { bdi { (title) } }
            span.dim { @if partition.is_some() { "partition" } @else { "rows" } " of "
                a href=(context.url(&["t", name], [])) { bdi { (name) } } }
        }
        div.gap {
            (form(&asked, planned.as_ref().filter(|_| !runs)))
            @if let Some(read) = &read { (found(&asked, read, partition.is_some())) }
        }
    };
    let crumbs = [(name.to_owned(), context.url(&["t", name], []))];
    Ok(context.page(title, &crumbs, content).await)
}

/// Renders the filter with its plan. `refused` is a plan that is not run without consent.
fn form(asked: &Asked<'_>, refused: Option<&Planned>) -> Markup {
    let kept = asked.context.query.all("columns");
    html! {
        form.card.query role="search" aria-label="Query" method="get" action=(asked.url("rows", Params::default())) {
            div.filter {
                input.on #filter name="filter" value=(asked.text) aria-label="Filter" autocomplete="off" spellcheck="false"
                    placeholder="PartitionKey eq '…' and RowKey ge '…'" data-plan=(asked.url("plan", Params::default()));
                @for columns in kept { input type="hidden" name="columns" value=(columns); }
                button.main type="submit" { "Run" }
            }
            div #plan aria-live="polite" { (plan_of(asked)) }
            @if let Some(planned) = refused {
                div.consent {
                    p { "This query reads " (planned.scanned()) ". " }
                    button.caution name="scan" value="1" { "Scan" }
                }
            }
        }
    }
}

fn found(asked: &Asked<'_>, read: &Read, has_partition: bool) -> Markup {
    let context = asked.context;
    let next = read
        .continuation
        .as_ref()
        .map(|token| asked.url("rows", context.query.with("cursor", Some(token.as_str()))));
    let is_full = read.rows.len() >= ROWS || read.is_cut;
    html! {
        @if read.rows.is_empty() {
            div.card { p.pad.lead {
                @if next.is_some() { "No row found so far." } @else { "No row matches. A wider filter finds more." }
            } }
        } @else {
            (Grid::new(context, asked.table, read, has_partition).render())
        }
        div.bar {
            span { b { (read.rows.len()) } " rows" @if read.is_cut { ", as more would exceed the size of a page" } }
            span.dim role="status" { "this page: " (read.requests) @if read.requests == 1 { " request, " } @else { " requests, " }
                (grouped(read.read)) " entities read, " (read.milliseconds) " ms" }
            span.tools {
                a.button.plain href=(context.url(&["export"], [("table", asked.table), ("filter", asked.text)])) { "Export" }
                @if context.query.filled("cursor").is_some() {
                    a.button href=(asked.url("rows", context.query.with("cursor", None))) { "First" }
                }
                @if let Some(next) = &next {
                    a.button rel="next" href=(next) { @if is_full { "Next " kbd { "n" } } @else { "Continue" } }
                }
            }
        }
    }
}
