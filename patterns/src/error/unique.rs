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
