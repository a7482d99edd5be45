//! The service's limits, in one place.
//!
//! Source: the design guide's table of limits (`G-ENT`, `G-EGT`) and the REST reference's data model and scale pages.

/// Most bytes of one entity by the documented size formula: 1 MiB.
pub const ENTITY_BYTES: usize = 1 << 20;

/// Most properties of the user's own; `PartitionKey`, `RowKey` and `Timestamp` come on top.
pub const USER_PROPERTIES: usize = 252;

/// Most UTF-16 units of a property name.
pub const PROPERTY_NAME_UNITS: usize = 255;

/// Most UTF-16 units of a String value: 64 KiB.
pub const STRING_UNITS: usize = 32 * 1024;

/// Most bytes of a Binary value: 64 KiB.
pub const BINARY_BYTES: usize = 64 * 1024;

/// Most UTF-16 units of a key by the strict reading of "1 KiB". See [`KeyLength`].
pub const KEY_UNITS: usize = 512;

/// Most UTF-16 units of a key by the lenient reading.
pub const KEY_UNITS_LENIENT: usize = 1024;

/// Most operations of one entity group transaction.
pub const TRANSACTION_OPERATIONS: usize = 100;

/// Bytes at which one entity group transaction is too large: 4 MiB. It holds less.
pub const TRANSACTION_BYTES: usize = 4 << 20;

/// Most entities of one query response.
pub const SEGMENT_ENTITIES: usize = 1000;

/// Stored bytes of the entities returned at which a query response ends early: 64 MiB. The service states no such
/// limit, but a response may end anywhere (`G-QRY-5`); without one, 1,000 large entities would take 1 GiB of memory.
pub const SEGMENT_BYTES: usize = 64 << 20;

/// Most names in a `$select`.
pub const SELECT_NAMES: usize = 255;

/// Most comparisons in one filter.
pub const FILTER_COMPARISONS: usize = 15;

/// Deepest nesting of a filter. The service states none; ours keeps a hostile filter from using the stack.
pub const FILTER_DEPTH: usize = 64;

/// Longest filter text in bytes. The service's bound is its URL length; this is well above it.
pub const FILTER_BYTES: usize = 64 * 1024;

/// Most bytes of the names and values of a resource's metadata: 8 KiB.
pub const METADATA_BYTES: usize = 8 * 1024;

/// How long a key may be.
///
/// The data model page says 1 KiB, the scale page 1,024 characters. The strict reading (512 UTF-16 units) is the
/// default, as it is safe on every backend.
///
/// ```
/// use table_store::limits::KeyLength;
///
/// assert_eq!(KeyLength::default().units(), 512);
/// assert_eq!(KeyLength::Lenient.units(), 1024);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum KeyLength {
    /// 512 UTF-16 units: 1 KiB.
    #[default]
    Strict,
    /// 1,024 UTF-16 units.
    Lenient,
}

impl KeyLength {
    /// The limit in UTF-16 units.
    #[must_use]
    pub const fn units(self) -> usize {
        match self {
            Self::Strict => KEY_UNITS,
            Self::Lenient => KEY_UNITS_LENIENT,
        }
    }
}
