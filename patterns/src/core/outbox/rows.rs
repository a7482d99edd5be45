use table_model::{Row, Rows, TableName, rows::RowHead};

use super::{Commit, Role};
use crate::{Address, Error};

/// A row in another partition that a commit record names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitRow {
    /// Address of the entity that the commit wrote.
    pub entity: Address,
    /// Name of the index or lookup.
    pub rule: String,
    /// Address of the row.
    pub address: Address,
    /// `true` if the entity no longer requires the row.
    pub is_old: bool,
}

impl CommitRow {
    /// Returns the rows that a commit record names, pending or dead-lettered. Empty for other rows. Blobs are left out.
    ///
    /// # Errors
    /// Returns [`Error::OutboxDamaged`] if the record is damaged.
    pub fn of(table: &TableName, row: &Row) -> Result<Vec<Self>, Error> {
        let head = RowHead {
            etag: row.etag.clone(),
            partition_key: row.partition_key.as_deref(),
            row_key: row.row_key.as_deref(),
            timestamp: row.timestamp,
        };
        let mut rows = Rows::new();
        // Only rows that no service stores are too large.
        let pushed = rows.push(head, row.properties.refs()).ok();
        let read = pushed.and_then(|()| rows.get(0)).map(|row| Commit::read(table, row)).transpose()?;
        let Some(commit) = read.flatten() else { return Ok(Vec::new()) };
        let partition_key = commit.receipt.partition_key;
        let rows = commit.touches.into_iter().filter(|touch| !touch.is_blob()).map(|touch| Self {
            entity: Address {
                table: table.clone(),
                partition_key: partition_key.clone(),
                row_key: touch.row_key,
            },
            rule: touch.maker.index,
            address: touch.address,
            is_old: touch.role == Role::Old,
        });
        Ok(rows.collect())
    }
}
