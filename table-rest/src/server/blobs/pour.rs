use table_store::{ErrorCode, blob::BlobWriter};

use super::checksum::{Said, Sum};
use crate::server::{Refusal, RequestBody};

/// Bodies up to here are taken in one piece: 1 MiB.
pub(super) const ONE_PIECE: usize = 1 << 20;

/// The length that a request says its body has, which it must.
///
/// # Errors
/// `MissingContentLengthHeader`, `RequestBodyTooLarge`.
pub(super) fn length(body: &RequestBody, most: u64) -> Result<u64, ErrorCode> {
    let length = body.length().ok_or(ErrorCode::MissingContentLengthHeader)?;
    if length > most { Err(ErrorCode::RequestBodyTooLarge) } else { Ok(length) }
}

/// Writes a body as it arrives. Nothing is to be seen of it before all of it is there and as it was said to be. The answer
/// has the body's sum.
///
/// # Errors
/// What reading or writing it ran into; `Crc64Mismatch`, `Md5Mismatch`.
pub(super) async fn pour<A>(
    mut body: RequestBody,
    mut writer: BlobWriter<A>,
    said: Said,
) -> Result<(A, u64), Refusal> {
    let mut sum = Sum::new();
    while let Some(piece) = body.next().await {
        let piece = piece?;
        sum.update(&piece);
        writer.write(&piece).await?;
    }
    let sum = sum.finish();
    said.check(sum)?;
    Ok((writer.finish().await?, sum))
}
