//! A change in the basket whose entity has another version by now.

use table_model::Operation;

use super::asked;
use crate::{
    edit::Draft,
    problem::Problem,
    reply::{Reply, redirect},
    view::{Context, edit, entity::Keys},
};

/// Shows the three versions of the entity; the result replaces the change in the basket.
pub(crate) async fn resolve(context: &Context<'_>) -> Result<Reply, Problem> {
    let keys = Keys::of(context)?;
    let (table, basket) = asked(context)?;
    let name = table.as_str();
    let entry = basket.entries.iter().find(|entry| entry.operation.row_key() == keys.row);
    let entry = entry.ok_or_else(|| Problem::missing("This change is not in the basket"))?;
    if matches!(entry.operation, Operation::Delete { .. }) {
        // The page of the delete shows the current version with a new confirmation.
        return Ok(redirect(&keys.url(context, name, &["delete"])));
    }
    let Some(before) = &entry.before else { return Ok(redirect(&keys.url(context, name, &[]))) };
    let after = entry.after().unwrap_or_default();
    let draft = Draft::between(Draft::of_keys(before), &before.properties, &after);
    Ok(match keys.find(context, name).await? {
        Some(row) => {
            let row = edit::editable(context, name, &keys, &row);
            edit::conflict(context, name, &draft, &row, true).await
        }
        None => edit::deleted(context, name, &draft).await,
    })
}
