//! An entity under another key: a copy, or a move.

use maud::html;
use table_model::{Condition, Entity, Operation, Row};

use super::{check, entity_of, fields, planned, send, unknown};
use crate::{
    design,
    edit::{Draft, Failure},
    problem::Problem,
    reply::{Reply, redirect},
    show::{CELL, visible},
    view::{Context, entity::Keys},
};

/// Renders the form for the other key, or copies or moves the entity.
pub(crate) async fn rekey(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let table = Context::table(name)?;
    let keys = Keys::of(context)?;
    let row = keys.read(context, name).await?;
    check(context, name, &keys, &row.properties)?;
    let Some(form) = &context.form else { return Ok(page(context, name, &row, &keys, None).await) };
    let to =
        Keys { partition: form.get("to-pk").unwrap_or_default(), row: form.get("to-rk").unwrap_or_default() };
    let other = other_keys(context, name, (&keys, &to), &row);
    if other.is_none() {
        check(context, name, &to, &row.properties)?;
    }
    let moves = form.get("do") == Some("move");
    let rejected = if form.get("etag") != Some(&*row.etag.to_string()) {
        Some("The entity has changed since this page was shown. This is its present version.")
    } else if (to.partition, to.row) == (keys.partition, keys.row) {
        Some("These are the keys of the entity. Type another RowKey.")
    } else if moves && to.partition != keys.partition {
        Some(
            "A transaction does not span two partitions, so the entity cannot be moved to another one. Insert a copy \
             there, look at it, and delete the entity here.",
        )
    } else {
        other.as_deref()
    };
    if rejected.is_some() {
        return Ok(page(context, name, &row, &to, rejected).await);
    }
    let entity = Entity { properties: row.properties.clone(), ..Entity::new(to.partition, to.row) };
    let mut operations = vec![Operation::Insert(entity)];
    operations.extend(moves.then(|| Operation::Delete {
        partition_key: keys.partition.to_owned(),
        row_key: keys.row.to_owned(),
        condition: Condition::Matches(row.etag.clone()),
    }));
    let moved = match planned(context).filter(|_| moves) {
        Some(design) => design::moved(design, context.place, &table, (&row, to.row)).await,
        None => None,
    };
    let sent = match moved {
        Some(sent) => sent,
        None => send(context, &table, &operations).await,
    };
    let reason = match sent {
        Ok(()) => {
            context.shared.edits.report(if moves { "Moved to this key." } else { "Inserted a copy." });
            return Ok(redirect(&to.url(context, name, &[])));
        }
        Err((_, Failure::Unknown(error))) => {
            return Ok(unknown(context, &table, &operations, &error).await);
        }
        Err((_, Failure::Exists)) => "An entity with these keys exists.".to_owned(),
        Err((_, failure @ (Failure::Rejected(_) | Failure::Taken(..)))) => failure.reason(),
        Err((_, Failure::Changed | Failure::Deleted)) => {
            "Another writer has changed or deleted the entity. Read it again.".to_owned()
        }
    };
    Ok(page(context, name, &row, &to, Some(&reason)).await)
}

/// Returns why an entity of the design cannot have other keys: they are those of other rows.
fn other_keys(
    context: &Context<'_>,
    name: &str,
    (keys, to): (&Keys<'_>, &Keys<'_>),
    row: &Row,
) -> Option<String> {
    let entity = entity_of(context, name, keys, &row.properties)?;
    let kind = |keys: &Keys<'_>| context.kind(name, keys, &row.properties).map(|kind| kind.sort);
    let [partition, row] =
        [&entity.partition, &entity.row].map(|key| key.as_ref().map_or("", |key| key.text()));
    let reason = format!("The keys of `{}` have the form {partition} and {row}.", entity.name);
    (kind(keys) != kind(to)).then_some(reason)
}

async fn page(context: &Context<'_>, name: &str, row: &Row, to: &Keys<'_>, rejected: Option<&str>) -> Reply {
    let draft = Draft::of_keys(row);
    let keys = Keys { partition: &draft.partition, row: &draft.row };
    let content = html! {
        div.head { h1 { "Duplicate or move" } code.key { (visible(keys.partition, CELL)) " / " (visible(keys.row, CELL)) } }
        form.card method="post" action=(context.url(&["t", name, "e", "key"], [])) {
            (fields::hidden(context, &draft))
            @if let Some(reason) = rejected { (fields::notice(context, reason)) }
            header { h2 { "Other keys" } }
            div.pad.keys {
                label { "PartitionKey " input.field name="to-pk" value=(to.partition) autocomplete="off" spellcheck="false"; }
                label { "RowKey " input.field name="to-rk" value=(to.row) autocomplete="off" spellcheck="false"; }
            }
            div.pad.consent {
                button.main name="do" value="duplicate" { "Insert a copy" }
                button name="do" value="move" { "Move" }
                span.small.dim { "The key of an entity does not change. A move inserts it under the other key and deletes it \
                    here, in one transaction, so both keys have the same PartitionKey." }
            }
        }
    };
    context.page("Duplicate or move", &keys.crumbs(context, name), content).await
}
