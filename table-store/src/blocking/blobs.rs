use std::ops::Range;

use bytes::Bytes;
use pollster::block_on;
use table_model::{
    Metadata, Result,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobCopied, BlobHeaders, BlobProperties,
        BlobReader, BlobService, BlobTags, BlobVersion, BlobWriter, BlobWritten, BlobsSegment, BlockId,
        BlockList, BlockSource, ContainerName, ContainerProperties, ContainersSegment, CopyBlob,
        DeleteSnapshots, FindBlobs, FoundBlobsSegment, LeaseAction, Leased, ListBlobs, ListContainers,
        PutBlob, PutBlock, ReadBlob, SnapshotBlob, Snapshotted,
    },
};

use super::BlockingStore;

/// Blocking calls of the blob service.
impl BlockingStore {
    /// Creates a container.
    ///
    /// # Errors
    /// As [`BlobService::create_container`].
    pub fn create_container(&self, container: &ContainerName, metadata: Metadata) -> Result<BlobVersion> {
        block_on(self.0.create_container(container, metadata))
    }

    /// Deletes a container.
    ///
    /// # Errors
    /// As [`BlobService::delete_container`].
    pub fn delete_container(&self, container: &ContainerName, conditions: &BlobConditions) -> Result<()> {
        block_on(self.0.delete_container(container, conditions))
    }

    /// Reads the properties of a container.
    ///
    /// # Errors
    /// As [`BlobService::container_properties`].
    pub fn container_properties(
        &self,
        container: &ContainerName,
        conditions: &BlobConditions,
    ) -> Result<ContainerProperties> {
        block_on(self.0.container_properties(container, conditions))
    }

    /// Operates on the lease of a container.
    ///
    /// # Errors
    /// As [`BlobService::lease_container`].
    pub fn lease_container(
        &self,
        container: &ContainerName,
        action: &LeaseAction,
        conditions: &BlobConditions,
    ) -> Result<Leased> {
        block_on(self.0.lease_container(container, action, conditions))
    }

    /// Operates on the lease of a blob.
    ///
    /// # Errors
    /// As [`BlobService::lease_blob`].
    pub fn lease_blob(
        &self,
        blob: &BlobAddress,
        action: &LeaseAction,
        conditions: &BlobConditions,
    ) -> Result<Leased> {
        block_on(self.0.lease_blob(blob, action, conditions))
    }

    /// Replaces the metadata of a container.
    ///
    /// # Errors
    /// As [`BlobService::set_container_metadata`].
    pub fn set_container_metadata(
        &self,
        container: &ContainerName,
        metadata: Metadata,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        block_on(self.0.set_container_metadata(container, metadata, conditions))
    }

    /// Lists containers.
    ///
    /// # Errors
    /// As [`BlobService::list_containers`].
    pub fn list_containers(&self, request: ListContainers) -> Result<ContainersSegment> {
        block_on(self.0.list_containers(request))
    }

    /// Writes a block blob as a whole.
    ///
    /// # Errors
    /// As [`BlobService::put_blob`].
    pub fn put_blob(&self, blob: &BlobAddress, content: Bytes, put: PutBlob) -> Result<BlobWritten> {
        block_on(self.0.put_blob(blob, content, put))
    }

    /// Starts to write a block blob in pieces.
    ///
    /// # Errors
    /// As [`BlobService::write_blob`].
    pub fn write_blob(&self, blob: &BlobAddress, put: PutBlob) -> Result<BlockingBlobWriter> {
        block_on(self.0.write_blob(blob, put)).map(BlockingBlobWriter)
    }

    /// Uploads a block.
    ///
    /// # Errors
    /// As [`BlobService::put_block`].
    pub fn put_block(&self, blob: &BlobAddress, id: &BlockId, content: Bytes, put: PutBlock) -> Result<()> {
        block_on(self.0.put_block(blob, id, content, put))
    }

    /// Starts to upload a block in pieces.
    ///
    /// # Errors
    /// As [`BlobService::write_block`].
    pub fn write_block(
        &self,
        blob: &BlobAddress,
        id: &BlockId,
        put: PutBlock,
    ) -> Result<BlockingBlobWriter<()>> {
        block_on(self.0.write_block(blob, id, put)).map(BlockingBlobWriter)
    }

    /// Assembles a blob from blocks.
    ///
    /// # Errors
    /// As [`BlobService::put_block_list`].
    pub fn put_block_list(
        &self,
        blob: &BlobAddress,
        blocks: &[BlockSource],
        put: PutBlob,
    ) -> Result<BlobWritten> {
        block_on(self.0.put_block_list(blob, blocks, put))
    }

    /// Returns the blocks of a block blob.
    ///
    /// # Errors
    /// As [`BlobService::block_list`].
    pub fn block_list(&self, blob: &BlobAddress) -> Result<BlockList> {
        block_on(self.0.block_list(blob))
    }

    /// Creates an empty append blob.
    ///
    /// # Errors
    /// As [`BlobService::create_append_blob`].
    pub fn create_append_blob(&self, blob: &BlobAddress, put: PutBlob) -> Result<BlobWritten> {
        block_on(self.0.create_append_blob(blob, put))
    }

    /// Appends content to an append blob.
    ///
    /// # Errors
    /// As [`BlobService::append_block`].
    pub fn append_block(&self, blob: &BlobAddress, content: Bytes, append: AppendBlock) -> Result<Appended> {
        block_on(self.0.append_block(blob, content, append))
    }

    /// Starts to append content in pieces.
    ///
    /// # Errors
    /// As [`BlobService::write_append`].
    pub fn write_append(
        &self,
        blob: &BlobAddress,
        append: AppendBlock,
    ) -> Result<BlockingBlobWriter<Appended>> {
        block_on(self.0.write_append(blob, append)).map(BlockingBlobWriter)
    }

    /// Starts to read a blob in chunks.
    ///
    /// # Errors
    /// As [`BlobService::read_blob`].
    pub fn read_blob(&self, blob: &BlobAddress, read: ReadBlob) -> Result<BlockingBlobReader> {
        block_on(self.0.read_blob(blob, read)).map(BlockingBlobReader)
    }

    /// Reads a blob into memory.
    ///
    /// # Errors
    /// As [`BlobService::get_blob`].
    pub fn get_blob(&self, blob: &BlobAddress, read: ReadBlob) -> Result<Bytes> {
        block_on(self.0.get_blob(blob, read))
    }

    /// Reads the properties of a blob.
    ///
    /// # Errors
    /// As [`BlobService::blob_properties`].
    pub fn blob_properties(&self, blob: &BlobAddress, conditions: &BlobConditions) -> Result<BlobProperties> {
        block_on(self.0.blob_properties(blob, conditions))
    }

    /// Replaces the metadata of a blob.
    ///
    /// # Errors
    /// As [`BlobService::set_blob_metadata`].
    pub fn set_blob_metadata(
        &self,
        blob: &BlobAddress,
        metadata: Metadata,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        block_on(self.0.set_blob_metadata(blob, metadata, conditions))
    }

    /// Replaces the headers of a blob.
    ///
    /// # Errors
    /// As [`BlobService::set_blob_headers`].
    pub fn set_blob_headers(
        &self,
        blob: &BlobAddress,
        headers: BlobHeaders,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        block_on(self.0.set_blob_headers(blob, headers, conditions))
    }

    /// Reads the tags of a blob.
    ///
    /// # Errors
    /// As [`BlobService::blob_tags`].
    pub fn blob_tags(&self, blob: &BlobAddress, conditions: &BlobConditions) -> Result<BlobTags> {
        block_on(self.0.blob_tags(blob, conditions))
    }

    /// Replaces the tags of a blob.
    ///
    /// # Errors
    /// As [`BlobService::set_blob_tags`].
    pub fn set_blob_tags(
        &self,
        blob: &BlobAddress,
        tags: BlobTags,
        conditions: &BlobConditions,
    ) -> Result<()> {
        block_on(self.0.set_blob_tags(blob, tags, conditions))
    }

    /// Finds blobs by their tags.
    ///
    /// # Errors
    /// As [`BlobService::find_blobs`].
    pub fn find_blobs(&self, request: FindBlobs) -> Result<FoundBlobsSegment> {
        block_on(self.0.find_blobs(request))
    }

    /// Deletes a blob.
    ///
    /// # Errors
    /// As [`BlobService::delete_blob`].
    pub fn delete_blob(&self, blob: &BlobAddress, conditions: &BlobConditions) -> Result<()> {
        block_on(self.0.delete_blob(blob, conditions))
    }

    /// Deletes the snapshots of a blob, with the blob or without it.
    ///
    /// # Errors
    /// As [`BlobService::delete_snapshots`].
    pub fn delete_snapshots(
        &self,
        blob: &BlobAddress,
        which: DeleteSnapshots,
        conditions: &BlobConditions,
    ) -> Result<()> {
        block_on(self.0.delete_snapshots(blob, which, conditions))
    }

    /// Creates a snapshot of a blob.
    ///
    /// # Errors
    /// As [`BlobService::snapshot_blob`].
    pub fn snapshot_blob(&self, blob: &BlobAddress, request: SnapshotBlob) -> Result<Snapshotted> {
        block_on(self.0.snapshot_blob(blob, request))
    }

    /// Replaces the blob `to` by a copy of `from`.
    ///
    /// # Errors
    /// As [`BlobService::copy_blob`].
    pub fn copy_blob(&self, to: &BlobAddress, from: &BlobAddress, request: CopyBlob) -> Result<BlobCopied> {
        block_on(self.0.copy_blob(to, from, request))
    }

    /// Lists the blobs of a container.
    ///
    /// # Errors
    /// As [`BlobService::list_blobs`].
    pub fn list_blobs(&self, container: &ContainerName, request: ListBlobs) -> Result<BlobsSegment> {
        block_on(self.0.list_blobs(container, request))
    }
}

/// A [`BlobReader`] with blocking calls.
#[derive(Debug)]
pub struct BlockingBlobReader(BlobReader);

impl BlockingBlobReader {
    /// Returns the properties of the blob.
    pub fn properties(&self) -> &BlobProperties {
        self.0.properties()
    }

    /// Returns the byte range that is read; see [`BlobReader::range`].
    pub fn range(&self) -> Range<u64> {
        self.0.range()
    }

    /// Returns the next chunk.
    ///
    /// # Errors
    /// As [`BlobReader::chunk`].
    pub fn chunk(&mut self) -> Result<Option<Bytes>> {
        block_on(self.0.chunk())
    }

    /// Reads all remaining content into memory.
    ///
    /// # Errors
    /// As [`BlobReader::read_to_end`].
    pub fn read_to_end(self) -> Result<Bytes> {
        block_on(self.0.read_to_end())
    }
}

/// A [`BlobWriter`] with blocking calls.
#[derive(Debug)]
pub struct BlockingBlobWriter<A = BlobWritten>(BlobWriter<A>);

impl<A> BlockingBlobWriter<A> {
    /// Writes the next piece.
    ///
    /// # Errors
    /// As [`BlobWriter::write`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        block_on(self.0.write(bytes))
    }

    /// Makes the written content visible.
    ///
    /// # Errors
    /// As [`BlobWriter::finish`].
    pub fn finish(self) -> Result<A> {
        block_on(self.0.finish())
    }
}
