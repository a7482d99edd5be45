use http::StatusCode;
use table_store::{
    ErrorCode,
    blob::{BlobAddress, BlockId},
};

use super::{
    checksum::{Said, crc64, md5},
    created, facts, xml,
};
use crate::{
    server::{Call, Refusal, Reply, RequestBody, ServedAccount, resource::missing_parameter},
    wire::{
        blobs::{
            BLOCK_LIST_BODY_BYTES, BlockListType, read_blocks, read_put, write_block_list, write_version,
        },
        fields,
    },
};

/// Most bytes of a block over the wire: 100 MiB. It is held in memory, so this is less than the store would take.
const BLOCK_BYTES: usize = 100 << 20;

/// Puts a block, which is of the blob when a list says so.
pub(super) async fn put(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let id = call.query.said("blockid").ok_or_else(|| missing_parameter("blockid"))?;
    let id = BlockId::from_base64(id)?;
    if body.length().is_none() {
        return Err(ErrorCode::MissingContentLengthHeader.into());
    }
    let said = Said::read(&call.headers)?;
    let content = body.whole(BLOCK_BYTES).await?;
    let sum = crc64(&content);
    said.check(sum)?;
    account.blobs.put_block(blob, &id, content, said.md5).await?;
    Ok(created(|headers| said.answer(sum, headers)))
}

/// Makes a blob of blocks.
pub(super) async fn put_list(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let put = read_put(&call.headers, false)?;
    let said = Said::read(&call.headers)?;
    let body = body.whole(BLOCK_LIST_BODY_BYTES).await?;
    let sum = crc64(&body);
    said.check(sum)?;
    if said.md5.is_some_and(|said| said != md5(&body)) {
        return Err(ErrorCode::Md5Mismatch.into());
    }
    let blocks = read_blocks(&body)?;
    let written = account.blobs.put_block_list(blob, &blocks, put).await?;
    Ok(created(|headers| {
        let version =
            table_store::blob::BlobVersion { etag: written.etag, last_modified: written.last_modified };
        write_version(&version, headers);
        said.answer(sum, headers);
    }))
}

/// The blocks of a blob.
pub(super) async fn list(account: &ServedAccount, call: &Call, blob: &BlobAddress) -> Result<Reply, Refusal> {
    let which = BlockListType::read(&call.query)?;
    let list = account.blobs.block_list(blob).await?;
    let mut reply = xml(write_block_list(&list, which));
    reply.status = StatusCode::OK;
    fields::set(&mut reply.headers, "x-ms-blob-content-length", list.length);
    if let Some(version) = &list.version {
        write_version(version, &mut reply.headers);
    }
    Ok(reply.facts(facts(list.committed.len() + list.uncommitted.len())))
}
