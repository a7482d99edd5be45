//! What became of a write to a blob whose answer was lost. Contents show it: a hash is as good as the contents.

use table_store::{
    Result, TableError,
    blob::{Appended, BlobAddress, BlobConditions, BlobType, BlobWritten, Md5},
};

use super::{Inner, read};
use crate::{client::outgoing::Outgoing, wire::blobs};

impl Inner {
    /// A blob with these contents is there: it was written.
    pub(super) async fn settle_put(
        &self,
        blob: &BlobAddress,
        length: u64,
        hash: Md5,
        lost: TableError,
    ) -> Result<BlobWritten> {
        match self.properties(blob, &BlobConditions::none()).await {
            Ok(found) if found.length == length && found.headers.content_md5 == Some(hash) => {
                Ok(BlobWritten::new(found.version(), Some(hash)))
            }
            _ => Err(lost),
        }
    }

    /// An append blob that was to be new, and is there and empty.
    pub(super) async fn settle_append_blob(
        &self,
        blob: &BlobAddress,
        lost: TableError,
    ) -> Result<BlobWritten> {
        match self.properties(blob, &BlobConditions::none()).await {
            Ok(found) if found.length == 0 && found.blob_type == BlobType::Append => {
                Ok(BlobWritten::new(found.version(), None))
            }
            _ => Err(lost),
        }
    }

    /// An append at a position that the blob has not passed was not done. It is sent again, since of two copies only one finds
    /// the blob as long as it has to be; if none does, it is open whose append it was that came first.
    pub(super) async fn settle_append(
        &self,
        blob: &BlobAddress,
        outgoing: &Outgoing,
        position: Option<u64>,
        lost: TableError,
    ) -> Result<Appended> {
        let Some(position) = position else { return Err(lost) };
        match self.properties(blob, &BlobConditions::none()).await {
            Ok(found) if found.length == position => {
                let answer = self.send(outgoing).await.map_err(|_| lost)?;
                read(blobs::read_appended(&answer.headers))
            }
            _ => Err(lost),
        }
    }
}
