//! A new entity.

use maud::html;
use table_model::{Entity, Operation};

use super::{check, collect, fields, send, unknown};
use crate::{
    edit::{Draft, Failure, Field, Stored},
    params::Params,
    problem::Problem,
    reply::{Reply, redirect},
    view::{Context, entity::Keys},
};

/// Number of fields of an empty form.
const FIELDS: usize = 4;

/// Shows the form of a new entity, or inserts it.
pub(crate) async fn create(context: &Context<'_>, name: &str) -> Result<Reply, Problem> {
    let table = Context::table(name)?;
    let Some(form) = &context.form else {
        return Ok(page(context, name, &empty(&context.query), None).await);
    };
    let draft = Draft::of_form(form)?;
    if draft.errors().iter().any(Option::is_some) {
        return Ok(page(context, name, &draft, Some("A field has no valid value.")).await);
    }
    let mut entity = Entity::new(&*draft.partition, &*draft.row);
    for field in &draft.fields {
        if let Ok(Stored::Value(value)) = field.value() {
            entity.properties.set(field.name.clone(), value);
        }
    }
    let keys = Keys { partition: &draft.partition, row: &draft.row };
    check(context, name, &keys, &entity.properties)?;
    let operations = [Operation::Insert(entity)];
    if let ([operation], Some("basket")) = (&operations, form.get("do")) {
        return match operation.check(context.place.tables.capabilities().key_length) {
            Err(error) => Ok(page(context, name, &draft, Some(error.message())).await),
            Ok(()) => collect(context, &table, operation.clone(), None),
        };
    }
    match send(context, &table, &operations).await {
        Ok(()) => {
            context.shared.edits.report("Inserted.");
            Ok(redirect(&keys.url(context, name, &[])))
        }
        Err((_, Failure::Unknown(error))) => Ok(unknown(context, &table, &operations, &error).await),
        Err((_, Failure::Rejected(error))) => Ok(page(context, name, &draft, Some(&error)).await),
        Err(_) => {
            let reason =
                "An entity with these keys exists. Choose another RowKey, or open the entity and change it.";
            Ok(page(context, name, &draft, Some(reason)).await)
        }
    }
}

fn empty(query: &Params) -> Draft {
    let key = |name: &str| query.get(name).unwrap_or_default().to_owned();
    // The table of fields adds one.
    let fields = vec![Field::blank(); FIELDS - 1];
    Draft { partition: key("pk"), row: key("rk"), etag: None, fields, is_partial: false }
}

async fn page(context: &Context<'_>, name: &str, draft: &Draft, rejected: Option<&str>) -> Reply {
    let url = context.url(&["t", name], []);
    let content = html! {
        div.head { h1 { "New entity" } span.dim { "of " a href=(url) { bdi { (name) } } } }
        form.card method="post" action=(context.url(&["t", name, "new"], [])) {
            (context.token())
            @if let Some(reason) = rejected { (fields::notice(reason)) }
            header { h2 { "Keys" } }
            div.pad.keys {
                label { "PartitionKey " input.field name="pk" value=(draft.partition) autocomplete="off" spellcheck="false"; }
                label { "RowKey " input.field name="rk" value=(draft.row) autocomplete="off" spellcheck="false"; }
            }
            header { h2 { "Properties" } }
            (fields::fields(context, name, draft, true))
            div.pad.consent {
                button.main name="do" value="insert" { "Insert" }
                button name="do" value="basket" { "Add to basket" }
                span.small.dim { "A property without a name and a value is not written. An insert fails if the keys exist." }
            }
        }
    };
    context.page("New entity", &[(name.to_owned(), url)], content).await
}
