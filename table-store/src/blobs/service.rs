use bytes::Bytes;
use table_model::{
    Metadata, Pending, Result,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobChange, BlobConditions, BlobCopied, BlobHeaders,
        BlobProperties, BlobReader, BlobService, BlobTags, BlobVersion, BlobWriter, BlobWritten,
        BlobsSegment, BlockId, BlockList, BlockSource, ContainerName, ContainerProperties, ContainersSegment,
        CopyBlob, DeleteSnapshots, FindBlobs, FoundBlobsSegment, LeaseAction, Leased, ListBlobs,
        ListContainers, PutBlob, PutBlock, ReadBlob, SnapshotBlob, Snapshotted, upload,
    },
};

use super::{
    find,
    job::{
        self, ChangeBlob, ChangeContainer, CreateContainer, DeleteBlob, DeleteContainer, LeaseBlob,
        LeaseContainer, PutList,
    },
    listing, read, reader,
    upload::Uploads,
};
use crate::Store;

/// Content is validated on the caller's thread when the future is first polled, and large content is stored from there
/// in batches. One write then makes it visible. A read runs immediately.
impl BlobService for Store {
    fn create_container<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
    ) -> Pending<'a, BlobVersion> {
        Box::pin(self.work(CreateContainer { name: container.clone(), metadata }))
    }

    fn delete_container<'a>(
        &'a self,
        container: &'a ContainerName,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()> {
        Box::pin(self.work(DeleteContainer { name: container.clone(), conditions: conditions.clone() }))
    }

    fn container_properties<'a>(
        &'a self,
        container: &'a ContainerName,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ContainerProperties> {
        Box::pin(async { read::container(self.core(), container, conditions) })
    }

    fn set_container_metadata<'a>(
        &'a self,
        container: &'a ContainerName,
        metadata: Metadata,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        let (name, conditions) = (container.clone(), conditions.clone());
        Box::pin(self.work(ChangeContainer { name, metadata, conditions }))
    }

    fn lease_container<'a>(
        &'a self,
        container: &'a ContainerName,
        action: &'a LeaseAction,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, Leased> {
        let (name, action, conditions) = (container.clone(), action.clone(), conditions.clone());
        Box::pin(self.work(LeaseContainer { name, action, conditions }))
    }

    fn list_containers(&self, request: ListContainers) -> Pending<'_, ContainersSegment> {
        Box::pin(async move { listing::containers(self.core(), &request) })
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
        Box::pin(async move {
            let writer = upload::write_blob(&Uploads(self.clone()), blob, put)?;
            self.check_container(blob).map(|()| writer)
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
        Box::pin(async move {
            let writer = upload::write_block(&Uploads(self.clone()), blob, id, put)?;
            self.check_container(blob).map(|()| writer)
        })
    }

    fn put_block_list<'a>(
        &'a self,
        blob: &'a BlobAddress,
        blocks: &'a [BlockSource],
        put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        Box::pin(async move {
            put.headers.check()?;
            BlockSource::check_list(blocks)?;
            self.work(PutList { at: blob.clone(), blocks: blocks.to_vec(), put }).await
        })
    }

    fn block_list<'a>(&'a self, blob: &'a BlobAddress) -> Pending<'a, BlockList> {
        Box::pin(async { read::block_list(self.core(), blob) })
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
        Box::pin(async move {
            let writer = upload::write_append(&Uploads(self.clone()), blob, append)?;
            self.check_container(blob).map(|()| writer)
        })
    }

    fn read_blob<'a>(&'a self, blob: &'a BlobAddress, read: ReadBlob) -> Pending<'a, BlobReader> {
        Box::pin(async move { reader::open(self, blob, &read) })
    }

    fn blob_properties<'a>(
        &'a self,
        blob: &'a BlobAddress,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobProperties> {
        Box::pin(async { read::properties(self.core(), blob, conditions) })
    }

    fn set_blob_metadata<'a>(
        &'a self,
        blob: &'a BlobAddress,
        metadata: Metadata,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        Box::pin(self.change_blob(blob, conditions, BlobChange::Metadata(metadata)))
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
        Box::pin(async { read::tags(self.core(), blob, conditions) })
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
        Box::pin(async move { find::blobs(self.core(), &request) })
    }

    fn delete_blob<'a>(&'a self, blob: &'a BlobAddress, conditions: &'a BlobConditions) -> Pending<'a, ()> {
        Box::pin(self.delete(blob, None, conditions))
    }

    fn delete_snapshots<'a>(
        &'a self,
        blob: &'a BlobAddress,
        which: DeleteSnapshots,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, ()> {
        Box::pin(self.delete(blob, Some(which), conditions))
    }

    fn snapshot_blob<'a>(&'a self, blob: &'a BlobAddress, request: SnapshotBlob) -> Pending<'a, Snapshotted> {
        Box::pin(self.work(job::SnapshotBlob { at: blob.clone(), request }))
    }

    fn copy_blob<'a>(
        &'a self,
        to: &'a BlobAddress,
        from: &'a BlobAddress,
        request: CopyBlob,
    ) -> Pending<'a, BlobCopied> {
        Box::pin(async move {
            request.check()?;
            self.work(job::CopyBlob { to: to.clone(), from: from.clone(), request }).await
        })
    }

    fn lease_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        action: &'a LeaseAction,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, Leased> {
        let (at, action, conditions) = (blob.clone(), action.clone(), conditions.clone());
        Box::pin(self.work(LeaseBlob { at, action, conditions }))
    }

    fn list_blobs<'a>(
        &'a self,
        container: &'a ContainerName,
        request: ListBlobs,
    ) -> Pending<'a, BlobsSegment> {
        Box::pin(async move { listing::blobs(self.core(), container, &request) })
    }
}

impl Store {
    /// Checks that the container of a blob exists.
    fn check_container(&self, at: &BlobAddress) -> Result<()> {
        read::container(self.core(), &at.container, &BlobConditions::none()).map(drop)
    }

    async fn delete(
        &self,
        at: &BlobAddress,
        snapshots: Option<DeleteSnapshots>,
        conditions: &BlobConditions,
    ) -> Result<()> {
        self.work(DeleteBlob { at: at.clone(), conditions: conditions.clone(), snapshots }).await
    }

    async fn change_blob(
        &self,
        at: &BlobAddress,
        conditions: &BlobConditions,
        change: BlobChange,
    ) -> Result<BlobVersion> {
        self.work(ChangeBlob { at: at.clone(), conditions: conditions.clone(), change }).await
    }
}
