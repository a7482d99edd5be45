use table_model::blob::{BlobAddress, limits::APPEND_BYTES};

use super::{
    checksum::{Said, crc64},
    created,
    pour::{ONE_PIECE, length, pour},
};
use crate::{
    server::{Call, Refusal, Reply, RequestBody, ServedAccount},
    wire::blobs::{read_append, write_appended},
};

/// Appends to an append blob.
pub(super) async fn append(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let append = read_append(&call.headers)?;
    let said = Said::read(&call.headers)?;
    let length = length(&body, APPEND_BYTES)?;
    let (appended, sum) = if length <= ONE_PIECE as u64 {
        let content = body.whole(ONE_PIECE).await?;
        let sum = crc64(&content);
        said.check(sum)?;
        (account.blobs.append_block(blob, content, append).await?, sum)
    } else {
        pour(&account.share, body, account.blobs.write_append(blob, append).await?, said).await?
    };
    Ok(created(|headers| {
        write_appended(&appended, headers);
        said.answer(sum, headers);
    }))
}
