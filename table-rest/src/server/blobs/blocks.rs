use http::StatusCode;
use table_model::blob::{BlobAddress, BlobConditions, BlobVersion, BlockId, PutBlock, limits::BLOCK_BYTES};

use super::{
    checksum::{Said, crc64},
    created, facts,
    pour::{ONE_PIECE, length, pour},
    xml,
};
use crate::{
    server::{Call, Refusal, Reply, RequestBody, ServedAccount, resource::missing_parameter},
    wire::{
        blobs::{
            BLOCK_LIST_BODY_BYTES, BlockListType, read_blocks, read_conditions, read_put, write_block_list,
            write_version,
        },
        fields,
    },
};

/// Puts a block, which becomes part of the blob when a block list commits it.
pub(super) async fn put(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let id = call.query.said("blockid").ok_or_else(|| missing_parameter("blockid"))?;
    let id = BlockId::from_base64(id)?;
    let length = length(&body, BLOCK_BYTES)?;
    let said = Said::read(&call.headers)?;
    let with = PutBlock::new().md5(said.md5).lease(read_conditions(&call.headers)?.lease);
    let sum = if length <= ONE_PIECE as u64 {
        let content = body.whole(ONE_PIECE).await?;
        let sum = crc64(&content);
        said.check(sum)?;
        account.blobs.put_block(blob, &id, content, with).await?;
        sum
    } else {
        pour(&account.share, body, account.blobs.write_block(blob, &id, with).await?, said).await?.1
    };
    Ok(created(|headers| said.answer(sum, headers)))
}

/// Commits a block list as the content of a blob.
pub(super) async fn put_list(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let mut put = read_put(&call.headers, false)?;
    put.metadata = call.metadata()?;
    let said = Said::read(&call.headers)?;
    let body = body.whole(BLOCK_LIST_BODY_BYTES).await?;
    let read = async {
        let sum = said.verify(&body)?;
        Ok::<_, Refusal>((sum, read_blocks(&body)?))
    };
    let (sum, blocks) = account.share.weigh(&call.probe, body.len(), read).await?;
    let written = account.blobs.put_block_list(blob, &blocks, put).await?;
    Ok(created(|headers| {
        let version = BlobVersion { etag: written.etag, last_modified: written.last_modified };
        write_version(&version, headers);
        said.answer(sum, headers);
    }))
}

/// Lists the blocks of a blob.
pub(super) async fn list(account: &ServedAccount, call: &Call, blob: &BlobAddress) -> Result<Reply, Refusal> {
    let which = BlockListType::read(&call.query)?;
    let said = read_conditions(&call.headers)?;
    let mut conditions = BlobConditions::none();
    (conditions.lease, conditions.tags) = (said.lease, said.tags);
    if conditions != BlobConditions::none() {
        account.blobs.blob_properties(blob, &conditions).await?;
    }
    // Up to 100,000 blocks.
    let list = account.share.aside(call.probe.queued(async {
        let list = account.blobs.block_list(blob).await?;
        Ok::<_, Refusal>((write_block_list(&list, which), list))
    }));
    let (body, list) = list.await?;
    let mut reply = xml(body);
    reply.status = StatusCode::OK;
    fields::set(&mut reply.headers, "x-ms-blob-content-length", list.length);
    if let Some(version) = &list.version {
        write_version(version, &mut reply.headers);
    }
    Ok(reply.facts(facts(list.committed.len() + list.uncommitted.len())))
}
