//! Storage of list members without a separate member row: a list row or a list blob. Each is read with its version and
//! written conditionally.

use table_model::{
    Condition, ETag, ErrorCode, Operation, Properties, TableName, ValueRef,
    blob::{BlobConditions, BlobETag, BlobName},
};
use table_schema::design::LookupDesign;

use crate::{
    Address, Error, Tables,
    core::{
        cross_partition_row::{LIVE, STATE, STUB},
        error::{DecodeError, RowError},
        list::{self, ListBlob, Pair, Pairs, SPILLED},
        reserved::ENTITY_TYPE,
        row::{foreign, is_of_other_type},
    },
    design::{Design, Index},
    write::at,
};

/// A row or a blob of a list.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Holder {
    Row(ListRow),
    Blob(ListBlob),
}

/// Row of a list.
#[derive(Clone, Debug)]
pub(crate) struct ListRow {
    pub(crate) address: Address,
    property: &'static str,
    lookup: &'static str,
    design: &'static Design,
}

impl PartialEq for ListRow {
    fn eq(&self, other: &Self) -> bool {
        self.address == other.address
    }
}

/// Version of a list row or list blob.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Version {
    Row(ETag),
    Blob(BlobETag),
}

/// Content of a list row or list blob.
#[derive(Clone, Debug)]
pub(crate) struct Stock {
    pub(crate) version: Version,
    pub(crate) members: Pairs,
    /// `true` if it is full and all other members are stored elsewhere. This is permanent: it can lose members but
    /// never gains any.
    pub(crate) is_spilled: bool,
}

impl Holder {
    /// Returns the first row or blob of the list that a member row belongs to. Returns `None` if the index is not a
    /// lookup with lists of this form.
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
        Ok(Some(Self::Row(ListRow { address, property, lookup: index.name, design })))
    }

    /// Returns the list row at an address.
    pub(crate) fn of_list(design: &'static Design, index: &'static Index, list: &Address) -> Option<Self> {
        let (address, property) = (list.clone(), index.ids().filter(|_| !index.near)?);
        Some(Self::Row(ListRow { address, property, lookup: index.name, design }))
    }

    /// Returns the list blob with this name.
    pub(crate) fn of_blob(index: &'static Index, table: &TableName, name: BlobName) -> Result<Self, Error> {
        Ok(Self::Blob(ListBlob::of_name(index.name, table, name)?))
    }

    /// Returns the first row or blob of the list.
    pub(crate) fn first(&self) -> Option<Self> {
        match self {
            Self::Row(_) => Some(self.clone()),
            Self::Blob(blob) => blob.to_first().map(Self::Blob),
        }
    }

    /// Returns the holder of a member that is not in this full holder. Returns `None` if the member has a separate row.
    pub(crate) fn below(&self, pair: &Pair) -> Result<Option<Self>, Error> {
        match self {
            Self::Row(_) => Ok(None),
            Self::Blob(blob) => blob.below(pair).map(|below| Some(Self::Blob(below))),
        }
    }

    /// Returns the address of a member row.
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

    /// Returns the address. For a blob, this is its container and name, without a PartitionKey.
    pub(crate) fn address(&self) -> Address {
        match self {
            Self::Row(row) => row.address.clone(),
            Self::Blob(blob) => blob.address(),
        }
    }

    /// Returns the maximum size of the members, in bytes.
    pub(crate) const fn most(&self) -> usize {
        match self {
            Self::Row(_) => LookupDesign::ROW_CHARACTERS,
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

    /// Creates an empty holder, which readers ignore. Returns `None` if one exists.
    pub(crate) async fn put_empty(&self, tables: &Tables) -> Result<Option<Stock>, Error> {
        let version = self.put(tables, None, &Pairs::default(), false).await?;
        Ok(version.map(|version| Stock { version, members: Pairs::default(), is_spilled: false }))
    }

    /// Writes the holder if it still has this version, or creates it if `version` is `None`. Returns the new version,
    /// or `None` if the condition failed.
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

    /// Deletes the holder if it still has this version. Returns whether it was deleted.
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
    /// Deletes the holder if it is an empty holder left by a worker.
    pub(crate) async fn remove_empty(&self, tables: &Tables) -> Result<(), Error> {
        match self.read(tables).await? {
            Some(Stock { version, members, is_spilled: false }) if members.is_empty() => {
                self.delete(tables, &version).await.map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Deletes the holder with all members. Retries if a concurrent writer changes it. Returns whether it existed.
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
        // A list row in another partition always has a state.
        if row.properties.get(STATE).is_none() || is_of_other_type(self.design, row) {
            let keys = (&*self.address.partition_key, &*self.address.row_key);
            return Err(foreign(self.lookup, row, keys).into());
        }
        let members = Pairs::read(self.property, row.properties).map_err(|error| DecodeError {
            entity: self.lookup,
            partition_key: self.address.partition_key.clone(),
            row_key: self.address.row_key.clone(),
            problem: Box::new(RowError::Property(error)),
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
        if let Some(entity_type) = self.design.entity_type {
            properties.push_new(ENTITY_TYPE, entity_type);
        }
        properties
    }
}

/// Returns the RowKey of the list that a member row belongs to.
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
