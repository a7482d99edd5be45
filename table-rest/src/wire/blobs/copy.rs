use http::HeaderMap;
use table_model::{
    ErrorCode, TableError, Uuid,
    blob::{BlobCopied, BlobCopy, CopyBlob, CopyTags},
};

use super::{
    conditions::{read_source_conditions, write_source_conditions},
    read_conditions, read_tags_header, read_version,
    tags::TAGS,
    write_conditions, write_tags_header, write_version,
};
use crate::wire::{fields, http_date::HttpDate, metadata};

/// The URL of the source: in a request with credentials, in a response without them.
pub const COPY_SOURCE: &str = "x-ms-copy-source";

/// Whether a copy has the tags of its source.
pub const SOURCE_TAGS: &str = "x-ms-copy-source-tag-option";

/// A copy that is complete with the response: only such a copy supports [`SOURCE_TAGS`].
const REQUIRES_SYNC: &str = "x-ms-requires-sync";
const COPY: &str = "COPY";
const REPLACE: &str = "REPLACE";
const COPY_ID: &str = "x-ms-copy-id";
const COPY_STATUS: &str = "x-ms-copy-status";
const COPY_PROGRESS: &str = "x-ms-copy-progress";
const COPY_COMPLETED: &str = "x-ms-copy-completion-time";
/// The status of a copy that is complete.
pub(super) const SUCCESS: &str = "success";

/// Writes the headers of a copy, except its source.
pub fn write_copy(request: &CopyBlob, headers: &mut HeaderMap) {
    metadata::write(&request.metadata, headers);
    match &request.tags {
        CopyTags::Replace(tags) => write_tags_header(tags, headers),
        CopyTags::Copy => {
            fields::set(headers, SOURCE_TAGS, COPY);
            fields::set(headers, REQUIRES_SYNC, true);
        }
    }
    write_conditions(&request.conditions, headers);
    write_source_conditions(&request.source_conditions, headers);
}

/// Reads the headers of a copy, except its source. `id` is the id of the copy.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`, the error for invalid metadata or tags, or that for tags of a request that copies those of
/// the source.
pub fn read_copy(headers: &HeaderMap, id: Uuid) -> Result<CopyBlob, TableError> {
    let request = CopyBlob::new(id).metadata(metadata::read(headers)?).conditions(read_conditions(headers)?);
    let tags = read_tags_header(headers)?;
    let request = if copies_tags(headers)? { request.source_tags() } else { request.tags(tags) };
    Ok(request.source_conditions(read_source_conditions(headers)?))
}

/// Returns `true` if a copy has the tags of its source.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`, or the error for a request that contains tags as well.
pub fn copies_tags(headers: &HeaderMap) -> Result<bool, TableError> {
    match fields::text(headers, SOURCE_TAGS)? {
        Some(COPY) if headers.contains_key(TAGS) => {
            Err(ErrorCode::BothUserTagsAndSourceTagsCopyPresentException.into())
        }
        Some(COPY) => Ok(true),
        Some(REPLACE) | None => Ok(false),
        Some(_) => Err(fields::invalid(SOURCE_TAGS)),
    }
}

/// Writes the response headers of a copy.
pub fn write_copied(copied: &BlobCopied, headers: &mut HeaderMap) {
    write_version(&copied.version, headers);
    fields::set(headers, COPY_ID, copied.id);
    fields::set(headers, COPY_STATUS, SUCCESS);
}

/// Reads the response headers of a copy. Returns `None` for a copy that is not complete.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_copied(headers: &HeaderMap) -> Result<Option<BlobCopied>, TableError> {
    if fields::text(headers, COPY_STATUS)? != Some(SUCCESS) {
        return Ok(None);
    }
    let id = fields::required(fields::parsed(headers, COPY_ID)?, COPY_ID)?;
    Ok(Some(BlobCopied::new(read_version(headers)?, id)))
}

/// Writes the properties of a blob that describe the copy that wrote it. `length` is the length of the blob.
pub(super) fn write_copy_properties(copy: &BlobCopy, length: u64, headers: &mut HeaderMap) {
    fields::set(headers, COPY_ID, copy.id);
    fields::set(headers, COPY_SOURCE, &copy.source);
    fields::set(headers, COPY_STATUS, SUCCESS);
    fields::set(headers, COPY_PROGRESS, progress(length));
    fields::set(headers, COPY_COMPLETED, HttpDate(copy.completed));
}

/// Reads the properties of a blob that describe the copy that wrote it. A copy that is not complete is not reported.
pub(super) fn read_copy_properties(headers: &HeaderMap) -> Result<Option<BlobCopy>, TableError> {
    let id = fields::parsed(headers, COPY_ID)?;
    let (Some(id), Some(SUCCESS)) = (id, fields::text(headers, COPY_STATUS)?) else { return Ok(None) };
    let source = fields::text(headers, COPY_SOURCE)?.unwrap_or_default().to_owned();
    let completed = fields::required(fields::time(headers, COPY_COMPLETED)?, COPY_COMPLETED)?;
    Ok(Some(BlobCopy { id, source, completed }))
}

/// Returns the progress of a complete copy.
pub(super) fn progress(length: u64) -> String {
    format!("{length}/{length}")
}

#[cfg(test)]
mod tests {
    use table_model::{
        Metadata, Timestamp,
        blob::{BlobConditions, BlobETag, BlobTags, BlobVersion},
    };

    use super::*;

    const ID: Uuid = Uuid::from_u128(0x5974_b586_0df3_4e2d_ad0c_18e3_892b_fca2);

    #[test]
    fn what_is_written_reads_back() {
        let time: Timestamp = "2024-03-01T12:00:00Z".parse().unwrap();
        let request = CopyBlob::new(ID)
            .metadata(Metadata::new().with("k", "v").unwrap())
            .conditions(BlobConditions::absent().lease(ID))
            .source_conditions(
                BlobConditions::from("\"0x1\"".parse::<BlobETag>().unwrap())
                    .if_modified_since(time)
                    .lease(ID)
                    .tags("k = 'v'".parse().unwrap()),
            );
        let mut headers = HeaderMap::new();
        write_copy(&request, &mut headers);
        assert_eq!(headers["x-ms-source-if-tags"], "k = 'v'");
        assert_eq!(read_copy(&headers, ID).unwrap(), request);

        let copied = BlobCopied::new(BlobVersion::from(time), ID);
        let mut headers = HeaderMap::new();
        write_copied(&copied, &mut headers);
        assert_eq!(read_copied(&headers).unwrap(), Some(copied));
        fields::set(&mut headers, COPY_STATUS, "pending");
        assert_eq!(read_copied(&headers).unwrap(), None);

        let copy = BlobCopy { id: ID, source: "http://a/b/c".to_owned(), completed: time };
        let mut headers = HeaderMap::new();
        write_copy_properties(&copy, 5, &mut headers);
        assert_eq!(headers[COPY_PROGRESS], "5/5");
        assert_eq!(read_copy_properties(&headers).unwrap(), Some(copy));
        fields::set(&mut headers, COPY_STATUS, "failed");
        assert_eq!(read_copy_properties(&headers).unwrap(), None);
        assert_eq!(read_copy_properties(&HeaderMap::new()).unwrap(), None);
    }

    #[test]
    fn tags_are_those_of_the_request_or_of_the_source() {
        let tags = BlobTags::new().with("a b", "x=y").unwrap();
        for request in [CopyBlob::new(ID), CopyBlob::new(ID).tags(tags), CopyBlob::new(ID).source_tags()] {
            let mut headers = HeaderMap::new();
            write_copy(&request, &mut headers);
            assert_eq!(read_copy(&headers, ID).unwrap(), request);
        }
        let code = |option: &str| {
            let mut headers = HeaderMap::new();
            fields::set(&mut headers, TAGS, "k=v");
            fields::set(&mut headers, SOURCE_TAGS, option);
            read_copy(&headers, ID).err().map(|error| error.code())
        };
        assert_eq!(code("REPLACE"), None);
        assert_eq!(code("COPY"), Some(ErrorCode::BothUserTagsAndSourceTagsCopyPresentException));
        assert_eq!(code("copy"), Some(ErrorCode::InvalidHeaderValue));
    }
}
