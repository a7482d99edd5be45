//! The position of the log up to which the records contain its frames.

use ::redb::{ReadTransaction, TableDefinition, TableError, WriteTransaction};

use super::fault::Failure;

/// One record under the key 0: the [`Applied`] position. Missing in a store that never had a log.
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
}

impl Applied {
    /// Returns the fields as two numbers, as they are stored.
    fn parts(self) -> (u64, u64) {
        (self.sequence, u64::from(self.chain) | u64::from(self.opening) << 32)
    }

    fn of_parts((sequence, other): (u64, u64)) -> Self {
        let [chain, opening] =
            [other & u64::from(u32::MAX), other >> 32].map(|half| u32::try_from(half).unwrap_or(0));
        Self { sequence, chain, opening }
    }

    /// Reads the position in a snapshot.
    pub(super) fn read(transaction: &ReadTransaction) -> Result<Self, Failure> {
        match transaction.open_table(APPLIED) {
            Ok(table) => Ok(table.get(0)?.map(|parts| Self::of_parts(parts.value())).unwrap_or_default()),
            Err(TableError::TableDoesNotExist(_)) => Ok(Self::default()),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the position in the same commit as the records.
    pub(super) fn write(self, transaction: &WriteTransaction) -> Result<(), Failure> {
        transaction.open_table(APPLIED)?.insert(0, self.parts())?;
        Ok(())
    }
}
