use std::{collections::VecDeque, sync::Arc};

use bytes::Bytes;
use futures_util::stream;
use http::{HeaderMap, StatusCode, header};
use table_model::{
    ErrorCode, TableError,
    blob::{BlobAddress, BlobConditions, BlobRange, BlobReader, Md5, ReadBlob},
};

use super::{checksum, not_done, pour::TURN_BYTES, with_headers};
use crate::{
    server::{
        Call, Refusal, Reply, ReplyBody, ServedAccount, Spelling,
        share::{Reservation, Share, UNCOUNTED},
    },
    wire::{
        blobs::{CONTENT_MD5, content_range, read_conditions, read_range, write_properties},
        fields,
    },
};

const WANT_MD5: &str = "x-ms-range-get-content-md5";
const WANT_CRC64: &str = "x-ms-range-get-content-crc64";

/// Maximum length of a range whose hash can be requested: 4 MiB.
const MOST_HASHED: u64 = 4 << 20;

/// Reads a blob or a range of it. The content is streamed.
pub(super) async fn read(account: &ServedAccount, call: &Call, blob: &BlobAddress) -> Result<Reply, Refusal> {
    let range = read_range(&call.headers)?;
    let mut read = ReadBlob::new().conditions(read_conditions(&call.headers)?);
    read.range = range.unwrap_or(BlobRange::ALL);
    let reader = match account.blobs.read_blob(blob, read).await {
        Err(error) if error.code() == ErrorCode::InvalidRange => {
            let found = account.blobs.blob_properties(blob, &BlobConditions::none()).await?;
            return Ok(no_part(call, error, found.length));
        }
        reader => reader?,
    };
    let length = reader.properties().length;
    if range.is_some() && length == 0 {
        return Ok(no_part(call, ErrorCode::InvalidRange.into(), length));
    }
    let share = &account.share;
    let part = reader.range();
    let whole = range.is_none();
    let mut reply = Reply::new(if whole { StatusCode::OK } else { StatusCode::PARTIAL_CONTENT });
    write_properties(reader.properties(), whole, &mut reply.headers);
    reply.spelling = Spelling::of(&reader.properties().metadata);
    if !whole {
        fields::set(&mut reply.headers, "content-range", content_range(Some(part.clone()), length));
    }
    let sent = part.end.saturating_sub(part.start);
    reply.body = match wanted_hash(call, whole, sent)? {
        None => {
            let pieces = usize::try_from(sent).unwrap_or(usize::MAX).min(2 * TURN_BYTES);
            let held = if pieces > UNCOUNTED { share.reserve(pieces).await? } else { share.nothing() };
            stream(Arc::clone(share), held, reader, sent)
        }
        Some(hash) => {
            let length = usize::try_from(sent).unwrap_or(usize::MAX);
            let held = share.reserve(length).await?;
            let read = async {
                let content = reader.read_to_end().await?;
                hash(&content, &mut reply.headers);
                Ok::<_, TableError>(content)
            };
            let content = share.weigh(&call.probe, length, read).await?;
            reply.held = Some(held);
            ReplyBody::Whole(content)
        }
    };
    reply.facts.read = 1;
    reply.facts.returned = 1;
    Ok(reply)
}

/// Reads the properties of a blob.
pub(super) async fn properties(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
) -> Result<Reply, Refusal> {
    let found = account.blobs.blob_properties(blob, &read_conditions(&call.headers)?).await?;
    let reply = with_headers(StatusCode::OK, |headers| {
        write_properties(&found, true, headers);
        headers.insert(header::CONTENT_LENGTH, found.length.into());
    });
    Ok(reply.spelled_as(&found.metadata))
}

/// Returns the error for a range beyond the content; it includes the length of the blob.
fn no_part(call: &Call, error: TableError, length: u64) -> Reply {
    let mut reply = not_done(call, &error.into());
    fields::set(&mut reply.headers, "content-range", content_range(None, length));
    reply
}

/// Streams content. It is read in turns of the account, between which other tasks of the thread progress.
fn stream(share: Arc<Share>, held: Reservation, reader: BlobReader, length: u64) -> ReplyBody {
    let state = (reader, VecDeque::new(), held);
    let pieces = stream::try_unfold(state, move |(mut reader, mut pieces, held)| {
        let share = Arc::clone(&share);
        async move {
            if pieces.is_empty() {
                tokio::task::yield_now().await;
                share.shortly(fill(&mut reader, &mut pieces)).await?;
            }
            Ok(pieces.pop_front().map(|piece| (piece, (reader, pieces, held))))
        }
    });
    ReplyBody::Stream(length, Box::pin(pieces))
}

/// Reads the pieces of one turn.
async fn fill(reader: &mut BlobReader, pieces: &mut VecDeque<Bytes>) -> Result<(), TableError> {
    let mut read = 0;
    while read < TURN_BYTES
        && let Some(piece) = reader.chunk().await?
    {
        read += piece.len();
        pieces.push_back(piece);
    }
    Ok(())
}

type WriteHash = fn(&[u8], &mut HeaderMap);

/// Returns the hash function if the request requires a hash of the range. The hash is sent before the content, so the
/// range is buffered first.
fn wanted_hash(call: &Call, whole: bool, length: u64) -> Result<Option<WriteHash>, Refusal> {
    let wanted: [(&'static str, WriteHash); 2] = [
        (WANT_MD5, |content, headers| {
            let Md5(hash) = checksum::md5(content);
            fields::set(headers, CONTENT_MD5, fields::hash_text(&hash));
        }),
        (WANT_CRC64, |content, headers| checksum::write_crc64(checksum::crc64(content), headers)),
    ];
    let mut hash = None;
    for (name, write) in wanted {
        if fields::flag(&call.headers, name)? {
            // Only one of both hashes can be requested.
            if whole || length > MOST_HASHED || hash.replace(write).is_some() {
                return Err(Refusal::from(fields::invalid(name)).with("HeaderName", name));
            }
        }
    }
    Ok(hash)
}
