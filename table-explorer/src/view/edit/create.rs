//! A new entity.

use maud::{Markup, html};
use table_model::{EdmType, Entity, Operation};
use table_schema::design::{EntityDesign, FieldDesign, FieldKind, TemplateText};

use super::{Reason, check, collect, fields, planned, send, unknown};
use crate::{
    design::{field_of, is_editable},
    edit::{Draft, Failure, Field, Kind, Stored},
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
        let draft = empty(&context.query, entity_of(context, name));
        return Ok(page(context, name, &draft, None).await);
    };
    let mut draft = Draft::of_form(form)?;
    if let Some(entity) = entity_of(context, name) {
        draft.fields.iter_mut().for_each(|field| leave_out(entity, field));
    }
    if draft.errors().iter().any(Option::is_some) {
        return Ok(page(context, name, &draft, Some("A field has no valid value.".into())).await);
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
            Err(error) => Ok(page(context, name, &draft, Some(error.message().into())).await),
            Ok(()) => collect(context, &table, operation.clone(), None),
        };
    }
    match send(context, &table, &operations).await {
        Ok(()) => {
            context.shared.edits.report("Inserted.");
            Ok(redirect(&keys.url(context, name, &[])))
        }
        Err((_, Failure::Unknown(error))) => Ok(unknown(context, &table, &operations, &error).await),
        Err((_, ref failure @ Failure::Taken(_, ref row))) => {
            let reason = Reason { text: &failure.reason(), row: Some(row) };
            Ok(page(context, name, &draft, Some(reason)).await)
        }
        Err((_, Failure::Rejected(error))) => Ok(page(context, name, &draft, Some((&*error).into())).await),
        Err(_) => {
            let reason =
                "An entity with these keys exists. Choose another RowKey, or open the entity and change it.";
            Ok(page(context, name, &draft, Some(reason.into())).await)
        }
    }
}

/// Returns the entity of the design that a form is for: the one that it names; for a new form, the first of the table.
fn entity_of<'c>(context: &Context<'c>, table: &str) -> Option<&'c EntityDesign> {
    let mut of_table = entities(context, table);
    let named = context.form.as_ref().unwrap_or(&context.query).get("entity");
    match named {
        Some(name) => of_table.find(|entity| entity.name == name),
        None if context.form.is_none() => of_table.next(),
        None => None,
    }
}

/// Returns the entities of the design in a table.
fn entities<'c>(context: &Context<'c>, table: &str) -> impl Iterator<Item = &'c EntityDesign> {
    let all = planned(context).map_or(&[][..], |design| &design.schema.entities);
    let is_here = move |entity: &&EntityDesign| {
        entity.table.as_ref().is_some_and(|text| text.text().eq_ignore_ascii_case(table))
    };
    all.iter().filter(is_here)
}

/// Makes an optional field without a value absent.
fn leave_out(entity: &EntityDesign, field: &mut Field) {
    let Some((design, _)) = field_of(entity, &field.name) else { return };
    if !design.optional && design.default.is_none() {
        return;
    }
    if field.text.is_empty() {
        field.kind = Kind::Absent;
    } else if field.kind == Kind::Absent {
        field.kind = kind(design);
    }
}

fn kind(field: &FieldDesign) -> Kind {
    let name = field.kind.edm().map(|edm| edm.trim_start_matches("Edm."));
    name.and_then(Kind::of_name).unwrap_or(Kind::Typed(EdmType::String))
}

fn empty(query: &Params, entity: Option<&EntityDesign>) -> Draft {
    let key = |name: &str| query.get(name).unwrap_or_default().to_owned();
    let fields = match entity {
        Some(entity) => {
            let is_typed = |field: &&FieldDesign| is_editable(entity, field) && field.series.is_none();
            let field = |field: &FieldDesign| Field {
                name: field.property.clone(),
                kind: kind(field),
                ..Field::blank()
            };
            entity.stored_fields().filter(is_typed).map(field).collect()
        }
        // The table of fields adds one.
        None => vec![Field::blank(); FIELDS - 1],
    };
    Draft { partition: key("pk"), row: key("rk"), etag: None, fields, is_partial: false }
}

/// Renders links to the forms of the other entities of a table, and what the fields of this one require.
fn requirements(context: &Context<'_>, table: &str, entity: &EntityDesign) -> Markup {
    let optional =
        |field: &FieldDesign| if field.optional || field.default.is_some() { "optional" } else { "required" };
    html! {
        div.pad.small.dim {
            @for other in entities(context, table).filter(|other| other.name != entity.name) {
                a href=(context.url(&["t", table, "new"], [("entity", other.name.as_str())])) { "New " (other.name) } " "
            }
            a href=(context.url(&["t", table, "new"], [("entity", "")])) { "New row without the design" } br;
            @for field in entity.stored_fields().filter(|field| is_editable(entity, field)) {
                span { b { (field.property) } " " (optional(field))
                    @if let FieldKind::Enum { variants } = &field.kind { ", one of " (variants.join(", ")) } "; " }
            }
        }
    }
}

async fn page(context: &Context<'_>, name: &str, draft: &Draft, rejected: Option<Reason<'_>>) -> Reply {
    let url = context.url(&["t", name], []);
    let entity = entity_of(context, name);
    let template = |text: Option<&TemplateText>| text.map(|text| html! { " " code { (text.text()) } });
    let content = html! {
        div.head { h1 { "New " @if let Some(entity) = entity { (entity.name) } @else { "entity" } } span.dim { "of " a href=(url) { bdi { (name) } } } }
        form.card method="post" action=(context.url(&["t", name, "new"], [])) {
            (context.token())
            input type="hidden" name="entity" value=(entity.map_or("", |entity| &entity.name));
            @if let Some(reason) = rejected { (fields::notice(context, reason)) }
            header { h2 { "Keys" } }
            div.pad.keys {
                label { "PartitionKey" (template(entity.and_then(|entity| entity.partition.as_ref())).unwrap_or_default()) " " input.field name="pk" value=(draft.partition) autocomplete="off" spellcheck="false"; }
                label { "RowKey" (template(entity.and_then(|entity| entity.row.as_ref())).unwrap_or_default()) " " input.field name="rk" value=(draft.row) autocomplete="off" spellcheck="false"; }
            }
            header { h2 { "Properties" } }
            @if let Some(entity) = entity { (requirements(context, name, entity)) }
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
