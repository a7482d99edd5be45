use bytes::Bytes;
use md5::{Digest, Md5 as Hasher};

use super::{BlobStorage, Content, Destination, store_all};
use crate::{
    ErrorCode, Pending, Result, StorageFault, TableError,
    blob::{BlobAddress, BlobSink, Md5},
};

/// Accepts content in pieces for a destination.
pub(super) struct Writer<S: BlobStorage, D> {
    storage: S,
    at: BlobAddress,
    destination: D,
    /// Stored content; `None` after an error, and while a batch is in flight.
    content: Option<Content<S::Stored>>,
    batch: Vec<u8>,
    /// `None` if no hash is required.
    hasher: Option<Hasher>,
}

impl<S: BlobStorage, D: Destination<S>> Writer<S, D> {
    pub(super) fn new(storage: S, at: BlobAddress, destination: D) -> Self {
        let hasher = destination.wants_hash().then(Hasher::new);
        Self { storage, at, destination, content: Some(Content::default()), batch: Vec::new(), hasher }
    }

    async fn take(&mut self, mut bytes: &[u8]) -> Result<()> {
        let stored = self.content.as_ref().ok_or_else(ended)?.stored_bytes;
        let length = stored.saturating_add((self.batch.len() + bytes.len()) as u64);
        if length > D::BYTES {
            // Finishing would store truncated content.
            self.content = None;
            return Err(ErrorCode::RequestBodyTooLarge.into());
        }
        while !bytes.is_empty() {
            if self.batch.len() == S::BATCH_BYTES {
                // Taken until the batch is acknowledged: if the future is dropped, the stored state is unknown.
                let content = self.content.take().ok_or_else(ended)?;
                let rest = Bytes::from(std::mem::take(&mut self.batch));
                let content = Content { rest, ..content };
                self.content = Some(store_all(&self.storage, &self.at, content).await?);
            }
            let (piece, rest) = bytes.split_at(bytes.len().min(S::BATCH_BYTES - self.batch.len()));
            if let Some(hasher) = &mut self.hasher {
                hasher.update(piece);
            }
            self.batch.extend_from_slice(piece);
            bytes = rest;
        }
        Ok(())
    }

    async fn end(mut self) -> Result<D::Answer> {
        let mut content = self.content.take().ok_or_else(ended)?;
        content.rest = self.batch.into();
        let hash = self.hasher.map(|hasher| Md5(hasher.finalize().into()));
        self.destination.take(self.storage, self.at, content, hash).await
    }
}

/// Creates the error of a writer that cannot be used further.
fn ended() -> TableError {
    StorageFault::Bug { what: "a blob writer was used after a failed write".to_owned() }.into()
}

impl<S: BlobStorage, D: Destination<S>> BlobSink<D::Answer> for Writer<S, D> {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        Box::pin(self.take(bytes))
    }

    fn finish(self: Box<Self>) -> Pending<'static, D::Answer> {
        Box::pin(self.end())
    }
}

#[cfg(test)]
mod tests {
    use pollster::block_on;

    use super::*;
    use crate::{
        Uuid,
        blob::{AppendBlock, Appended, BlobType, BlobWritten, BlockId, PutBlob},
    };

    /// Storage that counts the stored bytes.
    #[derive(Clone)]
    struct Count;

    impl BlobStorage for Count {
        type Stored = usize;

        const BATCH_BYTES: usize = 2;

        async fn store(&self, _: &BlobAddress, content: Content<usize>) -> Result<usize> {
            Ok(content.stored + content.rest.len())
        }

        async fn put(
            &self,
            _: &BlobAddress,
            _: BlobType,
            _: Content<usize>,
            _: PutBlob,
        ) -> Result<BlobWritten> {
            Err(ended())
        }

        async fn put_block(
            &self,
            _: &BlobAddress,
            _: BlockId,
            _: Content<usize>,
            _: Option<Uuid>,
        ) -> Result<()> {
            Err(ended())
        }

        async fn append(&self, _: &BlobAddress, _: Content<usize>, _: AppendBlock) -> Result<Appended> {
            Err(ended())
        }
    }

    struct Small;

    impl Destination<Count> for Small {
        type Answer = (usize, u64);

        const BYTES: u64 = 5;

        fn wants_hash(&self) -> bool {
            false
        }

        async fn take(
            self,
            _: Count,
            _: BlobAddress,
            content: Content<usize>,
            _: Option<Md5>,
        ) -> Result<(usize, u64)> {
            Ok((content.stored, content.length()))
        }
    }

    fn writer() -> Box<dyn BlobSink<(usize, u64)>> {
        Box::new(Writer::new(Count, BlobAddress::new("images", "a").unwrap(), Small))
    }

    #[test]
    fn too_large_content_is_not_stored_truncated() {
        let mut whole = writer();
        block_on(whole.write(b"abc")).unwrap();
        block_on(whole.write(b"de")).unwrap();
        assert_eq!(block_on(whole.finish()).unwrap(), (4, 5), "all but the last batch are stored");

        let mut large = writer();
        block_on(large.write(b"abcd")).unwrap();
        let error = block_on(large.write(b"ef")).unwrap_err();
        assert_eq!(error.code(), ErrorCode::RequestBodyTooLarge);
        assert!(block_on(large.finish()).is_err());
    }
}
