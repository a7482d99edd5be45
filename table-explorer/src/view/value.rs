//! One property in full.

use maud::html;
use table_model::{Value, ValueRef};

use super::{Context, edit, entity::Keys};
use crate::{
    edit::Draft,
    problem::Problem,
    reply::{Reply, download},
    show::{bytes, exact, hex_dump, lines, type_name, visible},
};

/// Maximum number of bytes of a dump: a property is not larger.
const DUMPED: usize = 64 << 10;

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
    let params = context.query.with("download", Some("1"));
    let content = html! {
        div.head {
            h1 { (visible(name, 255)) }
            span.dim { (type_name(value.edm_type())) ", " (bytes(data.len() as u64)) }
            span.tools { a.button href=(context.url(&["t", table, "e", "value"], params)) { "Download" } }
        }
        @match value.as_ref() {
            ValueRef::Binary(data) => pre.card.pad.whole tabindex="0" { (hex_dump(data.get(..DUMPED).unwrap_or(data))) },
            value => pre.card.pad.whole tabindex="0" { (lines(&exact(value), usize::MAX)) },
        }
        @if is_editable {
            div.gap { (edit::one(context, table, &Draft::of_one(&row, name))) }
        }
    };
    let [above, partition] = keys.crumbs(context, table);
    let crumbs = [above, partition, (keys.row.to_owned(), keys.url(context, table, &[]))];
    Ok(context.page(name, &crumbs, content).await)
}
