//! The blob service of a database, which has no blobs.

use table_store::{
    BlobService, Bytes, ErrorCode, Metadata, Pending, TableError,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobCopied, BlobHeaders, BlobProperties,
        BlobReader, BlobTags, BlobVersion, BlobWriter, BlobWritten, BlobsSegment, BlockId, BlockList,
        BlockSource, ContainerName, ContainerProperties, ContainersSegment, CopyBlob, DeleteSnapshots,
        FindBlobs, FoundBlobsSegment, LeaseAction, Leased, ListBlobs, ListContainers, PutBlob, PutBlock,
        ReadBlob, SnapshotBlob, Snapshotted,
    },
};

/// Rejects all requests.
#[derive(Debug)]
pub(super) struct NoBlobs;

fn refusal() -> TableError {
    TableError::with_message(
        ErrorCode::NotImplemented,
        "A database has no blobs. Serve them from a data directory.",
    )
}

macro_rules! refuse {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        #[expect(clippy::elidable_lifetime_names, reason = "arguments of some methods have it")]
        impl BlobService for NoBlobs {
            $(fn $name<'a>(&'a self, $(_: $argument),*) -> Pending<'a, $result> {
                Box::pin(async { Err(refusal()) })
            })*
        }
    };
}

refuse! {
    create_container(&'a ContainerName, Metadata) -> BlobVersion;
    delete_container(&'a ContainerName, &'a BlobConditions) -> ();
    container_properties(&'a ContainerName, &'a BlobConditions) -> ContainerProperties;
    set_container_metadata(&'a ContainerName, Metadata, &'a BlobConditions) -> BlobVersion;
    lease_container(&'a ContainerName, &'a LeaseAction, &'a BlobConditions) -> Leased;
    list_containers(ListContainers) -> ContainersSegment;
    put_blob(&'a BlobAddress, Bytes, PutBlob) -> BlobWritten;
    write_blob(&'a BlobAddress, PutBlob) -> BlobWriter;
    put_block(&'a BlobAddress, &'a BlockId, Bytes, PutBlock) -> ();
    write_block(&'a BlobAddress, &'a BlockId, PutBlock) -> BlobWriter<()>;
    put_block_list(&'a BlobAddress, &'a [BlockSource], PutBlob) -> BlobWritten;
    block_list(&'a BlobAddress) -> BlockList;
    create_append_blob(&'a BlobAddress, PutBlob) -> BlobWritten;
    append_block(&'a BlobAddress, Bytes, AppendBlock) -> Appended;
    write_append(&'a BlobAddress, AppendBlock) -> BlobWriter<Appended>;
    read_blob(&'a BlobAddress, ReadBlob) -> BlobReader;
    blob_properties(&'a BlobAddress, &'a BlobConditions) -> BlobProperties;
    set_blob_metadata(&'a BlobAddress, Metadata, &'a BlobConditions) -> BlobVersion;
    set_blob_headers(&'a BlobAddress, BlobHeaders, &'a BlobConditions) -> BlobVersion;
    blob_tags(&'a BlobAddress, &'a BlobConditions) -> BlobTags;
    set_blob_tags(&'a BlobAddress, BlobTags, &'a BlobConditions) -> ();
    find_blobs(FindBlobs) -> FoundBlobsSegment;
    delete_blob(&'a BlobAddress, &'a BlobConditions) -> ();
    delete_snapshots(&'a BlobAddress, DeleteSnapshots, &'a BlobConditions) -> ();
    snapshot_blob(&'a BlobAddress, SnapshotBlob) -> Snapshotted;
    copy_blob(&'a BlobAddress, &'a BlobAddress, CopyBlob) -> BlobCopied;
    lease_blob(&'a BlobAddress, &'a LeaseAction, &'a BlobConditions) -> Leased;
    list_blobs(&'a ContainerName, ListBlobs) -> BlobsSegment;
}
