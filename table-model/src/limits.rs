//! Limits of the service.
//!
//! Source: the design guide's table of limits (`G-ENT`, `G-EGT`) and the REST reference's data model and scale pages.

/// Maximum size of an entity in bytes, by the documented size formula: 1 MiB.
pub const ENTITY_BYTES: usize = 1 << 20;

/// Maximum number of user properties, in addition to `PartitionKey`, `RowKey` and `Timestamp`.
pub const USER_PROPERTIES: usize = 252;

/// Maximum length of a property name in UTF-16 units.
pub const PROPERTY_NAME_UNITS: usize = 255;

/// Maximum length of a String value in UTF-16 units: 64 KiB.
pub const STRING_UNITS: usize = 32 * 1024;

/// Maximum size of a Binary value in bytes: 64 KiB.
pub const BINARY_BYTES: usize = 64 * 1024;

/// Maximum length of a key in UTF-16 units by the strict interpretation of "1 KiB". See [`KeyLength`].
pub const KEY_UNITS: usize = 512;

/// Maximum length of a key in UTF-16 units by the lenient interpretation.
pub const KEY_UNITS_LENIENT: usize = 1024;

/// Maximum number of operations in an entity group transaction.
pub const TRANSACTION_OPERATIONS: usize = 100;

/// Size in bytes at which an entity group transaction is rejected: 4 MiB. A valid transaction is smaller.
pub const TRANSACTION_BYTES: usize = 4 << 20;

/// Maximum number of entities in a query response.
pub const SEGMENT_ENTITIES: usize = 1000;

/// Stored bytes of returned entities at which a query response ends early: 64 MiB. The service documents no such limit,
/// but a response may end at any entity (`G-QRY-5`). Without a limit, 1,000 large entities would use 1 GiB of memory.
pub const SEGMENT_BYTES: usize = 64 << 20;

/// Maximum number of names in a `$select`.
pub const SELECT_NAMES: usize = 255;

/// Maximum number of comparisons in a filter.
pub const FILTER_COMPARISONS: usize = 15;

/// Maximum nesting depth of a filter. The service documents no limit; this one prevents stack overflow by a hostile
/// filter.
pub const FILTER_DEPTH: usize = 64;

/// Maximum length of a filter string in bytes. The service is limited by its URL length, which is well below this
/// value.
pub const FILTER_BYTES: usize = 64 * 1024;

/// Maximum size of the metadata names and values of a resource in bytes: 8 KiB.
pub const METADATA_BYTES: usize = 8 * 1024;

/// Maximum key length.
///
/// The data model page specifies 1 KiB, the scale page 1,024 characters. The strict interpretation (512 UTF-16 units)
/// is the default because every backend supports it.
///
/// ```
/// use table_model::limits::KeyLength;
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
    /// Returns the limit in UTF-16 units.
    #[must_use]
    pub const fn units(self) -> usize {
        match self {
            Self::Strict => KEY_UNITS,
            Self::Lenient => KEY_UNITS_LENIENT,
        }
    }
}
