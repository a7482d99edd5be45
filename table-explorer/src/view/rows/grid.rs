//! A page of rows as a table.

use maud::{Markup, html};
use table_model::{EdmType, Row, ValueRef};

use super::read::Read;
use crate::{
    params::Params,
    show::{CELL, cell, exact, type_name, visible},
    view::Context,
};

/// Number of columns at first, and if they are chosen.
pub(super) const COLUMNS: usize = 12;
const MOST_COLUMNS: usize = 40;

/// A table of rows.
pub(super) struct Grid<'c> {
    context: &'c Context<'c>,
    table: &'c str,
    rows: &'c [Row],
    columns: Vec<(String, Option<EdmType>)>,
    /// Number of properties without a column.
    others: usize,
    has_partition: bool,
}

impl<'c> Grid<'c> {
    /// Chooses columns: those of the address, or the first ones. `has_partition` is `true` if all rows are of one partition.
    pub(super) fn new(context: &'c Context<'c>, table: &'c str, read: &'c Read, has_partition: bool) -> Self {
        let mut columns: Vec<(String, Option<EdmType>)> = Vec::new();
        let chosen: Vec<&str> = context.query.all("columns").flat_map(|names| names.split(',')).collect();
        columns.extend(chosen.iter().take(MOST_COLUMNS).map(|name| ((*name).to_owned(), None)));
        let mut others = 0;
        for (name, value) in read.rows.iter().flat_map(|row| row.properties.iter()) {
            let kind = value.edm_type();
            match columns.iter_mut().find(|(known, _)| known == &**name) {
                Some((_, known)) if *known != Some(kind) => *known = known.is_none().then_some(kind),
                Some(_) => {}
                None if chosen.is_empty() => columns.push((name.to_string(), Some(kind))),
                None => others += 1,
            }
        }
        if chosen.is_empty() {
            others = columns.len().saturating_sub(COLUMNS);
            columns.truncate(COLUMNS);
        }
        Self { context, table, rows: &read.rows, columns, others, has_partition }
    }

    pub(super) fn render(&self) -> Markup {
        html! {
            div.card.grid tabindex="0" role="region" aria-label="Rows" {
                table.rows {
                    caption.away { "Rows of " (self.table) ", in key order" }
                    thead { tr {
                        @if self.is_writable() { th scope="col" { span.away { "Select" } } }
                        @if !self.has_partition { th scope="col" { "PartitionKey" } }
                        th.stays scope="col" { "RowKey" }
                        @for (name, kind) in &self.columns {
                            th scope="col" class=[kind.filter(is_number).map(|_| "n")] {
                                (visible(name, CELL)) @if let Some(kind) = kind { small { (type_name(*kind)) } }
                            }
                        }
                        th scope="col" { "Timestamp" }
                    } }
                    tbody { @for row in self.rows { (self.row(row)) } }
                }
            }
            @if self.others > 0 { p.small.dim { "+ " (self.others) " more properties; open an entity to see them" } }
        }
    }

    const fn is_writable(&self) -> bool {
        self.context.shared.is_writable
    }

    fn row(&self, row: &Row) -> Markup {
        let partition = row.partition_key.as_deref().unwrap_or_default();
        let key = row.row_key.as_deref().unwrap_or_default();
        let url = self.context.url(&["t", self.table, "e"], [("pk", partition), ("rk", key)]);
        html! {
            tr {
                @if self.is_writable() { td {
                    @let keys = Params::from([("pk", partition), ("rk", key)]).to_query();
                    input type="checkbox" form="selected" name="row" value=(keys.trim_start_matches('?')) aria-label={ "Select " (key) } data-key="x";
                } }
                @if !self.has_partition { td { code.key { (text(partition)) } } }
                th.stays scope="row" { a href=(url) { code.key { (text(key)) } } }
                @for (name, _) in &self.columns {
                    @match row.properties.get(name) {
                        Some(value) => td class=[Some(value.edm_type()).filter(is_number).map(|_| "n")] {
                            (cell(value.as_ref(), CELL))
                        },
                        None => td { span.none title="The row has no such property" { "·" } },
                    }
                }
                td.dim.num { @if let Some(time) = row.timestamp { (exact(ValueRef::DateTime(time))) } }
            }
        }
    }
}

/// Renders a key, which may be empty.
fn text(key: &str) -> Markup {
    if key.is_empty() {
        html! { span.none title="Empty key" { "\"\"" } }
    } else {
        visible(key, CELL)
    }
}

const fn is_number(kind: &EdmType) -> bool {
    matches!(kind, EdmType::Int32 | EdmType::Int64 | EdmType::Double)
}
