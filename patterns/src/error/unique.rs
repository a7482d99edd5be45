use std::fmt;

use crate::Address;

/// Error for a key of a unique index that belongs to another entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueViolation {
    /// Name of the index.
    pub index: &'static str,
    /// Address of the conflicting row; its keys contain the value.
    pub address: Option<Address>,
    /// Index of the operation in its transaction, starting at 0. It is 0 for a single verb.
    pub operation: usize,
}

impl fmt::Display for UniqueViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "another entity has the same `{}` key", self.index)?;
        match &self.address {
            Some(address) => write!(f, ": {address} is taken"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for UniqueViolation {}

/// Error for an index row that two entities claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexConflict {
    /// Name of the index.
    pub index: String,
    /// Address of the row.
    pub address: Box<Address>,
    /// Entity that owns the row. `None` if a client that bypassed the library wrote the row.
    pub other: Option<Address>,
}

impl fmt::Display for IndexConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, address, other } = self;
        write!(f, "the row {address} of `{index}` is ")?;
        match other {
            Some(other) => {
                write!(f, "that of {other}; declare the index `unique`, or end its key with the entity's")
            }
            None => f.write_str("of nobody known: it was written past the library"),
        }
    }
}

impl std::error::Error for IndexConflict {}
