use futures_util::join;
use table_model::{
    Pending, Result, TableError, Uuid,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobType, BlobWritten, BlockId, PutBlob,
        upload::{BlobStorage, Content},
    },
};

use super::{
    block::PutBlock,
    content::{CHUNK_BYTES, chunks},
    put::{Append, Put},
    service::error,
    work::{GRACE, Work, Writes},
};
use crate::{Postgres, client::Session, connections::take, failure::Failure, postgres::Inner, stamps::ticks};

/// The service, as uploads use it.
#[derive(Clone)]
pub(super) struct Uploads(pub(super) Postgres);

impl BlobStorage for Uploads {
    /// Id of the content.
    type Stored = Option<i64>;

    const BATCH_BYTES: usize = 4 * CHUNK_BYTES;

    fn store(
        &self,
        at: &BlobAddress,
        content: Content<Option<i64>>,
    ) -> impl Future<Output = Result<Option<i64>>> + Send {
        let at = at.clone();
        self.0.within(async move {
            if content.stored.is_none() {
                // Content for a container that does not exist is not received.
                self.0.0.container_id(&at.container).await.map_err(error)?;
            }
            self.0.0.store(&content).await.map(Some).map_err(error)
        })
    }

    async fn put(
        &self,
        at: &BlobAddress,
        blob_type: BlobType,
        content: Content<Option<i64>>,
        put: PutBlob,
    ) -> Result<BlobWritten> {
        at.check_writable()?;
        self.run(&Put { at, blob_type, content: &content, with: &put }).await
    }

    async fn put_block(
        &self,
        at: &BlobAddress,
        id: BlockId,
        content: Content<Option<i64>>,
        lease: Option<Uuid>,
    ) -> Result<()> {
        at.check_writable()?;
        self.run(&PutBlock { at, id: &id, content: &content, lease }).await
    }

    async fn append(
        &self,
        at: &BlobAddress,
        content: Content<Option<i64>>,
        append: AppendBlock,
    ) -> Result<Appended> {
        at.check_writable()?;
        self.run(&Append { at, content: &content, when: &append }).await
    }
}

impl Uploads {
    fn run<'a, W: Work>(&'a self, work: &'a W) -> Pending<'a, W::Answer> {
        self.0.within(async move { self.0.0.work(work).await.map_err(error) })
    }
}

impl Inner {
    /// Stores the rest of content, which is garbage until it becomes part of a blob. Returns its id.
    async fn store(&self, content: &Content<Option<i64>>) -> Result<i64, Failure> {
        let id = match content.stored {
            Some(id) => id,
            None => self.stamps.next(&self.pool).await?,
        };
        let (ends, sums, all) = chunks(id, content.stored_bytes, &content.rest).map_err(TableError::from)?;
        let text = if content.stored.is_some() { &self.blobs.prolong } else { &self.blobs.begin };
        let mut writes = Writes::default();
        writes.add(text, vec![Box::new(id), Box::new(ticks(GRACE))]);
        let chunks = &self.blobs.insert_chunks;
        writes.add(chunks, vec![Box::new(id), Box::new(ends), Box::new(sums), Box::new(all)]);
        let session = Session::new(take(&self.pool).await?);
        let (begun, sent) = join!(session.batch_execute("BEGIN"), writes.send(&session));
        begun?;
        sent?;
        session.finish();
        Ok(id)
    }
}
