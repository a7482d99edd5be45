//! One property in full.

use maud::html;
use table_model::Value;

use super::{Context, edit, entity::Keys};
use crate::{
    edit::Draft,
    problem::Problem,
    reply::{Reply, download},
    show::{bytes, exact, hex_dump, html_len, lines, start, type_name, visible},
};

/// Maximum number of bytes of a dump, whose HTML is five times as large.
const DUMPED: usize = 8 << 10;
/// Maximum number of bytes of the HTML of a text.
const SHOWN: usize = 48_000;
/// Maximum number of bytes of the HTML of a text with its form, which contains it twice.
const IN_FORM: usize = 24_000;

/// Renders the page, or returns the value as a file with `download=1`.
pub(crate) async fn view(context: &Context<'_>, table: &str) -> Result<Reply, Problem> {
    let keys = Keys::of(context)?;
    let name = context.query.get("name").unwrap_or_default();
    let row = keys.read(context, table).await?;
    let value =
        row.properties.get(name).ok_or_else(|| Problem::missing("The entity has no such property"))?;
    let data = match value {
        Value::Binary(data) => data.clone(),
        value => exact(value.as_ref()).into_bytes(),
    };
    if context.query.get("download").is_some() {
        return Ok(download(name, data));
    }
    let is_editable = context.shared.is_writable
        && edit::reason(context, table, &keys, &row.properties).is_none()
        && edit::editable(context, table, &keys, &row).properties.get(name).is_some();
    let url = |name: &str| context.url(&["t", table, "e", "value"], context.query.with(name, Some("1")));
    let text = exact(value.as_ref());
    let is_form = context.query.get("edit").is_some();
    let has_form = is_editable && (is_form || html_len(&text) <= IN_FORM);
    let shown = match value {
        Value::Binary(data) => hex_dump(data.get(..DUMPED).unwrap_or(data)),
        _ => start(&text, SHOWN).to_owned(),
    };
    let is_cut = if let Value::Binary(data) = value { data.len() > DUMPED } else { shown.len() < text.len() };
    let content = html! {
        div.head {
            h1 { (visible(name, 255)) }
            span.dim { (type_name(value.edm_type())) ", " (bytes(data.len() as u64)) }
            span.tools {
                a.button href=(url("download")) { "Download" }
                @if is_editable && !has_form { a.button href=(url("edit")) { "Change" } }
            }
        }
        // The form has the value in full.
        @if !is_form || !has_form {
            @if is_cut { p.report { "This is the start of the value. The download is complete." } }
            pre.card.pad.whole tabindex="0" { (lines(&shown, usize::MAX)) }
        }
        @if has_form {
            div.gap { (edit::one(context, table, &Draft::of_one(&row, name))) }
        }
    };
    let [above, partition] = keys.crumbs(context, table);
    let crumbs = [above, partition, (keys.row.to_owned(), keys.url(context, table, &[]))];
    Ok(context.page(name, &crumbs, content).await)
}
