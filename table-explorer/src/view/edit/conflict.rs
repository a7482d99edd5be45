//! An entity that changed while a person edited it: three versions, and a choice.

use maud::{Markup, html};
use table_model::{ETag, Row};

use super::fields::{hidden, shown, type_of};
use crate::{
    edit::{Draft, Field, Line, Side, Stored, lines},
    reply::Reply,
    show::{CELL, exact, visible},
    view::{Context, entity::Keys},
};

/// Number of characters from which an unchanged value is not in the form.
const LONG: usize = 1_000;

/// Renders the page. `for_basket` puts the result into the basket instead of saving it.
pub(in crate::view) async fn conflict(
    context: &Context<'_>,
    table: &str,
    draft: &Draft,
    row: &Row,
    for_basket: bool,
) -> Reply {
    // The choice of a property has the number of its line, and the fields of the others come last.
    let mut lines = lines(draft, &row.properties);
    lines.sort_by_key(|line| line.side == Side::Same);
    let keys = Keys { partition: &draft.partition, row: &draft.row };
    let next = Draft { etag: Some(row.etag.clone()), fields: Vec::new(), ..draft.clone() };
    let (task, label) = if for_basket { ("basket", "Add merged to basket") } else { ("save", "Save merged") };
    let content = html! {
        div.head { h1 { (visible(keys.title(), CELL)) } span.dim { "entity of " bdi { (table) } } }
        form.card method="post" action=(context.url(&["t", table, "e", "save"], [])) {
            (hidden(context, &next))
            div.banner.card role="alert" {
                div {
                    h2 { "This entity changed while you were editing it" }
                    p.small.dim { "Nothing was written: the stored ETag no longer matches yours. " (summary(&lines)) }
                }
                div.chips {
                    button.main name="do" value=(task) { (label) }
                    button name="do" value="edit" formnovalidate { "Keep editing" }
                    @if for_basket { a.button.plain href=(context.url(&["basket"], [])) { "Back to the basket" } }
                    @else { a.button.plain.danger href=(keys.url(context, table, &[])) { "Discard mine" } }
                }
            }
            (versions(&lines, draft.etag.as_ref(), &row.etag))
        }
    };
    context.page(keys.title(), &keys.crumbs(context, table), content).await
}

/// Describes the merged properties, and those that need a choice.
fn summary(lines: &[Line]) -> String {
    let count = |wanted: &[Side]| lines.iter().filter(|line| wanted.contains(&line.side)).count();
    let properties = |count: usize| if count == 1 { "property" } else { "properties" };
    let (one, both) = (count(&[Side::Stored, Side::Yours]), count(&[Side::Both]));
    let merged = format!(
        "{one} {} changed on one side only, and {} merged.",
        properties(one),
        if one == 1 { "is" } else { "are" }
    );
    match (one, both) {
        (0, 0) => "No property differs between the stored version and yours.".to_owned(),
        (_, 0) => merged,
        (_, _) => format!("{merged} {both} {} changed on both sides: choose a value.", properties(both)),
    }
}

fn versions(lines: &[Line], original: Option<&ETag>, stored: &ETag) -> Markup {
    let (changed, same): (Vec<&Line>, Vec<&Line>) = lines.iter().partition(|line| line.side != Side::Same);
    let names: Vec<&str> = same.iter().map(|line| line.name.as_str()).collect();
    html! {
        div.grid { table.diff {
            caption.away { "Three versions of the entity" }
            thead { tr {
                th scope="col" { "Property" }
                th scope="col" { "Original" (time(original)) }
                th scope="col" { "Stored now" (time(Some(stored))) }
                th scope="col" { "Yours" }
            } }
            tbody {
                @for (at, line) in changed.iter().enumerate() { (version(at, line)) }
                @if !same.is_empty() { tr {
                    th.small.dim scope="row" { (same.len()) " more" }
                    td.small.dim.value colspan="3" { "not edited, or the same in all: " (visible(&names.join(", "), 1_000))
                        @for line in &same { (fields(line)) }
                    }
                } }
            }
        } }
    }
}

/// Renders hidden fields that change the stored version of a property to that of the form.
fn fields(line: &Line) -> Markup {
    let field = match line.field() {
        field if line.side == Side::Same && field.text.len() > LONG => {
            Field::unchanged(field.name, Stored::NotShown)
        }
        field => field,
    };
    html! {
        input type="hidden" name="name" value=(field.name);
        input type="hidden" name="kind" value=(field.kind.name());
        input type="hidden" name="text" value=(field.text);
        input type="hidden" name="was" value=(field.was.encoded());
    }
}

/// Renders a property with the choice between its versions.
fn version(at: usize, line: &Line) -> Markup {
    let pick = |value: &str, is_checked: bool, state: &Stored, is_same: bool| {
        html! { label {
            input type="radio" name={ "pick-" (at) } value=(value) checked[is_checked] required;
            span { @if is_same { span.same { "unchanged: " } } (shown(state)) }
        } }
    };
    html! {
        tr class=[(line.side == Side::Both).then_some("clash")] {
            th scope="row" {
                code { (visible(&line.name, CELL)) } " "
                span.type { (type_of(&[&line.yours, &line.stored, &line.original])) }
                (fields(line))
                @if line.side == Side::Both { input type="hidden" name={ "choice-" (at) } value="1"; }
            }
            td.dim.value data-of="Original" { (shown(&line.original)) }
            td.pick.value data-of="Stored now" { (pick("stored", line.side == Side::Stored, &line.stored, line.side == Side::Yours)) }
            td.pick.value data-of="Yours" { (pick("yours", line.side == Side::Yours, &line.yours, line.side == Side::Stored)) }
        }
    }
}

/// Renders the time of day of a version.
fn time(etag: Option<&ETag>) -> Markup {
    let time = etag.and_then(ETag::timestamp).map(|time| exact(table_model::ValueRef::DateTime(time)));
    html! { @if let Some(time) = time { " " small title=(time) { (time.get(11..19).unwrap_or_default()) } } }
}
