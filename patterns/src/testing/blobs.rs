//! Blobs behind latency and faults. A blob that is written in pieces is one request, whose response is that of its end.

use bytes::Bytes;
use table_model::{
    Metadata, Pending,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobCopied, BlobHeaders, BlobProperties,
        BlobReader, BlobService, BlobSink, BlobTags, BlobVersion, BlobWriter, BlobWritten, BlobsSegment,
        BlockId, BlockList, BlockSource, ContainerName, ContainerProperties, ContainersSegment, CopyBlob,
        DeleteSnapshots, FindBlobs, FoundBlobsSegment, LeaseAction, Leased, ListBlobs, ListContainers,
        PutBlob, PutBlock, ReadBlob, SnapshotBlob, Snapshotted,
    },
};

use super::{
    faults::Fault,
    service::{Faulty, requests},
};

/// A blob that is written in pieces.
struct Pieces<A> {
    service: Faulty,
    fault: Option<Fault>,
    writer: BlobWriter<A>,
}

impl<A: Send + 'static> BlobSink<A> for Pieces<A> {
    fn write<'a>(&'a mut self, bytes: &'a [u8]) -> Pending<'a, ()> {
        Box::pin(self.writer.write(bytes))
    }

    fn finish(self: Box<Self>) -> Pending<'static, A> {
        let Self { service, fault, writer } = *self;
        Box::pin(async move {
            let written = writer.finish().await;
            service.answer(fault).await?;
            written
        })
    }
}

impl Faulty {
    fn in_pieces<'a, A: Send + 'static>(
        &'a self,
        writer: Pending<'a, BlobWriter<A>>,
    ) -> Pending<'a, BlobWriter<A>> {
        Box::pin(async move {
            let fault = self.arrive().await?;
            let writer = writer.await?;
            Ok(BlobWriter::new(Box::new(Pieces { service: self.clone(), fault, writer })))
        })
    }
}

impl BlobService for Faulty {
    requests! { BlobService:
        create_container(container: &'a ContainerName, metadata: Metadata) -> BlobVersion;
        delete_container(container: &'a ContainerName, conditions: &'a BlobConditions) -> ();
        container_properties(container: &'a ContainerName, conditions: &'a BlobConditions) -> ContainerProperties;
        set_container_metadata(container: &'a ContainerName, metadata: Metadata, conditions: &'a BlobConditions) -> BlobVersion;
        lease_container(container: &'a ContainerName, action: &'a LeaseAction, conditions: &'a BlobConditions) -> Leased;
        list_containers(request: ListContainers) -> ContainersSegment;
        put_blob(blob: &'a BlobAddress, content: Bytes, put: PutBlob) -> BlobWritten;
        put_block(blob: &'a BlobAddress, id: &'a BlockId, content: Bytes, put: PutBlock) -> ();
        put_block_list(blob: &'a BlobAddress, blocks: &'a [BlockSource], put: PutBlob) -> BlobWritten;
        block_list(blob: &'a BlobAddress) -> BlockList;
        create_append_blob(blob: &'a BlobAddress, put: PutBlob) -> BlobWritten;
        append_block(blob: &'a BlobAddress, content: Bytes, append: AppendBlock) -> Appended;
        read_blob(blob: &'a BlobAddress, read: ReadBlob) -> BlobReader;
        blob_properties(blob: &'a BlobAddress, conditions: &'a BlobConditions) -> BlobProperties;
        set_blob_metadata(blob: &'a BlobAddress, metadata: Metadata, conditions: &'a BlobConditions) -> BlobVersion;
        set_blob_headers(blob: &'a BlobAddress, headers: BlobHeaders, conditions: &'a BlobConditions) -> BlobVersion;
        blob_tags(blob: &'a BlobAddress, conditions: &'a BlobConditions) -> BlobTags;
        set_blob_tags(blob: &'a BlobAddress, tags: BlobTags, conditions: &'a BlobConditions) -> ();
        find_blobs(request: FindBlobs) -> FoundBlobsSegment;
        delete_blob(blob: &'a BlobAddress, conditions: &'a BlobConditions) -> ();
        delete_snapshots(blob: &'a BlobAddress, which: DeleteSnapshots, conditions: &'a BlobConditions) -> ();
        snapshot_blob(blob: &'a BlobAddress, request: SnapshotBlob) -> Snapshotted;
        copy_blob(to: &'a BlobAddress, from: &'a BlobAddress, request: CopyBlob) -> BlobCopied;
        lease_blob(blob: &'a BlobAddress, action: &'a LeaseAction, conditions: &'a BlobConditions) -> Leased;
        list_blobs(container: &'a ContainerName, request: ListBlobs) -> BlobsSegment;
    }

    fn write_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWriter> {
        self.in_pieces(self.store.write_blob(blob, put))
    }

    fn write_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        put: PutBlock,
    ) -> Pending<'a, BlobWriter<()>> {
        self.in_pieces(self.store.write_block(blob, id, put))
    }

    fn write_append<'a>(
        &'a self,
        blob: &'a BlobAddress,
        append: AppendBlock,
    ) -> Pending<'a, BlobWriter<Appended>> {
        self.in_pieces(self.store.write_append(blob, append))
    }
}
