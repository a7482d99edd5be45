//! Streamed writes that require a single request: the content is buffered first.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use table_model::{
    ErrorCode, Pending, Result,
    blob::{AppendBlock, Appended, BlobAddress, BlobSink, BlockId, PutBlock, limits},
};

use super::Inner;
use crate::client::reactor::driven;

/// Buffers the content of a block or of an append, `D`, in memory.
pub(super) struct Whole<D> {
    client: Arc<Inner>,
    blob: BlobAddress,
    destination: D,
    content: BytesMut,
}

/// The destination of a block.
pub(super) struct Block {
    pub(super) id: BlockId,
    pub(super) put: PutBlock,
}

impl<D> Whole<D> {
    pub(super) fn new(client: Arc<Inner>, blob: BlobAddress, destination: D) -> Self {
        Self { client, blob, destination, content: BytesMut::new() }
    }

    fn take(&mut self, bytes: &[u8], most: u64) -> Result<()> {
        if (self.content.len() as u64).saturating_add(bytes.len() as u64) > most {
            return Err(ErrorCode::RequestBodyTooLarge.into());
        }
        self.content.extend_from_slice(bytes);
        Ok(())
    }

    fn content(&mut self) -> Bytes {
        std::mem::take(&mut self.content).freeze()
    }
}

impl BlobSink<()> for Whole<Block> {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        Box::pin(async { self.take(bytes, limits::BLOCK_BYTES) })
    }

    fn finish(mut self: Box<Self>) -> Pending<'static, ()> {
        driven(async move {
            let content = self.content();
            let Block { id, put } = &self.destination;
            self.client.put_block(&self.blob, id, content, put).await
        })
    }
}

impl BlobSink<Appended> for Whole<AppendBlock> {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        Box::pin(async { self.take(bytes, limits::APPEND_BYTES) })
    }

    fn finish(mut self: Box<Self>) -> Pending<'static, Appended> {
        driven(async move {
            let content = self.content();
            self.client.append(&self.blob, content, &self.destination).await
        })
    }
}
