//! Encoding of tags in the records of blobs.

use crate::{
    blob::BlobTags,
    fields::{Fields, push_text},
};

/// Appends tags: their number, then each key and value.
pub fn push_tags(body: &mut Vec<u8>, tags: &BlobTags) {
    // At most 10.
    body.push(u8::try_from(tags.len()).unwrap_or(u8::MAX));
    for (key, value) in tags.iter() {
        push_text(body, key);
        push_text(body, value);
    }
}

/// Reads tags. Returns `None` if the bytes are no tags.
pub fn read_tags(fields: &mut Fields<'_>) -> Option<BlobTags> {
    let mut tags = BlobTags::new();
    for _ in 0..fields.byte()? {
        tags.add(fields.text()?, fields.text()?).ok()?;
    }
    // Records without tags have no such field.
    (!tags.is_empty()).then_some(tags)
}
