use http::HeaderMap;
use table_model::{
    TableError,
    blob::{BlobConditions, BlobMatch, TagCondition},
};

use super::lease_id;
use crate::wire::{fields, http_date::HttpDate};

const IF_MATCH: &str = "if-match";
const IF_NONE_MATCH: &str = "if-none-match";
const IF_MODIFIED_SINCE: &str = "if-modified-since";
const IF_UNMODIFIED_SINCE: &str = "if-unmodified-since";
/// The required lease of a blob or a container.
pub const LEASE_ID: &str = "x-ms-lease-id";
/// A condition on tags.
pub const IF_TAGS: &str = "x-ms-if-tags";

/// Writes conditions.
pub fn write_conditions(conditions: &BlobConditions, headers: &mut HeaderMap) {
    let mut set_match = |name, wanted: &Option<BlobMatch>| match wanted {
        Some(BlobMatch::Any) => fields::set(headers, name, "*"),
        Some(BlobMatch::Version(etag)) => fields::set(headers, name, etag),
        None => {}
    };
    set_match(IF_MATCH, &conditions.if_match);
    set_match(IF_NONE_MATCH, &conditions.if_none_match);
    if let Some(time) = conditions.if_modified_since {
        fields::set(headers, IF_MODIFIED_SINCE, HttpDate(time));
    }
    if let Some(time) = conditions.if_unmodified_since {
        fields::set(headers, IF_UNMODIFIED_SINCE, HttpDate(time));
    }
    if let Some(lease) = conditions.lease {
        fields::set(headers, LEASE_ID, lease);
    }
    if let Some(tags) = &conditions.tags {
        fields::set(headers, IF_TAGS, tags);
    }
}

/// Reads conditions.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_conditions(headers: &HeaderMap) -> Result<BlobConditions, TableError> {
    let read_match = |name| {
        Ok::<_, TableError>(match fields::text(headers, name)? {
            None => None,
            Some("*") => Some(BlobMatch::Any),
            Some(etag) => Some(BlobMatch::Version(etag.parse().map_err(|_| fields::invalid(name))?)),
        })
    };
    let mut conditions = BlobConditions::none();
    conditions.if_match = read_match(IF_MATCH)?;
    conditions.if_none_match = read_match(IF_NONE_MATCH)?;
    conditions.if_modified_since = fields::time(headers, IF_MODIFIED_SINCE)?;
    conditions.if_unmodified_since = fields::time(headers, IF_UNMODIFIED_SINCE)?;
    conditions.lease = lease_id(headers, LEASE_ID)?;
    conditions.tags = fields::text(headers, IF_TAGS)?.map(tag_condition).transpose()?;
    Ok(conditions)
}

/// Parses a condition on tags. An error contains the name of the header and the position.
fn tag_condition(text: &str) -> Result<TagCondition, TableError> {
    let named = |error: TableError| format!("`{IF_TAGS}`: {}", error.message());
    text.parse().map_err(|error: TableError| TableError::with_message(error.code(), named(error)))
}
