//! Where the members of a list stand that have no place of their own: a row, or a blob. Each is read with its version and
//! written under it.

use table_store::{
    Condition, ETag, ErrorCode, Operation, Properties, TableName, ValueRef,
    blob::{BlobConditions, BlobETag, BlobName},
};

use crate::{
    Address, Error, Tables,
    design::{Design, Index},
    entity::ENTITY_TYPE,
    error::{DecodeError, RowProblem},
    follow::{LIVE, STATE, STUB},
    list::{self, ListBlob, Pair, Pairs, SPILLED},
    write::at,
};

/// The most bytes of the members in a row: they take half of what a property holds, or less.
const MOST_BYTES: usize = 16 * 1024;

/// A row or a blob of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Holder {
    Row(ListRow),
    Blob(ListBlob),
}

/// The own row of a list.
#[derive(Clone, Debug)]
pub(crate) struct ListRow {
    pub(crate) address: Address,
    property: &'static str,
    lookup: &'static str,
    entity_type: Option<&'static str>,
}

impl PartialEq for ListRow {
    fn eq(&self, other: &Self) -> bool {
        self.address == other.address
    }
}

/// The version of one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Version {
    Row(ETag),
    Blob(BlobETag),
}

/// What stands on one.
#[derive(Clone, Debug)]
pub(crate) struct Stock {
    pub(crate) version: Version,
    pub(crate) members: Pairs,
    /// Whether it is full, and all others have a place of their own. That is so for good: it loses members then and never
    /// gains one.
    pub(crate) is_spilled: bool,
}

impl Holder {
    /// The first of the list in which a member's row is; none where an index is no such lookup.
    pub(crate) fn of(
        design: &'static Design,
        index: &'static Index,
        member: &Address,
    ) -> Result<Option<Self>, Error> {
        let Some(lookup) = index.lookup.as_ref().filter(|_| !index.near) else { return Ok(None) };
        if lookup.in_blobs {
            let blob = ListBlob::first(index.name, &member.table, &member.partition_key)?;
            return Ok(Some(Self::Blob(blob)));
        }
        let Some(property) = lookup.ids else { return Ok(None) };
        let Some(row_key) = list_key(index, &member.row_key) else { return Ok(None) };
        let address = Address { row_key: row_key.to_owned(), ..member.clone() };
        Ok(Some(Self::Row(ListRow {
            address,
            property,
            lookup: index.name,
            entity_type: design.entity_type,
        })))
    }

    /// The own row of a list in a table.
    pub(crate) fn of_list(design: &'static Design, index: &'static Index, list: &Address) -> Option<Self> {
        let (address, property) = (list.clone(), index.ids().filter(|_| !index.near)?);
        Some(Self::Row(ListRow { address, property, lookup: index.name, entity_type: design.entity_type }))
    }

    /// The blob of this name.
    pub(crate) fn of_blob(index: &'static Index, table: &TableName, name: BlobName) -> Result<Self, Error> {
        Ok(Self::Blob(ListBlob::of_name(index.name, table, name)?))
    }

    /// The first one of its list.
    pub(crate) fn first(&self) -> Option<Self> {
        match self {
            Self::Row(_) => Some(self.clone()),
            Self::Blob(blob) => blob.to_first().map(Self::Blob),
        }
    }

    /// Where a member is that is not in it, if it is full; none where it has a row.
    pub(crate) fn below(&self, pair: &Pair) -> Result<Option<Self>, Error> {
        match self {
            Self::Row(_) => Ok(None),
            Self::Blob(blob) => blob.below(pair).map(|below| Some(Self::Blob(below))),
        }
    }

    /// Where a member's row would be.
    pub(crate) fn posting(&self, index: &Index, pair: &Pair) -> Address {
        match self {
            Self::Row(row) => {
                Address { row_key: format!("{}!{}", row.address.row_key, pair.id()), ..row.address.clone() }
            }
            Self::Blob(blob) => {
                let list = index.lookup.as_ref().map_or("", |lookup| lookup.list.text);
                blob.posting(&format!("{list}!{}", pair.id()))
            }
        }
    }

    /// Where it is: a blob by its container and name, without a PartitionKey.
    pub(crate) fn address(&self) -> Address {
        match self {
            Self::Row(row) => row.address.clone(),
            Self::Blob(blob) => blob.address(),
        }
    }

    /// The most bytes of members that it takes.
    pub(crate) const fn most(&self) -> usize {
        match self {
            Self::Row(_) => MOST_BYTES,
            Self::Blob(_) => list::MOST_BYTES,
        }
    }

    pub(crate) async fn read(&self, tables: &Tables) -> Result<Option<Stock>, Error> {
        match self {
            Self::Row(row) => row.read(tables).await,
            Self::Blob(blob) => Ok(blob.read(tables).await?.map(|read| Stock {
                version: Version::Blob(read.etag),
                members: read.pairs,
                is_spilled: read.is_spilled,
            })),
        }
    }

    /// Creates an empty one, which no reader sees. Returns `None` if one exists.
    pub(crate) async fn put_empty(&self, tables: &Tables) -> Result<Option<Stock>, Error> {
        let version = self.put(tables, None, &Pairs::default(), false).await?;
        Ok(version.map(|version| Stock { version, members: Pairs::default(), is_spilled: false }))
    }

    /// Writes it, if it still has this version; without one if it is not there. Its new version, if it was so.
    pub(crate) async fn put(
        &self,
        tables: &Tables,
        version: Option<&Version>,
        members: &Pairs,
        is_spilled: bool,
    ) -> Result<Option<Version>, Error> {
        match self {
            Self::Row(row) => {
                let properties = row.properties(members, is_spilled);
                let operation = at(row.address.clone(), properties, |entity| match version {
                    None => Operation::Insert(entity),
                    Some(version) => Operation::Replace(entity, row_condition(version)),
                });
                let written = tables.execute(&row.address.table, &operation).await;
                Ok(unless_overtaken(written)?.flatten().map(Version::Row))
            }
            Self::Blob(blob) => {
                let conditions = version.map_or_else(BlobConditions::absent, blob_conditions);
                Ok(blob.put(tables, members, is_spilled, conditions).await?.map(Version::Blob))
            }
        }
    }

    /// Takes it away, if it still has this version; whether it had.
    pub(crate) async fn delete(&self, tables: &Tables, version: &Version) -> Result<bool, Error> {
        match self {
            Self::Row(row) => {
                let Address { table, partition_key, row_key } = row.address.clone();
                let delete = Operation::Delete { partition_key, row_key, condition: row_condition(version) };
                Ok(unless_overtaken(tables.execute(&table, &delete).await)?.is_some())
            }
            Self::Blob(blob) => blob.delete(tables, blob_conditions(version)).await,
        }
    }
}

impl Holder {
    /// Takes it away if it is the empty one that a worker left.
    pub(crate) async fn remove_empty(&self, tables: &Tables) -> Result<(), Error> {
        match self.read(tables).await? {
            Some(Stock { version, members, is_spilled: false }) if members.is_empty() => {
                self.delete(tables, &version).await.map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Takes it away with all members; whether it was there. Another write makes it begin again.
    pub(crate) async fn remove(&self, tables: &Tables) -> Result<bool, Error> {
        while let Some(stock) = self.read(tables).await? {
            if self.delete(tables, &stock.version).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl ListRow {
    async fn read(&self, tables: &Tables) -> Result<Option<Stock>, Error> {
        let rows = tables.read(&self.address, None).await?;
        let Some(row) = rows.get(0) else { return Ok(None) };
        let members = Pairs::read(self.property, row.properties).map_err(|error| DecodeError {
            entity: self.lookup,
            partition_key: self.address.partition_key.clone(),
            row_key: self.address.row_key.clone(),
            problem: Box::new(RowProblem::Property(error)),
        })?;
        let is_spilled = row.properties.get(SPILLED) == Some(ValueRef::Boolean(true));
        Ok(Some(Stock { version: Version::Row(row.etag.clone()), members, is_spilled }))
    }

    fn properties(&self, members: &Pairs, is_spilled: bool) -> Properties {
        let mut properties = Properties::with_capacity(4);
        if members.is_empty() && !is_spilled {
            properties.push_new(STATE, STUB);
            return properties;
        }
        properties.push_new(self.property, members.text());
        properties.push_new(STATE, LIVE);
        if is_spilled {
            properties.push_new(SPILLED, true);
        }
        if let Some(entity_type) = self.entity_type {
            properties.push_new(ENTITY_TYPE, entity_type);
        }
        properties
    }
}

/// The RowKey of the list that a member's row belongs to.
pub(crate) fn list_key<'k>(index: &Index, row_key: &'k str) -> Option<&'k str> {
    let lookup = index.lookup.as_ref()?;
    let mut places = row_key.match_indices('!').filter_map(|(at, _)| row_key.split_at_checked(at + 1));
    let (list, _) = places.find(|(list, _)| lookup.list.form.decode(list).is_ok())?;
    list.strip_suffix('!')
}

fn row_condition(version: &Version) -> Condition {
    match version {
        Version::Row(etag) => Condition::Matches(etag.clone()),
        Version::Blob(_) => Condition::Exists,
    }
}

fn blob_conditions(version: &Version) -> BlobConditions {
    match version {
        Version::Blob(etag) => etag.clone().into(),
        Version::Row(_) => BlobConditions::exists(),
    }
}

fn unless_overtaken<T>(result: Result<T, Error>) -> Result<Option<T>, Error> {
    match result {
        Ok(done) => Ok(Some(done)),
        Err(Error::Service(error))
            if matches!(
                error.code(),
                ErrorCode::EntityAlreadyExists
                    | ErrorCode::UpdateConditionNotSatisfied
                    | ErrorCode::ResourceNotFound
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
