//! Properties that another client added to index rows and lists: neither a version of the type nor the entity has them.
//! No job deletes them.

use table_model::RowRef;

use crate::{
    AccessPath, Address, Error, Tables,
    core::{
        entity_types::EntityInfo,
        list::SPILLED,
        row::is_list,
        rule::Rule,
        unread::{Unread, is_of_library},
    },
    design::Index,
};

/// Returns the properties of an index row that no version of the type declares.
pub(crate) fn undeclared(kind: EntityInfo, rule: Rule, row: RowRef<'_>) -> Unread {
    // An index row also contains the parts of the entity's key.
    let is_held = |name: &str| {
        let mut named = kind.rules().filter(|other| other.name() == rule.name());
        named.any(|rule| rule.index().is_some_and(|index| index.holds(name)))
    };
    Unread::of(kind.newest(), AccessPath::Own, row).without(|name| is_of_library(name) || is_held(name))
}

/// Returns `true` if the entity of an index row lacks one of these properties: the row is their only location. The entity
/// is only read if there are any.
pub(crate) async fn are_only_in_row(
    tables: &Tables,
    undeclared: &Unread,
    entity: Option<&Address>,
) -> Result<bool, Error> {
    if undeclared.is_empty() {
        return Ok(false);
    }
    let Some(entity) = entity else { return Ok(true) };
    let rows = tables.read(entity, None).await?;
    let Some(entity) = rows.get(0) else { return Ok(true) };
    Ok(!undeclared.without(|name| entity.properties.get(name).is_some()).is_empty())
}

/// Returns whether a row at a key of a list contains more than its members. A list contains no property of its members.
/// `None` if the row is no list.
pub(crate) fn is_extended_list(index: &Index, row: RowRef<'_>) -> Option<bool> {
    row.row_key.filter(|row_key| is_list(index, row_key))?;
    let is_of_list = |name: &str| is_of_library(name) || name == SPILLED || index.ids() == Some(name);
    Some(row.properties.iter().any(|(name, _)| !is_of_list(name)))
}
