use table_model::{
    Bytes, ErrorCode, Metadata, Pending, TableError,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobChange, BlobConditions, BlobCopied, BlobHeaders,
        BlobProperties, BlobReader, BlobService, BlobTags, BlobVersion, BlobWriter, BlobWritten,
        BlobsSegment, BlockId, BlockList, BlockSource, ContainerName, ContainerProperties, ContainersSegment,
        CopyBlob, DeleteSnapshots, FindBlobs, FoundBlobsSegment, LeaseAction, Leased, ListBlobs,
        ListContainers, PutBlob, PutBlock, ReadBlob, SnapshotBlob, Snapshotted, upload,
    },
};

use super::{
    block::PutList,
    containers::ContainerChange,
    copy::{Copy, Snapshot},
    delete::Delete,
    put::{Change, LeaseBlob},
    reader,
    upload::Uploads,
};
use crate::{Postgres, failure::Failure};

/// A change of a blob is one transaction, whatever the size of its content.
impl BlobService for Postgres {
    fn create_container<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
    ) -> Pending<'a, BlobVersion> {
        self.within(async move { self.0.create_container(container, metadata).await.map_err(error) })
    }

    fn delete_container<'a>(
        &'a self,
        container: &'a ContainerName,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()> {
        self.within(async move {
            let change = ContainerChange::Delete(conditions);
            self.0.change_container(container, change).await.map(drop).map_err(error)
        })
    }

    fn container_properties<'a>(
        &'a self,
        container: &'a ContainerName,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ContainerProperties> {
        self.within(async move { self.0.container_properties(container, conditions).await.map_err(error) })
    }

    fn set_container_metadata<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        self.within(async move {
            let change = ContainerChange::Metadata(&metadata, conditions);
            let changed = self.0.change_container(container, change).await.map_err(error)?;
            Ok(changed.version)
        })
    }

    fn lease_container<'a>(
        &'a self,
        container: &'a ContainerName,
        action: &'a LeaseAction,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, Leased> {
        self.within(async move {
            let change = ContainerChange::Lease(action, conditions);
            let changed = self.0.change_container(container, change).await.map_err(error)?;
            Ok(changed.leased.unwrap_or_else(|| Leased::new(changed.version, None, None)))
        })
    }

    fn list_containers(&self, request: ListContainers) -> Pending<'_, ContainersSegment> {
        self.within(async move { self.0.list_containers(&request).await.map_err(error) })
    }

    fn put_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        Box::pin(async move { upload::put_blob(&Uploads(self.clone()), blob, content, put).await })
    }

    fn write_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWriter> {
        self.within(async move {
            let writer = upload::write_blob(&Uploads(self.clone()), blob, put)?;
            self.0.container_id(&blob.container).await.map(|_| writer).map_err(error)
        })
    }

    fn put_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        content: Bytes,
        put: PutBlock,
    ) -> Pending<'a, ()> {
        Box::pin(async move { upload::put_block(&Uploads(self.clone()), blob, id, content, put).await })
    }

    fn write_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        put: PutBlock,
    ) -> Pending<'a, BlobWriter<()>> {
        self.within(async move {
            let writer = upload::write_block(&Uploads(self.clone()), blob, id, put)?;
            self.0.container_id(&blob.container).await.map(|_| writer).map_err(error)
        })
    }

    fn put_block_list<'a>(
        &'a self,
        blob: &'a BlobAddress,
        blocks: &'a [BlockSource],
        put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        self.within(async move {
            put.headers.check()?;
            BlockSource::check_list(blocks)?;
            blob.check_writable()?;
            self.0.work(&PutList { at: blob, blocks, put: &put }).await.map_err(error)
        })
    }

    fn block_list<'a>(&'a self, blob: &'a BlobAddress) -> Pending<'a, BlockList> {
        self.within(async move { self.0.block_list(blob).await.map_err(error) })
    }

    fn create_append_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWritten> {
        Box::pin(async move { upload::create_append_blob(&Uploads(self.clone()), blob, put).await })
    }

    fn append_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        append: AppendBlock,
    ) -> Pending<'a, Appended> {
        Box::pin(async move { upload::append_block(&Uploads(self.clone()), blob, content, append).await })
    }

    fn write_append<'a>(
        &'a self,
        blob: &'a BlobAddress,
        append: AppendBlock,
    ) -> Pending<'a, BlobWriter<Appended>> {
        self.within(async move {
            let writer = upload::write_append(&Uploads(self.clone()), blob, append)?;
            self.0.container_id(&blob.container).await.map(|_| writer).map_err(error)
        })
    }

    fn read_blob<'a>(&'a self, blob: &'a BlobAddress, read: ReadBlob) -> Pending<'a, BlobReader> {
        self.within(async move { reader::open(self, blob, &read).await.map_err(error) })
    }

    fn blob_properties<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobProperties> {
        self.within(async move { self.0.blob_properties(blob, conditions).await.map_err(error) })
    }

    fn set_blob_metadata<'a>(
        &'a self,
        blob: &'a BlobAddress,
        metadata: Metadata,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        self.change_blob(blob, conditions, BlobChange::Metadata(metadata))
    }

    fn set_blob_headers<'a>(
        &'a self,
        blob: &'a BlobAddress,
        headers: BlobHeaders,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        Box::pin(async move {
            headers.check()?;
            self.change_blob(blob, conditions, BlobChange::Headers(headers)).await
        })
    }

    fn blob_tags<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobTags> {
        self.within(async move { self.0.blob_tags(blob, conditions).await.map_err(error) })
    }

    fn set_blob_tags<'a>(
        &'a self,
        blob: &'a BlobAddress,
        tags: BlobTags,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()> {
        Box::pin(async move { self.change_blob(blob, conditions, BlobChange::Tags(tags)).await.map(drop) })
    }

    fn find_blobs(&self, request: FindBlobs) -> Pending<'_, FoundBlobsSegment> {
        self.within(async move { self.0.find_blobs(&request).await.map_err(error) })
    }

    fn delete_blob<'a>(&'a self, blob: &'a BlobAddress, conditions: &'a BlobConditions) -> Pending<'a, ()> {
        self.delete(blob, None, conditions)
    }

    fn delete_snapshots<'a>(
        &'a self,
        blob: &'a BlobAddress,
        which: DeleteSnapshots,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()> {
        self.delete(blob, Some(which), conditions)
    }

    fn snapshot_blob<'a>(&'a self, blob: &'a BlobAddress, request: SnapshotBlob) -> Pending<'a, Snapshotted> {
        self.within(async move {
            blob.check_writable()?;
            self.0.work(&Snapshot { at: blob, request: &request }).await.map_err(error)
        })
    }

    fn copy_blob<'a>(
        &'a self,
        to: &'a BlobAddress,
        from: &'a BlobAddress,
        request: CopyBlob,
    ) -> Pending<'a, BlobCopied> {
        self.within(async move {
            request.check()?;
            to.check_writable()?;
            self.0.work(&Copy { to, from, request: &request }).await.map_err(error)
        })
    }

    fn lease_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        action: &'a LeaseAction,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, Leased> {
        self.within(async move {
            blob.check_writable()?;
            self.0.work(&LeaseBlob { at: blob, action, conditions }).await.map_err(error)
        })
    }

    fn list_blobs<'a>(
        &'a self,
        container: &'a ContainerName,
        request: ListBlobs,
    ) -> Pending<'a, BlobsSegment> {
        self.within(async move { self.0.list_blobs(container, &request).await.map_err(error) })
    }
}

impl Postgres {
    fn change_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
        change: BlobChange,
    ) -> Pending<'a, BlobVersion> {
        self.within(async move {
            blob.check_writable()?;
            self.0.work(&Change { at: blob, conditions, to: &change }).await.map_err(error)
        })
    }

    fn delete<'a>(
        &'a self,
        blob: &'a BlobAddress,
        snapshots: Option<DeleteSnapshots>,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()> {
        self.within(async move {
            DeleteSnapshots::check(snapshots, blob.snapshot.is_some(), false)?;
            self.0.work(&Delete { at: blob, snapshots, conditions }).await.map_err(error)
        })
    }
}

/// Converts the failure of a request to blobs.
pub(super) fn error(failure: Failure) -> TableError {
    match failure {
        Failure::NoTable => ErrorCode::ContainerNotFound.into(),
        failure => failure.into(),
    }
}
