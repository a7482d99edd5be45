use table_model::{ErrorCode, blob::BlobWriter};

use super::checksum::{Said, Sum};
use crate::server::{Refusal, RequestBody};

/// Maximum size of a body that is read in one piece: 1 MiB.
pub(super) const ONE_PIECE: usize = 1 << 20;

/// Returns the length that the request specifies, which is required.
///
/// # Errors
///
/// Returns `MissingContentLengthHeader` or `RequestBodyTooLarge`.
pub(super) fn length(body: &RequestBody, most: u64) -> Result<u64, ErrorCode> {
    let length = body.length().ok_or(ErrorCode::MissingContentLengthHeader)?;
    if length > most { Err(ErrorCode::RequestBodyTooLarge) } else { Ok(length) }
}

/// Streams a body into a writer. The content becomes visible only when the body is complete and its checksums match.
/// The result includes the CRC64 of the body.
///
/// # Errors
///
/// Returns errors of reading and writing, `Crc64Mismatch` or `Md5Mismatch`.
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
