//! Rows that a design recognizes by their keys.

use table_patterns::is_derived_token;
use table_schema::{
    design::{EntityDesign, Origin, RowKind},
    key::KeyKind,
    static_design::version_in,
};
use table_store::{Entity, TableName, Value};

use crate::{
    entity_table::is_named,
    error::CommandError,
    location::{Location, list_tables},
    progress::Progress,
    versions::each_row,
};

/// A row in a table of an entity.
pub(crate) struct Found<'r> {
    pub(crate) table: &'r TableName,
    pub(crate) row: &'r Entity,
    pub(crate) entity_type: Option<&'r str>,
    has_keys: &'r dyn Fn(&Entity) -> bool,
}

impl Found<'_> {
    /// Returns whether the row has the keys of the rows that are searched for.
    pub(crate) fn has_keys(&self) -> bool {
        (self.has_keys)(self.row)
    }
}

/// Reads the keys and types of all rows in the tables of the entities, of an index or of a lookup.
pub(crate) async fn each_found(
    place: &Location,
    entity: &EntityDesign,
    of: &RowKind,
    mut each: impl FnMut(&Found<'_>),
) -> Result<(), CommandError> {
    let siblings = entity.sibling_literals(of);
    let siblings: Vec<&str> = siblings.iter().map(String::as_str).collect();
    let partition = of.partition.form(KeyKind::Partition).apart_from(&siblings);
    // A member of a lookup has a row of its own.
    let member = match of.origin {
        Origin::Lookup(number) => entity.member_row(number),
        Origin::Primary | Origin::Index(_) => None,
    };
    let row = member.as_ref().unwrap_or(&of.row).form(KeyKind::Row);
    let has_keys =
        |found: &Entity| partition.decode(&found.partition_key).is_ok() && row.decode(&found.row_key).is_ok();
    let progress = Progress::of_unknown();
    for table in list_tables(&*place.tables).await? {
        if is_named(&of.table, table.as_str()) {
            let look = |row: &Entity, entity_type: Option<&str>| {
                each(&Found { table: &table, row, entity_type, has_keys: &has_keys });
            };
            each_row(&*place.tables, &table, &progress, look).await?;
        }
    }
    Ok(())
}

/// Returns the names of an entity in `EntityType` without their version, its own first. Empty if its rows have no type.
pub(crate) fn type_names(entity: &EntityDesign) -> Vec<String> {
    let Some(own) = entity.entity_type_value() else { return Vec::new() };
    std::iter::once(&own).chain(&entity.aliases).map(|name| version_in(name).0.to_owned()).collect()
}

/// Returns whether a row was written as a row of an index. Keys do not tell: an entity that is stored with another key
/// can have those of an index.
pub(crate) fn is_derived(row: &Entity) -> bool {
    let is_marked = |value: &Value| matches!(value, Value::String(token) if is_derived_token(token));
    row.properties.get("_src").is_some() || row.properties.get("_tx").is_some_and(is_marked)
}
