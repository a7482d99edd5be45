//! The blob service's limits.

/// Most UTF-16 units of a blob's name.
pub const BLOB_NAME_UNITS: usize = 1024;

/// Most segments of a blob's name, told apart by `/`.
pub const BLOB_NAME_SEGMENTS: usize = 254;

/// Most bytes of a blob that is put in one request: 5,000 MiB.
pub const PUT_BYTES: u64 = 5_000 << 20;

/// Most bytes of a block: 4,000 MiB.
pub const BLOCK_BYTES: u64 = 4_000 << 20;

/// Most bytes that are appended at once: 100 MiB.
pub const APPEND_BYTES: u64 = 100 << 20;

/// Most blocks of a blob, and most appends to one.
pub const BLOCKS: usize = 50_000;

/// Most blocks of a blob that no list has taken up.
pub const UNCOMMITTED_BLOCKS: usize = 100_000;

/// Most bytes of a block blob: as many of the largest blocks as it may have.
pub const BLOB_BYTES: u64 = BLOCK_BYTES * BLOCKS as u64;

/// Most bytes of a block's id, before it is written as Base64.
pub const BLOCK_ID_BYTES: usize = 64;

/// Most results of a listing.
pub const LIST_RESULTS: usize = 5_000;

/// Most bytes of one of a blob's headers. The service states none; ours keeps the records of a listing small.
pub const HEADER_BYTES: usize = 1024;
