//! A blob as a whole, and its blocks.

use azure_core::http::Method;
use bytes::Bytes;
use md5::{Digest, Md5 as Hasher};
use table_store::{
    ErrorCode, Metadata, Result,
    blob::{
        AppendBlock, Appended, BlobAddress, BlobConditions, BlobHeaders, BlobProperties, BlobVersion,
        BlobWritten, BlockId, BlockList, BlockSource, Md5, PutBlob, limits,
    },
};

use super::{BYTES, Inner, XML, of_blob, read, repeatable_unless, with_conditions};
use crate::{
    client::{outgoing::Outgoing, queues::with_metadata},
    wire::{blobs, fields},
};

impl Inner {
    pub(super) async fn put(&self, blob: &BlobAddress, content: Bytes, put: &PutBlob) -> Result<BlobWritten> {
        too_long(content.len(), limits::PUT_BYTES)?;
        let hash = hash(&content);
        let length = content.len() as u64;
        let outgoing =
            of_blob(Method::Put, blob, "").header(blobs::BLOB_TYPE, "BlockBlob").body(BYTES, content);
        let mut outgoing = repeatable_unless(with_put(outgoing, put)?, &put.conditions);
        // That what arrives is what was sent is checked by this one; the other is stored.
        let sent = put.headers.content_md5.unwrap_or(hash);
        fields::set(&mut outgoing.headers, blobs::CONTENT_MD5, fields::hash_text(&sent.0));
        match self.send(&outgoing).await {
            Err(lost) if lost.is_unknown() => self.settle_put(blob, length, hash, lost).await,
            sent => read(blobs::read_written(&sent?.headers)),
        }
    }

    pub(super) async fn put_block(
        &self,
        blob: &BlobAddress,
        id: &BlockId,
        content: Bytes,
        md5: Option<Md5>,
    ) -> Result<()> {
        too_long(content.len(), limits::BLOCK_BYTES)?;
        // A block that is put again is the same block.
        let mut outgoing = of_blob(Method::Put, blob, "comp=block").body(BYTES, content).repeatable();
        outgoing.query.push("blockid", id);
        if let Some(Md5(hash)) = md5 {
            fields::set(&mut outgoing.headers, blobs::CONTENT_MD5, fields::hash_text(&hash));
        }
        self.send(&outgoing).await.map(drop)
    }

    pub(super) async fn put_block_list(
        &self,
        blob: &BlobAddress,
        blocks: &[BlockSource],
        put: &PutBlob,
    ) -> Result<BlobWritten> {
        let outgoing = of_blob(Method::Put, blob, "comp=blocklist").body(XML, blobs::write_blocks(blocks));
        let outgoing = with_conditions(with_put(outgoing, put)?, &put.conditions);
        let answer = self.send(&outgoing).await?;
        let mut written = read(blobs::read_written(&answer.headers))?;
        // What the answer has is the hash of the list.
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
        let outgoing = with_conditions(with_put(outgoing, put)?, &put.conditions);
        match self.send(&outgoing).await {
            // One that is empty and was to be new is the one, or as good as it.
            Err(lost) if lost.is_unknown() && put.conditions == BlobConditions::absent() => {
                self.settle_append_blob(blob, lost).await
            }
            sent => read(blobs::read_written(&sent?.headers)),
        }
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
        match self.send(&outgoing).await {
            Err(lost) if lost.is_unknown() => {
                self.settle_append(blob, &outgoing, append.position, lost).await
            }
            sent => read(blobs::read_appended(&sent?.headers)),
        }
    }

    pub(super) async fn properties(
        &self,
        blob: &BlobAddress,
        conditions: &BlobConditions,
    ) -> Result<BlobProperties> {
        let answer = self.send(&with_conditions(of_blob(Method::Head, blob, ""), conditions)).await?;
        read(blobs::read_properties(&answer.headers))
    }

    pub(super) async fn set_metadata(
        &self,
        blob: &BlobAddress,
        metadata: &Metadata,
        conditions: &BlobConditions,
    ) -> Result<BlobVersion> {
        let outgoing = with_metadata(of_blob(Method::Put, blob, "comp=metadata"), metadata)?;
        read(blobs::read_version(&self.send(&repeatable_unless(outgoing, conditions)).await?.headers))
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
        read(blobs::read_version(&self.send(&repeatable_unless(outgoing, conditions)).await?.headers))
    }

    pub(super) async fn delete(&self, blob: &BlobAddress, conditions: &BlobConditions) -> Result<()> {
        match self.send(&with_conditions(of_blob(Method::Delete, blob, ""), conditions)).await {
            Err(lost) if lost.is_unknown() => match self.properties(blob, &BlobConditions::none()).await {
                Err(error) if error.is_not_found() => Ok(()),
                _ => Err(lost),
            },
            sent => sent.map(drop),
        }
    }
}

/// The longest list of blocks: committed ones and others, as many as there can be.
const BLOCKS: usize = 64 << 20;

fn with_put(outgoing: Outgoing, put: &PutBlob) -> Result<Outgoing> {
    put.headers.check()?;
    let mut outgoing = with_metadata(outgoing, &put.metadata)?;
    blobs::write_content(&put.headers, &mut outgoing.headers);
    Ok(outgoing)
}

fn too_long(length: usize, most: u64) -> Result<()> {
    if length as u64 > most { Err(ErrorCode::RequestBodyTooLarge.into()) } else { Ok(()) }
}

fn hash(content: &[u8]) -> Md5 {
    Md5(Hasher::digest(content).into())
}
