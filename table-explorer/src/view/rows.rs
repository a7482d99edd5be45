//! The rows of a table: a filter, its plan, and a page of rows.

mod complete;
mod entities;
mod estimate;
mod found;
mod grid;
mod kinds;
mod patterns;
mod plan;
mod read;
mod sample;
mod size;
mod total;

use maud::{Markup, html};
use table_designs::schema::TableKinds;
use table_model::{Filter, filter::Completion};

use super::Context;
use crate::{
    design::field_of,
    params::Params,
    problem::Problem,
    reply::{Reply, page, redirect},
    show::{CELL, visible},
};
pub(crate) use complete::complete;
use entities::Entities;
use found::Found;
use kinds::Kinds;
use patterns::Patterns;
use plan::Planned;
pub(super) use plan::class_style;
use read::{ROWS, Read};
use sample::Sample;
use size::PageSize;
use total::Total;

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

    fn planned(&self) -> Result<Planned, &str> {
        let filter = self.filter.as_ref().map_err(String::as_str)?;
        Ok(Planned::new(self.context.place, filter.as_ref()))
    }

    /// Returns the end of a filter of which only the end is missing.
    fn missing(&self) -> Option<Completion<'c>> {
        let error = Filter::parse(self.text).err()?;
        let end = Completion::at_end(self.text)?;
        (error.span().end >= self.text.trim_end().len()).then_some(end)
    }

    /// Reads the first rows, from which the cost of the query is estimated.
    async fn sample(&self) -> Result<Option<Sample>, Problem> {
        let table = Context::table(self.table)?;
        let Ok(filter) = &self.filter else { return Ok(None) };
        Ok(sample::first(self.context.place, &table, filter.clone()).await.map(|(_, sample)| sample))
    }

    /// Reads a page of rows, or the rest of it.
    async fn read(&self, before: Total) -> Result<Option<Read>, Problem> {
        let table = Context::table(self.table)?;
        let Ok(filter) = &self.filter else { return Ok(None) };
        let query = &self.context.query;
        let cursor = query.filled("cursor").map(str::parse).transpose()?;
        let had = if query.get("part").is_some() { usize::try_from(before.rows).unwrap_or(ROWS) } else { 0 };
        let most = ROWS.saturating_sub(had).max(1);
        let size = PageSize::new(grid::chosen(self.context), self.context.design().is_some());
        Read::page(self.context.place, &table, filter.clone(), cursor, most, size).await.map(Some)
    }
}

/// Renders the plan of a filter that is being typed, without running it. While the last condition is incomplete, this is the
/// plan of those before it.
pub(crate) async fn plan(context: &Context<'_>, table: &str) -> Result<Reply, Problem> {
    let mut asked = Asked::new(context, table);
    let missing = asked.missing();
    if let Some(before) =
        missing.and_then(|end| Filter::parse(&format!("{}{}", end.before, ")".repeat(end.depth))).ok())
    {
        asked.filter = Ok(Some(before));
    } else if missing.is_some() {
        return Ok(page(
            hyper::StatusCode::OK,
            html! { p.dim.small { "The condition is not complete yet." } },
        ));
    }
    let sample = asked.sample().await?;
    Ok(page(hyper::StatusCode::OK, plan_of(&asked, sample)))
}

/// Returns the plan of a query that returns everything, and what it scans if it requires consent.
pub(super) fn plan_of_all(context: &Context<'_>, filter: Option<&Filter>) -> (Markup, Option<&'static str>) {
    let planned = Planned::of_all(context.place, filter);
    (planned.words(), planned.cost.is_scan().then(|| planned.cost.scanned()))
}

/// Names the properties of the filter that no entity of the table has, by the design.
fn unknown(asked: &Asked<'_>) -> Markup {
    let design = asked.context.design();
    let kinds = design.and_then(|design| design.in_table(asked.table));
    let entities = kinds.iter().flat_map(TableKinds::entities);
    let entities: Vec<_> = entities
        .filter_map(|(number, ..)| design.and_then(|design| design.schema.entities.get(number)))
        .collect();
    let is_known = |name: &str| {
        matches!(name, "PartitionKey" | "RowKey" | "Timestamp" | "EntityType")
            || name.starts_with('_')
            || entities.iter().any(|entity| field_of(entity, name).is_some())
    };
    let filter = asked.filter.as_ref().ok().and_then(Option::as_ref);
    let mut names = filter.map_or_else(Vec::new, Filter::properties);
    names.retain(|name| !is_known(name));
    names.sort_unstable();
    names.dedup();
    html! { @if !entities.is_empty() { @for name in names {
        p.small.warning { "No entity of the design has a property " code { (visible(name, CELL)) } ": rows without it do not match." }
    } } }
}

fn plan_of(asked: &Asked<'_>, sample: Option<Sample>) -> Markup {
    match asked.planned() {
        Ok(planned) => html! { (unknown(asked)) (planned.render(sample)) },
        Err(error) => html! { pre.mistake #mistake role="alert" { (error) } },
    }
}

/// Renders the page, or with `part` only its rows.
pub(crate) async fn view(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let patterns = match Patterns::of(context, name) {
        Ok(patterns) => patterns,
        Err(rows) => return Ok(redirect(&rows)),
    };
    let asked = Asked::new(context, name);
    if grid::has_too_many(context) {
        let columns = grid::chosen(context).join(",");
        return Ok(redirect(&asked.url("rows", context.query.with("columns", Some(&columns)))));
    }
    let planned = asked.planned().ok();
    let has_consent = context.query.get("scan").is_some();
    let may_run = |planned: &Planned| has_consent || !planned.cost.is_scan();
    let runs = !patterns.asks() && planned.as_ref().is_some_and(may_run);
    let before = Total::before(&context.query);
    let read = if runs { asked.read(before).await? } else { None };
    if let Some(entities) = read.as_ref().and_then(|read| instead(&asked, read)) {
        return Ok(redirect(&entities));
    }
    let partition = planned.as_ref().and_then(Planned::partition);
    let found = read.as_ref().map(|read| Found::new(&asked, read, before, partition.is_some()));
    if let (Some(_), Some(found)) = (context.query.get("part"), &found) {
        return Ok(page(hyper::StatusCode::OK, found.render()));
    }
    let sample = match &read {
        Some(read) => {
            let is_whole = read.continuation.is_none() && context.query.filled("cursor").is_none();
            Some(Sample::of(&read.rows, read.read, is_whole))
        }
        None => asked.sample().await?,
    };
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
            @if context.shared.is_writable {
                @let new = partition.map_or_else(Params::default, |key| Params::from([("pk", key)]));
                span.tools { a.button href=(context.url(&["t", name, "new"], new)) { "New entity" } }
            }
        }
        div.gap {
            (patterns.render())
            (form(&asked, sample))
            @if let Some(found) = &found {
                @let are_selectable = context.shared.is_writable && found.has_rows();
                @if are_selectable { (context.token_of(Some("selected"))) }
                (found.render())
                @if are_selectable { (selected(context, name)) }
            }
        }
    };
    let crumbs = [(name.to_owned(), context.url(&["t", name], []))];
    Ok(context.page(title, &crumbs, content).await)
}

/// Returns the address of the entities of a partition whose first rows are of other kinds: index rows can fill many pages
/// before them. The address says what is shown, so a page that asks for a kind remains.
fn instead(asked: &Asked<'_>, read: &Read) -> Option<String> {
    let is_chosen = ["part", "cursor", "kind"].iter().any(|name| asked.context.query.get(name).is_some());
    if is_chosen || read.continuation.is_none() {
        return None;
    }
    let are_others = Kinds::of(asked.context, asked.table, &read.rows)?.are_others();
    Entities::of(asked).filter(|_| are_others)?.url()
}

/// Renders the form of the selected rows. Its token is before them in the page, as forms begin with it.
fn selected(context: &Context<'_>, table: &str) -> Markup {
    html! {
        form #selected method="post" action=(context.url(&["basket"], [])) {
            input type="hidden" name="table" value=(table);
            button name="do" value="delete" { "Add deletes of selected rows to basket" }
        }
    }
}

/// Renders the filter with its plan.
fn form(asked: &Asked<'_>, sample: Option<Sample>) -> Markup {
    let is_wrong = asked.filter.is_err();
    html! {
        form.card.query role="search" aria-label="Query" method="get" action=(asked.url("rows", Params::default())) {
            div.filter {
                input.on #filter name="filter" value=(asked.text) aria-label="Filter" autocomplete="off" spellcheck="false"
                    autocapitalize="off" placeholder="PartitionKey eq '…' and RowKey ge '…'" data-key="f"
                    aria-invalid=[is_wrong.then_some("true")] aria-describedby="plan"
                    data-plan=(asked.url("plan", Params::default())) data-complete=(asked.url("complete", Params::default()));
                @for columns in asked.context.query.all("columns") { input type="hidden" name="columns" value=(columns); }
                button.main type="submit" { "Run" }
            }
            div.chips.complete #completion hidden {}
            div #plan { (plan_of(asked, sample)) }
        }
    }
}
