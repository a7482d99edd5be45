use table_model::{ErrorCode, Filter, RowRef, TableError, TableName, ValueRef};

use super::filter::partition_eq;
use crate::{
    AccessPath, Error, Source, TableEntity,
    core::{
        cross_partition_row::{LIVE, SOURCE, STATE, parse_source},
        derived::DerivedRows,
        error::{DecodeError, RowError},
        key::{self, value::FieldValue},
        list::{Ids, ListBlob, Pair, Pairs},
        row,
        table::table_of,
    },
};

/// Location and storage format of a lookup list.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    /// Name of the lookup, and its number in the design.
    pub(crate) lookup: &'static str,
    number: usize,
    /// Table of the members.
    pub(crate) entities: TableName,
    /// RowKey prefix of the rows of single members: the RowKey of the list followed by `!`.
    prefix: String,
    /// Property of the list row that contains members, if the list has such a row.
    pub(crate) ids: Option<&'static str>,
    /// `true` if the rows of the list are in the partition of the members.
    is_near: bool,
    /// First blob of the list, if it is stored in blobs.
    pub(crate) blob: Option<ListBlob>,
    is_member: fn(&Self, Source<'_>, RowRef<'_>) -> bool,
}

/// A member of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// Sort key of the member, which is also the suffix of its member row.
    pub(crate) id: String,
    pub(crate) partition_key: String,
    pub(crate) row_key: String,
}

impl Member {
    fn of(pair: &Pair) -> Self {
        let (partition_key, row_key) = pair.keys();
        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
        Self { id: pair.id().to_owned(), partition_key, row_key }
    }
}

impl List {
    /// Creates the list for the given key values.
    pub(crate) fn of<E: TableEntity>(
        number: usize,
        partition: &[(&'static str, FieldValue<'_>)],
        list: &[(&'static str, FieldValue<'_>)],
    ) -> Result<Self, Error> {
        let path = AccessPath::Index(number);
        let (table, partition_key) = row::partition::<E>(path, partition)?;
        let index = path.index(E::DESIGN);
        let Some((index, lookup)) = index.and_then(|index| Some((index, index.lookup.as_ref()?))) else {
            return Err(no_list(E::DESIGN.name));
        };
        let prefix = key::encode(E::DESIGN.name, &lookup.list, list)?;
        let first = || ListBlob::first(index.name, &table, &partition_key);
        let blob = lookup.in_blobs.then(first).transpose()?;
        Ok(Self {
            table,
            partition_key,
            lookup: index.name,
            number,
            entities: table_of(E::DESIGN)?,
            prefix,
            ids: lookup.ids,
            is_near: index.near,
            blob,
            is_member: is_member::<E>,
        })
    }

    /// Returns the RowKey of the list row.
    pub(crate) fn row_key(&self) -> &str {
        self.prefix.strip_suffix('!').unwrap_or(&self.prefix)
    }

    /// Returns the filter for all rows of the list, including the list row, or for member rows starting at `first`.
    pub(crate) fn filter(&self, first: Option<&str>) -> Filter {
        let lower = match first {
            Some(first) => format!("{}{first}", self.prefix),
            None if self.ids.is_some() => self.row_key().to_owned(),
            None => self.prefix.clone(),
        };
        // The character after `!`.
        let upper = format!("{}\"", self.row_key());
        let rows = Filter::ge("RowKey", lower).and(Filter::lt("RowKey", upper));
        partition_eq(self.partition_key.clone()).and(rows)
    }

    /// Returns `true` for the list row, `false` for a member row.
    pub(crate) fn is_own(&self, row: RowRef<'_>) -> bool {
        row.row_key.is_some_and(|row_key| self.id(row_key).is_none())
    }

    fn id<'k>(&self, row_key: &'k str) -> Option<&'k str> {
        row_key.strip_prefix(self.prefix.as_str())
    }

    /// Returns the member that this row represents. Returns `None` for a row that readers must not see, and for a row
    /// without a valid source.
    pub(crate) fn member(&self, row: RowRef<'_>) -> Option<Member> {
        let id = self.id(row.row_key?)?.to_owned();
        if self.is_near {
            let (partition_key, row_key) = (self.partition_key.clone(), id.clone());
            return Some(Member { id, partition_key, row_key });
        }
        let text = |name| match row.properties.get(name) {
            Some(ValueRef::String(text)) => Some(text),
            _ => None,
        };
        let source = text(SOURCE).filter(|_| text(STATE) == Some(LIVE)).and_then(parse_source)?;
        Some(Member { id, partition_key: source.partition_key, row_key: source.row_key })
    }

    /// Returns the members stored in the list row, starting at `first`.
    pub(crate) fn own(&self, row: RowRef<'_>, first: Option<&str>) -> Result<Vec<Member>, Error> {
        let Some(property) = self.ids else { return Ok(Vec::new()) };
        let read = if self.is_near {
            let near =
                |id: String| Member { row_key: id.clone(), id, partition_key: self.partition_key.clone() };
            Ids::read(property, row.properties).map(|ids| ids.from(first).into_iter().map(near).collect())
        } else {
            Pairs::read(property, row.properties).map(|pairs| Self::members(pairs, first))
        };
        let members = read.map_err(|error| DecodeError {
            entity: self.lookup,
            partition_key: self.partition_key.clone(),
            row_key: self.row_key().to_owned(),
            problem: Box::new(RowError::Property(error)),
        });
        Ok(members?)
    }

    /// Returns the members, starting at `first`.
    pub(crate) fn members(pairs: Pairs, first: Option<&str>) -> Vec<Member> {
        pairs.from(first).iter().map(Member::of).collect()
    }

    /// Returns `true` if the entity still belongs to the list; it may have been changed after the list was read. An
    /// entity that cannot be decoded is included, so that the error is reported.
    pub(crate) fn still_has(&self, source: Source<'_>, row: RowRef<'_>) -> bool {
        (self.is_member)(self, source, row)
    }
}

fn is_member<E: TableEntity>(list: &List, source: Source<'_>, row: RowRef<'_>) -> bool {
    let Ok(entity) = E::decode(source, row) else { return true };
    let Some(own) = E::DESIGN.indexes.get(list.number) else { return false };
    DerivedRows::addresses_of(&entity).map_or(true, |rows| {
        rows.iter().any(|row| {
            row.rule.name() == own.name
                && row.address.partition_key == list.partition_key
                && list.id(&row.address.row_key).is_some()
        })
    })
}

fn no_list(entity: &str) -> Error {
    TableError::with_message(
        ErrorCode::InvalidInput,
        format!("`{entity}` does not have the requested lookup."),
    )
    .into()
}
