use table_store::{ErrorCode, Filter, RowRef, TableError, TableName, ValueRef};

use super::spec::partition_eq;
use crate::{
    Error, Path, Source, TableEntity,
    derived::DerivedRows,
    error::{DecodeError, RowProblem},
    follow::{LIVE, SOURCE, STATE, parse_source},
    key,
    key::value::HoleValue,
    list::{Ids, ListBlob, Pair, Pairs},
    row,
    tables::table_of,
};

/// Where a list of a lookup is, and how it is kept.
#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) table: TableName,
    pub(crate) partition_key: String,
    /// The lookup's name, and its number in the design.
    pub(crate) lookup: &'static str,
    number: usize,
    /// Where its members are.
    pub(super) entities: TableName,
    /// What the RowKeys of its members' rows begin with: the list's RowKey and `!`.
    prefix: String,
    /// The property of the list's own row that holds members, if it has such a row.
    pub(super) ids: Option<&'static str>,
    /// Whether its rows are in the partition of its members.
    is_near: bool,
    /// Its first blob, where it is kept in blobs.
    pub(super) blob: Option<ListBlob>,
    is_member: fn(&Self, Source<'_>, RowRef<'_>) -> bool,
}

/// A member of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    /// What members are sorted by, and a row of its own ends with.
    pub(super) id: String,
    pub(super) partition_key: String,
    pub(super) row_key: String,
}

impl Member {
    fn of(pair: &Pair) -> Self {
        let (partition_key, row_key) = pair.keys();
        let (partition_key, row_key) = (partition_key.to_owned(), row_key.to_owned());
        Self { id: pair.id().to_owned(), partition_key, row_key }
    }
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

    /// Whether it is the list's own row; else it is one of a member.
    pub(super) fn is_own(&self, row: RowRef<'_>) -> bool {
        row.row_key.is_some_and(|row_key| self.id(row_key).is_none())
    }

    fn id<'k>(&self, row_key: &'k str) -> Option<&'k str> {
        row_key.strip_prefix(self.prefix.as_str())
    }

    /// The member whose row this is. None for one that no reader sees, or that does not say whose it is.
    pub(super) fn member(&self, row: RowRef<'_>) -> Option<Member> {
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

    /// The members that stand in the list's own row, from one on.
    pub(super) fn own(&self, row: RowRef<'_>, first: Option<&str>) -> Result<Vec<Member>, Error> {
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
            problem: Box::new(RowProblem::Property(error)),
        });
        Ok(members?)
    }

    /// Members from one on.
    pub(super) fn members(pairs: Pairs, first: Option<&str>) -> Vec<Member> {
        pairs.from(first).iter().map(Member::of).collect()
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
        rows.iter().any(|row| {
            row.number == list.number
                && row.address.partition_key == list.partition_key
                && list.id(&row.address.row_key).is_some()
        })
    })
}

fn no_list(entity: &str) -> Error {
    TableError::with_message(ErrorCode::InvalidInput, format!("`{entity}` has no such lookup.")).into()
}
