//! Uploads of content, in several commits if it is large.

use table_model::{
    Result, Uuid,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobType, BlobWritten, BlockId, PutBlob,
        upload::{BlobStorage, Content},
    },
};

use super::{
    chunks::CHUNK_BYTES,
    job::{self, Append, Extend, Put, Sent},
    pins::Pin,
};
use crate::Store;

/// The store, as uploads use it.
#[derive(Clone)]
pub(super) struct Uploads(pub(super) Store);

impl BlobStorage for Uploads {
    type Stored = Option<Pin>;

    /// Large enough to amortize the sync, small enough to bound the latency of other requests.
    const BATCH_BYTES: usize = 8 * CHUNK_BYTES;

    async fn store(&self, at: &BlobAddress, content: Content<Option<Pin>>) -> Result<Option<Pin>> {
        self.0.work(Extend { at: at.clone(), sent: content.into() }).await.map(Some)
    }

    async fn put(
        &self,
        at: &BlobAddress,
        blob_type: BlobType,
        content: Content<Option<Pin>>,
        put: PutBlob,
    ) -> Result<BlobWritten> {
        self.0.work(Put { at: at.clone(), blob_type, sent: content.into(), with: put }).await
    }

    async fn put_block(
        &self,
        at: &BlobAddress,
        id: BlockId,
        content: Content<Option<Pin>>,
        lease: Option<Uuid>,
    ) -> Result<()> {
        self.0.work(job::PutBlock { at: at.clone(), id, lease, sent: content.into() }).await
    }

    async fn append(
        &self,
        at: &BlobAddress,
        content: Content<Option<Pin>>,
        append: AppendBlock,
    ) -> Result<Appended> {
        self.0.work(Append { at: at.clone(), sent: content.into(), when: append }).await
    }
}

impl From<Content<Option<Pin>>> for Sent {
    fn from(content: Content<Option<Pin>>) -> Self {
        Self { pin: content.stored, stored: content.stored_bytes, rest: content.rest }
    }
}
