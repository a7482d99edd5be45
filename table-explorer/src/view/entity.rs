//! An entity with all its properties.

use maud::{Markup, html};
use table_model::{Filter, Row, ValueRef};

use super::Context;
use crate::{
    problem::Problem,
    reply::Reply,
    show::{bytes, cell, exact, type_name, visible},
};

/// Maximum number of characters of a property on this page.
const SHOWN: usize = 1_000;

/// The keys of an entity in the address.
pub(super) struct Keys<'c> {
    pub(super) partition: &'c str,
    pub(super) row: &'c str,
}

impl<'c> Keys<'c> {
    pub(super) fn of(context: &'c Context<'_>) -> Result<Self, Problem> {
        match (context.query.get("pk"), context.query.get("rk")) {
            (Some(partition), Some(row)) => Ok(Self { partition, row }),
            _ => Err(Problem::invalid("The address of an entity requires `pk` and `rk`.")),
        }
    }

    /// Reads the entity.
    pub(super) async fn read(&self, context: &Context<'_>, table: &str) -> Result<Row, Problem> {
        let table = Context::table(table)?;
        let row = context.place.tables.get(&table, self.partition, self.row, None).await?;
        row.ok_or_else(|| Problem::missing("This entity does not exist"))
    }
}

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let keys = Keys::of(context)?;
    let row = keys.read(context, name).await?;
    let partition = Filter::eq("PartitionKey", keys.partition).to_string();
    let partition = context.url(&["t", name, "rows"], [("filter", partition.as_str())]);
    let title = if keys.row.is_empty() { "\"\"" } else { keys.row };
    let content = html! {
        div.head { h1 { (visible(title, SHOWN)) } span.dim { "entity of "
            a href=(context.url(&["t", name], [])) { bdi { (name) } } } }
        dl.facts {
            div { dt { "PartitionKey" } dd { a href=(partition) { code.key { (visible(keys.partition, SHOWN)) } } } }
            div { dt { "RowKey" } dd { code.key { (visible(keys.row, SHOWN)) } } }
            @if let Some(time) = row.timestamp { div { dt { "Timestamp" } dd { (exact(ValueRef::DateTime(time))) } } }
            div { dt { "ETag" } dd { code { (row.etag) } } }
            div { dt { "Size" } dd { (bytes(size(&row))) } }
        }
        (properties(context, name, &keys, &row))
    };
    let crumbs =
        [(name.to_owned(), context.url(&["t", name], [])), (keys.partition.to_owned(), partition.clone())];
    Ok(context.page(title, &crumbs, content).await)
}

fn properties(context: &Context<'_>, table: &str, keys: &Keys<'_>, row: &Row) -> Markup {
    let value_url = |name: &str| {
        context.url(&["t", table, "e", "value"], [("pk", keys.partition), ("rk", keys.row), ("name", name)])
    };
    html! {
        section.card.grid {
            header { h2 { "Properties" } span.dim { (row.properties.len()) } }
            @if row.properties.is_empty() { p.pad.dim { "The entity has keys only." } }
            @else { table.props {
                caption.away { "Properties" }
                thead { tr { th scope="col" { "Name" } th scope="col" { "Type" } th scope="col" { "Value" } } }
                tbody { @for (name, value) in row.properties.iter() { tr {
                    th scope="row" { (visible(name, SHOWN)) }
                    td.type { (type_name(value.edm_type())) }
                    td.value { (cell(value.as_ref(), SHOWN)) " " a.small.dim href=(value_url(name)) { "whole value" } }
                } } }
            } }
        }
    }
}

/// Returns the size of an entity by the formula of the service.
pub(super) fn size(row: &Row) -> u64 {
    row.clone().into_entity().map_or(0, |entity| entity.size() as u64)
}
