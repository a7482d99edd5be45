//! Writes that found no entity, and writes whose outcome is unknown.

use hyper::StatusCode;
use maud::{Markup, html};
use table_model::{Condition, ETag, Operation, Row, TableName};

use super::fields::{shown, type_of};
use crate::{
    edit::{Draft, Field, Stored, applied},
    reply::Reply,
    show::{CELL, visible},
    view::{Context, entity::Keys},
};

/// Renders the page of an entity that was deleted while a person edited it.
pub(in crate::view) async fn deleted(context: &Context<'_>, table: &str, draft: &Draft) -> Reply {
    let title = "This entity was deleted while you were editing it";
    again(context, table, draft, [title, "Nothing was written. ", "Insert again"]).await
}

/// Renders the page of an entity that a person deleted. It contains the entity, so that it can be restored.
pub(super) async fn removed(context: &Context<'_>, table: &str, draft: &Draft) -> Reply {
    again(
        context,
        table,
        draft,
        ["Deleted", "This page is the only place that still has the entity. ", "Restore"],
    )
    .await
}

async fn again(context: &Context<'_>, table: &str, draft: &Draft, [title, done, button]: [&str; 3]) -> Reply {
    let keys = Keys { partition: &draft.partition, row: &draft.row };
    let (values, others): (Vec<_>, Vec<_>) = draft
        .fields
        .iter()
        .map(|field| (field, field.value().unwrap_or(Stored::NotShown)))
        .partition(|(_, state)| *state != Stored::NotShown);
    let values: Vec<_> = values.into_iter().filter(|(_, state)| *state != Stored::Absent).collect();
    let others: Vec<&str> = others.iter().map(|(field, _)| field.name.as_str()).collect();
    let content = html! {
        div.head { h1 { (visible(keys.title(), CELL)) } span.dim { "entity of " bdi { (table) } } }
        form.card method="post" action=(context.url(&["t", table, "new"], [])) {
            (super::fields::hidden(context, &Draft { etag: None, is_partial: false, ..draft.clone() }))
            div.banner.card role="alert" {
                div {
                    h2 { (title) }
                    p.small.dim { (done)
                        @if draft.is_partial { "The form has some of its properties only." }
                        @else { "Insert it again? That fails if an entity with its keys exists by then." }
                        @if !others.is_empty() { " Not in the form, and lost: " (visible(&others.join(", "), CELL)) }
                    }
                }
                div.chips {
                    @if !draft.is_partial {
                        button.main name="do" value="insert" { (button) }
                        button name="do" value="basket" { "Add to basket" }
                    }
                    a.button.plain href=(keys.partition_url(context, table)) { "Back to the partition" }
                }
            }
            (list(&values))
        }
    };
    context.page(keys.title(), &keys.crumbs(context, table), content).await
}

fn list(values: &[(&Field, Stored)]) -> Markup {
    html! {
        div.grid { table.props {
            caption.away { "Properties of the form" }
            thead { tr { th scope="col" { "Name" } th scope="col" { "Type" } th scope="col" { "Value" } } }
            tbody { @for (field, state) in values { tr {
                th scope="row" {
                    (visible(&field.name, CELL))
                    input type="hidden" name="name" value=(field.name);
                    input type="hidden" name="kind" value=(field.kind.name());
                    input type="hidden" name="text" value=(field.text);
                    input type="hidden" name="was" value="";
                }
                td.type { (type_of(&[state])) }
                td.value { (shown(state)) }
            } } }
        } }
    }
}

/// Renders the page of a write without a response. It was sent once. The first row of the write is read for evidence of
/// its outcome.
pub(in crate::view) async fn unknown(
    context: &Context<'_>,
    table: &TableName,
    operations: &[Operation],
    error: &str,
) -> Reply {
    let (partition, row) =
        operations.first().map_or(("", ""), |first| (first.partition_key(), first.row_key()));
    let keys = Keys { partition, row };
    let name = table.as_str();
    let now = match (operations.first(), keys.find(context, name).await) {
        (Some(first), Ok(row)) => evidence(first, row.as_ref()),
        _ => "The entity cannot be read either.",
    };
    let content = html! {
        div.head { h1 { "The outcome is unknown" } }
        div.card {
            div.banner.card role="alert" {
                div {
                    h2 { "No response tells whether the write was applied" }
                    p.lines { (error) }
                    p { (now) }
                    p.small.dim { "The write can have been applied, or arrive later. It is not sent again. "
                        @if operations.len() > 1 { "It is one transaction of " (operations.len()) " operations: this row stands for all." } }
                }
                div.chips { a.button.main href=(keys.url(context, name, &[])) { "Read again" } }
            }
        }
    };
    context.answer(StatusCode::GATEWAY_TIMEOUT, keys.title(), &keys.crumbs(context, name), content).await
}

/// Returns the evidence of a write in the stored row.
fn evidence(operation: &Operation, row: Option<&Row>) -> &'static str {
    let is_required = |etag: &ETag| match operation {
        Operation::Replace(_, Condition::Matches(required))
        | Operation::Merge(_, Condition::Matches(required))
        | Operation::Delete { condition: Condition::Matches(required), .. } => etag == required,
        _ => false,
    };
    match (row, operation) {
        (None, Operation::Delete { .. }) => "The entity does not exist now, as after the write.",
        (None, Operation::Insert(_)) => "The entity does not exist now: so far the write was not applied.",
        (None, _) => "The entity does not exist now: another writer has deleted it.",
        (Some(row), _) if is_required(&row.etag) => {
            "The entity still has the version that the write requires: so far the write was not applied."
        }
        (Some(row), operation) if applied(operation, &row.properties).as_ref() == Some(&row.properties) => {
            "The entity has the values of the write now."
        }
        (Some(_), _) => {
            "The entity has another version now, with other values: another writer has changed it."
        }
    }
}
