use bytes::Bytes;

use super::{
    AppendBlock, Appended, BlobAddress, BlobConditions, BlobHeaders, BlobProperties, BlobReader, BlobVersion,
    BlobWriter, BlobWritten, BlobsSegment, BlockId, BlockList, BlockSource, ContainerName,
    ContainerProperties, ContainersSegment, ListBlobs, ListContainers, Md5, PutBlob, ReadBlob,
};
use crate::{Metadata, Pending};

/// Containers and the blobs in them.
///
/// A future does nothing until it is polled first; from then on a write is done whole or not at all, also if the future
/// is dropped before it ends.
///
/// A request to a blob is answered with `ContainerNotFound` or `BlobNotFound` where there is none, with
/// `ConditionNotMet` where a condition fails (status 304 for `If-None-Match` and `If-Modified-Since` of a read, else
/// 412), and with `InvalidBlobType` where the blob is of another type.
pub trait BlobService: Send + Sync + std::fmt::Debug {
    /// Creates a container. `ContainerAlreadyExists`, or `ContainerBeingDeleted` while one of that name is being swept.
    fn create_container<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
    ) -> Pending<'a, BlobVersion>;

    /// Deletes a container with all its blobs, in one step whatever it holds.
    fn delete_container<'a>(
        &'a self,
        container: &'a ContainerName,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()>;

    /// What is known of a container; `ContainerNotFound` if there is none.
    fn container_properties<'a>(&'a self, container: &'a ContainerName) -> Pending<'a, ContainerProperties>;

    /// Sets all metadata of a container.
    fn set_container_metadata<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion>;

    /// Containers in the order of their names.
    fn list_containers(&self, request: ListContainers) -> Pending<'_, ContainersSegment>;

    /// Writes a block blob whole, in place of what was there; blocks that were put and not taken up are dropped. For
    /// contents that are at hand; larger ones go through [`write_blob`](Self::write_blob).
    ///
    /// `BlobAlreadyExists` with [`BlobConditions::absent`], `Md5Mismatch` if a hash was given.
    fn put_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        put: PutBlob,
    ) -> Pending<'a, BlobWritten>;

    /// Begins to write a block blob piece by piece.
    fn write_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWriter>;

    /// Uploads a block of a block blob that is or will be. It becomes part of it by a
    /// [block list](Self::put_block_list). One of the same id that was put before is replaced.
    ///
    /// `InvalidBlobOrBlock` if ids of another length are there, `BlockCountExceedsLimit` beyond 100,000,
    /// `InvalidHeaderValue` for an empty block.
    fn put_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        content: Bytes,
        md5: Option<Md5>,
    ) -> Pending<'a, ()>;

    /// Begins to upload a block piece by piece; see [`put_block`](Self::put_block).
    fn write_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        md5: Option<Md5>,
    ) -> Pending<'a, BlobWriter<()>>;

    /// Makes a blob of blocks, in place of what was there. Blocks that were put and are not in the list are dropped.
    /// Headers and metadata are set anew; a hash is stored as it is given.
    ///
    /// `InvalidBlockList` if a block is not there, `BlockListTooLong` beyond 50,000.
    fn put_block_list<'a>(
        &'a self,
        blob: &'a BlobAddress,
        blocks: &'a [BlockSource],
        put: PutBlob,
    ) -> Pending<'a, BlobWritten>;

    /// The blocks that a block blob is made of, and those that were put since.
    fn block_list<'a>(&'a self, blob: &'a BlobAddress) -> Pending<'a, BlockList>;

    /// Makes an empty append blob, in place of what was there.
    fn create_append_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWritten>;

    /// Writes to the end of an append blob.
    ///
    /// `AppendPositionConditionNotMet`, `MaxBlobSizeConditionNotMet`, `BlockCountExceedsLimit` beyond 50,000.
    fn append_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        append: AppendBlock,
    ) -> Pending<'a, Appended>;

    /// Begins to write to the end of an append blob piece by piece; see [`append_block`](Self::append_block). Where it ends
    /// is looked at when all is written.
    fn write_append<'a>(
        &'a self,
        blob: &'a BlobAddress,
        append: AppendBlock,
    ) -> Pending<'a, BlobWriter<Appended>>;

    /// Begins to read a blob, or a part of it, piece by piece. `InvalidRange` if the blob has no byte of the range.
    fn read_blob<'a>(&'a self, blob: &'a BlobAddress, read: ReadBlob) -> Pending<'a, BlobReader>;

    /// Reads a blob, or a part of it, into memory.
    fn get_blob<'a>(&'a self, blob: &'a BlobAddress, read: ReadBlob) -> Pending<'a, Bytes> {
        let reader = self.read_blob(blob, read);
        Box::pin(async move { reader.await?.read_to_end().await })
    }

    /// What is known of a blob.
    fn blob_properties<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobProperties>;

    /// Sets all metadata of a blob.
    fn set_blob_metadata<'a>(
        &'a self,
        blob: &'a BlobAddress,
        metadata: Metadata,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion>;

    /// Sets all headers of a blob; those that are not given are cleared.
    fn set_blob_headers<'a>(
        &'a self,
        blob: &'a BlobAddress,
        headers: BlobHeaders,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion>;

    /// Deletes a blob.
    fn delete_blob<'a>(&'a self, blob: &'a BlobAddress, conditions: &'a BlobConditions) -> Pending<'a, ()>;

    /// Blobs of a container in the order of their names.
    fn list_blobs<'a>(
        &'a self,
        container: &'a ContainerName,
        request: ListBlobs,
    ) -> Pending<'a, BlobsSegment>;
}
