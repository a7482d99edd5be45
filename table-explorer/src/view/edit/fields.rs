//! The properties of an entity as fields of a form.

use maud::{Markup, html};
use table_model::{EdmType, limits::USER_PROPERTIES};
use table_patterns::Address;

use crate::{
    edit::{Draft, Field, Kind, Stored},
    show::{CELL, type_name, visible},
    view::{Context, entity::Keys},
};

/// Number of bytes above which a value has a field of several lines.
const LONG: usize = 80;

/// Why a form was not saved.
#[derive(Clone, Copy, Debug)]
pub(in crate::view) struct Reason<'r> {
    pub(super) text: &'r str,
    /// A row that is in the way.
    pub(super) row: Option<&'r Address>,
}

impl<'r> From<&'r str> for Reason<'r> {
    fn from(text: &'r str) -> Self {
        Self { text, row: None }
    }
}

/// Returns the address of a property.
pub(in crate::view) fn value_url(context: &Context<'_>, table: &str, keys: &Keys<'_>, name: &str) -> String {
    let params = [("pk", keys.partition), ("rk", keys.row), ("name", name)];
    context.url(&["t", table, "e", "value"], params)
}

/// Renders the form of an entity. `rejected` is the reason why it was not saved.
pub(in crate::view) fn form(
    context: &Context<'_>,
    table: &str,
    draft: &Draft,
    rejected: Option<Reason<'_>>,
) -> Markup {
    html! {
        form.card method="post" action=(context.url(&["t", table, "e", "save"], [])) {
            (hidden(context, draft))
            @if let Some(reason) = rejected { (notice(context, reason)) }
            header { h2 { "Properties" } span.dim { (draft.fields.len()) @if !draft.is_partial { " of " (USER_PROPERTIES) } } }
            (fields(context, table, draft, true))
            div.pad.consent {
                button.main name="do" value="save" data-key="Ctrl s" { "Save" }
                button name="do" value="basket" { "Add to basket" }
                button name="do" value="replace" { "Replace" }
                span.small.dim { "Save merges the properties that you change. A merge cannot remove a property: then, and \
                    with Replace, all properties are written. Both fail if the entity has another ETag by then." }
            }
        }
    }
}

/// Renders the form of one property.
pub(in crate::view) fn one(context: &Context<'_>, table: &str, draft: &Draft) -> Markup {
    html! {
        form.card method="post" action=(context.url(&["t", table, "e", "save"], [])) {
            (hidden(context, draft))
            header { h2 { "Change" } }
            (fields(context, table, draft, false))
            div.pad.consent {
                button.main name="do" value="save" data-key="Ctrl s" { "Save" }
                button name="do" value="basket" { "Add to basket" }
            }
        }
    }
}

/// Renders why a form was not saved.
pub(super) fn notice<'r>(context: &Context<'_>, reason: impl Into<Reason<'r>>) -> Markup {
    let Reason { text, row } = reason.into();
    let url = |row: &Address| {
        let keys = Keys { partition: row.partition_key(), row: row.row_key() };
        keys.url(context, row.table().as_str(), &[])
    };
    html! { div.banner role="alert" { div { h2 { "Nothing was saved" } p.lines { (text) }
        @if let Some(row) = row { p { a.button href=(url(row)) { "Open the row" } } }
    } } }
}

/// Renders the keys and the version of an entity.
pub(super) fn hidden(context: &Context<'_>, draft: &Draft) -> Markup {
    html! {
        (context.token())
        input type="hidden" name="pk" value=(draft.partition);
        input type="hidden" name="rk" value=(draft.row);
        @if let Some(etag) = &draft.etag { input type="hidden" name="etag" value=(etag); }
        @if draft.is_partial { input type="hidden" name="part" value="1"; }
    }
}

/// Renders the fields, and perhaps one for a new property.
pub(super) fn fields(context: &Context<'_>, table: &str, draft: &Draft, has_blank: bool) -> Markup {
    let keys = Keys { partition: &draft.partition, row: &draft.row };
    let blank = Field::blank();
    // A form that nobody has filled yet has no mistakes.
    let is_empty =
        |field: &Field| context.form.is_none() && field.was == Stored::Absent && field.text.is_empty();
    html! {
        div.grid { table.props.narrow {
            caption.away { "Properties" }
            thead { tr { th scope="col" { "Name" } th scope="col" { "Type" } th scope="col" { "Value" } } }
            tbody {
                @for (field, error) in draft.fields.iter().zip(draft.errors()) {
                    tr {
                        th scope="row" { (name(field)) }
                        (value(context, table, &keys, field, error.as_deref().filter(|_| !is_empty(field))))
                    }
                }
                @if has_blank { tr {
                    th scope="row" { (name(&blank)) }
                    (value(context, table, &keys, &blank, None))
                } }
            }
        } }
    }
}

/// Renders the name, which is typed for a new property.
fn name(field: &Field) -> Markup {
    html! {
        @if field.was == Stored::Absent {
            input.field name="name" value=(field.name) placeholder="new property" aria-label="Name of a new property"
                autocomplete="off" spellcheck="false";
        } @else {
            (visible(&field.name, CELL))
            input type="hidden" name="name" value=(field.name);
        }
        input type="hidden" name="was" value=(field.was.encoded());
    }
}

/// Renders the type and the value.
fn value(context: &Context<'_>, table: &str, keys: &Keys<'_>, field: &Field, error: Option<&str>) -> Markup {
    let label = if field.name.is_empty() { "new property" } else { &field.name };
    let is_shown = field.was != Stored::NotShown;
    html! {
        td.type { select.field name="kind" aria-label={ "Type of " (label) } {
            @if is_shown {
                @for kind in EdmType::ALL.map(Kind::Typed) { (option(field, kind, kind.name())) }
                (option(field, Kind::Escaped, "String with escapes"))
            } @else {
                (option(field, Kind::Stored, "as stored"))
            }
            @if field.was != Stored::Absent { (option(field, Kind::Absent, "— remove")) }
            @else if field.kind == Kind::Absent { (option(field, Kind::Absent, "— none")) }
        } }
        td {
            @if !is_shown {
                input type="hidden" name="text" value="";
                a href=(value_url(context, table, keys, &field.name)) { "View or change it alone" }
            } @else if field.text.len() > LONG || field.text.contains('\n') {
                // A browser drops the first line end.
                textarea.field name="text" aria-label=(label) rows="4" spellcheck="false" { "\n" (field.text) }
            } @else {
                input.field name="text" value=(field.text) aria-label=(label) placeholder=[hint(field.kind)] autocomplete="off" spellcheck="false";
            }
            @if let Some(error) = error { p.error.small role="alert" { (error) } }
        }
    }
}

/// Returns an example of a value whose form is not evident.
const fn hint(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Typed(EdmType::DateTime) => Some("2026-01-31T08:30:00Z"),
        Kind::Typed(EdmType::Boolean) => Some("true or false"),
        Kind::Typed(EdmType::Guid) => Some("8f7e6d5c-4b3a-4291-8f0e-1d2c3b4a5968"),
        _ => None,
    }
}

fn option(field: &Field, kind: Kind, label: &str) -> Markup {
    let value = Some(kind.name()).filter(|name| *name != label);
    html! { option value=[value] selected[field.kind == kind] { (label) } }
}

/// Renders a property as a cell.
pub(super) fn shown(state: &Stored) -> Markup {
    match state {
        Stored::Absent => html! { span.none { "absent" } },
        Stored::NotShown => html! { span.none { "not in the form" } },
        Stored::Value(value) => crate::show::cell(value.as_ref(), CELL),
    }
}

/// Returns the type of the first of some states that has one.
pub(super) fn type_of(states: &[&Stored]) -> &'static str {
    let value = states.iter().find_map(|state| match state {
        Stored::Value(value) => Some(value),
        _ => None,
    });
    value.map_or("", |value| type_name(value.edm_type()))
}
