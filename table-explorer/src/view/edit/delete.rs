//! Deleting an entity.

use maud::html;
use table_model::{Condition, Operation, Row};

use super::{check, collect, editable, fields, outcome::removed, send, unknown};
use crate::{
    edit::{Draft, Failure, maintained},
    problem::Problem,
    reply::{Reply, redirect},
    show::{CELL, visible},
    view::{Context, entity, entity::Keys},
};

/// Renders the confirmation of a delete, or deletes the version that was shown.
pub(crate) async fn delete(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let table = Context::table(name)?;
    let keys = Keys::of(context)?;
    let Some(row) = keys.find(context, name).await? else {
        return match context.form {
            None => Err(Problem::missing("This entity does not exist")),
            Some(_) => Ok(gone(context, name, &keys, "The entity had been deleted already.")),
        };
    };
    check(context, name, &keys, &row.properties)?;
    let Some(form) = &context.form else { return Ok(page(context, name, &row, None).await) };
    if form.get("etag") != Some(&*row.etag.to_string()) {
        return Ok(page(context, name, &row, Some(CHANGED)).await);
    }
    if has_rules(context, name, &keys, &row) && form.get("typed") != Some(keys.row) {
        return Ok(
            page(context, name, &row, Some("Type the RowKey, as other rows depend on this one.")).await
        );
    }
    let operation = Operation::Delete {
        partition_key: keys.partition.to_owned(),
        row_key: keys.row.to_owned(),
        condition: Condition::Matches(row.etag.clone()),
    };
    if form.get("do") == Some("basket") {
        return collect(context, &table, operation, Some(row));
    }
    let operations = [operation];
    match send(context, &table, &operations).await {
        Ok(()) => {
            let draft = Draft::of(&editable(context, name, &keys, &row));
            Ok(removed(context, name, &draft).await)
        }
        Err((_, Failure::Deleted)) => Ok(gone(context, name, &keys, "The entity had been deleted already.")),
        Err((_, Failure::Unknown(error))) => Ok(unknown(context, &table, &operations, &error).await),
        Err((_, failure @ (Failure::Rejected(_) | Failure::Taken(..)))) => {
            Ok(page(context, name, &row, Some(&failure.reason())).await)
        }
        Err((_, Failure::Changed | Failure::Exists)) => {
            let row = keys.read(context, name).await?;
            Ok(page(context, name, &row, Some(CHANGED)).await)
        }
    }
}

const CHANGED: &str =
    "The entity has changed since this page was shown. Below is its present version: delete that one?";

/// Returns whether other rows depend on a row, so that its RowKey is typed.
fn has_rules(context: &Context<'_>, name: &str, keys: &Keys<'_>, row: &Row) -> bool {
    let properties = &row.properties;
    maintained(keys.row, properties).is_some()
        || context
            .design()
            .is_some_and(|design| design.has_rules(name, (keys.partition, keys.row), properties))
}

fn gone(context: &Context<'_>, name: &str, keys: &Keys<'_>, report: &str) -> Reply {
    context.shared.edits.report(report);
    redirect(&keys.partition_url(context, name))
}

async fn page(context: &Context<'_>, name: &str, row: &Row, rejected: Option<&str>) -> Reply {
    let draft = Draft::of_keys(row);
    let keys = Keys { partition: &draft.partition, row: &draft.row };
    let content = html! {
        div.head { h1 { "Delete this entity?" } code.key { (visible(keys.partition, CELL)) " / " (visible(keys.row, CELL)) } }
        div.gap {
            form.card method="post" action=(context.url(&["t", name, "e", "delete"], [])) {
                (fields::hidden(context, &draft))
                @if let Some(reason) = rejected { (fields::notice(context, reason)) }
                @if has_rules(context, name, &keys, row) { div.pad.lead.keys {
                    label { "RowKey, as other rows depend on this one " input.field name="typed" autocomplete="off" spellcheck="false"; }
                } }
                div.pad.lead.consent {
                    button.danger name="do" value="delete" { "Delete" }
                    button name="do" value="basket" { "Add to basket" }
                    a.button.plain href=(keys.url(context, name, &[])) { "Keep" }
                    span.small.dim { "Only the version below is deleted: ETag " code { (row.etag) } }
                }
            }
            (entity::properties(context, (name, &keys), "Properties", row.properties.iter(), 0))
        }
    };
    context.page("Delete", &keys.crumbs(context, name), content).await
}
