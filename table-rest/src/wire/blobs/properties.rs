use http::HeaderMap;
use table_model::{
    ErrorCode, TableError,
    blob::{
        Appended, BlobProperties, BlobType, BlobVersion, BlobWritten, ContainerName, ContainerProperties,
        LeaseState,
    },
};

use super::{
    BLOB_TYPE, content, content_md5,
    copy::{read_copy_properties, write_copy_properties},
    lease::LEASE_DURATION,
    range::whole_length,
};
use crate::wire::{fields, http_date::HttpDate, metadata};

const ETAG: &str = "etag";
const LAST_MODIFIED: &str = "last-modified";
const CREATED: &str = "x-ms-creation-time";
const BLOCK_COUNT: &str = "x-ms-blob-committed-block-count";
const APPEND_OFFSET: &str = "x-ms-blob-append-offset";
const LEASE_STATUS: &str = "x-ms-lease-status";
const LEASE_STATE: &str = "x-ms-lease-state";
const TAG_COUNT: &str = "x-ms-tag-count";

/// Writes the version of a container or a blob.
pub fn write_version(version: &BlobVersion, headers: &mut HeaderMap) {
    fields::set(headers, ETAG, &version.etag);
    fields::set(headers, LAST_MODIFIED, HttpDate(version.last_modified));
}

/// Reads the version of a container or a blob.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_version(headers: &HeaderMap) -> Result<BlobVersion, TableError> {
    let etag = fields::required(fields::parsed(headers, ETAG)?, ETAG)?;
    let last_modified = fields::required(fields::time(headers, LAST_MODIFIED)?, LAST_MODIFIED)?;
    Ok(BlobVersion { etag, last_modified })
}

/// Writes the response headers of a blob write.
pub fn write_written(written: &BlobWritten, headers: &mut HeaderMap) {
    let version = BlobVersion { etag: written.etag.clone(), last_modified: written.last_modified };
    write_version(&version, headers);
    if let Some(hash) = written.content_md5 {
        fields::set(headers, super::CONTENT_MD5, fields::hash_text(&hash.0));
    }
}

/// Reads the response headers of a blob write.
///
/// # Errors
///
/// Returns `InvalidHeaderValue` or `InvalidMd5`.
pub fn read_written(headers: &HeaderMap) -> Result<BlobWritten, TableError> {
    Ok(BlobWritten::new(read_version(headers)?, content_md5(headers)?))
}

/// Writes the response headers of an append.
pub fn write_appended(appended: &Appended, headers: &mut HeaderMap) {
    let version = BlobVersion { etag: appended.etag.clone(), last_modified: appended.last_modified };
    write_version(&version, headers);
    fields::set(headers, APPEND_OFFSET, appended.offset);
    fields::set(headers, BLOCK_COUNT, appended.committed_blocks);
}

/// Reads the response headers of an append.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_appended(headers: &HeaderMap) -> Result<Appended, TableError> {
    let offset = fields::required(fields::parsed(headers, APPEND_OFFSET)?, APPEND_OFFSET)?;
    let count = fields::required(fields::parsed(headers, BLOCK_COUNT)?, BLOCK_COUNT)?;
    Ok(Appended::new(read_version(headers)?, offset, count))
}

/// Writes the properties of a blob, without its length. `whole` is `true` if the response body is the complete blob.
pub fn write_properties(properties: &BlobProperties, whole: bool, headers: &mut HeaderMap) {
    write_version(&properties.version(), headers);
    content::write_http(&properties.headers, whole, headers);
    metadata::write(&properties.metadata, headers);
    fields::set(headers, CREATED, HttpDate(properties.created));
    fields::set(headers, BLOB_TYPE, properties.blob_type.as_str());
    if let Some(count) = properties.committed_blocks {
        fields::set(headers, BLOCK_COUNT, count);
    }
    fields::set(headers, "accept-ranges", "bytes");
    fields::set(headers, "x-ms-server-encrypted", "true");
    if properties.blob_type == BlobType::Block {
        fields::set(headers, "x-ms-access-tier", "Hot");
        fields::set(headers, "x-ms-access-tier-inferred", "true");
    }
    if properties.tag_count > 0 {
        fields::set(headers, TAG_COUNT, properties.tag_count);
    }
    if let Some(copy) = &properties.copy {
        write_copy_properties(copy, properties.length, headers);
    }
    if properties.snapshot.is_none() {
        write_lease_state(properties.lease, headers);
    }
}

/// Reads the properties of a blob, from the response to a read of the blob or a range.
///
/// # Errors
///
/// Returns `InvalidHeaderValue` or `InvalidMd5`, the error for invalid metadata, or `NotImplemented` for an unsupported
/// blob type.
pub fn read_properties(headers: &HeaderMap) -> Result<BlobProperties, TableError> {
    let known = fields::required(fields::text(headers, BLOB_TYPE)?, BLOB_TYPE)?;
    let mut properties = BlobProperties::new(blob_type(known)?, read_version(headers)?);
    properties.length = match fields::text(headers, "content-range")? {
        Some(range) => fields::required(whole_length(range), "content-range")?,
        None => fields::required(fields::parsed(headers, "content-length")?, "content-length")?,
    };
    properties.created = fields::time(headers, CREATED)?.unwrap_or(properties.last_modified);
    properties.headers = content::read_http(headers)?;
    properties.metadata = metadata::read(headers)?;
    properties.committed_blocks = fields::parsed(headers, BLOCK_COUNT)?;
    properties.lease = read_lease_state(headers)?;
    properties.tag_count = fields::parsed(headers, TAG_COUNT)?.unwrap_or(0);
    properties.copy = read_copy_properties(headers)?;
    Ok(properties)
}

/// Parses the wire form of a blob type.
pub(super) fn blob_type(text: &str) -> Result<BlobType, TableError> {
    let known = [BlobType::Block, BlobType::Append].into_iter().find(|known| known.as_str() == text);
    known.ok_or_else(|| ErrorCode::NotImplemented.into())
}

/// Writes the properties of a container.
pub fn write_container(container: &ContainerProperties, headers: &mut HeaderMap) {
    write_version(&container.version(), headers);
    metadata::write(&container.metadata, headers);
    fields::set(headers, "x-ms-has-immutability-policy", "false");
    fields::set(headers, "x-ms-has-legal-hold", "false");
    write_lease_state(container.lease, headers);
}

/// Reads the properties of a container.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`, or the error for invalid metadata.
pub fn read_container(name: ContainerName, headers: &HeaderMap) -> Result<ContainerProperties, TableError> {
    let mut container = ContainerProperties::new(name, read_version(headers)?, metadata::read(headers)?);
    container.lease = read_lease_state(headers)?;
    Ok(container)
}

fn write_lease_state(state: LeaseState, headers: &mut HeaderMap) {
    fields::set(headers, LEASE_STATUS, state.status());
    fields::set(headers, LEASE_STATE, state);
    if let LeaseState::Leased(kind) = state {
        fields::set(headers, LEASE_DURATION, kind.as_str());
    }
}

/// Reads the state of a lease. An omitted state means that no lease exists.
fn read_lease_state(headers: &HeaderMap) -> Result<LeaseState, TableError> {
    let Some(state) = fields::text(headers, LEASE_STATE)? else { return Ok(LeaseState::Available) };
    let state = LeaseState::parse(state, fields::text(headers, LEASE_DURATION)?);
    fields::required(state, LEASE_STATE)
}
