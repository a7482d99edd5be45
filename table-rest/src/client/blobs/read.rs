//! Streamed reads of a blob.

use std::{ops::Range, sync::Arc};

use azure_core::http::{AsyncResponseBody, Method};
use bytes::Bytes;
use futures_core::Stream;
use table_model::{
    ErrorCode, Pending, Result, TableError,
    blob::{BlobAddress, BlobConditions, BlobETag, BlobRange, BlobReader, BlobSource, ReadBlob},
};

use super::{BlobClient, Inner, of_blob, read, settle::without_attempt, with_conditions};
use crate::{
    client::{reactor::driven, sender::Begun},
    wire::blobs,
};

/// Maximum number of consecutive resumptions without new data.
const RESUMED: u32 = 4;

/// Starts reading. All chunks belong to the current version of the blob.
pub(super) async fn begin(client: &BlobClient, blob: &BlobAddress, asked: ReadBlob) -> Result<BlobReader> {
    if asked.range.end.is_some_and(|end| end <= asked.range.start) {
        return Err(ErrorCode::InvalidRange.into());
    }
    let begun = request(&client.0, blob, asked.range, &asked.conditions).await?;
    let mut properties = read(blobs::read_properties(&begun.headers))?;
    without_attempt(&mut properties.metadata);
    let range = if begun.status == 206 { asked.range } else { BlobRange::ALL };
    let range = range.within(properties.length)?;
    let source = Source {
        client: Arc::clone(&client.0),
        blob: blob.clone(),
        etag: properties.etag.clone(),
        left: range.clone(),
        body: Some(Box::pin(begun.body)),
        cut: 0,
    };
    Ok(BlobReader::new(properties, range, Box::new(source)))
}

async fn request(
    inner: &Inner,
    blob: &BlobAddress,
    range: BlobRange,
    conditions: &BlobConditions,
) -> Result<Begun> {
    let mut outgoing = with_conditions(of_blob(Method::Get, blob, ""), conditions);
    blobs::write_range(range, &mut outgoing.headers);
    inner.sender.stream(&outgoing).await
}

struct Source {
    client: Arc<Inner>,
    blob: BlobAddress,
    /// The version that is read.
    etag: BlobETag,
    /// The byte range not yet returned.
    left: Range<u64>,
    /// The response body, or `None` after an interruption.
    body: Option<std::pin::Pin<Box<AsyncResponseBody>>>,
    /// Number of consecutive interruptions.
    cut: u32,
}

impl Source {
    async fn next(&mut self) -> Result<Option<Bytes>> {
        while !self.left.is_empty() {
            let Some(body) = &mut self.body else {
                self.resume().await?;
                continue;
            };
            let reason = match std::future::poll_fn(|context| body.as_mut().poll_next(context)).await {
                Some(Ok(piece)) if piece.is_empty() => continue,
                Some(Ok(mut piece)) => {
                    let left = usize::try_from(self.left.end - self.left.start).unwrap_or(usize::MAX);
                    piece.truncate(left);
                    self.left.start += piece.len() as u64;
                    self.cut = 0;
                    return Ok(Some(piece));
                }
                Some(Err(error)) => error.to_string(),
                None => "the response is shorter than its declared length".to_owned(),
            };
            self.body = None;
            self.cut += 1;
            if self.cut > RESUMED {
                let error =
                    TableError::no_response(format!("the blob could not be read completely: {reason}"));
                return Err(self.client.sender.clean(error));
            }
        }
        Ok(None)
    }

    /// Requests the remaining range of the same version.
    async fn resume(&mut self) -> Result<()> {
        let range = BlobRange { start: self.left.start, end: Some(self.left.end) };
        let conditions = BlobConditions::from(self.etag.clone());
        let begun = request(&self.client, &self.blob, range, &conditions).await?;
        if begun.status != 206 {
            return Err(super::no_sense("the complete blob was returned for a range request"));
        }
        self.body = Some(Box::pin(begun.body));
        Ok(())
    }
}

impl BlobSource for Source {
    fn chunk(&mut self) -> Pending<'_, Option<Bytes>> {
        driven(self.next())
    }
}
