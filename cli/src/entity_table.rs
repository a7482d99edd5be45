//! The tables of the entities of a design, which a store may lack.

use table_schema::{design::EntityDesign, key::KeyKind, template::Template};
use table_store::TableService;

use crate::{error::CommandError, location::list_tables};

/// Returns the table of an entity.
pub(crate) fn table_of(entity: &EntityDesign) -> Option<Template> {
    entity.row_kinds().into_iter().next().map(|kind| kind.table)
}

/// Returns whether a table has the name of a template, of which each period can have a table.
pub(crate) fn is_named(template: &Template, table: &str) -> bool {
    if template.holes().next().is_some() {
        return template.form(KeyKind::Partition).decode(table).is_ok();
    }
    template.text().eq_ignore_ascii_case(table)
}

/// Returns the table of an entity if it does not exist: without it, every job would complete at once.
pub(crate) async fn missing_table(
    tables: &dyn TableService,
    entity: &EntityDesign,
) -> Result<Option<String>, CommandError> {
    let Some(template) = table_of(entity) else { return Ok(None) };
    let all = list_tables(tables).await?;
    let is_found = all.iter().any(|table| is_named(&template, table.as_str()));
    Ok((!is_found).then(|| template.text().to_owned()))
}
