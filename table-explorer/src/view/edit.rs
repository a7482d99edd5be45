//! Forms that change entities.

mod confirm;
mod conflict;
mod create;
mod delete;
mod fields;
mod outcome;
mod rekey;
mod save;

pub(crate) use confirm::confirm;
pub(super) use conflict::conflict;
pub(crate) use create::create;
pub(crate) use delete::delete;
pub(super) use fields::{form, one, value_url};
pub(super) use outcome::{deleted, unknown};
pub(crate) use rekey::rekey;
pub(crate) use save::save;

use hyper::StatusCode;
use table_model::{Operation, Properties, Row, TableName};

use super::Context;
use crate::{
    edit::{Entry, maintained},
    problem::Problem,
    reply::{Reply, redirect},
};

/// Returns why a row is read-only, and the remedy.
pub(super) fn reason(context: &Context<'_>, row_key: &str, properties: &Properties) -> Option<String> {
    if context.shared.is_raw {
        return None;
    }
    let reason = maintained(row_key, properties)?;
    Some(format!(
        "{reason} Start the explorer with --design to change it with its rows, or with --raw to change it alone."
    ))
}

/// Checks that no design maintains a row with these properties.
fn check(context: &Context<'_>, row_key: &str, properties: &Properties) -> Result<(), Problem> {
    match reason(context, row_key, properties) {
        None => Ok(()),
        Some(reason) => Err(Problem::new(StatusCode::FORBIDDEN, "Nothing was changed", reason)),
    }
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
