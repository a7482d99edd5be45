//! Upload of content to the store: in several commits if it is large.

use bytes::Bytes;
use md5::{Digest, Md5 as Hasher};
use table_model::{
    ErrorCode, Pending, Result, StorageFault,
    blob::{BlobAddress, BlobSink, Md5},
};

use super::{
    chunks::CHUNK_BYTES,
    job::{Extend, Sent},
};
use crate::Store;

/// Bytes per commit: large enough to amortize the sync, small enough to bound the latency of other requests.
const BATCH_BYTES: usize = 8 * CHUNK_BYTES;

/// Stores all but the last batch of content for a blob at `at`.
pub(super) async fn upload(store: &Store, at: &BlobAddress, mut content: Bytes) -> Result<Sent> {
    let mut sent = Sent::default();
    while content.len() > BATCH_BYTES {
        sent = extend(store, at, sent, content.split_to(BATCH_BYTES)).await?;
    }
    sent.rest = content;
    Ok(sent)
}

/// Stores a batch after the content that is already stored.
async fn extend(store: &Store, at: &BlobAddress, sent: Sent, batch: Bytes) -> Result<Sent> {
    let sent = Sent { rest: batch, ..sent };
    let stored = sent.length();
    let pin = store.work(Extend { at: at.clone(), sent }).await?;
    Ok(Sent { pin: Some(pin), stored, rest: Bytes::new() })
}

/// Returns the MD5 hash of content.
pub(super) fn hash(content: &[u8]) -> Md5 {
    Md5(Hasher::digest(content).into())
}

/// Checks the content against the specified hash, if there is one.
pub(super) fn check_hash(sent: Option<Md5>, content: Md5) -> Result<()> {
    match sent {
        Some(sent) if sent != content => Err(ErrorCode::Md5Mismatch.into()),
        _ => Ok(()),
    }
}

/// Accepts content in pieces for a destination.
pub(super) struct Writer<D> {
    store: Store,
    at: BlobAddress,
    destination: D,
    /// Stored content; `None` after an error, and while a batch is in flight.
    sent: Option<Sent>,
    batch: Vec<u8>,
    /// `None` if no hash is required.
    hasher: Option<Hasher>,
}

/// Use of content after it was received completely.
pub(super) trait Destination: Send + 'static {
    /// Result of the write.
    type Answer: 'static;

    /// Maximum size of the content in bytes.
    const BYTES: u64;

    /// Returns whether the hash of the content is required.
    fn wants_hash(&self) -> bool;

    /// Makes the content visible.
    fn take(
        self,
        store: Store,
        at: BlobAddress,
        sent: Sent,
        hash: Option<Md5>,
    ) -> impl Future<Output = Result<Self::Answer>> + Send;
}

impl<D: Destination> Writer<D> {
    pub(super) fn new(store: Store, at: BlobAddress, destination: D) -> Self {
        let hasher = destination.wants_hash().then(Hasher::new);
        Self { store, at, destination, sent: Some(Sent::default()), batch: Vec::new(), hasher }
    }

    async fn take(&mut self, mut bytes: &[u8]) -> Result<()> {
        let stored = self.sent.as_ref().ok_or_else(ended)?.stored;
        let length = stored.saturating_add((self.batch.len() + bytes.len()) as u64);
        if length > D::BYTES {
            // Finishing would store truncated content.
            self.sent = None;
            return Err(ErrorCode::RequestBodyTooLarge.into());
        }
        while !bytes.is_empty() {
            if self.batch.len() == BATCH_BYTES {
                // Taken until the batch is acknowledged: if the future is dropped, the stored state is unknown.
                let sent = self.sent.take().ok_or_else(ended)?;
                let batch = Bytes::from(std::mem::take(&mut self.batch));
                self.sent = Some(extend(&self.store, &self.at, sent, batch).await?);
            }
            let (piece, rest) = bytes.split_at(bytes.len().min(BATCH_BYTES - self.batch.len()));
            if let Some(hasher) = &mut self.hasher {
                hasher.update(piece);
            }
            self.batch.extend_from_slice(piece);
            bytes = rest;
        }
        Ok(())
    }

    async fn end(mut self) -> Result<D::Answer> {
        let mut sent = self.sent.take().ok_or_else(ended)?;
        sent.rest = self.batch.into();
        let hash = self.hasher.map(|hasher| Md5(hasher.finalize().into()));
        self.destination.take(self.store, self.at, sent, hash).await
    }
}

/// Creates the error of a writer that cannot be used further.
fn ended() -> table_model::TableError {
    StorageFault::Bug { what: "a blob writer was used after a failed write".to_owned() }.into()
}

impl<D: Destination> BlobSink<D::Answer> for Writer<D> {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        Box::pin(self.take(bytes))
    }

    fn finish(self: Box<Self>) -> Pending<'static, D::Answer> {
        Box::pin(self.end())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use pollster::block_on;

    use super::*;
    use crate::OpenOptions;

    struct Small;

    impl Destination for Small {
        type Answer = u64;

        const BYTES: u64 = 3;

        fn wants_hash(&self) -> bool {
            false
        }

        async fn take(self, _: Store, _: BlobAddress, sent: Sent, _: Option<Md5>) -> Result<u64> {
            Ok(sent.length())
        }
    }

    fn writer() -> Box<dyn BlobSink<u64>> {
        let store = OpenOptions::new().in_memory().unwrap();
        Box::new(Writer::new(store, BlobAddress::new("images", "a").unwrap(), Small))
    }

    #[test]
    fn too_large_content_is_not_stored_truncated() {
        let mut whole = writer();
        block_on(whole.write(b"abc")).unwrap();
        assert_eq!(block_on(whole.finish()).unwrap(), 3);

        let mut large = writer();
        block_on(large.write(b"ab")).unwrap();
        let error = block_on(large.write(b"cd")).unwrap_err();
        assert_eq!(error.code(), ErrorCode::RequestBodyTooLarge);
        assert!(block_on(large.finish()).is_err());
    }
}
