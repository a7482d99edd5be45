use std::fmt;

use crate::Address;

/// A key of a unique index that another entity has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueViolation {
    /// The index.
    pub index: &'static str,
    /// The row that is taken: its keys say the value.
    pub address: Option<Address>,
    /// Which operation of a transaction it was, counted from 0; 0 for a verb alone.
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

/// A row of an index that two entities say they have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexConflict {
    /// The index.
    pub index: String,
    /// The row.
    pub address: Box<Address>,
    /// The entity that has it; none if the row was written past the library.
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
