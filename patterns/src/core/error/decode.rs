use std::fmt;

use crate::{Address, ValueError, core::error::property::PropertyError};

/// Error for a row that could not be decoded as the requested type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Requested entity type, projection or union.
    pub entity: &'static str,
    /// Partition key of the row.
    pub partition_key: String,
    /// Row key of the row.
    pub row_key: String,
    /// Cause of the error.
    pub problem: Box<RowError>,
}

/// Reason why a row cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowError {
    /// Its keys do not match the entity's templates.
    ForeignKey {
        /// Templates of partition key and row key.
        templates: (&'static str, &'static str),
    },
    /// It has another `EntityType`.
    ForeignType {
        /// `EntityType` of the row.
        found: String,
    },
    /// It is the marker at the old key of an entity that [moves](crate::MovedFrom) to other keys: there is no entity at
    /// this key.
    Moved {
        /// The new address. The entity was moved there, or a program reserved the new key.
        to: Address,
    },
    /// A newer program wrote it.
    NewerVersion {
        /// Version of the row.
        found: u32,
        /// Newest version that this program knows.
        known: u32,
    },
    /// An older program wrote it as a version that this program no longer reads.
    RetiredVersion {
        /// Version of the row.
        found: u32,
        /// Oldest version that this program reads.
        oldest: u32,
    },
    /// It is an index row of an older version that does not contain all fields, so that it cannot be converted.
    OlderIndexRow {
        /// Name of the index.
        index: &'static str,
        /// Version of the row.
        version: u32,
    },
    /// It is an index row, not the entity.
    IndexRow {
        /// Name of the index.
        index: &'static str,
    },
    /// It is at a key of an index or a lookup, but was not written as such a row. It may be an entity.
    NotDerived {
        /// Name of the index or lookup.
        index: &'static str,
    },
    /// It is a row in another partition that is not live yet.
    NotLive,
    /// It is a part of a wide entity.
    Part,
    /// A property cannot be decoded.
    Property(PropertyError),
    /// The service omitted a requested key.
    NoKeys,
}

impl DecodeError {
    /// Returns whether the row has another entity type, in contrast to a damaged row of this type.
    pub fn is_foreign(&self) -> bool {
        use RowError::{ForeignKey, ForeignType, Moved};

        matches!(*self.problem, ForeignKey { .. } | ForeignType { .. } | Moved { .. }) || self.is_unseen()
    }

    /// Returns whether a newer program wrote the row, with a version of the type that this program does not know.
    pub fn is_newer(&self) -> bool {
        matches!(*self.problem, RowError::NewerVersion { .. })
    }

    /// Returns whether the row has a version that this program cannot read: a newer one, or one before the oldest.
    pub(crate) fn is_of_other_version(&self) -> bool {
        self.is_newer() || matches!(*self.problem, RowError::RetiredVersion { .. })
    }

    /// Returns whether another program can decode the row: one with more encryption keys, or one that knows a newer
    /// version of the type.
    pub(crate) fn passes_elsewhere(&self) -> bool {
        use crate::DecryptError::{NoKeys, UnknownKey};

        if self.is_newer() {
            return true;
        }
        let RowError::Property(error) = &*self.problem else { return false };
        matches!(error.reason, ValueError::Encrypted(NoKeys | UnknownKey { .. }))
    }

    /// Returns whether the row is invisible to readers: an index row, or a row that is not live.
    pub(crate) fn is_unseen(&self) -> bool {
        matches!(*self.problem, RowError::IndexRow { .. } | RowError::NotLive)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, partition_key, row_key, problem } = self;
        write!(
            f,
            "the row PartitionKey {partition_key:?}, RowKey {row_key:?} cannot be decoded as `{entity}`: "
        )?;
        problem.fmt(f)
    }
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ForeignKey { templates: (partition, row) } => write!(
                f,
                "its keys do not match the templates \"{partition}\", \"{row}\"; start the RowKeys of other \
                 entity types with a distinct prefix, or read a union"
            ),
            Self::ForeignType { found } => write!(
                f,
                "its EntityType is {found:?}; read it as that type, as a union, or as an untyped entity \
                 (`.bag()`)"
            ),
            Self::Moved { to } => write!(
                f,
                "entities of this type are moved to other keys, this one to {to}; end this program, and deploy one that \
                 uses `tables.moving`"
            ),
            Self::NewerVersion { found, known } => write!(
                f,
                "a newer program wrote it as version {found}, and this program knows version {known}; deploy a \
                 program that knows version {found}"
            ),
            Self::RetiredVersion { found, oldest } => write!(
                f,
                "it was written as version {found}, and this program reads versions from {oldest}; run \
                 `tables.upgrade` with a program that knows version {found}"
            ),
            Self::OlderIndexRow { index, version } => write!(
                f,
                "it is a row of version {version} in the index `{index}` without the fields that the conversion requires; \
                 upgrade the entities (`upgrade`), or query them by their keys"
            ),
            Self::IndexRow { index } => {
                write!(f, "it is a row of the index `{index}`")
            }
            Self::NotDerived { index } => write!(
                f,
                "it is at a key of `{index}`, but was not written as a row of it, so it may be an entity; move or delete it"
            ),
            Self::NotLive => f.write_str("it is a row in another partition that is not live yet"),
            Self::Part => f.write_str(
                "it is one row of a wide entity; read the entity with `point`, or the row as an untyped \
                 entity (`.bag()`)",
            ),
            Self::Property(error) => write!(f, "property `{}`: {}", error.property, error.reason),
            Self::NoKeys => f.write_str("the response does not contain its keys"),
        }
    }
}

impl std::error::Error for DecodeError {}
