//! Uploads: content is checked, and stored in batches before it becomes part of a blob. A backend that stores blobs
//! implements [`BlobStorage`]; the functions are the methods of [`BlobService`](super::BlobService) with content.

mod destination;
mod writer;

use bytes::Bytes;
use md5::{Digest, Md5 as Hasher};

use self::{
    destination::{Destination, ToBlock},
    writer::Writer,
};
use super::{
    AppendBlock, Appended, BlobAddress, BlobType, BlobWriter, BlobWritten, BlockId, Md5, PutBlob, PutBlock,
    limits::{APPEND_BYTES, BLOCK_BYTES, PUT_BYTES},
};
use crate::{ErrorCode, Result, Uuid};

/// Storage for content, and the writes that make content part of a blob.
pub trait BlobStorage: Clone + Send + Sync + 'static {
    /// Content that is stored, but not part of a blob. Dropping it abandons the content.
    type Stored: Default + Send + 'static;

    /// Number of bytes that are stored at once.
    const BATCH_BYTES: usize;

    /// Stores the rest of the content for a blob at `at`.
    fn store(
        &self,
        at: &BlobAddress,
        content: Content<Self::Stored>,
    ) -> impl Future<Output = Result<Self::Stored>> + Send;

    /// Replaces a blob by the content.
    fn put(
        &self,
        at: &BlobAddress,
        blob_type: BlobType,
        content: Content<Self::Stored>,
        put: PutBlob,
    ) -> impl Future<Output = Result<BlobWritten>> + Send;

    /// Makes the content, which is not empty, an uncommitted block.
    fn put_block(
        &self,
        at: &BlobAddress,
        id: BlockId,
        content: Content<Self::Stored>,
        lease: Option<Uuid>,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Appends the content, which is not empty.
    fn append(
        &self,
        at: &BlobAddress,
        content: Content<Self::Stored>,
        append: AppendBlock,
    ) -> impl Future<Output = Result<Appended>> + Send;
}

/// Received content: the part that is stored, and the remaining bytes.
#[derive(Debug, Default)]
pub struct Content<S> {
    /// Stored part.
    pub stored: S,
    /// Length of the stored part in bytes.
    pub stored_bytes: u64,
    /// Remaining bytes.
    pub rest: Bytes,
}

impl<S> Content<S> {
    /// Returns the total length in bytes.
    #[must_use]
    pub const fn length(&self) -> u64 {
        self.stored_bytes + self.rest.len() as u64
    }
}

/// Writes a block blob from memory.
///
/// # Errors
/// As [`BlobService::put_blob`](super::BlobService::put_blob).
pub async fn put_blob<S: BlobStorage>(
    storage: &S,
    at: &BlobAddress,
    content: Bytes,
    mut put: PutBlob,
) -> Result<BlobWritten> {
    check_length(&content, PUT_BYTES)?;
    put.headers.check()?;
    let md5 = hash(&content);
    put.headers.check_md5(md5)?;
    put.headers.content_md5 = Some(md5);
    let content = store_most(storage, at, content).await?;
    storage.put(at, BlobType::Block, content, put).await
}

/// Uploads a block from memory.
///
/// # Errors
/// As [`BlobService::put_block`](super::BlobService::put_block).
pub async fn put_block<S: BlobStorage>(
    storage: &S,
    at: &BlobAddress,
    id: &BlockId,
    content: Bytes,
    put: PutBlock,
) -> Result<()> {
    let content = store_block(storage, at, content, BLOCK_BYTES, put.md5).await?;
    storage.put_block(at, id.clone(), content, put.lease).await
}

/// Creates an empty append blob.
///
/// # Errors
/// As [`BlobService::create_append_blob`](super::BlobService::create_append_blob).
pub async fn create_append_blob<S: BlobStorage>(
    storage: &S,
    at: &BlobAddress,
    put: PutBlob,
) -> Result<BlobWritten> {
    put.headers.check()?;
    storage.put(at, BlobType::Append, Content::default(), put).await
}

/// Appends content from memory.
///
/// # Errors
/// As [`BlobService::append_block`](super::BlobService::append_block).
pub async fn append_block<S: BlobStorage>(
    storage: &S,
    at: &BlobAddress,
    content: Bytes,
    append: AppendBlock,
) -> Result<Appended> {
    let content = store_block(storage, at, content, APPEND_BYTES, append.md5).await?;
    storage.append(at, content, append).await
}

/// Creates a writer of a block blob in an existing container.
///
/// # Errors
/// `InvalidHeaderValue`, and `InvalidOperation` for a snapshot.
pub fn write_blob<S: BlobStorage>(storage: &S, at: &BlobAddress, put: PutBlob) -> Result<BlobWriter> {
    put.headers.check()?;
    writer(storage, at, put)
}

/// Creates a writer of a block.
///
/// # Errors
/// `InvalidOperation` for a snapshot.
pub fn write_block<S: BlobStorage>(
    storage: &S,
    at: &BlobAddress,
    id: &BlockId,
    put: PutBlock,
) -> Result<BlobWriter<()>> {
    writer(storage, at, ToBlock { id: id.clone(), put })
}

/// Creates a writer of appended content.
///
/// # Errors
/// `InvalidOperation` for a snapshot.
pub fn write_append<S: BlobStorage>(
    storage: &S,
    at: &BlobAddress,
    append: AppendBlock,
) -> Result<BlobWriter<Appended>> {
    writer(storage, at, append)
}

fn writer<S: BlobStorage, D: Destination<S>>(
    storage: &S,
    at: &BlobAddress,
    destination: D,
) -> Result<BlobWriter<D::Answer>> {
    at.check_writable()?;
    Ok(BlobWriter::new(Box::new(Writer::new(storage.clone(), at.clone(), destination))))
}

/// Stores all but the last batch of content.
async fn store_most<S: BlobStorage>(
    storage: &S,
    at: &BlobAddress,
    bytes: Bytes,
) -> Result<Content<S::Stored>> {
    let mut content = Content { rest: bytes, ..Content::default() };
    while content.rest.len() > S::BATCH_BYTES {
        let batch = content.rest.split_to(S::BATCH_BYTES);
        let rest = std::mem::replace(&mut content.rest, batch);
        content = Content { rest, ..store_all(storage, at, content).await? };
    }
    Ok(content)
}

/// Stores all of the content.
async fn store_all<S: BlobStorage>(
    storage: &S,
    at: &BlobAddress,
    content: Content<S::Stored>,
) -> Result<Content<S::Stored>> {
    let stored_bytes = content.length();
    let stored = storage.store(at, content).await?;
    Ok(Content { stored, stored_bytes, rest: Bytes::new() })
}

/// Stores all but the last batch of a block, which must not be empty.
async fn store_block<S: BlobStorage>(
    storage: &S,
    at: &BlobAddress,
    content: Bytes,
    most: u64,
    md5: Option<Md5>,
) -> Result<Content<S::Stored>> {
    check_length(&content, most)?;
    check_not_empty(content.len() as u64)?;
    if md5.is_some() {
        check_hash(md5, hash(&content))?;
    }
    store_most(storage, at, content).await
}

fn check_length(content: &Bytes, most: u64) -> Result<()> {
    if content.len() as u64 > most { Err(ErrorCode::RequestBodyTooLarge.into()) } else { Ok(()) }
}

/// Checks that a block has at least one byte.
fn check_not_empty(length: u64) -> Result<()> {
    if length == 0 { Err(ErrorCode::InvalidHeaderValue.into()) } else { Ok(()) }
}

/// Returns the MD5 hash of content.
fn hash(content: &[u8]) -> Md5 {
    Md5(Hasher::digest(content).into())
}

/// Checks the content against the specified hash, if there is one.
fn check_hash(sent: Option<Md5>, content: Md5) -> Result<()> {
    match sent {
        Some(sent) if sent != content => Err(ErrorCode::Md5Mismatch.into()),
        _ => Ok(()),
    }
}
