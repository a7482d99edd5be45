//! A blob service on the same store, with the same faults as the tables.

use bytes::Bytes;
use table_store::{
    Metadata, Pending,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobCopied, BlobHeaders, BlobProperties,
        BlobReader, BlobService, BlobSink, BlobTags, BlobVersion, BlobWriter, BlobWritten, BlobsSegment,
        BlockId, BlockList, BlockSource, ContainerName, ContainerProperties, ContainersSegment, CopyBlob,
        DeleteSnapshots, FindBlobs, FoundBlobsSegment, LeaseAction, Leased, ListBlobs, ListContainers,
        PutBlob, PutBlock, ReadBlob, SnapshotBlob, Snapshotted,
    },
};

use crate::simulation::{Below, Unreliable, unused, unused_methods, world::Request};

/// A blob that collects its chunks and is sent in one request at the end.
struct Whole<S> {
    service: Unreliable<S>,
    blob: BlobAddress,
    put: PutBlob,
    content: Vec<u8>,
}

impl<S: Below> BlobSink for Whole<S> {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        self.content.extend_from_slice(bytes);
        Box::pin(async { Ok(()) })
    }

    fn finish(self: Box<Self>) -> Pending<'static, BlobWritten> {
        let Self { service, blob, put, content } = *self;
        Box::pin(async move { service.put_blob(&blob, content.into(), put).await })
    }
}

impl<S: Below> BlobService for Unreliable<S> {
    fn create_container<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
    ) -> Pending<'a, BlobVersion> {
        self.read(|store| store.create_container(container, metadata))
    }

    fn put_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        let call = self.store().put_blob(blob, content.clone(), put.clone());
        Box::pin(self.write(move || Request::PutBlob { blob: blob.clone(), content, put: put.into() }, call))
    }

    fn read_blob<'a>(&'a self, blob: &'a BlobAddress, read: ReadBlob) -> Pending<'a, BlobReader> {
        self.read(|store| store.read_blob(blob, read))
    }

    fn blob_properties<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobProperties> {
        self.read(|store| store.blob_properties(blob, conditions))
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
        self.read(|store| store.list_blobs(container, request))
    }

    fn write_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWriter> {
        let whole = Whole { service: self.clone(), blob: blob.clone(), put, content: Vec::new() };
        Box::pin(async { Ok(BlobWriter::new(Box::new(whole))) })
    }

    unused_methods! {
        delete_container(&'a ContainerName, &'a BlobConditions) -> ();
        container_properties(&'a ContainerName, &'a BlobConditions) -> ContainerProperties;
        lease_container(&'a ContainerName, &'a LeaseAction, &'a BlobConditions) -> Leased;
        lease_blob(&'a BlobAddress, &'a LeaseAction, &'a BlobConditions) -> Leased;
        set_container_metadata(&'a ContainerName, Metadata, &'a BlobConditions) -> BlobVersion;
        put_block(&'a BlobAddress, &'a BlockId, Bytes, PutBlock) -> ();
        write_block(&'a BlobAddress, &'a BlockId, PutBlock) -> BlobWriter<()>;
        write_append(&'a BlobAddress, AppendBlock) -> BlobWriter<Appended>;
        put_block_list(&'a BlobAddress, &'a [BlockSource], PutBlob) -> BlobWritten;
        block_list(&'a BlobAddress) -> BlockList;
        create_append_blob(&'a BlobAddress, PutBlob) -> BlobWritten;
        append_block(&'a BlobAddress, Bytes, AppendBlock) -> Appended;
        delete_snapshots(&'a BlobAddress, DeleteSnapshots, &'a BlobConditions) -> ();
        snapshot_blob(&'a BlobAddress, SnapshotBlob) -> Snapshotted;
        copy_blob(&'a BlobAddress, &'a BlobAddress, CopyBlob) -> BlobCopied;
        set_blob_metadata(&'a BlobAddress, Metadata, &'a BlobConditions) -> BlobVersion;
        set_blob_headers(&'a BlobAddress, BlobHeaders, &'a BlobConditions) -> BlobVersion;
        blob_tags(&'a BlobAddress, &'a BlobConditions) -> BlobTags;
        set_blob_tags(&'a BlobAddress, BlobTags, &'a BlobConditions) -> ();
    }

    fn list_containers(&self, _request: ListContainers) -> Pending<'_, ContainersSegment> {
        unused()
    }

    fn find_blobs(&self, _request: FindBlobs) -> Pending<'_, FoundBlobsSegment> {
        unused()
    }
}
