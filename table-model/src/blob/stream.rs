use std::{fmt, ops::Range};

use bytes::{Bytes, BytesMut};

use super::{BlobProperties, BlobWritten};
use crate::{Pending, Result};

/// Source of the content of a [`BlobReader`], implemented by a backend.
pub trait BlobSource: Send {
    /// Returns the next chunk in order; `None` at the end. Chunks are never empty.
    ///
    /// # Errors
    /// As [`BlobReader::chunk`].
    fn chunk(&mut self) -> Pending<'_, Option<Bytes>>;
}

/// Destination of the content of a [`BlobWriter`], implemented by a backend. `A` is the result of finishing the write.
pub trait BlobSink<A = BlobWritten>: Send {
    /// Writes the next piece.
    ///
    /// # Errors
    /// As [`BlobWriter::write`].
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()>;

    /// Makes all written content visible.
    ///
    /// # Errors
    /// As [`BlobWriter::finish`].
    fn finish(self: Box<Self>) -> Pending<'static, A>;
}

/// Reader of the content of a blob, or of a range of it, in chunks.
///
/// It reads the version that was current when the reader was created, even after the blob was replaced or deleted. The
/// store keeps the unread content of that version until the reader is dropped.
pub struct BlobReader {
    properties: BlobProperties,
    range: Range<u64>,
    source: Box<dyn BlobSource>,
}

impl BlobReader {
    /// Creates a reader of `range` of a blob.
    #[must_use]
    pub fn new(properties: BlobProperties, range: Range<u64>, source: Box<dyn BlobSource>) -> Self {
        Self { properties, range, source }
    }

    /// Returns the properties of the blob.
    pub fn properties(&self) -> &BlobProperties {
        &self.properties
    }

    /// Returns the byte range of the blob that is read.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns the next chunk in order; `None` at the end. Dropping the future does not advance the reader.
    ///
    /// # Errors
    /// A [`StorageFault`](crate::StorageFault) if the disk fails or the chunk is damaged.
    pub fn chunk(&mut self) -> Pending<'_, Option<Bytes>> {
        self.source.chunk()
    }

    /// Reads all remaining content into memory.
    ///
    /// # Errors
    /// As [`chunk`](Self::chunk).
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

/// Writer of a blob, of a block, or of an append, in pieces. The content becomes visible atomically when
/// [`finish`](Self::finish) completes. Dropping the writer discards the content.
///
/// After an error, or if the future of a write is dropped before it completes, the writer cannot be used further.
pub struct BlobWriter<A = BlobWritten> {
    sink: Box<dyn BlobSink<A>>,
}

impl<A> BlobWriter<A> {
    /// Creates a writer to a destination.
    #[must_use]
    pub fn new(sink: Box<dyn BlobSink<A>>) -> Self {
        Self { sink }
    }

    /// Writes the next piece, of any size. Waits for the disk regularly, so memory use is bounded.
    ///
    /// # Errors
    /// `ContainerNotFound`; `RequestBodyTooLarge`; a [`StorageFault`](crate::StorageFault).
    pub fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        self.sink.write(bytes)
    }

    /// Makes the written content visible and replaces existing content. Conditions are checked at this time.
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
