//! Streamed writes of a blob.

use std::sync::Arc;

use bytes::Bytes;
use md5::{Digest, Md5 as Hasher};
use table_model::{
    ErrorCode, Pending, Result, StorageFault, TableError, Uuid,
    blob::{BlobAddress, BlobSink, BlobWritten, BlockId, BlockSource, Md5, PutBlob, PutBlock, limits},
};

use super::Inner;
use crate::client::reactor::driven;

/// Size of a block in bytes.
const BLOCK: usize = 4 << 20;

/// Uploads a blob as blocks and commits them on finish. The service deletes the blocks of a dropped writer within a
/// week.
pub(super) struct Writer {
    client: Arc<Inner>,
    blob: BlobAddress,
    put: PutBlob,
    /// Prefix that separates the blocks from those of concurrent writers of the same blob.
    id: Uuid,
    blocks: Vec<BlockSource>,
    pending: Vec<u8>,
    length: u64,
    hasher: Hasher,
    /// `true` after a failed write or a dropped future: it is unknown which data was sent.
    is_broken: bool,
}

impl Writer {
    pub(super) fn new(client: Arc<Inner>, blob: BlobAddress, put: PutBlob) -> Self {
        Self {
            client,
            blob,
            put,
            id: Uuid::new_v4(),
            blocks: Vec::new(),
            pending: Vec::new(),
            length: 0,
            hasher: Hasher::new(),
            is_broken: false,
        }
    }

    async fn take(&mut self, mut bytes: &[u8]) -> Result<()> {
        if std::mem::replace(&mut self.is_broken, true) {
            return Err(ended());
        }
        self.length = self.length.saturating_add(bytes.len() as u64);
        if self.length > limits::BLOCKS as u64 * BLOCK as u64 {
            return Err(ErrorCode::RequestBodyTooLarge.into());
        }
        self.hasher.update(bytes);
        while !bytes.is_empty() {
            if self.pending.len() == BLOCK {
                self.send_block().await?;
            }
            let (piece, rest) = bytes.split_at(bytes.len().min(BLOCK - self.pending.len()));
            self.pending.extend_from_slice(piece);
            bytes = rest;
        }
        self.is_broken = false;
        Ok(())
    }

    async fn send_block(&mut self) -> Result<()> {
        let mut id = self.id.as_bytes().to_vec();
        id.extend_from_slice(&u32::try_from(self.blocks.len()).unwrap_or(u32::MAX).to_be_bytes());
        let id = BlockId::new(id)?;
        let content = Bytes::from(std::mem::take(&mut self.pending));
        let put = PutBlock::new().lease(self.put.conditions.lease);
        self.client.put_own_block(&self.blob, &id, content, &put).await?;
        self.blocks.push(BlockSource::Uncommitted(id));
        Ok(())
    }

    async fn end(mut self) -> Result<BlobWritten> {
        if self.is_broken {
            return Err(ended());
        }
        let hash = Md5(self.hasher.clone().finalize().into());
        self.put.headers.check_md5(hash)?;
        if self.blocks.is_empty() {
            return self.client.put(&self.blob, self.pending.into(), &self.put).await;
        }
        if !self.pending.is_empty() {
            self.send_block().await?;
        }
        self.put.headers.content_md5 = Some(hash);
        self.client.put_block_list(&self.blob, &self.blocks, &self.put).await
    }
}

fn ended() -> TableError {
    StorageFault::Bug { what: "a blob writer was used after a failed write".to_owned() }.into()
}

impl BlobSink for Writer {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        driven(self.take(bytes))
    }

    fn finish(self: Box<Self>) -> Pending<'static, BlobWritten> {
        driven(self.end())
    }
}
