//! Snapshots, copies and deletions.

use azure_core::http::Method;
use table_model::{
    Result, TableError,
    blob::{BlobAddress, BlobConditions, BlobCopied, CopyBlob, DeleteSnapshots, SnapshotBlob, Snapshotted},
};

use super::{Inner, of_blob, read, with_conditions};
use crate::wire::blobs;

impl Inner {
    pub(super) async fn snapshot(&self, blob: &BlobAddress, request: &SnapshotBlob) -> Result<Snapshotted> {
        blob.check_writable()?;
        let mut outgoing = of_blob(Method::Put, blob, "comp=snapshot");
        blobs::write_snapshot_request(request, &mut outgoing.headers);
        read(blobs::read_snapshotted(&self.send(&outgoing).await?.headers))
    }

    /// Copies a blob of the account. The service chooses the ID of the copy, and names the source by its URL.
    pub(super) async fn copy(
        &self,
        to: &BlobAddress,
        from: &BlobAddress,
        request: &CopyBlob,
    ) -> Result<BlobCopied> {
        to.check_writable()?;
        let source = of_blob(Method::Get, from, "");
        let url = self.sender.endpoint.url(&source.path, source.query.as_str())?;
        let mut outgoing = of_blob(Method::Put, to, "").header(blobs::COPY_SOURCE, url);
        blobs::write_copy(request, &mut outgoing.headers);
        let answer = self.send(&outgoing).await?;
        read(blobs::read_copied(&answer.headers))?.ok_or_else(|| {
            TableError::no_response("the service has started the copy, but did not complete it")
        })
    }

    pub(super) async fn delete(
        &self,
        blob: &BlobAddress,
        snapshots: Option<DeleteSnapshots>,
        conditions: &BlobConditions,
    ) -> Result<()> {
        let mut outgoing = with_conditions(of_blob(Method::Delete, blob, ""), conditions);
        blobs::write_delete_snapshots(snapshots, &mut outgoing.headers);
        self.send_settled(blob, &outgoing, conditions).await.map(drop)
    }
}
