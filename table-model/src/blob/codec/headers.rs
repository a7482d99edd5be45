use crate::{
    blob::{BlobHeaders, BlobType, Md5},
    fields::{Fields, push_text},
};

/// Bit of the headers that marks a lease at the end of the record. An earlier version that knows no leases rejects the
/// record instead of ignoring the lease.
pub const LEASED: u8 = 1 << 6;

/// Bit of the headers that marks tags at the end of the record. An earlier version that knows no tags rejects the record
/// instead of dropping them with its next change.
pub const TAGGED: u8 = 1 << 7;

/// Returns the byte of a type, or of a blob that has only uncommitted blocks.
pub const fn type_code(blob_type: Option<BlobType>) -> u8 {
    match blob_type {
        Some(BlobType::Block) => 1,
        Some(BlobType::Append) => 2,
        None => 3,
    }
}

/// Returns the type of a byte.
pub const fn type_of(code: u8) -> Option<Option<BlobType>> {
    match code {
        1 => Some(Some(BlobType::Block)),
        2 => Some(Some(BlobType::Append)),
        3 => Some(None),
        _ => None,
    }
}

/// Appends a byte whose bits mark the present headers and, in `others`, the fields after the metadata, followed by these
/// headers.
pub fn push_headers(body: &mut Vec<u8>, headers: &BlobHeaders, others: u8) {
    let texts = [
        &headers.content_type,
        &headers.content_encoding,
        &headers.content_language,
        &headers.content_disposition,
        &headers.cache_control,
    ];
    let bits = texts.iter().enumerate().map(|(at, text)| u8::from(text.is_some()) << at).sum::<u8>();
    body.push(bits | u8::from(headers.content_md5.is_some()) << texts.len() | others);
    for text in texts.into_iter().flatten() {
        push_text(body, text);
    }
    body.extend(headers.content_md5.iter().flat_map(|Md5(md5)| md5));
}

/// Reads headers, and the bits that mark fields after the metadata.
pub fn read_headers(fields: &mut Fields<'_>) -> Option<(BlobHeaders, u8)> {
    let bits = fields.byte()?;
    let mut headers = BlobHeaders::default();
    let texts = [
        &mut headers.content_type,
        &mut headers.content_encoding,
        &mut headers.content_language,
        &mut headers.content_disposition,
        &mut headers.cache_control,
    ];
    for (at, text) in texts.into_iter().enumerate() {
        if bits >> at & 1 == 1 {
            *text = Some(fields.text()?.to_owned());
        }
    }
    if bits >> 5 & 1 == 1 {
        headers.content_md5 = Some(Md5(fields.sixteen()?));
    }
    Some((headers, bits & (LEASED | TAGGED)))
}
