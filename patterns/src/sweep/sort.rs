//! What a row of a table is, for one kind of entity.

use table_store::{RowRef, TableName};

use crate::{
    Address, Error, Source,
    follow::STATE,
    kinds::Kind,
    row::{entity_type, is_list},
};

/// What a row is.
#[derive(Debug)]
pub(crate) enum Sort {
    /// An entity of the kind.
    Entity,
    /// One of the kind that cannot be read.
    Unreadable(Error),
    /// A row of the index of this number: of one entity, or of one member of a list.
    Row(usize),
    /// The own row of a list.
    List(usize),
    /// Of another kind, or the library's own.
    Other,
}

impl Sort {
    pub(crate) fn of(kind: Kind, source: Source<'_>, row: RowRef<'_>) -> Self {
        let Some((partition_key, row_key)) = row.partition_key.zip(row.row_key) else { return Self::Other };
        let table = source.table;
        let is_foreign = kind.design.entity_type.is_some()
            && entity_type(row).is_some_and(|written| !kind.design.reads(written));
        if row_key.starts_with('!') || is_foreign {
            return Self::Other;
        }
        // Only rows of indexes in other partitions say in which state they are.
        if row.properties.get(STATE).is_none() && is_named(table, kind.design.table) {
            match kind.entity(source, row) {
                Ok(Some(_)) => return Self::Entity,
                Ok(None) => {}
                Err(error) => return Self::Unreadable(error),
            }
        }
        for (number, index) in kind.design.indexes.iter().enumerate() {
            let fits = |key: &str, template: &crate::design::Template| template.form.decode(key).is_ok();
            if !is_named(table, index.table) || !fits(partition_key, &index.partition) {
                continue;
            }
            if fits(row_key, &index.row) {
                return Self::Row(number);
            }
            if index.near && is_list(index, row_key) {
                return Self::List(number);
            }
        }
        Self::Other
    }
}

fn is_named(table: &TableName, name: &str) -> bool {
    table.as_str().eq_ignore_ascii_case(name)
}

/// Where a row is.
pub(crate) fn address_of(table: &TableName, row: RowRef<'_>) -> Option<Address> {
    let (partition_key, row_key) = row.partition_key.zip(row.row_key)?;
    Some(Address {
        table: table.clone(),
        partition_key: partition_key.to_owned(),
        row_key: row_key.to_owned(),
    })
}
