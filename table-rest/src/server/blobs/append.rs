use table_store::{
    ErrorCode,
    blob::{BlobAddress, limits::APPEND_BYTES},
};

use super::{
    checksum::{Said, crc64},
    created,
};
use crate::{
    server::{Call, Refusal, Reply, RequestBody, ServedAccount},
    wire::blobs::{read_append, write_appended},
};

/// Writes to the end of an append blob.
pub(super) async fn append(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    let append = read_append(&call.headers)?;
    let said = Said::read(&call.headers)?;
    if body.length().is_none() {
        return Err(ErrorCode::MissingContentLengthHeader.into());
    }
    let content = body.whole(usize::try_from(APPEND_BYTES).unwrap_or(usize::MAX)).await?;
    let sum = crc64(&content);
    said.check(sum)?;
    let appended = account.blobs.append_block(blob, content, append).await?;
    Ok(created(|headers| {
        write_appended(&appended, headers);
        said.answer(sum, headers);
    }))
}
