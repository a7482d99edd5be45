//! A page of rows as a table.

use std::collections::HashSet;

use maud::{Markup, html};
use table_model::{EdmType, Row, ValueRef};

use super::{
    kinds::{self, Kinds},
    read::Read,
};
use crate::{
    design::Sort,
    params::Params,
    show::{self, CELL, cell, exact, plain, type_name, visible},
    view::Context,
};

/// Number of columns at first, and if they are chosen.
pub(super) const COLUMNS: usize = 12;
const MOST_COLUMNS: usize = 40;

/// A table of rows.
pub(super) struct Grid<'c> {
    context: &'c Context<'c>,
    table: &'c str,
    /// The rows that are shown, each with its number on the page.
    rows: Vec<(usize, &'c Row)>,
    kinds: Option<Kinds>,
    columns: Vec<Column>,
    /// Properties without a column.
    others: Vec<String>,
    has_partition: bool,
}

/// A column, and the type of its values if all have the same one.
struct Column {
    name: String,
    kinds: Vec<EdmType>,
}

impl Column {
    fn kind(&self) -> Option<EdmType> {
        if let [kind] = self.kinds[..] { Some(kind) } else { None }
    }
}

impl<'c> Grid<'c> {
    /// Chooses columns: those of the address, or the first ones. `has_partition` is `true` if all rows are of one partition.
    pub(super) fn new(context: &'c Context<'c>, table: &'c str, read: &'c Read, has_partition: bool) -> Self {
        let column = |name: &str| Column { name: name.to_owned(), kinds: Vec::new() };
        let mut columns: Vec<Column> = chosen(context).into_iter().map(column).collect();
        let most = if columns.is_empty() { COLUMNS } else { columns.len() };
        let kinds = Kinds::of(context, table, &read.rows);
        let is_shown = |row: usize| kinds.as_ref().is_none_or(|kinds| kinds.shows(row));
        let rows: Vec<(usize, &Row)> = read.rows.iter().enumerate().filter(|(at, _)| is_shown(*at)).collect();
        let had = columns.len();
        for (name, value) in rows.iter().flat_map(|(_, row)| row.properties.iter()) {
            let at = columns.iter().position(|known| known.name == **name).unwrap_or_else(|| {
                columns.push(column(name));
                columns.len() - 1
            });
            let kind = value.edm_type();
            if let Some(column) = columns.get_mut(at).filter(|column| !column.kinds.contains(&kind)) {
                column.kinds.push(kind);
            }
        }
        if let (0, Some(design), Some(kinds)) = (had, context.design(), &kinds) {
            let order = kinds::order(design, kinds);
            columns.sort_by_key(|column| {
                order.iter().position(|name| *name == column.name).unwrap_or(order.len())
            });
        }
        let others =
            columns.split_off(most.min(columns.len())).into_iter().map(|column| column.name).collect();
        Self { context, table, rows, kinds, columns, others, has_partition }
    }

    /// Returns the kinds of the rows.
    pub(super) const fn kinds(&self) -> Option<&Kinds> {
        self.kinds.as_ref()
    }

    /// Returns whether no row is shown.
    pub(super) const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns the names of the columns as a parameter.
    pub(super) fn names(&self) -> Option<String> {
        let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        (!names.is_empty()).then(|| names.join(","))
    }

    /// Renders the choice of columns.
    pub(super) fn chooser(&self) -> Markup {
        let shown = self.columns.iter().map(|column| (&column.name, true));
        let all = shown.chain(self.others.iter().map(|name| (name, false)));
        let rows = self.context.url(&["t", self.table, "rows"], []);
        html! {
            @if !self.columns.is_empty() {
                details.menu-of {
                    summary.plain { "Columns" @if !self.others.is_empty() { " +" (self.others.len()) } }
                    form.card method="get" action=(rows) {
                        @for name in ["filter", "scan", "cursor", "kind"] {
                            @if let Some(value) = self.context.query.get(name) { input type="hidden" name=(name) value=(value); }
                        }
                        @for (name, is_shown) in all {
                            label { input type="checkbox" name="columns" value=(name) checked[is_shown]; " " (visible(name, CELL)) }
                        }
                        button { "Show" }
                    }
                }
            }
        }
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
                        @if self.has_kind() { th scope="col" { "Kind" } }
                        @for column in &self.columns {
                            th scope="col" class=[column.kind().filter(|kind| is_number(*kind)).map(|_| "n")] {
                                (visible(&column.name, CELL)) @if let Some(kind) = column.kind() { small { (type_name(kind)) } }
                            }
                        }
                        th scope="col" { "Timestamp" }
                    } }
                    tbody { @for (at, row) in &self.rows { (self.row(*at, row)) } }
                }
            }
            @if self.columns.len() == MOST_COLUMNS { p.small.dim.more { "At most " (MOST_COLUMNS) " columns are shown." } }
            @if !self.others.is_empty() {
                p.small.dim.more { "+ " (self.others.len()) " more properties: choose them in Columns, or open an entity" }
            }
        }
    }

    const fn is_writable(&self) -> bool {
        self.context.shared.is_writable
    }

    fn has_kind(&self) -> bool {
        self.kinds.as_ref().is_some_and(Kinds::are_several)
    }

    fn row(&self, at: usize, row: &Row) -> Markup {
        let kind = self.kinds.as_ref().and_then(|kinds| kinds.get(at));
        let [of_partition, of_row] = kind.map_or_else(Default::default, |kind| kind.fields.clone());
        // Other rows of the design change with their entities.
        let is_selectable = kind.is_none_or(|kind| matches!(kind.sort, Sort::Entity(_) | Sort::Foreign));
        let partition = row.partition_key.as_deref().unwrap_or_default();
        let key = row.row_key.as_deref().unwrap_or_default();
        let url = self.context.url(&["t", self.table, "e"], [("pk", partition), ("rk", key)]);
        html! {
            tr {
                @if self.is_writable() { td { @if is_selectable || self.context.shared.is_raw {
                    @let keys = Params::from([("pk", partition), ("rk", key)]).to_query();
                    input type="checkbox" form="selected" name="row" value=(keys.trim_start_matches('?')) aria-label={ "Select " (plain(key)) } data-key="x";
                } } }
                @if !self.has_partition { td { code.key { (show::key(partition, &of_partition, CELL)) } } }
                th.stays scope="row" { a href=(url) { code.key { (show::key(key, &of_row, CELL)) } } }
                @if let Some(kind) = kind.filter(|_| self.has_kind()) { td { span class=(kind.sort.style()) { (kind.label) } } }
                @for column in &self.columns {
                    @match row.properties.get(&column.name) {
                        Some(value) => td class=[Some(value.edm_type()).filter(|kind| is_number(*kind)).map(|_| "n")] {
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

/// Returns the columns of the address.
pub(super) fn chosen<'c>(context: &'c Context<'_>) -> Vec<&'c str> {
    let mut seen = HashSet::new();
    named(context).filter(|name| seen.insert(*name)).take(MOST_COLUMNS).collect()
}

/// Returns whether the address repeats columns, or has more than a page shows.
pub(super) fn has_too_many(context: &Context<'_>) -> bool {
    named(context).count() > chosen(context).len()
}

fn named<'c>(context: &'c Context<'_>) -> impl Iterator<Item = &'c str> {
    let names = context.query.all("columns").flat_map(|names| names.split(','));
    names.filter(|name| !name.is_empty())
}

const fn is_number(kind: EdmType) -> bool {
    matches!(kind, EdmType::Int32 | EdmType::Int64 | EdmType::Double)
}
