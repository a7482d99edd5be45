//! Writes of complete blobs and blocks.

use azure_core::http::Method;
use bytes::Bytes;
use md5::{Digest, Md5 as Hasher};
use table_model::{
    ErrorCode, Metadata, Result, TableError,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobHeaders, BlobProperties, BlobTags,
        BlobVersion, BlobWritten, BlockId, BlockList, BlockSource, Md5, PutBlob, PutBlock, limits,
    },
};

use super::{
    BYTES, Inner, XML, of_blob, read,
    settle::{with_attempt, without_attempt},
    with_conditions,
};
use crate::{
    client::{outgoing::Outgoing, queues::with_metadata},
    wire::{blobs, fields, xml::Writer},
};

impl Inner {
    pub(super) async fn put(&self, blob: &BlobAddress, content: Bytes, put: &PutBlob) -> Result<BlobWritten> {
        too_long(content.len(), limits::PUT_BYTES)?;
        let hash = hash(&content);
        let outgoing =
            of_blob(Method::Put, blob, "").header(blobs::BLOB_TYPE, "BlockBlob").body(BYTES, content);
        let mut outgoing = with_put(outgoing, put)?;
        // This hash verifies the transfer. The equal hash in `put.headers` is stored with the blob.
        put.headers.check_md5(hash)?;
        fields::set(&mut outgoing.headers, blobs::CONTENT_MD5, fields::hash_text(&hash.0));
        let answer = self.send_settled(blob, &outgoing, &put.conditions).await?;
        read(blobs::read_written(&answer.headers))
    }

    pub(super) async fn put_block(
        &self,
        blob: &BlobAddress,
        id: &BlockId,
        content: Bytes,
        put: &PutBlock,
    ) -> Result<()> {
        self.send(&block(blob, id, content, put)?).await.map(drop)
    }

    /// Puts a block under an ID that is never used for other content, so a repeated request has no effect.
    pub(super) async fn put_own_block(
        &self,
        blob: &BlobAddress,
        id: &BlockId,
        content: Bytes,
        put: &PutBlock,
    ) -> Result<()> {
        self.send(&block(blob, id, content, put)?.repeatable()).await.map(drop)
    }

    pub(super) async fn put_block_list(
        &self,
        blob: &BlobAddress,
        blocks: &[BlockSource],
        put: &PutBlob,
    ) -> Result<BlobWritten> {
        let outgoing = of_blob(Method::Put, blob, "comp=blocklist").body(XML, blobs::write_blocks(blocks));
        let outgoing = with_put(outgoing, put)?;
        let answer = self.send_settled(blob, &outgoing, &put.conditions).await?;
        let mut written = read(blobs::read_written(&answer.headers))?;
        // The hash in the response covers the block list, not the content.
        written.content_md5 = put.headers.content_md5;
        Ok(written)
    }

    pub(super) async fn block_list(&self, blob: &BlobAddress) -> Result<BlockList> {
        let outgoing = of_blob(Method::Get, blob, "comp=blocklist&blocklisttype=all").most(BLOCKS);
        let answer = self.send(&outgoing).await?;
        let mut list = read(blobs::read_block_list(&answer.body))?;
        list.length = answer.required("x-ms-blob-content-length")?;
        list.version = blobs::read_version(&answer.headers).ok();
        Ok(list)
    }

    pub(super) async fn create_append_blob(&self, blob: &BlobAddress, put: &PutBlob) -> Result<BlobWritten> {
        let outgoing = of_blob(Method::Put, blob, "").header(blobs::BLOB_TYPE, "AppendBlob");
        let answer = self.send_settled(blob, &with_put(outgoing, put)?, &put.conditions).await?;
        if answer.header("content-length").is_some_and(|length| length != "0") {
            let reason = "the append blob was created, but another client appended to it before its version was \
                       read";
            return Err(TableError::no_response(reason));
        }
        read(blobs::read_written(&answer.headers))
    }

    pub(super) async fn append(
        &self,
        blob: &BlobAddress,
        content: Bytes,
        append: &AppendBlock,
    ) -> Result<Appended> {
        too_long(content.len(), limits::APPEND_BYTES)?;
        let mut outgoing = of_blob(Method::Put, blob, "comp=appendblock").body(BYTES, content);
        blobs::write_append(append, &mut outgoing.headers);
        let answer = self.send_settled(blob, &outgoing, &append.conditions).await?;
        read(blobs::read_appended(&answer.headers))
    }

    pub(super) async fn properties(
        &self,
        blob: &BlobAddress,
        conditions: &BlobConditions,
    ) -> Result<BlobProperties> {
        let answer = self.send(&with_conditions(of_blob(Method::Head, blob, ""), conditions)).await?;
        let mut properties = read(blobs::read_properties(&answer.headers))?;
        without_attempt(&mut properties.metadata);
        Ok(properties)
    }

    pub(super) async fn set_metadata(
        &self,
        blob: &BlobAddress,
        metadata: &Metadata,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        let outgoing = with_metadata(of_blob(Method::Put, blob, "comp=metadata"), metadata)?;
        let outgoing = with_conditions(with_attempt(outgoing, metadata), conditions);
        read(blobs::read_version(&self.send_settled(blob, &outgoing, conditions).await?.headers))
    }

    pub(super) async fn set_headers(
        &self,
        blob: &BlobAddress,
        headers: &BlobHeaders,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        headers.check()?;
        let mut outgoing = of_blob(Method::Put, blob, "comp=properties");
        blobs::write_content(headers, &mut outgoing.headers);
        let outgoing = with_conditions(outgoing, conditions);
        read(blobs::read_version(&self.send_settled(blob, &outgoing, conditions).await?.headers))
    }

    pub(super) async fn tags(&self, blob: &BlobAddress, conditions: &BlobConditions) -> Result<BlobTags> {
        let outgoing = with_conditions(of_blob(Method::Get, blob, "comp=tags"), conditions);
        read(blobs::read_tags(&self.send(&outgoing).await?.body))
    }

    pub(super) async fn set_tags(
        &self,
        blob: &BlobAddress,
        tags: &BlobTags,
        conditions: &BlobConditions,
    ) -> Result<()> {
        let body = blobs::write_tags(Writer::unmarked(), tags);
        let outgoing = of_blob(Method::Put, blob, "comp=tags").body(XML, body);
        self.send(&with_conditions(outgoing, conditions)).await.map(drop)
    }
}

/// The maximum size of a block list with all committed and uncommitted blocks.
const BLOCKS: usize = 64 << 20;

fn with_put(outgoing: Outgoing, put: &PutBlob) -> Result<Outgoing> {
    put.headers.check()?;
    let mut outgoing = with_attempt(with_metadata(outgoing, &put.metadata)?, &put.metadata);
    blobs::write_content(&put.headers, &mut outgoing.headers);
    blobs::write_tags_header(&put.tags, &mut outgoing.headers);
    Ok(with_conditions(outgoing, &put.conditions))
}

fn block(blob: &BlobAddress, id: &BlockId, content: Bytes, put: &PutBlock) -> Result<Outgoing> {
    too_long(content.len(), limits::BLOCK_BYTES)?;
    let mut outgoing = of_blob(Method::Put, blob, "comp=block").body(BYTES, content);
    outgoing.query.push("blockid", id);
    blobs::write_block(put, &mut outgoing.headers);
    Ok(outgoing)
}

fn too_long(length: usize, most: u64) -> Result<()> {
    if length as u64 > most { Err(ErrorCode::RequestBodyTooLarge.into()) } else { Ok(()) }
}

fn hash(content: &[u8]) -> Md5 {
    Md5(Hasher::digest(content).into())
}
