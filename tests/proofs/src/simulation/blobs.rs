//! A blob service on the same store, with the same faults as the tables.

use bytes::Bytes;
use table_store::{
    ErrorCode, Metadata, Pending,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobHeaders, BlobProperties, BlobReader,
        BlobService, BlobSink, BlobVersion, BlobWriter, BlobWritten, BlobsSegment, BlockId, BlockList,
        BlockSource, ContainerName, ContainerProperties, ContainersSegment, ListBlobs, ListContainers, Md5,
        PutBlob, ReadBlob,
    },
};

use crate::simulation::{Unreliable, world::Request};

fn unused<'a, T>() -> Pending<'a, T> {
    Box::pin(async { Err(ErrorCode::InternalError.into()) })
}

/// A blob that collects its chunks and is sent in one request at the end.
struct Whole {
    service: Unreliable,
    blob: BlobAddress,
    put: PutBlob,
    content: Vec<u8>,
}

impl BlobSink for Whole {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        self.content.extend_from_slice(bytes);
        Box::pin(async { Ok(()) })
    }

    fn finish(self: Box<Self>) -> Pending<'static, BlobWritten> {
        let Self { service, blob, put, content } = *self;
        Box::pin(async move { service.put_blob(&blob, content.into(), put).await })
    }
}

impl BlobService for Unreliable {
    fn create_container<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
    ) -> Pending<'a, BlobVersion> {
        Box::pin(self.read(self.store().create_container(container, metadata)))
    }

    fn put_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        let call = self.store().put_blob(blob, content.clone(), put.clone());
        Box::pin(self.write(move || Request::PutBlob { blob: blob.clone(), content, put }, call))
    }

    fn read_blob<'a>(&'a self, blob: &'a BlobAddress, read: ReadBlob) -> Pending<'a, BlobReader> {
        Box::pin(self.read(self.store().read_blob(blob, read)))
    }

    fn blob_properties<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobProperties> {
        Box::pin(self.read(self.store().blob_properties(blob, conditions)))
    }

    fn delete_blob<'a>(&'a self, blob: &'a BlobAddress, conditions: &'a BlobConditions) -> Pending<'a, ()> {
        let request = || Request::DeleteBlob { blob: blob.clone(), conditions: conditions.clone() };
        Box::pin(self.write(request, self.store().delete_blob(blob, conditions)))
    }

    fn list_blobs<'a>(
        &'a self,
        container: &'a ContainerName,
        request: ListBlobs,
    ) -> Pending<'a, BlobsSegment> {
        Box::pin(self.read(self.store().list_blobs(container, request)))
    }

    fn delete_container<'a>(
        &'a self,
        _container: &'a ContainerName,
        _conditions: &'a BlobConditions,
    ) -> Pending<'a, ()> {
        unused()
    }

    fn container_properties<'a>(&'a self, _container: &'a ContainerName) -> Pending<'a, ContainerProperties> {
        unused()
    }

    fn set_container_metadata<'a>(
        &'a self,
        _container: &'a ContainerName,
        _metadata: Metadata,
        _conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        unused()
    }

    fn list_containers(&self, _request: ListContainers) -> Pending<'_, ContainersSegment> {
        unused()
    }

    fn write_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWriter> {
        let whole = Whole { service: self.clone(), blob: blob.clone(), put, content: Vec::new() };
        Box::pin(async { Ok(BlobWriter::new(Box::new(whole))) })
    }

    fn put_block<'a>(
        &'a self,
        _blob: &'a BlobAddress,
        _id: &'a BlockId,
        _content: Bytes,
        _md5: Option<Md5>,
    ) -> Pending<'a, ()> {
        unused()
    }

    fn write_block<'a>(
        &'a self,
        _blob: &'a BlobAddress,
        _id: &'a BlockId,
        _md5: Option<Md5>,
    ) -> Pending<'a, BlobWriter<()>> {
        unused()
    }

    fn write_append<'a>(
        &'a self,
        _blob: &'a BlobAddress,
        _append: AppendBlock,
    ) -> Pending<'a, BlobWriter<Appended>> {
        unused()
    }

    fn put_block_list<'a>(
        &'a self,
        _blob: &'a BlobAddress,
        _blocks: &'a [BlockSource],
        _put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        unused()
    }

    fn block_list<'a>(&'a self, _blob: &'a BlobAddress) -> Pending<'a, BlockList> {
        unused()
    }

    fn create_append_blob<'a>(&'a self, _blob: &'a BlobAddress, _put: PutBlob) -> Pending<'a, BlobWritten> {
        unused()
    }

    fn append_block<'a>(
        &'a self,
        _blob: &'a BlobAddress,
        _content: Bytes,
        _append: AppendBlock,
    ) -> Pending<'a, Appended> {
        unused()
    }

    fn set_blob_metadata<'a>(
        &'a self,
        _blob: &'a BlobAddress,
        _metadata: Metadata,
        _conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        unused()
    }

    fn set_blob_headers<'a>(
        &'a self,
        _blob: &'a BlobAddress,
        _headers: BlobHeaders,
        _conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        unused()
    }
}
