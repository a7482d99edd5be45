use table_model::{
    ErrorCode, Result,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobType, BlobWritten, BlockId, Md5, PutBlob, PutBlock,
        limits::{APPEND_BYTES, BLOB_BYTES, BLOCK_BYTES},
    },
};

use super::{
    job::{self, Append, Put, Sent},
    upload::{Destination, check_hash},
};
use crate::Store;

/// Writes a complete block blob.
impl Destination for PutBlob {
    type Answer = BlobWritten;

    const BYTES: u64 = BLOB_BYTES;

    fn wants_hash(&self) -> bool {
        true
    }

    async fn take(
        mut self,
        store: Store,
        at: BlobAddress,
        sent: Sent,
        hash: Option<Md5>,
    ) -> Result<BlobWritten> {
        if let Some(hash) = hash {
            self.headers.check_md5(hash)?;
        }
        self.headers.content_md5 = hash;
        store.work(Put { at, blob_type: BlobType::Block, sent, with: self }).await
    }
}

/// Uncommitted block as the destination of a write.
pub(super) struct ToBlock {
    pub(super) id: BlockId,
    pub(super) put: PutBlock,
}

impl Destination for ToBlock {
    type Answer = ();

    const BYTES: u64 = BLOCK_BYTES;

    fn wants_hash(&self) -> bool {
        self.put.md5.is_some()
    }

    async fn take(self, store: Store, at: BlobAddress, sent: Sent, hash: Option<Md5>) -> Result<()> {
        check(self.put.md5, hash)?;
        check_not_empty(&sent)?;
        store.work(job::PutBlock { at, id: self.id, lease: self.put.lease, sent }).await
    }
}

/// Appends to an append blob.
impl Destination for AppendBlock {
    type Answer = Appended;

    const BYTES: u64 = APPEND_BYTES;

    fn wants_hash(&self) -> bool {
        self.md5.is_some()
    }

    async fn take(self, store: Store, at: BlobAddress, sent: Sent, hash: Option<Md5>) -> Result<Appended> {
        check(self.md5, hash)?;
        check_not_empty(&sent)?;
        store.work(Append { at, sent, when: self }).await
    }
}

fn check(said: Option<Md5>, hash: Option<Md5>) -> Result<()> {
    hash.map_or(Ok(()), |hash| check_hash(said, hash))
}

/// Checks that a block has at least one byte.
fn check_not_empty(sent: &Sent) -> Result<()> {
    if sent.length() == 0 { Err(ErrorCode::InvalidHeaderValue.into()) } else { Ok(()) }
}
