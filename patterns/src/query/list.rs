use table_store::{ErrorCode, Filter, RowRef, TableError, TableName};

use super::spec::partition_eq;
use crate::{Error, Path, Source, TableEntity, derived::DerivedRows, key, key::value::HoleValue, row};

/// Where a list of a lookup is, and how it is kept.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    /// The lookup's name, and its number in the design.
    pub(crate) lookup: &'static str,
    number: usize,
    /// What the RowKeys of its members' rows begin with: the list's RowKey and `!`.
    prefix: String,
    /// The property of the list's own row that holds members, if it has such a row.
    pub(super) ids: Option<&'static str>,
    is_member: fn(&Self, Source<'_>, RowRef<'_>) -> bool,
}

impl List {
    /// The list of these values.
    pub(super) fn of<E: TableEntity>(
        number: usize,
        partition: &[(&'static str, HoleValue<'_>)],
        list: &[(&'static str, HoleValue<'_>)],
    ) -> Result<Self, Error> {
        let path = Path::Index(number);
        let (table, partition_key) = row::partition::<E>(path, partition)?;
        let index = path.index(E::DESIGN);
        let Some((index, lookup)) = index.and_then(|index| Some((index, index.lookup.as_ref()?))) else {
            return Err(no_list(E::DESIGN.name));
        };
        let prefix = key::encode(E::DESIGN.name, &lookup.list, list)?;
        let (lookup, ids) = (index.name, lookup.ids);
        Ok(Self { table, partition_key, lookup, number, prefix, ids, is_member: is_member::<E> })
    }

    /// The RowKey of the list's own row.
    pub(super) fn row_key(&self) -> &str {
        self.prefix.strip_suffix('!').unwrap_or(&self.prefix)
    }

    /// The list's rows: all, its own among them, or those of members from one on.
    pub(super) fn filter(&self, first: Option<&str>) -> Filter {
        let lower = match first {
            Some(first) => format!("{}{first}", self.prefix),
            None if self.ids.is_some() => self.row_key().to_owned(),
            None => self.prefix.clone(),
        };
        // What follows `!`.
        let upper = format!("{}\"", self.row_key());
        let rows = Filter::ge("RowKey", lower).and(Filter::lt("RowKey", upper));
        partition_eq(self.partition_key.clone()).and(rows)
    }

    /// The member whose row this is; none for the list's own row.
    pub(super) fn member<'k>(&self, row_key: &'k str) -> Option<&'k str> {
        row_key.strip_prefix(self.prefix.as_str())
    }

    /// Whether an entity still belongs in the list: it may have been changed since the list was read. One that cannot
    /// be read does, so that this is reported.
    pub(super) fn still_has(&self, source: Source<'_>, row: RowRef<'_>) -> bool {
        (self.is_member)(self, source, row)
    }
}

fn is_member<E: TableEntity>(list: &List, source: Source<'_>, row: RowRef<'_>) -> bool {
    let Ok(entity) = E::decode(source, row) else { return true };
    DerivedRows::addresses_of(&entity).map_or(true, |rows| {
        rows.iter().any(|row| row.number == list.number && list.member(row.address.row_key()).is_some())
    })
}

fn no_list(entity: &str) -> Error {
    TableError::with_message(ErrorCode::InvalidInput, format!("`{entity}` has no such lookup.")).into()
}
