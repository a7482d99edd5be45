//! The partitions of a table, one seek for each.

mod busiest;

use maud::{Markup, html};
use table_model::{Filter, Name, Query, TableName};

use super::Context;
use crate::{Place, params::Params, problem::Problem, reply::Reply, show::visible};

/// Number of partitions of a page of a store in this process, and of another one: each is a request.
const LOCAL: usize = 100;
const REMOTE: usize = 20;

/// Some partitions of a table.
pub(super) struct Found {
    pub(super) keys: Vec<String>,
    has_more: bool,
}

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    if context.query.get("order") == Some("busiest") {
        return busiest::view(context, name).await;
    }
    let table = Context::table(name)?;
    let after = context.query.get("after");
    let most = if context.place.is_local() { LOCAL } else { REMOTE };
    let from = after.map(|key| Filter::gt("PartitionKey", key));
    let Found { keys, has_more } = find(context.place, &table, from, most).await?;
    let next =
        keys.last().filter(|_| has_more).map(|key| context.url(&["t", name], [("after", key.as_str())]));
    let content = html! {
        div.head {
            h1 { bdi { (name) } }
            span.dim { "Partitions in key order" }
            span.tools {
                (busiest::orders(context, name, false))
                @if context.shared.is_writable { a.button href=(context.url(&["import"], [("table", name)])) { "Import" } }
                a.button href=(context.url(&["export"], [("table", name)])) { "Export" }
                @if context.shared.is_writable { a.button href=(context.url(&["t", name, "new"], [])) { "New entity" } }
                a.button href=(context.url(&["t", name, "rows"], [])) { "All rows" }
            }
        }
        @if keys.is_empty() {
            div.card { p.pad.lead {
                @if after.is_some() { "No partition is after this key." }
                @else { "The table is empty. Programs insert entities, and so does " code { "tables import" } "." }
            } }
        } @else {
            div.card.grid tabindex="0" role="region" aria-label="Partitions" {
                table {
                    caption.away { "Partitions of " (name) }
                    thead { tr { th scope="col" { "PartitionKey" } } }
                    tbody { @for key in &keys { tr { th scope="row" {
                        a href=(rows(context, name, key)) { (shown(key)) }
                    } } } }
                }
            }
            div.bar {
                span.dim { (keys.len()) " partitions, one entity read for each" }
                span.tools {
                    @if after.is_some() { a.button href=(context.url(&["t", name], Params::default())) { "First" } }
                    @if let Some(next) = next { a.button rel="next" data-key="n" href=(next) { "Next " kbd { "n" } } }
                }
            }
        }
    };
    Ok(context.page(name, &[], content).await)
}

/// Returns the address of the rows of a partition.
fn rows(context: &Context<'_>, table: &str, key: &str) -> String {
    let filter = Filter::eq("PartitionKey", key).to_string();
    context.url(&["t", table, "rows"], [("filter", filter.as_str())])
}

/// Renders a PartitionKey, which may be empty.
fn shown(key: &str) -> Markup {
    html! { @if key.is_empty() { span.none { "\"\"" } } @else { (visible(key, 200)) } }
}

/// Seeks the first entity of each partition in a range of partitions.
pub(super) async fn find(
    place: &Place,
    table: &TableName,
    from: Option<Filter>,
    most: usize,
) -> Result<Found, Problem> {
    let mut found = Found { keys: Vec::new(), has_more: false };
    let mut filter = from;
    while let Some(key) = next(place, table, filter).await? {
        if found.keys.len() == most {
            found.has_more = true;
            break;
        }
        found.keys.push(key.clone());
        filter = Some(Filter::gt("PartitionKey", key));
    }
    Ok(found)
}

/// Returns the first PartitionKey in a range. A service may return empty segments first.
async fn next(place: &Place, table: &TableName, filter: Option<Filter>) -> Result<Option<String>, Problem> {
    let mut query = Query::new().select([Name::from("PartitionKey")]).top(1);
    query.filter = filter;
    loop {
        let segment = place.tables.query(table, query.clone()).await?;
        if let Some(row) = segment.rows.iter().next() {
            return Ok(row.partition_key.map(str::to_owned));
        }
        let Some(token) = segment.continuation else { return Ok(None) };
        query = query.continuation(token);
    }
}
