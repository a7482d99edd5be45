//! Bounds of all calls. `docs/guide/mcp.md` lists them.

/// Maximum length of a message in bytes. The library of the protocol discards longer messages
/// without a response.
pub(super) const MESSAGE: usize = 8 << 20;

/// Maximum length of a design, of a source file, and of all files of one call, in bytes.
pub(super) const FILE: usize = 512 << 10;

/// Maximum length of a result in bytes: about 20,000 tokens.
pub(super) const RESULT: usize = 64 << 10;

/// Maximum number of entities in a result.
pub(super) const ENTITIES: u32 = 1000;

/// Default number of entities in a result.
pub(super) const DEFAULT_ENTITIES: u32 = 50;

/// Number of entities after which a scan ends.
pub(super) const SCANNED: u64 = 100_000;

/// Number of calls that are executed at the same time.
pub(super) const CALLS: usize = 4;
