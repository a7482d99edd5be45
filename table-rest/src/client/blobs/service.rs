use std::sync::Arc;

use bytes::Bytes;
use table_model::{
    BlobService, Metadata, Pending,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobCopied, BlobHeaders, BlobProperties,
        BlobReader, BlobTags, BlobVersion, BlobWriter, BlobWritten, BlobsSegment, BlockId, BlockList,
        BlockSource, ContainerName, ContainerProperties, ContainersSegment, CopyBlob, DeleteSnapshots,
        FindBlobs, FoundBlobsSegment, LeaseAction, Leased, ListBlobs, ListContainers, PutBlob, PutBlock,
        ReadBlob, SnapshotBlob, Snapshotted,
    },
};

use super::{
    BlobClient,
    read::begin,
    upload::Writer,
    whole::{Block, Whole},
};
use crate::client::reactor::driven;

impl BlobService for BlobClient {
    fn create_container<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
    ) -> Pending<'a, BlobVersion> {
        driven(async move { self.0.create_container(container, &metadata).await })
    }

    fn delete_container<'a>(
        &'a self,
        container: &'a ContainerName,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()> {
        driven(self.0.delete_container(container, conditions))
    }

    fn container_properties<'a>(
        &'a self,
        container: &'a ContainerName,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ContainerProperties> {
        driven(self.0.container(container, conditions))
    }

    fn set_container_metadata<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        driven(async move { self.0.set_container_metadata(container, &metadata, conditions).await })
    }

    fn lease_container<'a>(
        &'a self,
        container: &'a ContainerName,
        action: &'a LeaseAction,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, Leased> {
        driven(self.0.lease_container(container, action, conditions))
    }

    fn list_containers(&self, request: ListContainers) -> Pending<'_, ContainersSegment> {
        driven(async move { self.0.list_containers(&request).await })
    }

    fn put_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        driven(async move {
            blob.check_writable()?;
            self.0.put(blob, content, &put).await
        })
    }

    fn write_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWriter> {
        driven(async move {
            blob.check_writable()?;
            put.headers.check()?;
            Ok(BlobWriter::new(Box::new(Writer::new(Arc::clone(&self.0), blob.clone(), put))))
        })
    }

    fn put_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        content: Bytes,
        put: PutBlock,
    ) -> Pending<'a, ()> {
        driven(async move {
            blob.check_writable()?;
            self.0.put_block(blob, id, content, &put).await
        })
    }

    fn write_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        put: PutBlock,
    ) -> Pending<'a, BlobWriter<()>> {
        Box::pin(async move {
            blob.check_writable()?;
            let block = Whole::new(Arc::clone(&self.0), blob.clone(), Block { id: id.clone(), put });
            Ok(BlobWriter::new(Box::new(block)))
        })
    }

    fn write_append<'a>(
        &'a self,
        blob: &'a BlobAddress,
        append: AppendBlock,
    ) -> Pending<'a, BlobWriter<Appended>> {
        Box::pin(async move {
            blob.check_writable()?;
            let append = Whole::new(Arc::clone(&self.0), blob.clone(), append);
            Ok(BlobWriter::new(Box::new(append)))
        })
    }

    fn put_block_list<'a>(
        &'a self,
        blob: &'a BlobAddress,
        blocks: &'a [BlockSource],
        put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        driven(async move {
            blob.check_writable()?;
            self.0.put_block_list(blob, blocks, &put).await
        })
    }

    fn block_list<'a>(&'a self, blob: &'a BlobAddress) -> Pending<'a, BlockList> {
        driven(self.0.block_list(blob))
    }

    fn create_append_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWritten> {
        driven(async move {
            blob.check_writable()?;
            self.0.create_append_blob(blob, &put).await
        })
    }

    fn append_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        append: AppendBlock,
    ) -> Pending<'a, Appended> {
        driven(async move {
            blob.check_writable()?;
            self.0.append(blob, content, &append).await
        })
    }

    fn read_blob<'a>(&'a self, blob: &'a BlobAddress, read: ReadBlob) -> Pending<'a, BlobReader> {
        driven(begin(self, blob, read))
    }

    fn blob_properties<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobProperties> {
        driven(self.0.properties(blob, conditions))
    }

    fn set_blob_metadata<'a>(
        &'a self,
        blob: &'a BlobAddress,
        metadata: Metadata,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        driven(async move {
            blob.check_writable()?;
            self.0.set_metadata(blob, &metadata, conditions).await
        })
    }

    fn set_blob_headers<'a>(
        &'a self,
        blob: &'a BlobAddress,
        headers: BlobHeaders,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        driven(async move {
            blob.check_writable()?;
            self.0.set_headers(blob, &headers, conditions).await
        })
    }

    fn blob_tags<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobTags> {
        driven(self.0.tags(blob, conditions))
    }

    fn set_blob_tags<'a>(
        &'a self,
        blob: &'a BlobAddress,
        tags: BlobTags,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()> {
        driven(async move {
            blob.check_writable()?;
            self.0.set_tags(blob, &tags, conditions).await
        })
    }

    fn find_blobs(&self, request: FindBlobs) -> Pending<'_, FoundBlobsSegment> {
        driven(async move { self.0.find(&request).await })
    }

    fn delete_blob<'a>(&'a self, blob: &'a BlobAddress, conditions: &'a BlobConditions) -> Pending<'a, ()> {
        driven(self.0.delete(blob, None, conditions))
    }

    fn delete_snapshots<'a>(
        &'a self,
        blob: &'a BlobAddress,
        which: DeleteSnapshots,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()> {
        driven(self.0.delete(blob, Some(which), conditions))
    }

    fn snapshot_blob<'a>(&'a self, blob: &'a BlobAddress, request: SnapshotBlob) -> Pending<'a, Snapshotted> {
        driven(async move { self.0.snapshot(blob, &request).await })
    }

    fn copy_blob<'a>(
        &'a self,
        to: &'a BlobAddress,
        from: &'a BlobAddress,
        request: CopyBlob,
    ) -> Pending<'a, BlobCopied> {
        driven(async move { self.0.copy(to, from, &request).await })
    }

    fn lease_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        action: &'a LeaseAction,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, Leased> {
        driven(async move {
            blob.check_writable()?;
            self.0.lease_blob(blob, action, conditions).await
        })
    }

    fn list_blobs<'a>(
        &'a self,
        container: &'a ContainerName,
        request: ListBlobs,
    ) -> Pending<'a, BlobsSegment> {
        driven(async move { self.0.list_blobs(container, &request).await })
    }
}
