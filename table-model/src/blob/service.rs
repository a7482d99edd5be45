use bytes::Bytes;

use super::{
    AppendBlock, Appended, BlobAddress, BlobConditions, BlobCopied, BlobHeaders, BlobProperties, BlobReader,
    BlobTags, BlobVersion, BlobWriter, BlobWritten, BlobsSegment, BlockId, BlockList, BlockSource,
    ContainerName, ContainerProperties, ContainersSegment, CopyBlob, DeleteSnapshots, FindBlobs,
    FoundBlobsSegment, LeaseAction, Leased, ListBlobs, ListContainers, PutBlob, PutBlock, ReadBlob,
    SnapshotBlob, Snapshotted,
};
use crate::{Metadata, Pending};

/// The blob service: containers and their blobs.
///
/// A future does nothing until it is first polled. From then on a write is atomic, even if the future is dropped before
/// it completes.
///
/// All requests fail with `ContainerNotFound` or `BlobNotFound` if the container or blob does not exist, and with
/// `ConditionNotMet` if a condition is not satisfied (status 304 for `If-None-Match` and `If-Modified-Since` of a read,
/// otherwise 412). If the blob or container is leased, or the request specifies a lease, the errors of
/// [`LeaseUse::check`](super::LeaseUse::check) are possible. Requests for another blob type fail with `InvalidBlobType`.
/// Reads, deletions and copies also accept the address of a snapshot; other requests for one fail with
/// `InvalidOperation`. The methods below list additional errors.
pub trait BlobService: Send + Sync + std::fmt::Debug {
    /// Creates a container.
    ///
    /// # Errors
    /// `ContainerAlreadyExists` if it exists, `ContainerBeingDeleted` while the service reserves the name of a
    /// deleted container.
    fn create_container<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
    ) -> Pending<'a, BlobVersion>;

    /// Deletes a container with all its blobs, in one step regardless of its size.
    ///
    /// # Errors
    /// `ContainerNotFound`, `ConditionNotMet`.
    fn delete_container<'a>(
        &'a self,
        container: &'a ContainerName,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()>;

    /// Reads the properties of a container.
    ///
    /// # Errors
    /// `ContainerNotFound`, `ConditionNotMet`.
    fn container_properties<'a>(
        &'a self,
        container: &'a ContainerName,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ContainerProperties>;

    /// Replaces all metadata of a container.
    ///
    /// # Errors
    /// `ContainerNotFound`, `ConditionNotMet`.
    fn set_container_metadata<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion>;

    /// Acquires, renews, changes, releases or breaks the lease of a container, which protects it against deletion. The
    /// version of the container does not change.
    ///
    /// # Errors
    /// `ContainerNotFound`, `ConditionNotMet`; see also [`LeaseAction::apply`].
    fn lease_container<'a>(
        &'a self,
        container: &'a ContainerName,
        action: &'a LeaseAction,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, Leased>;

    /// Lists containers in name order.
    ///
    /// # Errors
    /// See [`ListContainers::results`].
    fn list_containers(&self, request: ListContainers) -> Pending<'_, ContainersSegment>;

    /// Writes a block blob as a whole and replaces an existing blob. Uncommitted blocks are discarded. For content in
    /// memory; use [`write_blob`](Self::write_blob) for large content.
    ///
    /// # Errors
    /// `BlobAlreadyExists` if the conditions are [`BlobConditions::absent`] and the blob exists, `Md5Mismatch` if the
    /// specified hash differs.
    fn put_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        put: PutBlob,
    ) -> Pending<'a, BlobWritten>;

    /// Starts to write a block blob in pieces.
    ///
    /// # Errors
    /// `ContainerNotFound`. [`BlobWriter::finish`] returns the errors of [`put_blob`](Self::put_blob).
    fn write_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWriter>;

    /// Uploads a block of a new or existing block blob. A [block list](Self::put_block_list) makes it part of the blob.
    /// An uncommitted block with the same id is replaced.
    ///
    /// # Errors
    /// `InvalidBlobOrBlock` if existing block ids have another length, `BlockCountExceedsLimit` beyond 100,000 blocks,
    /// `InvalidHeaderValue` for an empty block, `Md5Mismatch` if the specified hash differs.
    fn put_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        content: Bytes,
        put: PutBlock,
    ) -> Pending<'a, ()>;

    /// Starts to upload a block in pieces; see [`put_block`](Self::put_block).
    ///
    /// # Errors
    /// `ContainerNotFound`. [`BlobWriter::finish`] returns the errors of [`put_block`](Self::put_block).
    fn write_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        put: PutBlock,
    ) -> Pending<'a, BlobWriter<()>>;

    /// Assembles a blob from blocks and replaces an existing blob. Uncommitted blocks that are not in the list are
    /// discarded. Headers, metadata and tags are replaced; a hash is stored without verification.
    ///
    /// # Errors
    /// `InvalidBlockList` if a block does not exist, `BlockListTooLong` beyond 50,000 blocks.
    fn put_block_list<'a>(
        &'a self,
        blob: &'a BlobAddress,
        blocks: &'a [BlockSource],
        put: PutBlob,
    ) -> Pending<'a, BlobWritten>;

    /// Returns the committed and uncommitted blocks of a block blob.
    ///
    /// # Errors
    /// `ContainerNotFound`, `BlobNotFound`, `InvalidBlobType`.
    fn block_list<'a>(&'a self, blob: &'a BlobAddress) -> Pending<'a, BlockList>;

    /// Creates an empty append blob and replaces an existing blob.
    ///
    /// # Errors
    /// `BlobAlreadyExists` if the conditions are [`BlobConditions::absent`] and the blob exists.
    fn create_append_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWritten>;

    /// Appends content to an append blob.
    ///
    /// # Errors
    /// `AppendPositionConditionNotMet`, `MaxBlobSizeConditionNotMet`, `Md5Mismatch`, `BlockCountExceedsLimit` beyond
    /// 50,000 appends.
    fn append_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        append: AppendBlock,
    ) -> Pending<'a, Appended>;

    /// Starts to append content in pieces; see [`append_block`](Self::append_block). The offset is determined when all
    /// content is written.
    ///
    /// # Errors
    /// `ContainerNotFound`. [`BlobWriter::finish`] returns the errors of [`append_block`](Self::append_block).
    fn write_append<'a>(
        &'a self,
        blob: &'a BlobAddress,
        append: AppendBlock,
    ) -> Pending<'a, BlobWriter<Appended>>;

    /// Starts to read a blob, or a range of it, in chunks.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`; `InvalidRange` if the blob has no byte in the range.
    fn read_blob<'a>(&'a self, blob: &'a BlobAddress, read: ReadBlob) -> Pending<'a, BlobReader>;

    /// Reads a blob, or a range of it, into memory.
    ///
    /// # Errors
    /// As [`read_blob`](Self::read_blob) and [`BlobReader::chunk`].
    fn get_blob<'a>(&'a self, blob: &'a BlobAddress, read: ReadBlob) -> Pending<'a, Bytes> {
        let reader = self.read_blob(blob, read);
        Box::pin(async move { reader.await?.read_to_end().await })
    }

    /// Reads the properties of a blob.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`.
    fn blob_properties<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobProperties>;

    /// Replaces all metadata of a blob.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`.
    fn set_blob_metadata<'a>(
        &'a self,
        blob: &'a BlobAddress,
        metadata: Metadata,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion>;

    /// Replaces all headers of a blob. Headers that are not specified are cleared.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`; see also [`BlobHeaders::check`].
    fn set_blob_headers<'a>(
        &'a self,
        blob: &'a BlobAddress,
        headers: BlobHeaders,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion>;

    /// Reads the tags of a blob or a snapshot.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`.
    fn blob_tags<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobTags>;

    /// Replaces all tags of a blob. The version of the blob does not change.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`.
    fn set_blob_tags<'a>(
        &'a self,
        blob: &'a BlobAddress,
        tags: BlobTags,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()>;

    /// Finds the blobs whose tags satisfy a filter, in the order of containers and names. Snapshots are not found.
    ///
    /// # Errors
    /// `ContainerNotFound` if the request names a container that does not exist; see also [`FindBlobs::results`] and
    /// [`FindBlobs::scope`].
    fn find_blobs(&self, request: FindBlobs) -> Pending<'_, FoundBlobsSegment>;

    /// Deletes a blob without snapshots, or a snapshot.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`, `SnapshotsPresent`.
    fn delete_blob<'a>(&'a self, blob: &'a BlobAddress, conditions: &'a BlobConditions) -> Pending<'a, ()>;

    /// Deletes all snapshots of a blob, with the blob itself or without it, in one step.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`.
    fn delete_snapshots<'a>(
        &'a self,
        blob: &'a BlobAddress,
        which: DeleteSnapshots,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()>;

    /// Creates a snapshot of a blob: a read-only blob with its current content, headers and metadata. The snapshot
    /// shares the stored content, so the time and space that it takes are independent of the size. The blob does not
    /// change.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`.
    fn snapshot_blob<'a>(&'a self, blob: &'a BlobAddress, request: SnapshotBlob) -> Pending<'a, Snapshotted>;

    /// Replaces the blob `to` by a copy of the blob or snapshot `from`, completely and in one step. The copy has the
    /// type, content and headers of `from`, and shares the stored content. Snapshots of `to` remain, its uncommitted
    /// blocks are discarded.
    ///
    /// # Errors
    /// `BlobNotFound` or `ContainerNotFound` also for `from`, `SourceConditionNotMet` for its conditions;
    /// `InvalidBlobType` if `to` exists with another type; `BlobAlreadyExists` if the conditions are
    /// [`BlobConditions::absent`] and `to` exists.
    fn copy_blob<'a>(
        &'a self,
        to: &'a BlobAddress,
        from: &'a BlobAddress,
        request: CopyBlob,
    ) -> Pending<'a, BlobCopied>;

    /// Acquires, renews, changes, releases or breaks the lease of a blob, which protects it against writes and deletion
    /// by others. The version of the blob does not change.
    ///
    /// # Errors
    /// `BlobNotFound`, `ConditionNotMet`; see also [`LeaseAction::apply`].
    fn lease_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        action: &'a LeaseAction,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, Leased>;

    /// Lists the blobs of a container in name order.
    ///
    /// # Errors
    /// `ContainerNotFound`; see also [`ListBlobs::results`].
    fn list_blobs<'a>(
        &'a self,
        container: &'a ContainerName,
        request: ListBlobs,
    ) -> Pending<'a, BlobsSegment>;
}
