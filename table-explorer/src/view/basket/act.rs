//! Changes of a basket, and its commit.

use table_model::{Condition, Operation, Row, TableName};

use super::{asked, page, review::Rejected};
use crate::{
    edit::{Basket, Entry, Failure, maintained},
    params::Params,
    problem::Problem,
    reply::{Reply, redirect},
    view::{Context, edit, entity::Keys},
};

/// Commits a basket, empties it, removes a change, or adds deletes of rows.
pub(super) async fn act(context: &Context<'_>) -> Result<Reply, Problem> {
    let form = context.sent()?;
    let edits = &context.shared.edits;
    match form.get("do") {
        Some("commit") => {
            let (table, basket) = asked(context)?;
            return commit(context, &table, &basket).await;
        }
        Some("delete") => select(context, form).await?,
        task => {
            let (table, basket) = asked(context)?;
            let is_all = task == Some("empty");
            let is_removed =
                |row: &str| is_all || task.and_then(|task| task.strip_prefix("remove:")) == Some(row);
            let mut removed = basket.operations();
            removed.retain(|operation| is_removed(operation.row_key()));
            edits.remove(&basket.place, &table, &removed);
        }
    }
    Ok(redirect(&context.url(&["basket"], [])))
}

async fn commit(context: &Context<'_>, table: &TableName, basket: &Basket) -> Result<Reply, Problem> {
    let operations = basket.operations();
    match edit::send(context, table, &operations).await {
        Ok(()) => {
            context.shared.edits.remove(&basket.place, table, &operations);
            let count = operations.len();
            let noun = if count == 1 { "operation" } else { "operations" };
            context.shared.edits.report(format!("Committed {count} {noun} as one transaction."));
            let keys = Keys { partition: &basket.partition, row: "" };
            Ok(redirect(&keys.partition_url(context, table.as_str())))
        }
        Err((_, Failure::Unknown(error))) => Ok(edit::unknown(context, table, &operations, &error).await),
        Err((index, failure)) => {
            // A basket of one operation is not sent as a transaction, so its error has no index.
            let at = index.or((operations.len() == 1).then_some(0));
            let row = at.and_then(|at| operations.get(at)).map(|operation| operation.row_key().to_owned());
            let (table, partition) = (table.clone(), basket.partition.clone());
            Ok(page(context, Some(&Rejected { table, partition, row, failure })).await)
        }
    }
}

/// Adds deletes of rows in their present version, which the basket shows before it is committed.
async fn select(context: &Context<'_>, form: &Params) -> Result<(), Problem> {
    let table = Context::table(form.get("table").unwrap_or_default())?;
    for text in form.all("row") {
        let shown = Params::parse(text);
        let keys =
            Keys { partition: shown.get("pk").unwrap_or_default(), row: shown.get("rk").unwrap_or_default() };
        let row = keys.read(context, table.as_str()).await?;
        put_delete(context, &table, &keys, row)?;
    }
    Ok(())
}

/// Adds the delete of a version of a row.
fn put_delete(context: &Context<'_>, table: &TableName, keys: &Keys<'_>, row: Row) -> Result<(), Problem> {
    // With `--raw`, the page of the row requires its RowKey.
    let reason = match edit::entity_of(context, table.as_str(), keys, &row.properties) {
        Some(_) => None,
        None => maintained(keys.row, &row.properties)
            .or_else(|| edit::reason(context, table.as_str(), keys, &row.properties)),
    };
    if let Some(reason) = reason {
        let title = format!("`{}` is not added to the basket", keys.row);
        return Err(Problem::new(hyper::StatusCode::FORBIDDEN, title, reason));
    }
    let operation = Operation::Delete {
        partition_key: keys.partition.to_owned(),
        row_key: keys.row.to_owned(),
        condition: Condition::Matches(row.etag.clone()),
    };
    context.shared.edits.put(&context.place.name, table, Entry { operation, before: Some(row) })
}
