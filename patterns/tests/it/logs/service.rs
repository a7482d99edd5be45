//! A blob service that counts requests, rejects writes, and loses responses.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use bytes::Bytes;
use table_model::{
    Metadata, Pending,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobCopied, BlobHeaders, BlobProperties,
        BlobReader, BlobService, BlobTags, BlobVersion, BlobWriter, BlobWritten, BlobsSegment, BlockId,
        BlockList, BlockSource, ContainerName, ContainerProperties, ContainersSegment, CopyBlob,
        DeleteSnapshots, FindBlobs, FoundBlobsSegment, LeaseAction, Leased, ListBlobs, ListContainers,
        PutBlob, PutBlock, ReadBlob, SnapshotBlob, Snapshotted,
    },
};
use table_patterns::{ErrorCode, Store, TableError};

/// Outcome of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Executed, with a response.
    Done,
    /// Executed, with an error as response.
    AnswerLost,
    /// Executed, without any response.
    Hangs,
    /// Not executed.
    Refused,
}

/// A store in which blob writes have predefined outcomes.
#[derive(Clone, Debug)]
pub(crate) struct Bad {
    store: Store,
    fates: Arc<Mutex<Vec<Fate>>>,
    requests: Arc<AtomicUsize>,
}

impl Bad {
    pub(crate) fn new(store: Store) -> Self {
        Self { store, fates: Arc::default(), requests: Arc::default() }
    }

    /// Sets the outcomes of the next writes, in order. Later writes are executed.
    pub(crate) fn next(&self, fates: &[Fate]) {
        *self.fates.lock().unwrap() = fates.iter().rev().copied().collect();
    }

    /// Returns the number of requests since the last call.
    pub(crate) fn requests(&self) -> usize {
        self.requests.swap(0, Ordering::SeqCst)
    }

    fn counted(&self) -> &Store {
        self.requests.fetch_add(1, Ordering::SeqCst);
        &self.store
    }
}

macro_rules! forward {
    ($($verb:ident($($name:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(fn $verb<'a>(&'a self, $($name: $kind),*) -> Pending<'a, $answer> {
            self.counted().$verb($($name),*)
        })*
    };
}

impl BlobService for Bad {
    fn put_blob<'a>(
        &'a self,
        blob: &'a BlobAddress,
        content: Bytes,
        put: PutBlob,
    ) -> Pending<'a, BlobWritten> {
        let fate = self.fates.lock().unwrap().pop().unwrap_or(Fate::Done);
        let lost = || TableError::with_message(ErrorCode::OperationTimedOut, "no answer");
        Box::pin(async move {
            if fate == Fate::Refused {
                return Err(lost());
            }
            let written = self.counted().put_blob(blob, content, put).await?;
            match fate {
                Fate::AnswerLost => Err(lost()),
                Fate::Hangs => std::future::pending().await,
                _ => Ok(written),
            }
        })
    }

    fn list_containers(&self, request: ListContainers) -> Pending<'_, ContainersSegment> {
        self.counted().list_containers(request)
    }

    fn find_blobs(&self, request: FindBlobs) -> Pending<'_, FoundBlobsSegment> {
        self.counted().find_blobs(request)
    }

    forward! {
        create_container(container: &'a ContainerName, metadata: Metadata) -> BlobVersion;
        delete_container(container: &'a ContainerName, conditions: &'a BlobConditions) -> ();
        container_properties(
            container: &'a ContainerName, conditions: &'a BlobConditions
        ) -> ContainerProperties;
        lease_container(
            container: &'a ContainerName, action: &'a LeaseAction, conditions: &'a BlobConditions
        ) -> Leased;
        set_container_metadata(
            container: &'a ContainerName, metadata: Metadata, conditions: &'a BlobConditions
        ) -> BlobVersion;
        write_blob(blob: &'a BlobAddress, put: PutBlob) -> BlobWriter;
        put_block(blob: &'a BlobAddress, id: &'a BlockId, content: Bytes, put: PutBlock) -> ();
        write_block(blob: &'a BlobAddress, id: &'a BlockId, put: PutBlock) -> BlobWriter<()>;
        write_append(blob: &'a BlobAddress, append: AppendBlock) -> BlobWriter<Appended>;
        put_block_list(blob: &'a BlobAddress, blocks: &'a [BlockSource], put: PutBlob) -> BlobWritten;
        block_list(blob: &'a BlobAddress) -> BlockList;
        create_append_blob(blob: &'a BlobAddress, put: PutBlob) -> BlobWritten;
        append_block(blob: &'a BlobAddress, content: Bytes, append: AppendBlock) -> Appended;
        read_blob(blob: &'a BlobAddress, read: ReadBlob) -> BlobReader;
        blob_properties(blob: &'a BlobAddress, conditions: &'a BlobConditions) -> BlobProperties;
        set_blob_metadata(
            blob: &'a BlobAddress, metadata: Metadata, conditions: &'a BlobConditions
        ) -> BlobVersion;
        set_blob_headers(
            blob: &'a BlobAddress, headers: BlobHeaders, conditions: &'a BlobConditions
        ) -> BlobVersion;
        blob_tags(blob: &'a BlobAddress, conditions: &'a BlobConditions) -> BlobTags;
        set_blob_tags(blob: &'a BlobAddress, tags: BlobTags, conditions: &'a BlobConditions) -> ();
        delete_blob(blob: &'a BlobAddress, conditions: &'a BlobConditions) -> ();
        delete_snapshots(
            blob: &'a BlobAddress, which: DeleteSnapshots, conditions: &'a BlobConditions
        ) -> ();
        snapshot_blob(blob: &'a BlobAddress, request: SnapshotBlob) -> Snapshotted;
        copy_blob(to: &'a BlobAddress, from: &'a BlobAddress, request: CopyBlob) -> BlobCopied;
        lease_blob(
            blob: &'a BlobAddress, action: &'a LeaseAction, conditions: &'a BlobConditions
        ) -> Leased;
        list_blobs(container: &'a ContainerName, request: ListBlobs) -> BlobsSegment;
    }
}
