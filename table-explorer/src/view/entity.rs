//! An entity with all its properties.

mod related;
mod why;

use maud::{Markup, html};
use table_model::{Entity, Filter, Name, Row, Value, ValueRef};

use super::{Context, edit};
use crate::{
    edit::Draft,
    problem::Problem,
    reply::Reply,
    show::{bytes, cell, exact, key, type_name, visible},
};
use related::Related;

/// Maximum number of characters of a property on this page.
const SHOWN: usize = 1_000;
/// Maximum number of bytes of the HTML of all values.
const PAGE_BYTES: usize = 40_000;
/// Maximum number of bytes of the HTML of all properties with their form, and of those that are only listed next to it.
const LIST_BYTES: usize = 88_000;
const LEAST_BYTES: usize = 5_000;

/// The keys of an entity in an address or a form.
pub(crate) struct Keys<'c> {
    pub(crate) partition: &'c str,
    pub(crate) row: &'c str,
}

impl<'c> Keys<'c> {
    pub(super) fn of(context: &'c Context<'_>) -> Result<Self, Problem> {
        let params = context.form.as_ref().unwrap_or(&context.query);
        match (params.get("pk"), params.get("rk")) {
            (Some(partition), Some(row)) => Ok(Self { partition, row }),
            _ => Err(Problem::invalid("The address of an entity requires `pk` and `rk`.")),
        }
    }

    /// Returns the keys of an entity.
    pub(super) fn of_entity(entity: &'c Entity) -> Self {
        Self { partition: &entity.partition_key, row: &entity.row_key }
    }

    /// Reads the entity.
    pub(super) async fn read(&self, context: &Context<'_>, table: &str) -> Result<Row, Problem> {
        let row = self.find(context, table).await?;
        row.ok_or_else(|| Problem::missing("This entity does not exist"))
    }

    /// Reads the entity if it exists.
    pub(super) async fn find(&self, context: &Context<'_>, table: &str) -> Result<Option<Row>, Problem> {
        let table = Context::table(table)?;
        Ok(context.place.tables.get(&table, self.partition, self.row, None).await?)
    }

    /// Returns the address of a page of the entity; of the entity itself without a name.
    pub(super) fn url(&self, context: &Context<'_>, table: &str, page: &[&str]) -> String {
        let segments: Vec<&str> = ["t", table, "e"].into_iter().chain(page.iter().copied()).collect();
        context.url(&segments, [("pk", self.partition), ("rk", self.row)])
    }

    /// Returns the address of the rows of the partition.
    pub(super) fn partition_url(&self, context: &Context<'_>, table: &str) -> String {
        let partition = Filter::eq("PartitionKey", self.partition).to_string();
        context.url(&["t", table, "rows"], [("filter", partition.as_str())])
    }

    /// Returns the titles and addresses of the pages above the entity.
    pub(super) fn crumbs(&self, context: &Context<'_>, table: &str) -> [(String, String); 2] {
        [
            (table.to_owned(), context.url(&["t", table], [])),
            (shown(self.partition).to_owned(), self.partition_url(context, table)),
        ]
    }

    /// Returns the RowKey as a title.
    pub(super) const fn title(&self) -> &'c str {
        shown(self.row)
    }
}

/// Returns a key as a title, which is not empty.
const fn shown(key: &str) -> &str {
    if key.is_empty() { "\"\"" } else { key }
}

/// Renders the page.
pub(crate) async fn view(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let keys = Keys::of(context)?;
    let row = keys.read(context, name).await?;
    let draft = Draft::of(&edit::editable(context, name, &keys, &row));
    Ok(show(context, name, &row, &draft, None).await)
}

/// Renders the page with a form. `rejected` is the reason why it was not saved.
pub(super) async fn show(
    context: &Context<'_>,
    name: &str,
    row: &Row,
    draft: &Draft,
    rejected: Option<edit::Reason<'_>>,
) -> Reply {
    let keys = Keys { partition: &draft.partition, row: &draft.row };
    let reason = edit::reason(context, name, &keys, &row.properties);
    let is_editable = context.shared.is_writable && reason.is_none();
    let is_in_form = |name: &str| draft.fields.iter().any(|field| field.name == name);
    let others: Vec<_> = row.properties.iter().filter(|(name, _)| !is_in_form(name)).collect();
    let kind = context.kind(name, &keys, &row.properties);
    let related = match &kind {
        Some(kind) => Related::read(context, name, Keys { ..keys }, kind).await,
        None => None,
    };
    let [of_partition, of_row] = kind.as_ref().map_or_else(Default::default, |kind| kind.fields.clone());
    let content = html! {
        div.head { h1 { (visible(keys.title(), SHOWN)) } span.dim { "entity of "
            a href=(context.url(&["t", name], [])) { bdi { (name) } } }
            @if is_editable { span.tools {
                a.button href=(keys.url(context, name, &["key"])) { "Duplicate or move" }
                a.button.danger href=(keys.url(context, name, &["delete"])) { "Delete" }
            } }
        }
        dl.facts {
            @if let Some(kind) = &kind { div { dt { "Kind" } dd { span class=(kind.sort.style()) { (kind.label) } } } }
            div { dt { "PartitionKey" } dd { a href=(keys.partition_url(context, name)) { code.key { (key(keys.partition, &of_partition, SHOWN)) } } } }
            div { dt { "RowKey" } dd { code.key { (key(keys.row, &of_row, SHOWN)) } } }
            @if let Some(time) = row.timestamp { div { dt { "Timestamp" } dd { (exact(ValueRef::DateTime(time))) } } }
            div { dt { "ETag" } dd { code { (row.etag) } } }
            div { dt { "Size" } dd { (bytes(size(row))) } }
        }
        @if let Some(reason) = reason.filter(|_| context.shared.is_writable) { p.report { (reason) } }
        @let own = html! {
            @if is_editable {
                @if context.shared.edits.has(&context.place.name, name, keys.partition, keys.row) {
                    p.report { "A change of this entity is in the " a href=(context.url(&["basket"], [])) { "basket" }
                        ". The values below are the stored ones; another change that is added replaces it." }
                }
                @let form = edit::form(context, name, draft, rejected);
                (form)
                @if draft.is_partial { p.dim { "The form does not have all properties. The others are changed alone:" } }
                @if !others.is_empty() {
                    @let title = if draft.is_partial { "Properties" } else { "Set by the library" };
                    (properties(context, (name, &keys), title, others.into_iter(), form.0.len()))
                }
            } @else { (properties(context, (name, &keys), "Properties", row.properties.iter(), 0)) }
        };
        @if let (Some(kind), Some(design)) = (&kind, context.design()) {
            div.two {
                div.gap { (own) }
                div.gap {
                    @if let Some(related) = related { (related.render()) }
                    (why::render(context, design, name, &keys, kind, row))
                }
            }
        } @else {
            div.gap { (own) }
            @if edit::is_maintained(&keys, &row.properties) {
                p.small.dim { "With --design, this page shows what the row is for, and the rows that belong to it." }
            }
        }
    };
    context.page(keys.title(), &keys.crumbs(context, name), content).await
}

/// Renders properties of an entity, without controls. Values and properties that would make the page too large are a link
/// away. `used` is the number of bytes of the form above.
pub(super) fn properties<'p>(
    context: &Context<'_>,
    (table, keys): (&str, &Keys<'_>),
    title: &str,
    properties: impl ExactSizeIterator<Item = &'p (Name, Value)>,
    used: usize,
) -> Markup {
    let mut left = PAGE_BYTES;
    let count = properties.len();
    let rows = properties.map(|(name, value)| {
        let cell = cell(value.as_ref(), SHOWN);
        let is_shown = cell.0.len() <= left;
        left -= if is_shown { cell.0.len() } else { 0 };
        html! { tr {
            th scope="row" { (visible(name, SHOWN)) }
            td.type { (type_name(value.edm_type())) }
            td.value { @if is_shown { (cell) " " }
                a.small.dim href=(edit::value_url(context, table, keys, name)) { "whole value" } }
        } }
    });
    // The links of the page have escapes of three characters.
    let links = 8 * 3 * (keys.partition.len() + keys.row.len());
    let mut space = LIST_BYTES.saturating_sub(used + links).max(LEAST_BYTES);
    let rows = rows.take_while(|row| {
        let is_shown = row.0.len() <= space;
        space = space.saturating_sub(row.0.len());
        is_shown
    });
    let rows: Vec<Markup> = rows.collect();
    html! {
        section.card.grid {
            header { h2 { (title) } span.dim { (count) } }
            @if count == 0 { p.pad.dim { "The entity has keys only." } }
            @else { table.props {
                caption.away { "Properties" }
                thead { tr { th scope="col" { "Name" } th scope="col" { "Type" } th scope="col" { "Value" } } }
                tbody { @for row in &rows { (row) } }
            } }
            @if rows.len() < count {
                form.pad action=(context.url(&["t", table, "e", "value"], [])) {
                    input type="hidden" name="pk" value=(keys.partition);
                    input type="hidden" name="rk" value=(keys.row);
                    p.small.dim { "+ " (count - rows.len()) " more properties, which would make the page too large" }
                    label { "Name " input.field name="name" autocomplete="off" spellcheck="false"; } " "
                    button { "Show" }
                }
            }
        }
    }
}

/// Returns the size of an entity by the formula of the service.
pub(super) fn size(row: &Row) -> u64 {
    row.clone().into_entity().map_or(0, |entity| entity.size() as u64)
}
