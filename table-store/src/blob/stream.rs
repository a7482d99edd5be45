use std::{fmt, ops::Range};

use bytes::{Bytes, BytesMut};

use super::{BlobProperties, BlobWritten};
use crate::{Pending, Result};

/// Where a [`BlobReader`] has its contents from: what a backend implements.
pub trait BlobSource: Send {
    /// The next chunk, in order; none at the end. No chunk is empty.
    fn chunk(&mut self) -> Pending<'_, Option<Bytes>>;
}

/// Where a [`BlobWriter`] brings contents to: what a backend implements. `A` is what the end of it answers.
pub trait BlobSink<A = BlobWritten>: Send {
    /// Takes over the next piece.
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()>;

    /// Makes all that was written visible.
    fn finish(self: Box<Self>) -> Pending<'static, A>;
}

/// The contents of a blob, or a part of them, chunk by chunk.
///
/// It gives the version that was current when it was made, also after the blob was replaced or deleted: what it has
/// not given yet is kept until it is dropped.
pub struct BlobReader {
    properties: BlobProperties,
    range: Range<u64>,
    source: Box<dyn BlobSource>,
}

impl BlobReader {
    /// A reader of `range` of a blob.
    #[must_use]
    pub fn new(properties: BlobProperties, range: Range<u64>, source: Box<dyn BlobSource>) -> Self {
        Self { properties, range, source }
    }

    /// What is known of the blob.
    pub fn properties(&self) -> &BlobProperties {
        &self.properties
    }

    /// Which bytes of the blob it gives.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// The next chunk, in order; none at the end. A future that is dropped leaves the reader where it was.
    ///
    /// # Errors
    /// A [`StorageFault`](crate::StorageFault): the disk failed, or the chunk is damaged.
    pub fn chunk(&mut self) -> Pending<'_, Option<Bytes>> {
        self.source.chunk()
    }

    /// All that is left, in one piece in memory.
    pub async fn read_to_end(mut self) -> Result<Bytes> {
        let Some(first) = self.chunk().await? else { return Ok(Bytes::new()) };
        let Some(second) = self.chunk().await? else { return Ok(first) };
        let mut all = BytesMut::from(first);
        all.extend_from_slice(&second);
        while let Some(piece) = self.chunk().await? {
            all.extend_from_slice(&piece);
        }
        Ok(all.freeze())
    }
}

impl fmt::Debug for BlobReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlobReader")
            .field("properties", &self.properties)
            .field("range", &self.range)
            .finish_non_exhaustive()
    }
}

/// Writes a blob, a block or to the end of a blob, piece by piece. Nobody sees any of it before
/// [`finish`](Self::finish), and then all of it at once; one that is dropped leaves no trace.
///
/// After an error, or if the future of a write was dropped before its end, the writer can do nothing more.
pub struct BlobWriter<A = BlobWritten> {
    sink: Box<dyn BlobSink<A>>,
}

impl<A> BlobWriter<A> {
    /// A writer to this place.
    #[must_use]
    pub fn new(sink: Box<dyn BlobSink<A>>) -> Self {
        Self { sink }
    }

    /// Writes the next piece, of any size. It waits for the disk now and then, so that memory stays bounded.
    ///
    /// # Errors
    /// `ContainerNotFound`; `RequestBodyTooLarge`; a [`StorageFault`](crate::StorageFault).
    pub fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        self.sink.write(bytes)
    }

    /// Makes what was written visible, in place of what was there. Conditions are looked at now.
    ///
    /// # Errors
    /// As [`put_blob`](super::BlobService::put_blob), [`put_block`](super::BlobService::put_block) or
    /// [`append_block`](super::BlobService::append_block).
    pub fn finish(self) -> Pending<'static, A> {
        self.sink.finish()
    }
}

impl<A> fmt::Debug for BlobWriter<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlobWriter").finish_non_exhaustive()
    }
}
