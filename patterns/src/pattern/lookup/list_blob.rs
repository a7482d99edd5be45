//! Reading and writing the blobs of a list.

use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use table_model::{
    ErrorCode, Metadata,
    blob::{
        BlobAddress, BlobConditions, BlobETag, BlobName, BlobService, ContainerName, ListBlobs, PutBlob,
        ReadBlob,
    },
};

use crate::{
    Error, Tables,
    core::{
        error::{DecodeError, RowError, property::PropertyError},
        list::{ListBlob, Pairs},
    },
};

/// Metadata key that marks a spilled blob.
const SPILLED: &str = "spilled";

/// Number of blobs that are read concurrently.
const AT_ONCE: usize = 8;

/// Content of a list blob.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) etag: BlobETag,
    pub(crate) pairs: Pairs,
    pub(crate) is_spilled: bool,
}

impl ListBlob {
    pub(crate) async fn read(&self, tables: &Tables) -> Result<Option<Read>, Error> {
        let reader = match tables.blobs()?.read_blob(&self.at, ReadBlob::new()).await {
            Err(error) if is_absent(error.code()) => return Ok(None),
            other => other?,
        };
        let properties = reader.properties();
        let (etag, is_spilled) = (properties.etag.clone(), properties.metadata.get(SPILLED).is_some());
        let pairs = Pairs::parse(&reader.read_to_end().await?).map_err(|reason| DecodeError {
            entity: self.lookup,
            partition_key: self.at.container.to_string(),
            row_key: self.at.name.to_string(),
            problem: Box::new(RowError::Property(PropertyError { property: "list entries".into(), reason })),
        })?;
        Ok(Some(Read { etag, pairs, is_spilled }))
    }

    /// Returns all members of the list and the number of requests.
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

    /// Writes the blob if the condition is met. Returns the new ETag, or `None` if the condition failed.
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
                    // After a lost response the container may exist. The put request determines that.
                    Err(error)
                        if error.code() != ErrorCode::ContainerAlreadyExists
                            && !error.is_outcome_unknown() =>
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

    /// Deletes the blob if the condition is met. Returns whether it was deleted.
    pub(crate) async fn delete(&self, tables: &Tables, conditions: BlobConditions) -> Result<bool, Error> {
        match tables.blobs()?.delete_blob(&self.at, &conditions).await {
            Ok(()) => Ok(true),
            Err(error) if is_overtaken(error.code()) || is_absent(error.code()) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns the names with this prefix and the number of requests.
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
