use table_model::{ErrorCode, blob::BlobWriter, pauses::Pauses};

use super::checksum::{Said, Sum};
use crate::server::{
    Refusal, RequestBody,
    share::{Share, UNCOUNTED},
};

/// Maximum size of a body that is read in one piece: 64 KiB. Hashing it takes less time than a turn.
pub(super) const ONE_PIECE: usize = UNCOUNTED;

/// Bytes of a blob that are processed in one turn of the account.
pub(super) const TURN_BYTES: usize = 128 << 10;

/// Memory of an upload: the pieces of a turn, and those that the store collects for a commit.
const HELD_BYTES: usize = 1 << 20;

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
/// The result includes the CRC64 of the body. Hashing and storing take turns of the account.
///
/// # Errors
///
/// Returns errors of reading and writing, `ServerBusy`, `Crc64Mismatch` or `Md5Mismatch`.
pub(super) async fn pour<A>(
    share: &Share,
    mut body: RequestBody,
    mut writer: BlobWriter<A>,
    said: Said,
) -> Result<(A, u64), Refusal> {
    let _held = share.reserve(HELD_BYTES).await?;
    let mut sum = Sum::new();
    let (mut pieces, mut gathered, mut pauses) = (Vec::new(), 0, Pauses::default());
    loop {
        let piece = body.next().await.transpose()?;
        let is_end = piece.is_none();
        if let Some(piece) = piece {
            gathered += piece.len();
            pieces.push(piece);
        }
        if gathered >= TURN_BYTES || is_end && gathered > 0 {
            share
                .shortly(async {
                    for piece in pieces.drain(..) {
                        for part in piece.chunks(ONE_PIECE / 2) {
                            sum.update(part);
                            writer.write(part).await?;
                            pauses.after(part.len());
                        }
                    }
                    Ok::<_, Refusal>(())
                })
                .await?;
            gathered = 0;
        }
        if is_end {
            break;
        }
    }
    let sum = sum.finish();
    said.check(sum)?;
    Ok((writer.finish().await?, sum))
}
