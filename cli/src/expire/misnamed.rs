//! Detection of a design that names the property of a time otherwise than the stored entities.

use table_patterns::Tables;
use table_schema::{
    design::{EntityDesign, FieldDesign, Origin},
    key::KeyKind,
};
use table_store::{Query, TableName, ValueRef};

use crate::error::CommandError;

/// Number of rows that are read.
const MOST: u32 = 1_000;

/// Reads the first rows of an entity of which no row is due. Returns an error if none of them has the property of
/// `field`, and one has a time that the design does not declare.
pub(super) async fn check(tables: &Tables, entity: &EntityDesign, field: &str) -> Result<(), CommandError> {
    let Some(time) = entity.field(field) else { return Ok(()) };
    let kinds = entity.row_kinds();
    let Some(primary) = kinds.iter().find(|kind| kind.origin == Origin::Primary) else { return Ok(()) };
    let (partition, row_key) = (primary.partition.form(KeyKind::Partition), primary.row.form(KeyKind::Row));
    let Ok(table) = TableName::new(primary.table.text()) else { return Ok(()) };
    let query = Query { top: Some(MOST), ..Query::default() };
    let rows = tables.service().query(&table, query).await?.rows;
    let mut other = None;
    for row in &rows {
        let is_entity = row.partition_key.is_some_and(|key| partition.decode(key).is_ok())
            && row.row_key.is_some_and(|key| row_key.decode(key).is_ok());
        if !is_entity {
            continue;
        }
        if row.properties.get(&time.property).is_some() {
            return Ok(());
        }
        let is_declared = |name: &str| entity.stored_fields().any(|field| field.property == name);
        let undeclared = row.properties.iter().find(|(name, value)| {
            matches!(value, ValueRef::DateTime(_)) && !is_declared(name) && !name.starts_with('_')
        });
        other = other.or(undeclared.map(|(name, _)| name.to_owned()));
    }
    let Some(other) = other else { return Ok(()) };
    let shown = |field: &FieldDesign| {
        if field.property == field.name {
            format!("`{}`", field.name)
        } else {
            format!("`{}` (`{}`)", field.name, field.property)
        }
    };
    let fields = entity.stored_fields().map(shown);
    Err(CommandError::Unfinished(format!(
        "no stored `{}` has the property `{}` of `{field}`, but one has the time `{other}`, which the design does not \
         declare; correct `rename` of the field. Fields of the design: {}",
        entity.name,
        time.property,
        fields.collect::<Vec<_>>().join(", ")
    )))
}
