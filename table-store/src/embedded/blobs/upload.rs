//! Contents on their way into the store: in several commits if they are large.

use bytes::Bytes;
use md5::{Digest, Md5 as Hasher};

use super::{
    chunks::CHUNK_BYTES,
    job::{Extend, Put, Sent},
};
use crate::{
    ErrorCode, Pending, Result, StorageFault,
    blob::{BlobAddress, BlobSink, BlobType, BlobWritten, Md5, PutBlob, limits::BLOB_BYTES},
    embedded::Store,
};

/// Bytes of one commit: so many that its sync does not count much, so few that nobody else waits long.
const BATCH_BYTES: usize = 8 * CHUNK_BYTES;

/// Stores all but the last batch of contents that will be at `at`.
pub(super) async fn upload(store: &Store, at: &BlobAddress, mut content: Bytes) -> Result<Sent> {
    let mut sent = Sent::default();
    while content.len() > BATCH_BYTES {
        sent = extend(store, at, sent, content.split_to(BATCH_BYTES)).await?;
    }
    sent.rest = content;
    Ok(sent)
}

/// Stores a batch behind what was stored before.
async fn extend(store: &Store, at: &BlobAddress, sent: Sent, batch: Bytes) -> Result<Sent> {
    let sent = Sent { rest: batch, ..sent };
    let stored = sent.length();
    let pin = store.work(Extend { at: at.clone(), sent }).await?;
    Ok(Sent { pin: Some(pin), stored, rest: Bytes::new() })
}

/// The hash of contents.
pub(super) fn hash(content: &[u8]) -> Md5 {
    Md5(Hasher::digest(content).into())
}

/// What is sent must have the hash that was sent, if there was one.
pub(super) fn check_hash(sent: Option<Md5>, content: Md5) -> Result<()> {
    match sent {
        Some(sent) if sent != content => Err(ErrorCode::Md5Mismatch.into()),
        _ => Ok(()),
    }
}

/// Takes a blob piece by piece.
pub(super) struct Writer {
    store: Store,
    at: BlobAddress,
    put: PutBlob,
    /// What is stored; none after an error, and while a batch is on its way.
    sent: Option<Sent>,
    batch: Vec<u8>,
    hasher: Hasher,
}

impl Writer {
    pub(super) fn new(store: Store, at: BlobAddress, put: PutBlob) -> Self {
        Self { store, at, put, sent: Some(Sent::default()), batch: Vec::new(), hasher: Hasher::new() }
    }

    async fn take(&mut self, mut bytes: &[u8]) -> Result<()> {
        let stored = self.sent.as_ref().ok_or_else(ended)?.stored;
        let length = stored.saturating_add((self.batch.len() + bytes.len()) as u64);
        if length > BLOB_BYTES {
            return Err(ErrorCode::RequestBodyTooLarge.into());
        }
        while !bytes.is_empty() {
            if self.batch.len() == BATCH_BYTES {
                // Gone until it is answered: a future that is dropped meanwhile leaves it unknown what is stored.
                let sent = self.sent.take().ok_or_else(ended)?;
                let batch = Bytes::from(std::mem::take(&mut self.batch));
                self.sent = Some(extend(&self.store, &self.at, sent, batch).await?);
            }
            let (piece, rest) = bytes.split_at(bytes.len().min(BATCH_BYTES - self.batch.len()));
            self.hasher.update(piece);
            self.batch.extend_from_slice(piece);
            bytes = rest;
        }
        Ok(())
    }

    async fn end(mut self) -> Result<BlobWritten> {
        let mut sent = self.sent.take().ok_or_else(ended)?;
        let md5 = Md5(self.hasher.finalize().into());
        check_hash(self.put.headers.content_md5, md5)?;
        self.put.headers.content_md5 = Some(md5);
        sent.rest = self.batch.into();
        self.store.work(Put { at: self.at, blob_type: BlobType::Block, sent, with: self.put }).await
    }
}

/// A writer that can do nothing more.
fn ended() -> crate::TableError {
    StorageFault::Bug { what: "a writer of a blob was used after a write of it had failed".to_owned() }.into()
}

impl BlobSink for Writer {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        Box::pin(self.take(bytes))
    }

    fn finish(self: Box<Self>) -> Pending<'static, BlobWritten> {
        Box::pin(self.end())
    }
}
