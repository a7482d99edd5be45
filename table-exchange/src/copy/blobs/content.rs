use table_model::{
    Bytes, Result,
    blob::{
        AppendBlock, BlobAddress, BlobConditions, BlobETag, BlobHeaders, BlobProperties, BlobReader,
        BlobType, PutBlob, ReadBlob,
    },
};

use super::BlobCopy;

/// Maximum size in bytes of an append.
const APPEND_BYTES: usize = 4 << 20;

impl BlobCopy<'_> {
    /// Returns whether a blob or snapshot of the source equals one of the target.
    pub(super) async fn is_same(
        &self,
        blob: &BlobAddress,
        source: &BlobProperties,
        target: &BlobProperties,
    ) -> Result<bool> {
        let is_same = source.blob_type == target.blob_type
            && source.length == target.length
            && source.metadata == target.metadata
            && source.tags.clone().unwrap_or_default() == target.tags.clone().unwrap_or_default()
            && same_headers(&source.headers, &target.headers);
        let is_unchanged = || self.since.is_some_and(|since| source.last_modified < since);
        if !is_same || source.length == 0 || source.headers.content_md5.is_some() || is_unchanged() {
            return Ok(is_same);
        }
        let read = ReadBlob::new;
        let left = self.from.read_blob(&blob.clone().at(source.snapshot), read()).await?;
        let right = self.to.read_blob(&blob.clone().at(target.snapshot), read()).await?;
        same_content(left, right).await
    }

    /// Writes a version of the source to the blob of the target. Returns its ETag.
    pub(super) async fn write(
        &self,
        blob: &BlobAddress,
        version: &BlobProperties,
        conditions: BlobConditions,
    ) -> Result<BlobETag> {
        let mut reader = self.from.read_blob(&blob.clone().at(version.snapshot), ReadBlob::new()).await?;
        let BlobProperties { blob_type, headers, metadata, .. } = reader.properties().clone();
        let mut sent = headers.clone();
        sent.other_md5 = None;
        if blob_type == BlobType::Append {
            // An append removes the hash.
            sent.content_md5 = None;
        }
        let tags = version.tags.clone().unwrap_or_default();
        let put = PutBlob::new().headers(sent.clone()).metadata(metadata).tags(tags).conditions(conditions);
        let etag = match blob_type {
            BlobType::Block => {
                let mut writer = self.to.write_blob(blob, put).await?;
                while let Some(chunk) = reader.chunk().await? {
                    writer.write(&chunk).await?;
                }
                writer.finish().await?.etag
            }
            BlobType::Append => {
                let mut etag = self.to.create_append_blob(blob, put).await?.etag;
                while let Some(mut chunk) = reader.chunk().await? {
                    while !chunk.is_empty() {
                        let piece = chunk.split_to(chunk.len().min(APPEND_BYTES));
                        let append = AppendBlock::new().conditions(etag);
                        etag = self.to.append_block(blob, piece, append).await?.etag;
                    }
                }
                etag
            }
        };
        if sent == headers {
            return Ok(etag);
        }
        Ok(self.to.set_blob_headers(blob, headers, &etag.into()).await?.etag)
    }
}

/// A hash that only the target has was computed when it was written.
fn same_headers(source: &BlobHeaders, target: &BlobHeaders) -> bool {
    source.content_type() == target.content_type()
        && source.content_encoding == target.content_encoding
        && source.content_language == target.content_language
        && source.content_disposition == target.content_disposition
        && source.cache_control == target.cache_control
        && (source.content_md5.is_none() || source.content_md5 == target.content_md5)
        && source.other_md5 == target.other_md5
}

async fn same_content(mut left: BlobReader, mut right: BlobReader) -> Result<bool> {
    let (mut from, mut to) = (Bytes::new(), Bytes::new());
    loop {
        if from.is_empty() {
            from = left.chunk().await?.unwrap_or_default();
        }
        if to.is_empty() {
            to = right.chunk().await?.unwrap_or_default();
        }
        if from.is_empty() || to.is_empty() {
            return Ok(from.is_empty() && to.is_empty());
        }
        let length = from.len().min(to.len());
        if from.split_to(length) != to.split_to(length) {
            return Ok(false);
        }
    }
}
