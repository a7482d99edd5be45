use futures_util::stream;
use http::StatusCode;
use table_model::{
    ErrorCode, TableError, Uuid,
    blob::{
        BlobAddress, BlobConditions, BlobHeaders, BlobMatch, BlobRange, BlobReader, BlockId, PutBlob,
        PutBlock, ReadBlob, limits,
    },
};

use super::{
    checksum::{Hash, Said, Sum, write_crc64},
    created,
    pour::pour,
    put::{CreateOnly, refuse_early},
    source::Source,
    with_headers,
};
use crate::{
    server::{
        Call, Grant, Refusal, Reply, RequestBody, ServedAccount,
        resource::{missing_header, missing_parameter},
    },
    wire::{
        blobs::{
            BLOB_TYPE, copies_tags, read_append, read_conditions, read_copy, read_put,
            read_source_conditions, read_source_range, write_appended, write_copied, write_written,
        },
        fields,
    },
};

/// Whether the copy has the headers of the source that the request does not set; `true` by default.
const SOURCE_HEADERS: &str = "x-ms-copy-source-blob-properties";

/// Copies a blob or a snapshot. The copy is complete with the response.
pub(super) async fn copy(
    account: &ServedAccount,
    source: &Source<'_>,
    grant: &Grant,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    without_body(&body)?;
    source.check_account(account)?;
    let mut request = read_copy(&call.headers, Uuid::new_v4())?.source(source.url.as_str());
    request.metadata = call.metadata()?;
    let said = Said::of_source(&call.headers)?;
    if said.is_some() {
        // The hash concerns one version of the source, which the copy then requires.
        let reader = open(source, BlobRange::ALL, call).await?;
        request.source_conditions.if_match = Some(BlobMatch::Version(reader.properties().etag.clone()));
        verify(account, reader, said).await?;
    }
    let create_only = CreateOnly::of(grant, account, blob, &mut request.conditions).await?;
    let copied = account.blobs.copy_blob(blob, &source.address, request).await;
    let copied = copied.map_err(|error| create_only.told(error.into()))?;
    Ok(with_headers(StatusCode::ACCEPTED, |headers| write_copied(&copied, headers)))
}

/// Puts a block blob with the content of another blob.
pub(super) async fn put_blob(
    account: &ServedAccount,
    source: &Source<'_>,
    grant: &Grant,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    without_body(&body)?;
    if fields::text(&call.headers, BLOB_TYPE)? != Some("BlockBlob") {
        return Err(Refusal::from(fields::invalid(BLOB_TYPE)).with("HeaderName", BLOB_TYPE));
    }
    let mut put = read_put(&call.headers, false)?;
    put.metadata = call.metadata()?;
    let create_only = CreateOnly::of(grant, account, blob, &mut put.conditions).await?;
    let said = Said::of_source(&call.headers)?;
    let reader = open(source, BlobRange::ALL, call).await?;
    if fields::text(&call.headers, SOURCE_HEADERS)?.is_none_or(|text| !text.eq_ignore_ascii_case("false")) {
        fill(&mut put, &reader.properties().headers);
    }
    put.headers.content_md5 = put.headers.content_md5.or(said.md5);
    if copies_tags(&call.headers)? {
        // The tags are read later, but from the same version.
        let conditions = BlobConditions::from(reader.properties().etag.clone());
        let tags = source.account.blobs.blob_tags(&source.address, &conditions).await;
        put.tags = tags.map_err(of_source)?;
    }
    let written = async {
        refuse_early(account, blob, &put.conditions).await?;
        let writer = account.blobs.write_blob(blob, put).await?;
        pour(&account.share, content(reader), writer, said).await
    };
    let (written, sum) = written.await.map_err(|refusal| create_only.told(refusal))?;
    Ok(created(|headers| {
        write_written(&written, headers);
        write_crc64(sum, headers);
    }))
}

/// Puts a block with the content of another blob, or of a range of it.
pub(super) async fn put_block(
    account: &ServedAccount,
    source: &Source<'_>,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    without_body(&body)?;
    let id = call.query.said("blockid").ok_or_else(|| missing_parameter("blockid"))?;
    let id = BlockId::from_base64(id)?;
    let (reader, said) = open_range(source, call, limits::BLOCK_BYTES).await?;
    let with = PutBlock::new().md5(said.md5).lease(read_conditions(&call.headers)?.lease);
    let writer = account.blobs.write_block(blob, &id, with).await?;
    let ((), sum) = pour(&account.share, content(reader), writer, said).await?;
    Ok(created(|headers| said.answer(sum, headers)))
}

/// Appends the content of another blob, or of a range of it.
pub(super) async fn append(
    account: &ServedAccount,
    source: &Source<'_>,
    call: &Call,
    blob: &BlobAddress,
    body: RequestBody,
) -> Result<Reply, Refusal> {
    without_body(&body)?;
    let mut append = read_append(&call.headers)?;
    let (reader, said) = open_range(source, call, limits::APPEND_BYTES).await?;
    append.md5 = said.md5;
    let writer = account.blobs.write_append(blob, append).await?;
    let (appended, sum) = pour(&account.share, content(reader), writer, said).await?;
    Ok(created(|headers| {
        write_appended(&appended, headers);
        said.answer(sum, headers);
    }))
}

/// Returns the error for the end of a copy: every copy is complete when its request ends.
pub(super) async fn abort(
    account: &ServedAccount,
    call: &Call,
    blob: &BlobAddress,
) -> Result<Reply, Refusal> {
    const ACTION: &str = "x-ms-copy-action";
    call.query.said("copyid").ok_or_else(|| missing_parameter("copyid"))?;
    if fields::text(&call.headers, ACTION)?.ok_or_else(|| missing_header(ACTION))? != "abort" {
        return Err(Refusal::from(fields::invalid(ACTION)).with("HeaderName", ACTION));
    }
    account.blobs.blob_properties(blob, &read_conditions(&call.headers)?).await?;
    Err(ErrorCode::NoPendingCopyOperation.into())
}

/// Checks that a request whose content is that of another blob has no body.
fn without_body(body: &RequestBody) -> Result<(), Refusal> {
    match body.length() {
        Some(0) => Ok(()),
        _ => Err(Refusal::from(fields::invalid("content-length")).with("HeaderName", "Content-Length")),
    }
}

/// Opens the range of the source that the request specifies.
async fn open_range(source: &Source<'_>, call: &Call, most: u64) -> Result<(BlobReader, Said), Refusal> {
    let said = Said::of_source(&call.headers)?;
    let range = read_source_range(&call.headers)?.unwrap_or(BlobRange::ALL);
    let reader = open(source, range, call).await?;
    let part = reader.range();
    if part.end.saturating_sub(part.start) > most {
        return Err(ErrorCode::RequestBodyTooLarge.into());
    }
    Ok((reader, said))
}

/// Opens the source if it satisfies its conditions.
async fn open(source: &Source<'_>, range: BlobRange, call: &Call) -> Result<BlobReader, Refusal> {
    let mut read = ReadBlob::new().conditions(read_source_conditions(&call.headers)?);
    read.range = range;
    source.account.blobs.read_blob(&source.address, read).await.map_err(of_source)
}

/// Returns the error for a read of the source.
fn of_source(error: TableError) -> Refusal {
    match error.code() {
        ErrorCode::ConditionNotMet => ErrorCode::SourceConditionNotMet.into(),
        _ => error.into(),
    }
}

/// Compares the content of a source with the hashes that the request specifies.
async fn verify(account: &ServedAccount, mut reader: BlobReader, said: Said) -> Result<(), Refusal> {
    let (mut sum, mut hash) = (Sum::new(), Hash::new());
    loop {
        let read = async {
            let piece = reader.chunk().await?;
            if let Some(piece) = &piece {
                sum.update(piece);
                hash.update(piece);
            }
            Ok::<_, TableError>(piece.is_some())
        };
        if !account.share.shortly(read).await? {
            break;
        }
        tokio::task::yield_now().await;
    }
    said.check(sum.finish())?;
    if said.md5.is_some_and(|said| said != hash.finish()) {
        return Err(ErrorCode::Md5Mismatch.into());
    }
    Ok(())
}

/// Returns the content of a reader as the body of a request.
fn content(reader: BlobReader) -> RequestBody {
    let part = reader.range();
    let pieces = stream::try_unfold(reader, |mut reader| async move {
        tokio::task::yield_now().await;
        let piece = reader.chunk().await?;
        Ok::<_, Refusal>(piece.map(|piece| (piece, reader)))
    });
    RequestBody::new(Some(part.end.saturating_sub(part.start)), pieces)
}

/// Sets the headers that a request does not set to those of the source.
fn fill(put: &mut PutBlob, source: &BlobHeaders) {
    let own = &mut put.headers;
    for (own, source) in [
        (&mut own.content_type, &source.content_type),
        (&mut own.content_encoding, &source.content_encoding),
        (&mut own.content_language, &source.content_language),
        (&mut own.content_disposition, &source.content_disposition),
        (&mut own.cache_control, &source.cache_control),
    ] {
        if own.is_none() {
            own.clone_from(source);
        }
    }
}
