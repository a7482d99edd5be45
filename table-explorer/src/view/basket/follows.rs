//! What a basket writes besides its changes, by the design.

use maud::{Markup, html};
use table_model::Operation;
use table_patterns::{Address, TransactionPlan};

use super::review::verb;
use crate::{
    edit::{Basket, Failure},
    show::{CELL, counted, visible},
    view::{Context, edit, entity::Keys},
};

/// Maximum number of listed rows.
const MOST: usize = 20;

/// The plan of a basket, or why there is none.
pub(super) enum Follows {
    /// The basket contains no entity of the design.
    Nothing,
    Plan(TransactionPlan),
    Rejected(Option<usize>, Failure),
}

impl Follows {
    pub(super) async fn of(context: &Context<'_>, basket: &Basket) -> Self {
        let planned = edit::preview(context, &basket.table, &basket.operations()).await;
        match planned {
            Ok(None) => Self::Nothing,
            Ok(Some(plan)) => Self::Plan(plan),
            Err((index, failure)) => Self::Rejected(index, failure),
        }
    }

    /// Returns the number of operations of the transaction.
    pub(super) fn operations(&self, basket: &Basket) -> usize {
        match self {
            Self::Plan(plan) => plan.operations.len(),
            Self::Nothing | Self::Rejected(..) => basket.entries.len(),
        }
    }

    /// Returns the number of bytes of the transaction.
    pub(super) fn size(&self, basket: &Basket) -> usize {
        match self {
            Self::Plan(plan) => plan.operations.iter().map(Operation::size).sum(),
            Self::Nothing | Self::Rejected(..) => basket.size(),
        }
    }

    pub(super) fn render(&self, context: &Context<'_>, basket: &Basket) -> Markup {
        match self {
            Self::Nothing => html! {},
            Self::Plan(plan) => rows(context, basket, plan),
            Self::Rejected(index, failure) => {
                let entry = index.and_then(|index| basket.entries.get(index));
                html! { p.pad.error.small.lines {
                    @if let Some(entry) = entry { code { (visible(entry.operation.row_key(), CELL)) } ": " }
                    (failure.reason())
                } }
            }
        }
    }
}

fn rows(context: &Context<'_>, basket: &Basket, plan: &TransactionPlan) -> Markup {
    let is_own = |row: &str| basket.entries.iter().any(|entry| entry.operation.row_key() == row);
    let others: Vec<&Operation> =
        plan.operations.iter().filter(|operation| !is_own(operation.row_key())).collect();
    html! {
        @if !others.is_empty() { header { h2 { "With the transaction" }
            span.dim { (counted(others.len() as u64, "row of the design", "rows of the design")) } } }
        ul.links {
            @for operation in others.iter().take(MOST) { li {
                span.kind.index { (verb(operation)) }
                (link(context, basket, basket.table.as_str(), (&basket.partition, operation.row_key())))
            } }
            @if others.len() > MOST { li { span.dim { "+ " (others.len() - MOST) " more" } } }
        }
        @if !plan.later.is_empty() { header { h2 { "After the commit" }
            span.dim { (counted(plan.later.len() as u64, "row in another partition", "rows in other partitions")) } } }
        ul.links {
            @for address in plan.later.iter().take(MOST) { (later(context, basket, address)) }
            @if plan.later.len() > MOST { li { span.dim { "+ " (plan.later.len() - MOST) " more" } } }
        }
    }
}

fn later(context: &Context<'_>, basket: &Basket, address: &Address) -> Markup {
    let keys = (address.partition_key(), address.row_key());
    html! { li { span.kind.pending { "update" } (link(context, basket, address.table().as_str(), keys)) } }
}

/// Renders the keys of a row as a link.
fn link(context: &Context<'_>, basket: &Basket, table: &str, (partition, row): (&str, &str)) -> Markup {
    let is_here = table == basket.table.as_str() && partition == basket.partition;
    html! { a href=(Keys { partition, row }.url(context, table, &[])) { code.key {
        @if !is_here { (visible(table, CELL)) " / " (visible(partition, CELL)) " / " }
        (visible(row, CELL))
    } } }
}
