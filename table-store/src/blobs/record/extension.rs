//! Extension of the record of a blob: fields that few blobs have.

use table_model::{
    Uuid,
    blob::{BlobCopy, BlobHeaders},
    fields::{Fields, push_text},
};

use crate::blobs::place::Id;

const SHARED: u8 = 1;
const COPY: u8 = 1 << 1;
const OTHER_MD5: u8 = 1 << 2;

/// Returns whether a record has fields in an extension.
pub(super) fn is_needed(shared: Option<Id>, copy: Option<&BlobCopy>, headers: &BlobHeaders) -> bool {
    shared.is_some() || copy.is_some() || headers.other_md5.is_some()
}

/// Appends a byte whose bits mark the present fields, followed by these fields.
pub(super) fn push(body: &mut Vec<u8>, shared: Option<Id>, copy: Option<&BlobCopy>, headers: &BlobHeaders) {
    let bit = |is_there, bit| if is_there { bit } else { 0 };
    let of_content = bit(shared.is_some(), SHARED) | bit(copy.is_some(), COPY);
    body.push(of_content | bit(headers.other_md5.is_some(), OTHER_MD5));
    if let Some(owner) = shared {
        body.extend_from_slice(&owner.number().to_le_bytes());
    }
    if let Some(BlobCopy { id, source, completed }) = copy {
        body.extend_from_slice(id.as_bytes());
        body.extend_from_slice(&completed.ticks().to_le_bytes());
        push_text(body, source);
    }
    if let Some(text) = &headers.other_md5 {
        push_text(body, text);
    }
}

/// Fields of an extension.
type Extension = (Option<Id>, Option<BlobCopy>);

/// Reads an extension, also into the headers. Returns `None` if the bytes are not an extension, or if it has fields that
/// this version does not know.
pub(super) fn read(fields: &mut Fields<'_>, headers: &mut BlobHeaders) -> Option<Extension> {
    let bits = fields.byte()?;
    if bits == 0 || bits & !(SHARED | COPY | OTHER_MD5) != 0 {
        return None;
    }
    let shared = if bits & SHARED == 0 { None } else { Some(Id(fields.long()?)) };
    let copy = if bits & COPY == 0 {
        None
    } else {
        let (id, completed) = (Uuid::from_bytes(fields.sixteen()?), fields.time()?);
        Some(BlobCopy { id, completed, source: fields.text()?.to_owned() })
    };
    if bits & OTHER_MD5 != 0 {
        headers.other_md5 = Some(fields.text()?.to_owned());
    }
    Some((shared, copy))
}
