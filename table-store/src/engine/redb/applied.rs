//! The position of the log up to which the records contain its frames.

use ::redb::{ReadTransaction, TableDefinition, TableError, WriteTransaction};

use super::fault::Failure;

/// Key 0 contains the [`Applied`] position, and key 1 the head of the log and zero. Missing in a store that never had a log.
const APPLIED: TableDefinition<'static, u8, (u64, u64)> = TableDefinition::new("applied");

/// Position in the log: all frames up to `sequence` are in the records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Applied {
    /// Number of the last frame, or of the last commit that needed no frame.
    pub(crate) sequence: u64,
    /// Value to which the next frame refers as its predecessor.
    pub(crate) chain: u32,
    /// Number of the opening that wrote it.
    pub(crate) opening: u32,
    /// Number of a head of the log that was on stable storage before: a log with a lower number is an older copy.
    pub(crate) head: u64,
}

impl Applied {
    /// Returns the fields as two numbers, as they are stored.
    fn parts(self) -> (u64, u64) {
        (self.sequence, u64::from(self.chain) | u64::from(self.opening) << 32)
    }

    fn of_parts((sequence, other): (u64, u64), head: u64) -> Self {
        let [chain, opening] =
            [other & u64::from(u32::MAX), other >> 32].map(|half| u32::try_from(half).unwrap_or(0));
        Self { sequence, chain, opening, head }
    }

    /// Sets the part that is stored in a record. Returns `None` if the record is invalid.
    pub(super) fn set(&mut self, key: &[u8], value: &[u8]) -> Option<()> {
        let (first, second) = value.split_first_chunk()?;
        let parts = (u64::from_le_bytes(*first), u64::from_le_bytes(second.try_into().ok()?));
        match key {
            [0] => *self = Self::of_parts(parts, self.head),
            [1] => self.head = parts.0,
            _ => return None,
        }
        Some(())
    }

    /// Reads the position in a snapshot.
    pub(super) fn read(transaction: &ReadTransaction) -> Result<Self, Failure> {
        match transaction.open_table(APPLIED) {
            Ok(table) => {
                let head = table.get(1)?.map_or(0, |parts| parts.value().0);
                Ok(table.get(0)?.map(|parts| Self::of_parts(parts.value(), head)).unwrap_or_default())
            }
            Err(TableError::TableDoesNotExist(_)) => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the position in the same commit as the records.
    pub(super) fn write(self, transaction: &WriteTransaction) -> Result<(), Failure> {
        let mut table = transaction.open_table(APPLIED)?;
        table.insert(0, self.parts())?;
        table.insert(1, (self.head, 0))?;
        Ok(())
    }
}
