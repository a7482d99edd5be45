use std::ops::Range;

use bytes::Bytes;
use pollster::block_on;

use super::BlockingStore;
use crate::{
    Metadata, Result,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobHeaders, BlobProperties, BlobReader,
        BlobService, BlobVersion, BlobWriter, BlobWritten, BlobsSegment, BlockId, BlockList, BlockSource,
        ContainerName, ContainerProperties, ContainersSegment, ListBlobs, ListContainers, Md5, PutBlob,
        ReadBlob,
    },
};

/// Blobs.
impl BlockingStore {
    /// See [`BlobService::create_container`].
    pub fn create_container(&self, container: &ContainerName, metadata: Metadata) -> Result<BlobVersion> {
        block_on(self.0.create_container(container, metadata))
    }

    /// See [`BlobService::delete_container`].
    pub fn delete_container(&self, container: &ContainerName, conditions: &BlobConditions) -> Result<()> {
        block_on(self.0.delete_container(container, conditions))
    }

    /// See [`BlobService::container_properties`].
    pub fn container_properties(&self, container: &ContainerName) -> Result<ContainerProperties> {
        block_on(self.0.container_properties(container))
    }

    /// See [`BlobService::set_container_metadata`].
    pub fn set_container_metadata(
        &self,
        container: &ContainerName,
        metadata: Metadata,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        block_on(self.0.set_container_metadata(container, metadata, conditions))
    }

    /// See [`BlobService::list_containers`].
    pub fn list_containers(&self, request: ListContainers) -> Result<ContainersSegment> {
        block_on(self.0.list_containers(request))
    }

    /// See [`BlobService::put_blob`].
    pub fn put_blob(&self, blob: &BlobAddress, content: Bytes, put: PutBlob) -> Result<BlobWritten> {
        block_on(self.0.put_blob(blob, content, put))
    }

    /// See [`BlobService::write_blob`].
    pub fn write_blob(&self, blob: &BlobAddress, put: PutBlob) -> Result<BlockingBlobWriter> {
        block_on(self.0.write_blob(blob, put)).map(BlockingBlobWriter)
    }

    /// See [`BlobService::put_block`].
    pub fn put_block(
        &self,
        blob: &BlobAddress,
        id: &BlockId,
        content: Bytes,
        md5: Option<Md5>,
    ) -> Result<()> {
        block_on(self.0.put_block(blob, id, content, md5))
    }

    /// See [`BlobService::write_block`].
    pub fn write_block(
        &self,
        blob: &BlobAddress,
        id: &BlockId,
        md5: Option<Md5>,
    ) -> Result<BlockingBlobWriter<()>> {
        block_on(self.0.write_block(blob, id, md5)).map(BlockingBlobWriter)
    }

    /// See [`BlobService::put_block_list`].
    pub fn put_block_list(
        &self,
        blob: &BlobAddress,
        blocks: &[BlockSource],
        put: PutBlob,
    ) -> Result<BlobWritten> {
        block_on(self.0.put_block_list(blob, blocks, put))
    }

    /// See [`BlobService::block_list`].
    pub fn block_list(&self, blob: &BlobAddress) -> Result<BlockList> {
        block_on(self.0.block_list(blob))
    }

    /// See [`BlobService::create_append_blob`].
    pub fn create_append_blob(&self, blob: &BlobAddress, put: PutBlob) -> Result<BlobWritten> {
        block_on(self.0.create_append_blob(blob, put))
    }

    /// See [`BlobService::append_block`].
    pub fn append_block(&self, blob: &BlobAddress, content: Bytes, append: AppendBlock) -> Result<Appended> {
        block_on(self.0.append_block(blob, content, append))
    }

    /// See [`BlobService::write_append`].
    pub fn write_append(
        &self,
        blob: &BlobAddress,
        append: AppendBlock,
    ) -> Result<BlockingBlobWriter<Appended>> {
        block_on(self.0.write_append(blob, append)).map(BlockingBlobWriter)
    }

    /// See [`BlobService::read_blob`].
    pub fn read_blob(&self, blob: &BlobAddress, read: ReadBlob) -> Result<BlockingBlobReader> {
        block_on(self.0.read_blob(blob, read)).map(BlockingBlobReader)
    }

    /// See [`BlobService::get_blob`].
    pub fn get_blob(&self, blob: &BlobAddress, read: ReadBlob) -> Result<Bytes> {
        block_on(self.0.get_blob(blob, read))
    }

    /// See [`BlobService::blob_properties`].
    pub fn blob_properties(&self, blob: &BlobAddress, conditions: &BlobConditions) -> Result<BlobProperties> {
        block_on(self.0.blob_properties(blob, conditions))
    }

    /// See [`BlobService::set_blob_metadata`].
    pub fn set_blob_metadata(
        &self,
        blob: &BlobAddress,
        metadata: Metadata,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        block_on(self.0.set_blob_metadata(blob, metadata, conditions))
    }

    /// See [`BlobService::set_blob_headers`].
    pub fn set_blob_headers(
        &self,
        blob: &BlobAddress,
        headers: BlobHeaders,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        block_on(self.0.set_blob_headers(blob, headers, conditions))
    }

    /// See [`BlobService::delete_blob`].
    pub fn delete_blob(&self, blob: &BlobAddress, conditions: &BlobConditions) -> Result<()> {
        block_on(self.0.delete_blob(blob, conditions))
    }

    /// See [`BlobService::list_blobs`].
    pub fn list_blobs(&self, container: &ContainerName, request: ListBlobs) -> Result<BlobsSegment> {
        block_on(self.0.list_blobs(container, request))
    }
}

/// A [`BlobReader`] for threads that may wait.
#[derive(Debug)]
pub struct BlockingBlobReader(BlobReader);

impl BlockingBlobReader {
    /// What is known of the blob.
    pub fn properties(&self) -> &BlobProperties {
        self.0.properties()
    }

    /// See [`BlobReader::range`].
    pub fn range(&self) -> Range<u64> {
        self.0.range()
    }

    /// See [`BlobReader::chunk`].
    pub fn chunk(&mut self) -> Result<Option<Bytes>> {
        block_on(self.0.chunk())
    }

    /// See [`BlobReader::read_to_end`].
    pub fn read_to_end(self) -> Result<Bytes> {
        block_on(self.0.read_to_end())
    }
}

/// A [`BlobWriter`] for threads that may wait.
#[derive(Debug)]
pub struct BlockingBlobWriter<A = BlobWritten>(BlobWriter<A>);

impl<A> BlockingBlobWriter<A> {
    /// See [`BlobWriter::write`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        block_on(self.0.write(bytes))
    }

    /// See [`BlobWriter::finish`].
    pub fn finish(self) -> Result<A> {
        block_on(self.0.finish())
    }
}
