//! A blob of a list: a line for each member. One that is full is marked, and goes on in up to 16 blobs below its name, a
//! member in that which the hash of its keys says; those do the same.

use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use table_store::{
    ErrorCode, Metadata, TableName,
    blob::{
        BlobAddress, BlobConditions, BlobETag, BlobName, BlobService, ContainerName, ListBlobs, PutBlob,
        ReadBlob,
    },
};

use super::pairs::{Pair, Pairs};
use crate::{
    Address, Error, Tables,
    error::{DecodeError, RowProblem},
    properties::PropertyError,
};

/// The most bytes of one blob.
pub(crate) const MOST_BYTES: usize = 256 * 1024;
/// What the name of a first blob ends with.
const ENDING: &str = ".jsonl";
/// In its metadata: that there are blobs below it.
const SPILLED: &str = "spilled";
/// How many blobs are read at once.
const AT_ONCE: usize = 8;

/// Where a blob of a list is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListBlob {
    /// The lookup's name, for messages.
    lookup: &'static str,
    table: TableName,
    at: BlobAddress,
    /// How many blobs are above it.
    depth: u32,
}

/// A blob of a list as it was read.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) etag: BlobETag,
    pub(crate) pairs: Pairs,
    pub(crate) is_spilled: bool,
}

impl ListBlob {
    /// The first blob of the list of these values.
    pub(crate) fn first(lookup: &'static str, table: &TableName, values: &str) -> Result<Self, Error> {
        Self::of_name(lookup, table, BlobName::new(format!("{lookup}/{values}{ENDING}"))?)
    }

    /// The blob of this name.
    pub(crate) fn of_name(lookup: &'static str, table: &TableName, name: BlobName) -> Result<Self, Error> {
        let container = ContainerName::new(table.folded())?;
        let below = name.as_str().rsplit_once(ENDING).map_or("", |(_, below)| below);
        let depth = u32::try_from(below.matches('/').count()).unwrap_or_default();
        Ok(Self { lookup, table: table.clone(), at: BlobAddress { container, name }, depth })
    }

    /// The first blob of the same list; none if its name is of no list.
    pub(crate) fn to_first(&self) -> Option<Self> {
        let values = self.values()?;
        Self::first(self.lookup, &self.table, values).ok()
    }

    /// The values of its list, as they stand in its name.
    fn values(&self) -> Option<&str> {
        let (list, _) = self.at.name.as_str().rsplit_once(ENDING)?;
        list.strip_prefix(self.lookup)?.strip_prefix('/')
    }

    /// Where a member's row would be, if the list were in a table.
    pub(crate) fn posting(&self, row_key: &str) -> Address {
        let partition_key = self.values().unwrap_or_default().to_owned();
        Address { table: self.table.clone(), partition_key, row_key: row_key.to_owned() }
    }

    /// Its container and its name.
    pub(crate) fn address(&self) -> Address {
        let row_key = self.at.name.to_string();
        Address { table: self.table.clone(), partition_key: String::new(), row_key }
    }

    pub(crate) fn name(&self) -> &str {
        self.at.name.as_str()
    }

    /// The blob below it in which a member is once this one is full.
    pub(crate) fn below(&self, pair: &Pair) -> Result<Self, Error> {
        let hash = crc32c::crc32c(pair.id().as_bytes());
        let digit = hash.rotate_right(4 * (self.depth % 8)) & 0xf;
        let name = BlobName::new(format!("{}/{digit:x}", self.at.name))?;
        let at = BlobAddress { name, ..self.at.clone() };
        Ok(Self { at, depth: self.depth + 1, ..self.clone() })
    }

    pub(crate) async fn read(&self, tables: &Tables) -> Result<Option<Read>, Error> {
        let reader = match tables.blobs()?.read_blob(&self.at, ReadBlob::new()).await {
            Err(error) if is_absent(error.code()) => return Ok(None),
            other => other?,
        };
        let properties = reader.properties();
        let (etag, is_spilled) = (properties.etag.clone(), properties.metadata.get(SPILLED).is_some());
        let pairs = Pairs::parse(&reader.read_to_end().await?).map_err(|why| DecodeError {
            entity: self.lookup,
            partition_key: self.at.container.to_string(),
            row_key: self.at.name.to_string(),
            problem: Box::new(RowProblem::Property(PropertyError { property: "its lines".into(), why })),
        })?;
        Ok(Some(Read { etag, pairs, is_spilled }))
    }

    /// All members of the list, and how many requests that took.
    pub(crate) async fn read_all(&self, tables: &Tables) -> Result<(Pairs, u64), Error> {
        let Some(Read { mut pairs, is_spilled, .. }) = self.read(tables).await? else {
            return Ok((Pairs::default(), 1));
        };
        if !is_spilled {
            return Ok((pairs, 1));
        }
        let prefix = format!("{}/", self.at.name);
        let (names, listings) = names(tables.blobs()?, &self.at.container, &prefix).await?;
        let count = names.len() as u64;
        let reads = names.into_iter().map(|name| {
            let below = Self { at: BlobAddress { name, ..self.at.clone() }, ..self.clone() };
            async move { below.read(tables).await }
        });
        let reads: Vec<_> = reads.collect();
        let below: Vec<Option<Read>> = stream::iter(reads).buffered(AT_ONCE).try_collect().await?;
        pairs.extend(below.into_iter().flatten().map(|below| below.pairs).collect());
        Ok((pairs, 1 + listings + count))
    }

    /// Writes it where the condition holds: its new version.
    pub(crate) async fn put(
        &self,
        tables: &Tables,
        pairs: &Pairs,
        is_spilled: bool,
        conditions: BlobConditions,
    ) -> Result<Option<BlobETag>, Error> {
        let mut metadata = Metadata::new();
        if is_spilled {
            metadata.set(SPILLED, "true")?;
        }
        let put =
            PutBlob::new().content_type("application/x-ndjson").metadata(metadata).conditions(conditions);
        let (blobs, content) = (tables.blobs()?, pairs.lines());
        let answer = match blobs.put_blob(&self.at, content.clone().into(), put.clone()).await {
            Err(error) if error.code() == ErrorCode::ContainerNotFound => {
                match blobs.create_container(&self.at.container, Metadata::new()).await {
                    // After a lost response the container may exist: the put shows it.
                    Err(error)
                        if error.code() != ErrorCode::ContainerAlreadyExists && !error.is_unknown() =>
                    {
                        return Err(error.into());
                    }
                    _ => blobs.put_blob(&self.at, content.into(), put).await,
                }
            }
            other => other,
        };
        match answer {
            Ok(written) => Ok(Some(written.etag)),
            Err(error) if is_overtaken(error.code()) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Deletes it where it is still that version; whether it was.
    pub(crate) async fn delete(&self, tables: &Tables, conditions: BlobConditions) -> Result<bool, Error> {
        match tables.blobs()?.delete_blob(&self.at, &conditions).await {
            Ok(()) => Ok(true),
            Err(error) if is_overtaken(error.code()) || is_absent(error.code()) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// The names that begin so, and how many requests that took.
async fn names(
    blobs: &Arc<dyn BlobService>,
    container: &ContainerName,
    prefix: &str,
) -> Result<(Vec<BlobName>, u64), Error> {
    let (mut names, mut requests) = (Vec::new(), 0);
    let mut request = ListBlobs::new().prefix(prefix);
    loop {
        requests += 1;
        let segment = match blobs.list_blobs(container, request.clone()).await {
            Err(error) if is_absent(error.code()) => return Ok((names, requests)),
            other => other?,
        };
        for item in segment.items {
            names.push(BlobName::new(item.name())?);
        }
        let Some(marker) = segment.next_marker else { return Ok((names, requests)) };
        request = request.marker(marker);
    }
}

fn is_absent(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::BlobNotFound | ErrorCode::ContainerNotFound)
}

fn is_overtaken(code: ErrorCode) -> bool {
    matches!(code, ErrorCode::ConditionNotMet | ErrorCode::BlobAlreadyExists)
}
