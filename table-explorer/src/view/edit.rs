//! Forms that change entities.

mod confirm;
mod conflict;
mod create;
mod delete;
mod fields;
mod outcome;
mod rekey;
mod repair;
mod save;

pub(crate) use confirm::confirm;
pub(super) use conflict::conflict;
pub(crate) use create::create;
pub(crate) use delete::delete;
pub(super) use fields::{Reason, form, one, value_url};
pub(super) use outcome::{deleted, unknown};
pub(crate) use rekey::rekey;
pub(crate) use repair::repair;
pub(crate) use save::save;

use hyper::StatusCode;
use table_model::{Operation, Properties, Row, TableName};

use table_patterns::TransactionPlan;
use table_schema::design::EntityDesign;

use super::{Context, entity::Keys};
use crate::{
    design::{self, Design, Sort},
    edit::{Entry, Failure, maintained},
    problem::Problem,
    reply::{Reply, redirect},
};

/// Returns why a row is read-only, and the remedy.
pub(super) fn reason(
    context: &Context<'_>,
    table: &str,
    keys: &Keys<'_>,
    properties: &Properties,
) -> Option<String> {
    if context.shared.is_raw {
        return None;
    }
    let Some(design) = context.design() else {
        return maintained(keys.row, properties).map(|reason| {
            reason + " Start the explorer with --design to change it with its rows, or with --raw to change it alone."
        });
    };
    match design.kind(table, (keys.partition, keys.row), properties).sort {
        Sort::Entity(number) => {
            let entity = design.schema.entities.get(number)?;
            design.reason(context.place, entity, properties)
        }
        Sort::Index(_) | Sort::List(_) | Sort::Member(_) => Some(
            "This row follows from entities of the design: change those. Verify and repair corrects the row."
                .to_owned(),
        ),
        Sort::Library(kind) => Some(format!("This row is maintained by the library: {kind}.")),
        Sort::Foreign => maintained(keys.row, properties)
            .or_else(|| design.other_type(table, (keys.partition, keys.row), properties)),
    }
}

/// Returns whether a row has a sign that a design maintains it.
pub(super) fn is_maintained(keys: &Keys<'_>, properties: &Properties) -> bool {
    maintained(keys.row, properties).is_some()
}

/// Returns the entity of the design whose rows change with a row.
pub(super) fn entity_of<'c>(
    context: &Context<'c>,
    table: &str,
    keys: &Keys<'_>,
    properties: &Properties,
) -> Option<&'c EntityDesign> {
    let design = planned(context)?;
    let entity = design.entity(context.kind(table, keys, properties)?.sort)?;
    design.reason(context.place, entity, properties).is_none().then_some(entity)
}

/// Returns a row with the properties that its page can change: all, unless the design maintains some.
pub(super) fn editable(context: &Context<'_>, table: &str, keys: &Keys<'_>, row: &Row) -> Row {
    match entity_of(context, table, keys, &row.properties) {
        Some(entity) => design::editable(entity, row.clone()),
        None => row.clone(),
    }
}

/// Checks that a row with these properties can be changed.
fn check(
    context: &Context<'_>,
    table: &str,
    keys: &Keys<'_>,
    properties: &Properties,
) -> Result<(), Problem> {
    match reason(context, table, keys, properties) {
        None => Ok(()),
        Some(reason) => Err(Problem::new(StatusCode::FORBIDDEN, "Nothing was changed", reason)),
    }
}

/// Sends operations, those on entities of the design with the rows that follow from them.
pub(super) async fn send(
    context: &Context<'_>,
    table: &TableName,
    operations: &[Operation],
) -> Result<(), (Option<usize>, Failure)> {
    design::send(planned(context), context.place, table, operations).await
}

/// Returns what operations on entities of the design write with them. `None` if there are none.
pub(super) async fn preview(
    context: &Context<'_>,
    table: &TableName,
    operations: &[Operation],
) -> Result<Option<TransactionPlan>, (Option<usize>, Failure)> {
    design::preview(planned(context), context.place, table, operations).await
}

/// Returns the design by which entities are written. With `--raw`, each row is written alone.
pub(super) fn planned<'c>(context: &Context<'c>) -> Option<&'c Design> {
    context.design().filter(|_| !context.shared.is_raw)
}

/// Puts a change into the basket of its partition, after the checks of the service.
pub(super) fn collect(
    context: &Context<'_>,
    table: &TableName,
    operation: Operation,
    before: Option<Row>,
) -> Result<Reply, Problem> {
    operation.check(context.place.tables.capabilities().key_length)?;
    context.shared.edits.put(&context.place.name, table, Entry { operation, before })?;
    Ok(redirect(&context.url(&["basket"], [])))
}
