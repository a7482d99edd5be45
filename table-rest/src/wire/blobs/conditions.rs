use http::HeaderMap;
use table_model::{
    TableError,
    blob::{BlobConditions, BlobMatch, TagCondition},
};

use super::lease_id;
use crate::wire::{fields, http_date::HttpDate};

/// The required lease of a blob or a container.
pub const LEASE_ID: &str = "x-ms-lease-id";
/// A condition on tags.
pub const IF_TAGS: &str = "x-ms-if-tags";

/// Names of the headers of conditions.
struct Names {
    if_match: &'static str,
    if_none_match: &'static str,
    if_modified_since: &'static str,
    if_unmodified_since: &'static str,
    lease: &'static str,
    if_tags: &'static str,
}

/// Conditions on the blob or container of the request.
const TARGET: Names = Names {
    if_match: "if-match",
    if_none_match: "if-none-match",
    if_modified_since: "if-modified-since",
    if_unmodified_since: "if-unmodified-since",
    lease: LEASE_ID,
    if_tags: IF_TAGS,
};

/// Conditions on the source of a copy.
const SOURCE: Names = Names {
    if_match: "x-ms-source-if-match",
    if_none_match: "x-ms-source-if-none-match",
    if_modified_since: "x-ms-source-if-modified-since",
    if_unmodified_since: "x-ms-source-if-unmodified-since",
    lease: "x-ms-source-lease-id",
    if_tags: "x-ms-source-if-tags",
};

/// Conditions on the blob whose tags are requested.
const OF_TAGS: Names = Names {
    if_match: "x-ms-blob-if-match",
    if_none_match: "x-ms-blob-if-none-match",
    if_modified_since: "x-ms-blob-if-modified-since",
    if_unmodified_since: "x-ms-blob-if-unmodified-since",
    ..TARGET
};

/// Writes conditions.
pub fn write_conditions(conditions: &BlobConditions, headers: &mut HeaderMap) {
    write(conditions, &TARGET, headers);
}

/// Writes conditions on the source of a copy.
pub(super) fn write_source_conditions(conditions: &BlobConditions, headers: &mut HeaderMap) {
    write(conditions, &SOURCE, headers);
}

fn write(conditions: &BlobConditions, names: &Names, headers: &mut HeaderMap) {
    let mut set_match = |name, wanted: &Option<BlobMatch>| match wanted {
        Some(BlobMatch::Any) => fields::set(headers, name, "*"),
        Some(BlobMatch::Version(etag)) => fields::set(headers, name, etag),
        None => {}
    };
    set_match(names.if_match, &conditions.if_match);
    set_match(names.if_none_match, &conditions.if_none_match);
    if let Some(time) = conditions.if_modified_since {
        fields::set(headers, names.if_modified_since, HttpDate(time));
    }
    if let Some(time) = conditions.if_unmodified_since {
        fields::set(headers, names.if_unmodified_since, HttpDate(time));
    }
    if let Some(lease) = conditions.lease {
        fields::set(headers, names.lease, lease);
    }
    if let Some(tags) = &conditions.tags {
        fields::set(headers, names.if_tags, tags);
    }
}

/// Reads conditions.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_conditions(headers: &HeaderMap) -> Result<BlobConditions, TableError> {
    read(headers, &TARGET)
}

/// Reads the conditions of a request for the tags of a blob, which are in the headers of these requests or in the usual ones.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_conditions_of_tags(headers: &HeaderMap) -> Result<BlobConditions, TableError> {
    let (mut conditions, usual) = (read(headers, &OF_TAGS)?, read(headers, &TARGET)?);
    conditions.if_match = conditions.if_match.or(usual.if_match);
    conditions.if_none_match = conditions.if_none_match.or(usual.if_none_match);
    conditions.if_modified_since = conditions.if_modified_since.or(usual.if_modified_since);
    conditions.if_unmodified_since = conditions.if_unmodified_since.or(usual.if_unmodified_since);
    Ok(conditions)
}

/// Reads conditions on the source of a copy.
///
/// # Errors
///
/// Returns `InvalidHeaderValue`.
pub fn read_source_conditions(headers: &HeaderMap) -> Result<BlobConditions, TableError> {
    read(headers, &SOURCE)
}

fn read(headers: &HeaderMap, names: &Names) -> Result<BlobConditions, TableError> {
    let read_match = |name| {
        Ok::<_, TableError>(match fields::text(headers, name)? {
            None => None,
            Some("*") => Some(BlobMatch::Any),
            Some(etag) => Some(BlobMatch::Version(etag.parse().map_err(|_| fields::invalid(name))?)),
        })
    };
    let mut conditions = BlobConditions::none();
    conditions.if_match = read_match(names.if_match)?;
    conditions.if_none_match = read_match(names.if_none_match)?;
    conditions.if_modified_since = fields::time(headers, names.if_modified_since)?;
    conditions.if_unmodified_since = fields::time(headers, names.if_unmodified_since)?;
    conditions.lease = lease_id(headers, names.lease)?;
    let tags = fields::text(headers, names.if_tags)?;
    conditions.tags = tags.map(|text| tag_condition(text, names.if_tags)).transpose()?;
    Ok(conditions)
}

/// Parses a condition on tags. An error contains the name of the header and the position.
fn tag_condition(text: &str, name: &str) -> Result<TagCondition, TableError> {
    let named = |error: TableError| format!("`{name}`: {}", error.message());
    text.parse().map_err(|error: TableError| TableError::with_message(error.code(), named(error)))
}
