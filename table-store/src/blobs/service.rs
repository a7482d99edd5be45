use bytes::Bytes;
use table_model::{
    ErrorCode, Metadata, Pending, Result,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobCopied, BlobHeaders, BlobProperties,
        BlobReader, BlobService, BlobTags, BlobType, BlobVersion, BlobWriter, BlobWritten, BlobsSegment,
        BlockId, BlockList, BlockSource, ContainerName, ContainerProperties, ContainersSegment, CopyBlob,
        DeleteSnapshots, FindBlobs, FoundBlobsSegment, LeaseAction, Leased, ListBlobs, ListContainers, Md5,
        PutBlob, PutBlock, ReadBlob, SnapshotBlob, Snapshotted,
        limits::{APPEND_BYTES, BLOCK_BYTES, BLOCKS, PUT_BYTES},
    },
};

use super::{
    destination::ToBlock,
    find,
    job::{
        self, Append, Change, ChangeBlob, ChangeContainer, CreateContainer, DeleteBlob, DeleteContainer,
        LeaseBlob, LeaseContainer, Put, PutList, Sent,
    },
    listing, read, reader,
    upload::{Destination, Writer, check_hash, hash, upload},
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
        mut put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        Box::pin(async move {
            check_length(&content, PUT_BYTES)?;
            put.headers.check()?;
            let md5 = hash(&content);
            put.headers.check_md5(md5)?;
            put.headers.content_md5 = Some(md5);
            let sent = upload(self, blob, content).await?;
            self.work(Put { at: blob.clone(), blob_type: BlobType::Block, sent, with: put }).await
        })
    }

    fn write_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWriter> {
        Box::pin(async move {
            put.headers.check()?;
            self.begin(blob, put)
        })
    }

    fn put_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        content: Bytes,
        put: PutBlock,
    ) -> Pending<'a, ()> {
        Box::pin(async move {
            let sent = upload_block(self, blob, content, BLOCK_BYTES, put.md5).await?;
            self.work(job::PutBlock { at: blob.clone(), id: id.clone(), lease: put.lease, sent }).await
        })
    }

    fn write_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        id: &'a BlockId,
        put: PutBlock,
    ) -> Pending<'a, BlobWriter<()>> {
        Box::pin(async move { self.begin(blob, ToBlock { id: id.clone(), put }) })
    }

    fn put_block_list<'a>(
        &'a self,
        blob: &'a BlobAddress,
        blocks: &'a [BlockSource],
        put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        Box::pin(async move {
            put.headers.check()?;
            if blocks.len() > BLOCKS {
                return Err(ErrorCode::BlockListTooLong.into());
            }
            self.work(PutList { at: blob.clone(), blocks: blocks.to_vec(), put }).await
        })
    }

    fn block_list<'a>(&'a self, blob: &'a BlobAddress) -> Pending<'a, BlockList> {
        Box::pin(async { read::block_list(self.core(), blob) })
    }

    fn create_append_blob<'a>(&'a self, blob: &'a BlobAddress, put: PutBlob) -> Pending<'a, BlobWritten> {
        Box::pin(async move {
            put.headers.check()?;
            let sent = Sent::default();
            self.work(Put { at: blob.clone(), blob_type: BlobType::Append, sent, with: put }).await
        })
    }

    fn append_block<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        append: AppendBlock,
    ) -> Pending<'a, Appended> {
        Box::pin(async move {
            let sent = upload_block(self, blob, content, APPEND_BYTES, append.md5).await?;
            self.work(Append { at: blob.clone(), sent, when: append }).await
        })
    }

    fn write_append<'a>(
        &'a self,
        blob: &'a BlobAddress,
        append: AppendBlock,
    ) -> Pending<'a, BlobWriter<Appended>> {
        Box::pin(async move { self.begin(blob, append) })
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
        Box::pin(self.change_blob(blob, conditions, Change::Metadata(metadata)))
    }

    fn set_blob_headers<'a>(
        &'a self,
        blob: &'a BlobAddress,
        headers: BlobHeaders,
        conditions: &'a BlobConditions,
    ) -> Pending<'a, BlobVersion> {
        Box::pin(async move {
            headers.check()?;
            self.change_blob(blob, conditions, Change::Headers(headers)).await
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
        Box::pin(async move { self.change_blob(blob, conditions, Change::Tags(tags)).await.map(drop) })
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
    /// Creates a writer to an existing container.
    fn begin<D: Destination>(&self, at: &BlobAddress, destination: D) -> Result<BlobWriter<D::Answer>> {
        at.check_writable()?;
        read::container(self.core(), &at.container, &BlobConditions::none())?;
        Ok(BlobWriter::new(Box::new(Writer::new(self.clone(), at.clone(), destination))))
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
        change: Change,
    ) -> Result<BlobVersion> {
        self.work(ChangeBlob { at: at.clone(), conditions: conditions.clone(), change }).await
    }
}

fn check_length(content: &Bytes, most: u64) -> Result<()> {
    if content.len() as u64 > most { Err(ErrorCode::RequestBodyTooLarge.into()) } else { Ok(()) }
}

/// Stores all but the last batch of a block, which must not be empty.
async fn upload_block(
    store: &Store,
    at: &BlobAddress,
    content: Bytes,
    most: u64,
    md5: Option<Md5>,
) -> Result<Sent> {
    check_length(&content, most)?;
    if content.is_empty() {
        return Err(ErrorCode::InvalidHeaderValue.into());
    }
    if md5.is_some() {
        check_hash(md5, hash(&content))?;
    }
    upload(store, at, content).await
}
