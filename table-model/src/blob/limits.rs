//! Limits of the blob service.

use std::time::Duration;

/// Maximum length of a blob name in UTF-16 units.
pub const BLOB_NAME_UNITS: usize = 1024;

/// Maximum number of segments of a blob name, separated by `/`.
pub const BLOB_NAME_SEGMENTS: usize = 254;

/// Maximum size of a blob written by one request, in bytes: 5,000 MiB.
pub const PUT_BYTES: u64 = 5_000 << 20;

/// Maximum size of a block in bytes: 4,000 MiB.
pub const BLOCK_BYTES: u64 = 4_000 << 20;

/// Maximum size of one append in bytes: 100 MiB.
pub const APPEND_BYTES: u64 = 100 << 20;

/// Maximum number of blocks of a blob, and of appends to a blob.
pub const BLOCKS: usize = 50_000;

/// Maximum number of uncommitted blocks of a blob.
pub const UNCOMMITTED_BLOCKS: usize = 100_000;

/// Maximum size of a block blob in bytes: the maximum number of blocks of the maximum size.
pub const BLOB_BYTES: u64 = BLOCK_BYTES * BLOCKS as u64;

/// Retention of uncommitted blocks after the last uploaded block: a week.
pub const UNCOMMITTED_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// Maximum length of a block id in bytes, before Base64 encoding.
pub const BLOCK_ID_BYTES: usize = 64;

/// Maximum number of tags of a blob, and of different tags in a search.
pub const TAGS: usize = 10;

/// Maximum length of the key of a tag in characters.
pub const TAG_KEY_CHARACTERS: usize = 128;

/// Maximum length of the value of a tag in characters.
pub const TAG_VALUE_CHARACTERS: usize = 256;

/// Maximum number of results in a segment of a listing.
pub const LIST_RESULTS: usize = 5_000;

/// Size in bytes of the records at which a segment of a listing ends: 4 MiB. With metadata, 5,000 records could have 40 MiB.
pub const LISTED_BYTES: usize = 4 << 20;

/// Maximum length of a header of a blob in bytes. The service documents no limit; this one keeps the records of a
/// listing small.
pub const HEADER_BYTES: usize = 1024;

/// Maximum length of the source that a copy reports, in bytes: 2 KiB, as in the REST reference, "Copy Blob".
pub const COPY_SOURCE_BYTES: usize = 2 << 10;
