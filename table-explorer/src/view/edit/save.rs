//! Saving the form of an entity.

use table_model::{Condition, Row, TableName};

use super::{Reason, check, collect, conflict, deleted, editable, send, unknown};
use crate::{
    edit::{Change, Draft, Failure},
    problem::Problem,
    reply::{Reply, redirect},
    view::{Context, entity, entity::Keys},
};

/// Saves a form, puts it into the basket, or shows it again.
pub(crate) async fn save(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let table = Context::table(name)?;
    let form = context.sent()?;
    let draft = Draft::of_form(form)?;
    let task = form.get("do").unwrap_or("save");
    let keys = Keys { partition: &draft.partition, row: &draft.row };
    let Some(row) = keys.find(context, name).await? else {
        return Ok(deleted(context, name, &draft).await);
    };
    check(context, name, &keys, &row.properties)?;
    let editable = editable(context, name, &keys, &row);
    if draft.errors().iter().any(Option::is_some) {
        return Ok(
            again(context, name, (&row, &editable), &draft, "A field has no valid value.".into()).await
        );
    }
    if draft.etag.as_ref() != Some(&row.etag) {
        return Ok(conflict(context, name, &draft, &editable, task == "basket").await);
    }
    if task == "edit" {
        return Ok(entity::show(context, name, &row, &overlaid(&editable, &draft), None).await);
    }
    Saving { context, name, table, draft: &draft, row: &row, editable: &editable }.send(task).await
}

/// A form that was made from the stored version.
struct Saving<'c> {
    context: &'c Context<'c>,
    name: &'c str,
    table: TableName,
    draft: &'c Draft,
    row: &'c Row,
    /// The row with the properties that the form can change.
    editable: &'c Row,
}

impl Saving<'_> {
    async fn send(&self, task: &str) -> Result<Reply, Problem> {
        let &Self { context, name, draft, editable: row, .. } = self;
        let keys = Keys { partition: &draft.partition, row: &draft.row };
        let change = match Change::of(draft, &row.properties) {
            Ok(change) => change,
            Err(error) => return Ok(self.again(&*error).await),
        };
        let replaces = task == "replace";
        if change.is_none() && !replaces {
            return Ok(self.again("No property differs from what is stored.").await);
        }
        check(context, name, &keys, change.whole())?;
        // The limits apply to the whole entity, which a merge does not contain.
        let condition = || Condition::Matches(row.etag.clone());
        let length = context.place.tables.capabilities().key_length;
        if let Err(error) = change.operation(draft, condition(), true).check(length) {
            return Ok(self.again(error.message()).await);
        }
        let operation = change.operation(draft, condition(), replaces);
        if task == "basket" {
            return collect(context, &self.table, operation, Some(row.clone()));
        }
        let operations = [operation];
        match send(context, &self.table, &operations).await {
            Ok(()) => {
                let verb = if replaces || change.is_replace() { "replaced the entity" } else { "merged" };
                let names = Some(change.names()).filter(|names| !names.is_empty());
                let names = names.map_or_else(String::new, |names| format!(": {names}"));
                context.shared.edits.report(format!("Saved, {verb}{names}"));
                Ok(redirect(&keys.url(context, name, &[])))
            }
            Err((_, Failure::Changed | Failure::Deleted)) => self.changed().await,
            Err((_, Failure::Unknown(error))) => Ok(unknown(context, &self.table, &operations, &error).await),
            Err((_, ref failure @ Failure::Taken(_, ref row))) => {
                Ok(self.again(Reason { text: &failure.reason(), row: Some(row) }).await)
            }
            Err((_, Failure::Rejected(error))) => Ok(self.again(&*error).await),
            Err((_, Failure::Exists)) => Ok(self.again("The entity exists.").await),
        }
    }

    /// Another writer was between the read and the write.
    async fn changed(&self) -> Result<Reply, Problem> {
        let &Self { context, name, draft, .. } = self;
        let keys = Keys { partition: &draft.partition, row: &draft.row };
        match keys.find(context, name).await? {
            Some(row) => {
                let row = editable(context, name, &keys, &row);
                Ok(conflict(context, name, draft, &row, false).await)
            }
            None => Ok(deleted(context, name, draft).await),
        }
    }

    async fn again<'r>(&self, reason: impl Into<Reason<'r>>) -> Reply {
        again(self.context, self.name, (self.row, self.editable), self.draft, reason.into()).await
    }
}

/// Renders the form again, with the typed values.
async fn again(
    context: &Context<'_>,
    name: &str,
    (row, editable): (&Row, &Row),
    draft: &Draft,
    reason: Reason<'_>,
) -> Reply {
    // The version stays that of the form, so that no other change is overwritten.
    entity::show(context, name, row, &overlaid(editable, draft), Some(reason)).await
}

/// Returns the form of an entity with the changes of a form that may be partial.
fn overlaid(row: &Row, draft: &Draft) -> Draft {
    if !draft.is_partial {
        return draft.clone();
    }
    let mut whole = Draft { etag: draft.etag.clone(), ..Draft::of(row) };
    for field in &draft.fields {
        match whole.fields.iter_mut().find(|known| known.name == field.name) {
            Some(known) => *known = field.clone(),
            None => whole.fields.push(field.clone()),
        }
    }
    whole
}
