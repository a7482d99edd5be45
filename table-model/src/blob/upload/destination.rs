use super::{BlobStorage, Content, check_hash, check_not_empty};
use crate::{
    Result,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobType, BlobWritten, BlockId, Md5, PutBlob, PutBlock,
        limits::{APPEND_BYTES, BLOB_BYTES, BLOCK_BYTES},
    },
};

/// Use of content after it was received completely.
pub(super) trait Destination<S: BlobStorage>: Send + 'static {
    /// Result of the write.
    type Answer: 'static;

    /// Maximum size of the content in bytes.
    const BYTES: u64;

    /// Returns whether the hash of the content is required.
    fn wants_hash(&self) -> bool;

    /// Makes the content visible.
    fn take(
        self,
        storage: S,
        at: BlobAddress,
        content: Content<S::Stored>,
        hash: Option<Md5>,
    ) -> impl Future<Output = Result<Self::Answer>> + Send;
}

/// Writes a complete block blob.
impl<S: BlobStorage> Destination<S> for PutBlob {
    type Answer = BlobWritten;

    const BYTES: u64 = BLOB_BYTES;

    fn wants_hash(&self) -> bool {
        true
    }

    async fn take(
        mut self,
        storage: S,
        at: BlobAddress,
        content: Content<S::Stored>,
        hash: Option<Md5>,
    ) -> Result<BlobWritten> {
        if let Some(hash) = hash {
            self.headers.check_md5(hash)?;
        }
        self.headers.content_md5 = hash;
        storage.put(&at, BlobType::Block, content, self).await
    }
}

/// Uncommitted block as the destination of a write.
pub(super) struct ToBlock {
    pub(super) id: BlockId,
    pub(super) put: PutBlock,
}

impl<S: BlobStorage> Destination<S> for ToBlock {
    type Answer = ();

    const BYTES: u64 = BLOCK_BYTES;

    fn wants_hash(&self) -> bool {
        self.put.md5.is_some()
    }

    async fn take(
        self,
        storage: S,
        at: BlobAddress,
        content: Content<S::Stored>,
        hash: Option<Md5>,
    ) -> Result<()> {
        check(self.put.md5, hash)?;
        check_not_empty(content.length())?;
        storage.put_block(&at, self.id, content, self.put.lease).await
    }
}

/// Appends to an append blob.
impl<S: BlobStorage> Destination<S> for AppendBlock {
    type Answer = Appended;

    const BYTES: u64 = APPEND_BYTES;

    fn wants_hash(&self) -> bool {
        self.md5.is_some()
    }

    async fn take(
        self,
        storage: S,
        at: BlobAddress,
        content: Content<S::Stored>,
        hash: Option<Md5>,
    ) -> Result<Appended> {
        check(self.md5, hash)?;
        check_not_empty(content.length())?;
        storage.append(&at, content, self).await
    }
}

fn check(said: Option<Md5>, hash: Option<Md5>) -> Result<()> {
    hash.map_or(Ok(()), |hash| check_hash(said, hash))
}
