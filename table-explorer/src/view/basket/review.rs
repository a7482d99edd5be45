//! A basket with each change before and after it.

use maud::{Markup, html};
use table_model::{
    Operation, Properties, TableName,
    limits::{TRANSACTION_BYTES, TRANSACTION_OPERATIONS},
};

use super::follows::Follows;
use crate::{
    edit::{Basket, Entry, Failure, differences},
    show::{CELL, bytes, cell, visible},
    view::{Context, entity::Keys},
};

/// Maximum number of bytes of the HTML of all changes, and of their values.
const PAGE_BYTES: usize = 72_000;
const VALUE_BYTES: usize = 40_000;

/// A transaction that was not committed.
#[derive(Debug)]
pub(super) struct Rejected {
    pub(super) table: TableName,
    pub(super) partition: String,
    /// The RowKey of the failed operation, if the service names it.
    pub(super) row: Option<String>,
    pub(super) failure: Failure,
}

impl Rejected {
    pub(super) fn is_of(&self, basket: &Basket) -> bool {
        self.table == basket.table && self.partition == basket.partition
    }
}

/// Renders a basket. `rejected` is the failure of its commit.
pub(super) fn basket(
    context: &Context<'_>,
    basket: &Basket,
    follows: &Follows,
    rejected: Option<&Rejected>,
    baskets: usize,
) -> Markup {
    let table = basket.table.as_str();
    let keys = Keys { partition: &basket.partition, row: "" };
    let most = TRANSACTION_BYTES as u64;
    let changes = changes(context, basket, rejected, baskets);
    html! {
        form.card method="post" action=(context.url(&["basket"], [])) {
            (context.token())
            input type="hidden" name="table" value=(table);
            input type="hidden" name="pk" value=(basket.partition);
            @if let Some(rejected) = rejected { div.banner role="alert" { div {
                h2 { "Nothing was committed" }
                p { @if let Some(row) = &rejected.row { code { (visible(row, CELL)) } ": " } (rejected.failure.reason()) }
                p.small.dim { "All changes are still in the basket." }
            } } }
            header {
                h2 { a href=(keys.partition_url(context, table)) { (visible(table, CELL)) " / " (visible(&basket.partition, CELL)) } }
                span.dim.num { (follows.operations(basket)) " of " (TRANSACTION_OPERATIONS) " operations, " (bytes(follows.size(basket) as u64)) " of " (bytes(most)) }
                span.right.chips {
                    button.main name="do" value="commit" data-key="Ctrl s" { "Commit" }
                    button.plain name="do" value="empty" { "Empty" }
                }
            }
            div.grid { table.changes.narrow {
                caption.away { "Changes of the partition" }
                thead { tr {
                    th scope="col" { "RowKey" } th scope="col" { "Operation" } th scope="col" { "Before and after" } th { span.away { "Remove" } }
                } }
                tbody { @for change in &changes { (change) } }
            } }
            @if changes.len() < basket.entries.len() { p.pad.dim {
                "+ " (basket.entries.len() - changes.len()) " more changes, which would make the page too large. The commit writes them, too."
            } }
            (follows.render(context, basket))
        }
    }
}

/// Renders the changes, a rejected one first, up to a number of bytes.
fn changes(
    context: &Context<'_>,
    basket: &Basket,
    rejected: Option<&Rejected>,
    baskets: usize,
) -> Vec<Markup> {
    let is_rejected = |entry: &Entry| {
        rejected.is_some_and(|rejected| rejected.row.as_deref() == Some(entry.operation.row_key()))
    };
    let mut entries: Vec<&Entry> = basket.entries.iter().collect();
    entries.sort_by_key(|entry| !is_rejected(entry));
    let values = VALUE_BYTES / (baskets * entries.len()).max(1);
    let mut left = PAGE_BYTES / baskets.max(1);
    let rows = entries
        .into_iter()
        .map(|entry| change(context, basket, entry, rejected.filter(|_| is_rejected(entry)), values));
    rows.take_while(|row| {
        let is_shown = row.0.len() <= left;
        left = left.saturating_sub(row.0.len());
        is_shown
    })
    .collect()
}

fn change(
    context: &Context<'_>,
    basket: &Basket,
    entry: &Entry,
    rejected: Option<&Rejected>,
    values: usize,
) -> Markup {
    let table = basket.table.as_str();
    let row = entry.operation.row_key();
    let url = Keys { partition: &basket.partition, row }.url(context, table, &[]);
    let is_stale =
        rejected.is_some_and(|rejected| matches!(rejected.failure, Failure::Changed | Failure::Deleted));
    let resolve = [("table", table), ("pk", &*basket.partition), ("rk", row)];
    html! {
        tr.edited {
            th scope="row" {
                a href=(url) { code.key { @if row.is_empty() { "\"\"" } @else { (visible(row, CELL)) } } }
                @if let Some(rejected) = rejected { p.error.small { (rejected.failure.reason()) } }
                @if is_stale { a.button href=(context.url(&["basket", "resolve"], resolve)) { "Compare" } }
            }
            td { (verb(&entry.operation)) }
            td.value { (before_and_after(entry, values)) }
            td { button.plain name="do" value={ "remove:" (row) } { "Remove" span.away { " " (row) } } }
        }
    }
}

/// Returns what an operation does.
pub(super) const fn verb(operation: &Operation) -> &'static str {
    match operation {
        Operation::Insert(_) => "insert",
        Operation::Replace(..) => "replace",
        Operation::Merge(..) => "merge",
        Operation::InsertOrReplace(_) | Operation::InsertOrMerge(_) => "upsert",
        Operation::Delete { .. } => "delete",
    }
}

/// Renders the changed properties, up to a number of bytes.
fn before_and_after(entry: &Entry, most: usize) -> Markup {
    let (before, after) = (entry.before(), entry.after());
    let is_delete = after.is_none();
    let after: Properties = after.unwrap_or_default();
    let lines = differences(&before, &after);
    let count = lines.len();
    let mut left = most;
    let shown = lines.into_iter().map(|(name, before, after)| {
        html! { div {
            code { (visible(name, CELL)) } " "
            @if let Some(value) = before { del { (cell(value.as_ref(), CELL)) } }
            @if let Some(value) = after { ins { (cell(value.as_ref(), CELL)) } } @else if !is_delete { span.none { "absent" } }
        } }
    });
    let shown: Vec<Markup> = shown
        .take_while(|line| {
            let is_shown = line.0.len() <= left;
            left -= if is_shown { line.0.len() } else { 0 };
            is_shown
        })
        .collect();
    html! {
        @for line in &shown { (line) }
        @if count > shown.len() { div.dim { "+ " (count - shown.len()) " more properties" } }
    }
}
