//! Classification of the rows of a table for one entity type.

use table_model::{RowRef, TableName, ValueRef};

use crate::{
    Address, DecodeError, Error, RowError, Source,
    core::{
        cross_partition_row::{SOURCE, STATE, parse_source},
        entity_types::EntityInfo,
        reserved::entity_type,
        row::{is_list, refuse, version_problem},
        rule::Rule,
    },
    design::Design,
    pattern::aggregate::target_entity::contribution_of,
};

/// Type of a row.
#[derive(Debug)]
pub(crate) enum Sort {
    /// An entity of the type.
    Entity,
    /// An entity of the type that cannot be decoded.
    Unreadable(Error),
    /// An entity in another version of the type, which the type does not read, and the error of reading it.
    OtherVersion(u32, DecodeError),
    /// A row of an index, of an entity or of a list member; or a contribution to an aggregate in another partition.
    Row(Rule),
    /// A list row.
    List(Rule),
    /// An aggregate row, with the contribution.
    Sink(Rule),
    /// A row of the type whose keys no design declares. Only a verification searches for such rows.
    Unknown,
    /// A row of another entity type or an internal row.
    Other,
}

impl Sort {
    pub(crate) fn of(kind: EntityInfo, source: Source<'_>, row: RowRef<'_>) -> Self {
        let Some((partition_key, row_key)) = row.partition_key.zip(row.row_key) else { return Self::Other };
        let table = source.table;
        if let Some(found) = of_feed(kind, table, row) {
            return found;
        }
        if row_key.starts_with('!') || kind.is_of_other_type(row) || !is_of(kind, row) {
            return Self::Other;
        }
        // Only rows of cross-partition indexes have a state.
        if row.properties.get(STATE).is_none() && is_named(table, kind.newest().table) {
            match (other_version(kind.newest(), row), kind.has_keys(partition_key, row_key)) {
                (Some((version, error)), true) => return Self::OtherVersion(version, error),
                // Its entity is compared by its own row.
                (Some(_), false) => {}
                (None, _) => match kind.entity(source, row) {
                    Ok(Some(_)) => return Self::Entity,
                    Ok(None) => {}
                    Err(error) => return Self::Unreadable(error),
                },
            }
        }
        for (rule, index) in kind.rules().filter_map(|rule| Some((rule, rule.index()?))) {
            let fits = |key: &str, template: &crate::design::Template| template.form.decode(key).is_ok();
            if index.in_blobs() || !is_named(table, index.table) || !fits(partition_key, &index.partition) {
                continue;
            }
            if fits(row_key, &index.row) {
                return Self::Row(rule);
            }
            if is_list(index, row_key) {
                return Self::List(rule);
            }
        }
        Self::Other
    }
}

/// Returns the version of a row that the type does not read, and the error of reading it.
fn other_version(design: &'static Design, row: RowRef<'_>) -> Option<(u32, DecodeError)> {
    let written = entity_type(row).filter(|written| !design.reads(written))?;
    let problem = version_problem(design, written)?;
    let (RowError::NewerVersion { found, .. } | RowError::RetiredVersion { found, .. }) = problem else {
        return None;
    };
    let keys = (row.partition_key.unwrap_or_default(), row.row_key.unwrap_or_default());
    Some((found, refuse(design, keys.0, keys.1, problem)))
}

/// Returns `false` if the row has a source whose keys do not match the entity type.
fn is_of(kind: EntityInfo, row: RowRef<'_>) -> bool {
    let Some(ValueRef::String(source)) = row.properties.get(SOURCE) else { return true };
    parse_source(source).is_none_or(|entity| kind.has_keys(&entity.partition_key, &entity.row_key))
}

/// Classifies a row for the feeds of an entity type.
fn of_feed(kind: EntityInfo, table: &TableName, row: RowRef<'_>) -> Option<Sort> {
    let (partition_key, row_key) = row.partition_key.zip(row.row_key)?;
    let contribution = contribution_of(row_key);
    for (rule, feed) in kind.rules().filter_map(|rule| match rule {
        Rule::Contribution(_, feed) => Some((rule, feed)),
        Rule::Index(..) => None,
    }) {
        let sink = (feed.sink)();
        if !is_named(table, sink.table) || sink.partition.form.decode(partition_key).is_err() {
            continue;
        }
        if contribution == Some((feed.stored_name(), kind.stored_name())) {
            return Some(Sort::Row(rule));
        }
        let is_sink = entity_type(row).is_none_or(|written| sink.reads(written));
        if is_sink && sink.row.form.decode(row_key).is_ok() && !row_key.starts_with('!') {
            return Some(Sort::Sink(rule));
        }
    }
    None
}

fn is_named(table: &TableName, name: &str) -> bool {
    table.as_str().eq_ignore_ascii_case(name)
}

/// Returns the address of a row.
pub(crate) fn address_of(table: &TableName, row: RowRef<'_>) -> Option<Address> {
    let (partition_key, row_key) = row.partition_key.zip(row.row_key)?;
    Some(Address {
        table: table.clone(),
        partition_key: partition_key.to_owned(),
        row_key: row_key.to_owned(),
    })
}
