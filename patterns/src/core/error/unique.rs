use std::fmt;

use crate::Address;

/// Error for a key of a unique index that belongs to another entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueViolationError {
    /// Name of the index.
    pub index: &'static str,
    /// Address of the conflicting row; its keys contain the value.
    pub address: Option<Address>,
    /// Index of the operation in its transaction, starting at 0. It is 0 for a single verb.
    pub operation: usize,
}

impl fmt::Display for UniqueViolationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "another entity has the same `{}` key", self.index)?;
        match &self.address {
            Some(address) => write!(f, ": {address} already exists"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UniqueViolationError {}

/// Error for an index row that two entities claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexConflictError {
    /// Name of the index.
    pub index: String,
    /// Address of the row.
    pub address: Box<Address>,
    /// Entity that owns the row. `None` if a client that bypassed the library wrote the row.
    pub other: Option<Address>,
}

impl fmt::Display for IndexConflictError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, address, other } = self;
        write!(f, "row {address} of index `{index}` ")?;
        match other {
            Some(other) => {
                write!(
                    f,
                    "belongs to {other}; declare the index `unique`, or append the entity's key to the index \
                     key"
                )
            }
            None => f.write_str("has no owner: it was written outside the library"),
        }
    }
}

impl std::error::Error for IndexConflictError {}
