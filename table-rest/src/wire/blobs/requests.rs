use http::HeaderMap;
use table_model::{
    TableError,
    blob::{AppendBlock, Md5, PutBlob, PutBlock},
};

use super::{
    CONTENT_MD5, LEASE_ID, content_md5, read_conditions, read_content, read_tags_header, write_conditions,
    write_content, write_tags_header,
};
use crate::wire::{fields, metadata};

/// The type of a written blob.
pub const BLOB_TYPE: &str = "x-ms-blob-type";

const APPEND_POSITION: &str = "x-ms-blob-condition-appendpos";
const MAX_SIZE: &str = "x-ms-blob-condition-maxsize";

/// Writes the headers of a blob write: everything except its content.
pub fn write_put(put: &PutBlob, headers: &mut HeaderMap) {
    write_content(&put.headers, headers);
    metadata::write(&put.metadata, headers);
    write_tags_header(&put.tags, headers);
    write_conditions(&put.conditions, headers);
}

/// Reads the headers of a blob write; see [`read_content`] for `body`.
///
/// # Errors
///
/// Returns `InvalidHeaderValue` or `InvalidMd5`, or the error for invalid metadata or tags.
pub fn read_put(headers: &HeaderMap, body: bool) -> Result<PutBlob, TableError> {
    let put = PutBlob::new().headers(read_content(headers, body)?).metadata(metadata::read(headers)?);
    Ok(put.tags(read_tags_header(headers)?).conditions(read_conditions(headers)?))
}

/// Writes the hash and the lease of a block.
pub fn write_block(put: &PutBlock, headers: &mut HeaderMap) {
    if let Some(Md5(hash)) = put.md5 {
        fields::set(headers, CONTENT_MD5, fields::hash_text(&hash));
    }
    if let Some(lease) = put.lease {
        fields::set(headers, LEASE_ID, lease);
    }
}

/// Writes the conditions of an append.
pub fn write_append(append: &AppendBlock, headers: &mut HeaderMap) {
    if let Some(position) = append.position {
        fields::set(headers, APPEND_POSITION, position);
    }
    if let Some(size) = append.max_size {
        fields::set(headers, MAX_SIZE, size);
    }
    if let Some(Md5(hash)) = append.md5 {
        fields::set(headers, CONTENT_MD5, fields::hash_text(&hash));
    }
    write_conditions(&append.conditions, headers);
}

/// Reads the conditions of an append.
///
/// # Errors
///
/// Returns `InvalidHeaderValue` or `InvalidMd5`.
pub fn read_append(headers: &HeaderMap) -> Result<AppendBlock, TableError> {
    let mut append = AppendBlock::new().conditions(read_conditions(headers)?);
    append.position = fields::parsed(headers, APPEND_POSITION)?;
    append.max_size = fields::parsed(headers, MAX_SIZE)?;
    append.md5 = content_md5(headers)?;
    Ok(append)
}
